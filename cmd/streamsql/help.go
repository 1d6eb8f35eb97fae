package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"streamsql/cmd/streamsql/reference"
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
				return noCommand(c.Root(), args)
			}
			return target.Help()
		},
	}
}

// explainCode shows an error code: its cause, an example and what to write instead.
func explainCode(c *cobra.Command, code string) error {
	t := reference.Errors()
	e, near := t.Find(code)
	if e == nil {
		var all []string
		for _, e := range t.Entries {
			all = append(all, e.Name)
		}
		hint := "the codes are " + strings.Join(all, ", ")
		if near != "" {
			hint = "did you mean " + near + "?  " + hint
		}
		return usagef("there is no error code %s; %s", code, hint)
	}
	_, err := io.WriteString(c.OutOrStdout(), e.Plain())
	return err
}

// noCommand is the error for words that are no command, with the nearest that is one.
func noCommand(root *cobra.Command, args []string) error {
	return usagef("there is no command '%s'%s; %s'streamsql help' lists them", strings.Join(args, " "), textBehind(args[0]),
		nearCommand(root, args[0]))
}
