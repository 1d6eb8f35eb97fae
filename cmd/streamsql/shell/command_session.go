package shell

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"streamsql/cmd/streamsql/render"
	"streamsql/cmd/streamsql/script"
)

func sessionCommands() []command {
	return []command{
		{`\set`, "[NAME [VALUE]]", `give :NAME, :'NAME' and :"NAME" a value; without a name, list them`, ofSession, plainly(setVariable)},
		{`\unset`, "NAME", "take it away", ofSession, plainly(func(s *Shell, _ context.Context, c *call) error {
			name, err := c.must("the name of a variable")
			delete(s.vars, name)
			return err
		})},
		{`\echo`, "[TEXT]", "show a text", ofSession, plainly(func(s *Shell, _ context.Context, c *call) error {
			_, err := fmt.Fprintln(s.r.Out, strings.Join(c.args, " "))
			return err
		})},
		{`\!`, "COMMAND", "run a command of the system's shell", ofSession, plainly(runProgram)},
		{`\clear`, "", "clear the screen", ofSession, plainly(func(s *Shell, _ context.Context, _ *call) error {
			if s.t.draw != nil {
				_, _ = io.WriteString(s.t.draw, "\x1b[H\x1b[2J")
			}
			return nil
		})},
		{`\?`, "[COMMAND]", "this list", ofSession, plainly(listCommands)},
		{`\q`, "", "leave, as Ctrl-D does", ofSession, func(*Shell, context.Context, *call) (string, error) { return "", script.ErrQuit }},
	}
}

func setVariable(s *Shell, _ context.Context, c *call) error {
	if len(c.args) == 0 {
		var rows [][]string
		for _, k := range slices.Sorted(maps.Keys(s.vars)) {
			rows = append(rows, []string{k, s.vars[k]})
		}
		return render.Texts(s.r.Out, s.plainFormat(), []render.Column{{Name: "name"}, {Name: "value"}}, rows, nil)
	}
	if !variableName(c.args[0]) {
		return fmt.Errorf("'%s' is no name of a variable: letters, digits and underscores are", c.args[0])
	}
	s.vars[c.args[0]] = strings.Join(c.args[1:], " ")
	return nil
}

// runProgram has another program take the terminal for a while.
func runProgram(s *Shell, ctx context.Context, c *call) error {
	if c.text == "" {
		return fmt.Errorf(`\! needs a command`)
	}
	return s.lend(exec.CommandContext(ctx, "/bin/sh", "-c", c.text))
}

// lend runs a program with the streams of this one.
func (s *Shell) lend(p *exec.Cmd) error {
	defer s.t.enter(s.t.leave())
	p.Stdout, p.Stderr = s.o.Out, s.o.Err
	if s.t.In {
		p.Stdin = os.Stdin
	}
	return p.Run()
}

// listCommands shows what there is, or one of them.
func listCommands(s *Shell, _ context.Context, c *call) error {
	var b strings.Builder
	group := ""
	for _, k := range commands() {
		if n := strings.TrimPrefix(c.text, `\`); n != "" && `\`+n != k.name {
			continue
		}
		if k.group != group {
			if group != "" {
				b.WriteByte('\n')
			}
			group = k.group
			b.WriteString(group + "\n")
		}
		fmt.Fprintf(&b, "  %-*s %s\n", nameWidth, strings.TrimSpace(k.name+" "+k.args), wrapped(k.about, helpWidth-nameWidth-3, nameWidth+3))
	}
	if b.Len() == 0 {
		return fmt.Errorf("there is no command '%s'", c.text)
	}
	if c.text == "" {
		b.WriteString("\nKeys\n  " + wrapped(keysHelp, helpWidth-2, 2) + "\n")
	}
	return s.paged(b.String())
}

// How wide the list of commands is, and the names in it.
const (
	helpWidth = 79
	nameWidth = 26
)

const keysHelp = "Tab completes, Ctrl-R searches what ran before, Ctrl-C stops a query or clears the line, Ctrl-D leaves, " +
	"Ctrl-Z stops the program. In a table that is drawn again: q leaves it, arrows and Space move in it."

// seen is a text whose lines are cut at blanks to what the terminal has room for.
func (s *Shell) seen(text string) string {
	w, _ := s.t.Size()
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if render.Width(line) < w {
			b.WriteString(line + "\n")
			continue
		}
		b.WriteString(strings.Repeat(" ", indent) + wrapped(line, w-1-indent-2, indent+2) + "\n")
	}
	return b.String()
}

// wrapped cuts a text at blanks into lines of a width; those behind the first begin with blanks.
func wrapped(text string, width, indent int) string {
	var b strings.Builder
	at := 0
	for i, w := range strings.Fields(text) {
		n := render.Width(w)
		switch {
		case i == 0:
		case at+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = 0
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(w)
		at += n
	}
	return b.String()
}
