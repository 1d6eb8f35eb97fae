package shell

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func statementCommands() []command {
	return []command{
		{`\g`, "[FILE | '| PROGRAM']", "run the statement, its rows go to a file or a program", ofStatements, runTo},
		{`\G`, "", "run the statement, a line for each value", ofStatements, runVertical},
		{`\gx`, "", `as \G`, ofStatements, runVertical},
		{`\e`, "[FILE]", "edit the statement in $VISUAL or $EDITOR; with a semicolon at its end it runs", ofStatements, edit},
		{`\p`, "", "show the statement so far", ofStatements, plainly(func(s *Shell, _ context.Context, c *call) error {
			_, err := fmt.Fprintln(s.r.Out, strings.TrimSpace(c.Buffer))
			return err
		})},
		{`\r`, "", "forget the statement so far", ofStatements, func(*Shell, context.Context, *call) (string, error) { return "", nil }},
		{`\i`, "FILE", "run a file", ofStatements, plainly(func(s *Shell, ctx context.Context, c *call) error { return s.include(ctx, c, false) })},
		{`\ir`, "FILE", "run a file that lies beside the one that is running", ofStatements,
			plainly(func(s *Shell, ctx context.Context, c *call) error { return s.include(ctx, c, true) })},
		{`\h`, "[STATEMENT | FUNCTION]", "how a statement or a function is written", ofStatements, plainly(help)},
	}
}

// runTo runs the statement before it, with its rows where the arguments say.
func runTo(s *Shell, ctx context.Context, c *call) (string, error) {
	text, err := s.statement(c)
	if err != nil {
		return c.Buffer, err
	}
	if c.text == "" {
		return "", c.Run(ctx, text)
	}
	return "", s.out.once(target(c), func() error { return c.Run(ctx, text) })
}

// target is a file or a program behind a command.
func target(c *call) string {
	if strings.HasPrefix(c.text, "|") {
		return c.text
	}
	return strings.Join(c.args, " ")
}

func runVertical(s *Shell, ctx context.Context, c *call) (string, error) {
	text, err := s.statement(c)
	if err != nil {
		return c.Buffer, err
	}
	before := s.r.Result.Format
	s.r.Result.Format = "vertical"
	defer func() { s.r.Result.Format = before }()
	return "", c.Run(ctx, text)
}

// maxIncludes is how deep files may run files.
const maxIncludes = 32

// include runs a file.
func (s *Shell) include(ctx context.Context, c *call, beside bool) error {
	path, err := c.must("the name of a file")
	if err != nil {
		return err
	}
	if n := len(s.files); beside && n > 0 && s.files[n-1] != "" && !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(s.files[n-1]), path)
	}
	if len(s.files) >= maxIncludes {
		return fmt.Errorf("files that run files are %d deep: does one run itself?", maxIncludes)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return s.Script(ctx, string(b), path)
}

// help shows the form of a statement, or of a function.
func help(s *Shell, ctx context.Context, c *call) error {
	name := strings.ToUpper(strings.Join(c.args, " "))
	if name == "" {
		_, err := io.WriteString(s.r.Out, "Statements: "+strings.Join(statementNames(), ", ")+
			"\n\\h NAME shows how one is written; so it does for a function, \\df lists those.\n")
		return err
	}
	if found := helpOf(name); len(found) > 0 {
		for i, h := range found {
			if i > 0 {
				fmt.Fprintln(s.r.Out)
			}
			fmt.Fprintf(s.r.Out, "%s\n\n%s\n\nExample:\n  %s\n", h.about, indent(h.form), strings.ReplaceAll(h.example, "\n", "\n  "))
		}
		return nil
	}
	if len(c.args) == 1 && s.isFunction(c.args[0]) {
		return s.quiet(ctx, "DESCRIBE FUNCTION EXTENDED "+quotedName(c.args[0]))
	}
	return fmt.Errorf("there is no statement and no function '%s'; statements: %s", name, strings.Join(statementNames(), ", "))
}

func indent(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }
