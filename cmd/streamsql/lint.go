package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"streamsql/planner"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

func newLint() *cobra.Command {
	f := &sqlFlags{format: "table"}
	c := &cobra.Command{
		Use:   "lint FILE",
		Short: "tell what a script has beyond Flink, keeps for ever, or may not mean",
		Example: `  streamsql lint pipeline.sql
  streamsql lint - < report.sql`,
		Long: `Prints one line for each thing, file:line:column first: what goes beyond Flink's dialect, and what Flink has for it;
joins, aggregations and their like that keep rows for ever; joins without an equality; groups by half a window; columns that
INSERT puts under another name. Nothing runs. The exit code is 1 when there is anything to say.`,
		Args: oneFile,
	}
	f.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		n := 0
		name := args[0]
		_, err := f.statements(c, name, func(s *planner.Session, text string, st parse.Stmt) error {
			l, err := s.Lint(st.Text)
			if err != nil {
				return err
			}
			say := func(at int, what string) error {
				n++
				line, column := syntax.LineColumn(text, st.Pos+at)
				_, err := fmt.Fprintf(c.OutOrStdout(), "%s:%d:%d: %s\n", name, line, column, what)
				return err
			}
			for _, e := range l.Extensions {
				if err := say(e.Pos, "beyond Flink: "+e.What+"; "+e.Instead); err != nil {
					return err
				}
			}
			for _, r := range l.Remarks {
				if err := say(r.Pos, r.Msg); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil && n > 0 {
			err = exitError{exitFailed}
		}
		return err
	}
	return c
}
