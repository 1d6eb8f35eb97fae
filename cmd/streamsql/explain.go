package main

import "github.com/spf13/cobra"

func newExplain() *cobra.Command {
	f := &sqlFlags{format: "table"}
	var command string
	c := &cobra.Command{
		Use:   "explain [-c SQL | FILE]",
		Short: "show the plans of queries and INSERTs without running them",
		Example: `  streamsql explain -c "SELECT price FROM nexmark.bid WHERE auction = 7"
  streamsql explain pipeline.sql`,
		Long: `Runs the DDL of a script and shows, for each query, INSERT and statement set in it, the plan as bound, the plan
after the optimizer's rules, and the stages that would run. Nothing is read or written.`,
	}
	c.Flags().StringVarP(&command, "command", "c", "", "statements to explain")
	f.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if (command == "") == (len(args) == 0) || len(args) > 1 {
			return usagef("explain takes either -c or one file")
		}
		r, err := f.runner(c.OutOrStdout(), c.ErrOrStderr())
		if err != nil {
			return err
		}
		r.Explain = true
		if command != "" {
			return r.Run(c.Context(), command, "")
		}
		return runFiles(c.Context(), r, args, c.InOrStdin())
	}
	return c
}
