package shell

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"streamsql/cmd/streamsql/script"
	"streamsql/exec/option"
)

// command is what a line with a backslash does.
type command struct {
	name  string
	args  string // as \? shows them
	about string
	group string
	// do carries it out. What is left of the statement before it is the result.
	do func(s *Shell, ctx context.Context, c *call) (rest string, err error)
}

// call is a command as it was written.
type call struct {
	script.Command
	name string
	// text is all that stands behind the name, args are its words.
	text string
	args []string
}

// The groups of commands, in the order of \?.
const (
	ofStatements = "Statements"
	ofObjects    = "What there is"
	ofResults    = "Results"
	ofJobs       = "Jobs and streams"
	ofSession    = "Session"
)

// commands lists all, in the order of \?.
func commands() []command {
	return slices.Concat(statementCommands(), objectCommands(), resultCommands(), jobCommands(), sessionCommands())
}

// command carries out a line with a backslash.
func (s *Shell) command(ctx context.Context, line script.Command) (rest string, err error) {
	c := parseCall(line)
	for _, k := range commands() {
		if k.name == c.name {
			return k.do(s, ctx, c)
		}
	}
	var names []string
	for _, k := range commands() {
		names = append(names, k.name)
	}
	text := `\? lists the commands`
	if near := option.Nearest(c.name, names); near != "" {
		text = fmt.Sprintf(`did you mean '%s'?  %s`, near, text)
	}
	return line.Buffer, fmt.Errorf("there is no command '%s'; %s", c.name, text)
}

// parseCall cuts a line into its name and its words. A word may stand in quotes, in which a quote is written twice. The
// name ends at a blank, but for what is no letter: \! and \? need none behind them.
func parseCall(line script.Command) *call {
	text := strings.TrimSpace(line.Line)
	end := strings.IndexFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == ';' || r == '|' })
	if len(text) > 1 && (text[1] == '!' || text[1] == '?') {
		end = 2
	}
	if end < 0 {
		end = len(text)
	}
	c := &call{Command: line, name: text[:end], text: strings.TrimSpace(text[end:])}
	c.args = words(c.text)
	if n := len(c.args); n > 0 && c.name != `\!` { // a semicolon out of habit
		if c.args[n-1] = strings.TrimRight(c.args[n-1], ";"); c.args[n-1] == "" {
			c.args = c.args[:n-1]
		}
		c.text = strings.TrimSpace(strings.TrimRight(c.text, ";"))
	}
	return c
}

// words cuts a text at blanks. A word that begins with a single quote goes to the next one.
func words(text string) []string {
	var out []string
	var word strings.Builder
	inside, any := false, false
	for i := 0; i < len(text); i++ {
		b := text[i]
		switch {
		case b == '\'' && inside && i+1 < len(text) && text[i+1] == '\'':
			word.WriteByte(b)
			i++
		case b == '\'' && (inside || !any):
			inside, any = !inside, true
		case !inside && (b == ' ' || b == '\t'):
			if any {
				out = append(out, word.String())
			}
			word.Reset()
			any = false
		default:
			word.WriteByte(b)
			any = true
		}
	}
	if any {
		out = append(out, word.String())
	}
	return out
}

// one is the only argument of a command, or empty.
func (c *call) one() (string, error) {
	if len(c.args) > 1 {
		return "", fmt.Errorf("%s takes one argument, not %d", c.name, len(c.args))
	}
	if len(c.args) == 0 {
		return "", nil
	}
	return c.args[0], nil
}

// must is the only argument of a command that needs one.
func (c *call) must(what string) (string, error) {
	a, err := c.one()
	if err == nil && a == "" {
		err = fmt.Errorf("%s needs %s", c.name, what)
	}
	return a, err
}

// plainly makes a command of a function that leaves the statement before it alone.
func plainly(f func(s *Shell, ctx context.Context, c *call) error) func(*Shell, context.Context, *call) (string, error) {
	return func(s *Shell, ctx context.Context, c *call) (string, error) { return c.Buffer, f(s, ctx, c) }
}

// statement is what a command that runs one is about: the text before it, or the statement before.
func (s *Shell) statement(c *call) (string, error) {
	if strings.TrimSpace(c.Buffer) != "" {
		return c.Buffer, nil
	}
	if s.last == "" {
		return "", errors.New("there is no statement before it")
	}
	return s.last, nil
}

// intercept takes statements that are the shell's own, as Flink's client has them.
func (s *Shell) intercept(ctx context.Context, text string) (bool, error) {
	text = strings.TrimRight(text, "; \t\n")
	if apart(text) {
		return true, s.runApart(ctx, text)
	}
	f := strings.Fields(text)
	if len(f) == 0 {
		return false, nil
	}
	line := ""
	switch word := strings.ToUpper(f[0]); {
	case word == "HELP" && len(f) == 1:
		line = `\?`
	case word == "HELP":
		line = `\h ` + strings.Join(f[1:], " ")
	case (word == "QUIT" || word == "EXIT") && len(f) == 1:
		line = `\q`
	case word == "CLEAR" && len(f) == 1:
		line = `\clear`
	default:
		return false, nil
	}
	_, err := s.command(ctx, script.Command{Line: line})
	return true, err
}
