package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"streamsql/nexmark"
	"streamsql/queries"
)

func newNexmark() *cobra.Command {
	c := &cobra.Command{
		Use:   "nexmark",
		Short: "the Nexmark benchmark: run and verify its queries, make its events",
		Example: `  streamsql nexmark run
  streamsql nexmark run q1 q2 --events 10M --parallelism 2
  streamsql nexmark gen --events 1000 --format json
  streamsql nexmark show q1`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newNexmarkRun(), newNexmarkGen(), newNexmarkShow(), newNexmarkList())
	return c
}

func newNexmarkList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "list the queries", Example: "  streamsql nexmark list", Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			for _, q := range queries.List() {
				about, err := queries.Summary(q)
				if err != nil {
					return err
				}
				if _, err := fmt.Fprintf(c.OutOrStdout(), "%-7s %s\n", q, about); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func newNexmarkShow() *cobra.Command {
	return &cobra.Command{
		Use: "show QUERY", Short: "print a query's SQL; ddl prints the tables and views",
		Example: "  streamsql nexmark show q1\n  streamsql nexmark show ddl",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("show takes one query: ddl, %s", strings.Join(queries.List(), ", "))
			}
			text := queries.DDL()
			if args[0] != "ddl" {
				if err := known(args); err != nil {
					return err
				}
				var err error
				if text, err = queries.Text(args[0]); err != nil {
					return err
				}
			}
			_, err := io.WriteString(c.OutOrStdout(), text)
			return err
		},
	}
}

// known refuses names that are no query.
func known(names []string) error {
	for _, n := range names {
		if !slices.Contains(queries.List(), n) {
			return usagef("there is no query '%s': %s", n, strings.Join(queries.List(), ", "))
		}
	}
	return nil
}

// parseCount reads a number of what is counted: 100, 100K, 10M, 1G; K, M and G are powers of 1000.
func parseCount(s, what string) (int64, error) {
	digits, factor := s, int64(1)
	if n := len(s); n > 0 {
		switch s[n-1] {
		case 'k', 'K':
			factor = 1e3
		case 'm', 'M':
			factor = 1e6
		case 'g', 'G':
			factor = 1e9
		}
		if factor > 1 {
			digits = s[:n-1]
		}
	}
	v, err := strconv.ParseFloat(digits, 64)
	total := v * float64(factor)
	if err != nil || total < 1 || total > 1e15 || total != float64(int64(total)) {
		return 0, usagef("'%s' is no number of %s: at least 1, at most 1e15, K, M and G stand for thousands, millions and "+
			"billions", s, what)
	}
	return int64(total), nil
}

func newNexmarkGen() *cobra.Command {
	var events, format, out string
	c := &cobra.Command{
		Use:   "gen",
		Short: "write events as text",
		Example: `  streamsql nexmark gen --events 1000 --format tsv --out events.tsv
  streamsql nexmark gen --events 20K --format json --out - | head`,
		Long: `Writes the first events of the default stream (seed 42), one line each: tsv in the encoding of the goldens, json as
objects.`,
		Args: noArgs,
	}
	c.Flags().StringVar(&events, "events", "1000", "number of events; K and M are thousands and millions")
	c.Flags().StringVar(&format, "format", "tsv", "tsv or json")
	c.Flags().StringVar(&out, "out", "-", "file to write; - is standard output")
	c.RunE = func(c *cobra.Command, _ []string) (err error) {
		n, err := parseCount(events, "events")
		if err != nil {
			return err
		}
		form, ok := map[string]nexmark.Format{"tsv": nexmark.TSV, "json": nexmark.JSON}[format]
		if !ok {
			return usagef("unknown format '%s': tsv or json", format)
		}
		w := c.OutOrStdout()
		if out != "-" {
			f, err := os.Create(out)
			if err != nil {
				return usagef("%v", err)
			}
			defer func() {
				if e := f.Close(); err == nil {
					err = e
				}
			}()
			w = f
		}
		return generate(c.Context(), w, n, form)
	}
	return c
}

func generate(ctx context.Context, w io.Writer, n int64, form nexmark.Format) error {
	config := nexmark.Default()
	config.Events = n
	g, err := nexmark.New(config, nexmark.NewStatic(config.Seed))
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(untilDone{ctx, w}, 1<<16)
	if err := nexmark.Dump(b, g, n, form); err != nil {
		return err
	}
	return b.Flush()
}

// untilDone writes until its context ends.
type untilDone struct {
	ctx context.Context
	w   io.Writer
}

func (u untilDone) Write(b []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, context.Cause(u.ctx)
	}
	return u.w.Write(b)
}
