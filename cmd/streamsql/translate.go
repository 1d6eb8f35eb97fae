package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"streamsql/cmd/streamsql/script"
	"streamsql/planner"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// statements calls each for each statement of a script in a file.
func (f *sqlFlags) statements(c *cobra.Command, name string,
	each func(s *planner.Session, text string, st parse.Stmt) error) (text string, err error) {
	if text, err = scriptText(c, name); err != nil {
		return "", err
	}
	return f.eachStatement(c, text, name, each)
}

// eachStatement calls each for each statement of a text, with its variables replaced, and gives that text. An error is
// rendered at its place.
func (f *sqlFlags) eachStatement(c *cobra.Command, text, name string,
	each func(s *planner.Session, text string, st parse.Stmt) error) (string, error) {
	r, err := f.runner(c.OutOrStdout(), c.ErrOrStderr())
	if err != nil {
		return "", err
	}
	replaced, err := parse.Substitute(text, r.Lookup)
	if err != nil {
		return "", placedIn(err, text, name, 0)
	}
	for _, st := range r.Session.Dialect().Script(replaced) {
		if err := each(r.Session, replaced, st); err != nil {
			return "", placedIn(err, replaced, name, st.Pos)
		}
	}
	return replaced, nil
}

// placedIn renders an error of the statement that begins at a place of a text.
func placedIn(err error, text, name string, by int) error {
	var e *syntax.Error
	if !errors.As(script.Moved(err, by), &e) {
		return err
	}
	return &script.Error{Text: e.Render(text, name), Err: err}
}

func scriptText(c *cobra.Command, name string) (string, error) {
	if name != "-" {
		return textOfFile(name)
	}
	b, err := io.ReadAll(c.InOrStdin())
	return strings.TrimPrefix(string(b), script.ByteOrderMark), err
}

// textOfFile reads the text of a file of statements.
func textOfFile(name string) (string, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return "", usagef("%v%s", err, textBehind(name))
	}
	return strings.TrimPrefix(string(b), script.ByteOrderMark), nil
}

// textBehind says where SQL goes that stands where it does not belong; a word with a space in it is likely some.
func textBehind(word string) string {
	if strings.ContainsAny(word, " \n") {
		return `; SQL text stands behind -c, as in: streamsql sql -c "SELECT 1"`
	}
	return ""
}

func newTranslate() *cobra.Command {
	f := &sqlFlags{format: "table"}
	var to string
	c := &cobra.Command{
		Use:   "translate FILE --to flink",
		Short: "print a script in Flink's own dialect",
		Example: `  streamsql translate report.sql --to flink
  echo "FROM nexmark.bid SELECT auction, COUNT(*) AS n GROUP BY ALL" | streamsql translate - --to flink`,
		Long: `Prints the statements of a script as Flink's SQL has them: what goes beyond that dialect (docs/differences.md) is
replaced by what it stands for, all else is left as it was written. Nothing runs; statements about tables are carried out
within the command, so that names and columns are known. What Flink has nothing for is an error at its place.`,
		Args: oneFile,
	}
	c.Flags().StringVar(&to, "to", "flink", "the dialect: flink")
	f.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if to != "flink" {
			return usagef("--to takes flink, not '%s'", to)
		}
		var b strings.Builder
		var builtIn, options []string
		at := 0
		text, err := f.statements(c, args[0], func(s *planner.Session, text string, st parse.Stmt) error {
			t, err := s.Translate(st.Text)
			if err != nil {
				return err
			}
			b.WriteString(text[at:st.Pos])
			for _, before := range t.Before {
				b.WriteString(before + ";\n")
			}
			b.WriteString(t.Text)
			at = st.End
			builtIn = append(builtIn, namedTables(s, st.Text)...)
			options = append(options, t.Options...)
			return nil
		})
		if err != nil {
			return err
		}
		if !f.quiet && len(builtIn) > 0 {
			slices.Sort(builtIn)
			fmt.Fprintf(c.ErrOrStderr(), "notice: every session here has %s; Flink has no such table until it is declared: see 'streamsql nexmark show ddl'\n",
				strings.Join(slices.Compact(builtIn), ", "))
		}
		if !f.quiet && len(options) > 0 {
			slices.Sort(options)
			fmt.Fprintf(c.ErrOrStderr(), "notice: Flink's connectors have no %s: a table that is declared with it is refused there\n",
				strings.Join(slices.Compact(options), ", "))
		}
		_, err = io.WriteString(c.OutOrStdout(), b.String()+text[at:])
		return err
	}
	return c
}

// namedTables are the built-in tables that a text names.
func namedTables(s *planner.Session, text string) (out []string) {
	toks, all := parse.Tokens(text), s.BuiltInTables()
	for i := 0; i+2 < len(toks); i++ {
		if name := toks[i].Value + "." + toks[i+2].Value; toks[i+1].Upper == "." && slices.Contains(all, name) {
			out = append(out, name)
		}
	}
	return out
}

func oneFile(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("%s takes one file; - is standard input", c.Name())
	}
	return nil
}
