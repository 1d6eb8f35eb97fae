package shell

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"streamsql/cmd/streamsql/render"
	"streamsql/exec/option"
)

func resultCommands() []command {
	return []command{
		{`\x`, "[on | off]", "a line for each value, or a table", ofResults, plainly(expanded)},
		{`\pset`, "[NAME [VALUE]]", "how rows look; without a name, what can be set", ofResults, plainly(pset)},
		{`\o`, "[FILE | '| PROGRAM']", "rows go to a file or a program; without one, here again", ofResults,
			plainly(func(s *Shell, _ context.Context, c *call) error { return s.out.to(target(c)) })},
		{`\timing`, "[on | off]", "show how long statements take", ofResults, plainly(func(s *Shell, _ context.Context, c *call) error {
			on, err := onOff(c, s.timing)
			if err == nil {
				s.timing = on
				fmt.Fprintf(s.r.Err, "timing is %s\n", word(on))
			}
			return err
		})},
	}
}

func word(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// onOff is what a switch is to be; without an argument it is turned.
func onOff(c *call, now bool) (bool, error) {
	a, err := c.one()
	if err != nil {
		return now, err
	}
	return switched(c.name, a, now)
}

func switched(name, a string, now bool) (bool, error) {
	switch strings.ToLower(a) {
	case "":
		return !now, nil
	case "on", "true", "1":
		return true, nil
	case "off", "false", "0":
		return false, nil
	}
	return now, fmt.Errorf("%s is on or off, not '%s'", name, a)
}

func expanded(s *Shell, _ context.Context, c *call) error {
	on, err := onOff(c, s.r.Result.Format == "vertical")
	if err != nil {
		return err
	}
	s.r.Result.Format = "table"
	if on {
		s.r.Result.Format = "vertical"
	}
	fmt.Fprintf(s.r.Err, "a line for each value is %s\n", word(on))
	return nil
}

// look is one thing that \pset sets.
type look struct {
	name, about string
	get         func(s *Shell) string
	set         func(s *Shell, value string) error
}

// looks are what \pset sets.
func looks() []look {
	return []look{
		{"format", "one of " + strings.Join(render.Formats, ", "), func(s *Shell) string { return s.r.Result.Format },
			func(s *Shell, v string) error {
				if !slices.Contains(render.Formats, v) {
					return fmt.Errorf("unknown format '%s'%s: one of %s", v, meant(v, render.Formats), strings.Join(render.Formats, ", "))
				}
				s.r.Result.Format = v
				return nil
			}},
		{"null", "the text of NULL in tables", func(s *Shell) string { return s.r.Result.NullText() },
			func(s *Shell, v string) error { s.r.Result.Null = &v; return nil }},
		{"maxrows", "the most rows of a table that are shown, 0 for all", func(s *Shell) string { return strconv.Itoa(s.r.Result.MaxRows) },
			func(s *Shell, v string) (err error) { s.r.Result.MaxRows, err = count(v); return err }},
		{"maxwidth", "the most characters of a value that are shown, 0 for all", func(s *Shell) string { return strconv.Itoa(s.r.Result.MaxWidth) },
			func(s *Shell, v string) (err error) { s.r.Result.MaxWidth, err = count(v); return err }},
		{"pager", "tables that do not fit the terminal go through $PAGER: on or off", func(s *Shell) string { return word(!s.noPager) },
			func(s *Shell, v string) error {
				on, err := switched("pager", v, !s.noPager)
				s.noPager = !on
				return err
			}},
		{"mode", "how a terminal shows rows that may change: table, changelog or append", func(s *Shell) string { return s.mode() },
			func(s *Shell, v string) error {
				if !slices.Contains(Modes, v) {
					return fmt.Errorf("unknown mode '%s': one of %s", v, strings.Join(Modes, ", "))
				}
				s.o.Mode = v
				return nil
			}},
	}
}

func count(v string) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("'%s' is no number of 0 or more", v)
	}
	return n, nil
}

func pset(s *Shell, _ context.Context, c *call) error {
	if len(c.args) == 0 {
		var rows [][]string
		for _, l := range looks() {
			rows = append(rows, []string{l.name, l.get(s), l.about})
		}
		return render.Texts(s.r.Out, s.plainFormat(), []render.Column{{Name: "name"}, {Name: "value"}, {Name: "about"}}, rows, nil)
	}
	var names []string
	for _, l := range looks() {
		names = append(names, l.name)
		if l.name != c.args[0] {
			continue
		}
		if len(c.args) == 1 && l.name != "pager" && l.name != "null" {
			_, err := fmt.Fprintln(s.r.Out, l.get(s))
			return err
		}
		return l.set(s, strings.Join(c.args[1:], " "))
	}
	return fmt.Errorf("there is nothing '%s' to set%s: %s", c.args[0], meant(c.args[0], names), strings.Join(names, ", "))
}

// meant asks for the name that one which there is not is like, if there is one.
func meant(name string, names []string) string {
	if near := option.Nearest(name, names); near != "" {
		return "; did you mean '" + near + "'?"
	}
	return ""
}
