package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"streamsql/planner"
)

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [command | error code]",
		Short:   "explain a command or an error code",
		Example: "  streamsql help nexmark run\n  streamsql help SQ0203",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && strings.HasPrefix(strings.ToUpper(args[0]), "SQ") {
				return explainCode(c, strings.ToUpper(args[0]))
			}
			target, rest, err := c.Root().Find(args)
			if err != nil || target == nil || len(rest) > 0 {
				return usagef("there is no command '%s'; 'streamsql help' lists them", strings.Join(args, " "))
			}
			return target.Help()
		},
	}
}

func explainCode(c *cobra.Command, code string) error {
	for _, k := range planner.Codes() {
		if string(k.Code) == code {
			_, err := fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", k.Code, k.Meaning)
			return err
		}
	}
	var all []string
	for _, k := range planner.Codes() {
		all = append(all, string(k.Code))
	}
	return usagef("there is no error code %s; the codes are %s", code, strings.Join(all, ", "))
}
