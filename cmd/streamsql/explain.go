package main

import (
	"io"

	"github.com/spf13/cobra"

	"streamsql/planner"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

func newExplain() *cobra.Command {
	f := &sqlFlags{format: "table"}
	var command, format string
	c := &cobra.Command{
		Use:   "explain [-c SQL | FILE]",
		Short: "show the plans of queries and INSERTs without running them",
		Example: `  streamsql explain -c "SELECT price FROM nexmark.bid WHERE auction = 7"
  streamsql explain pipeline.sql
  streamsql explain pipeline.sql --format dot | dot -Tsvg > plan.svg`,
		Long: `Runs the DDL of a script and shows, for each query, INSERT and statement set in it, the plan as bound, the plan
after the optimizer's rules, and the stages that would run. Nothing is read or written.`,
	}
	c.Flags().StringVarP(&command, "command", "c", "", "statements to explain")
	c.Flags().StringVar(&format, "format", "text", "text, json, dot or mermaid: the last three show the stages alone")
	f.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if (command == "") == (len(args) == 0) || len(args) > 1 {
			return usagef("explain takes either -c or one file")
		}
		if draw := planFormats[format]; draw != nil {
			return f.draw(c, command, args, draw)
		} else if format != "text" {
			return usagef("unknown format '%s': text, json, dot or mermaid", format)
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

// draw shows the jobs of a script's statements in another format than text.
func (f *sqlFlags) draw(c *cobra.Command, command string, args []string, draw func(io.Writer, *planDocument) error) error {
	d := &planDocument{Statements: []planStatement{}}
	each := func(s *planner.Session, text string, st parse.Stmt) error {
		r, err := s.Explain(st.Text)
		if err != nil || r.Explained == nil {
			return err
		}
		line, _ := syntax.LineColumn(text, st.Pos)
		d.Statements = append(d.Statements, planStatement{SQL: st.Text, Line: line, Stages: stagesOf(r.Explained), Advice: r.Advice})
		return nil
	}
	var err error
	if command != "" {
		_, err = f.eachStatement(c, command, "", each)
	} else {
		_, err = f.statements(c, args[0], each)
	}
	if err != nil {
		return err
	}
	return draw(c.OutOrStdout(), d)
}
