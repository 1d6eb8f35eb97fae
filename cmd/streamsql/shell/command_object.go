package shell

import (
	"context"
	"errors"
	"slices"
	"strings"

	"streamsql/cmd/streamsql/render"
)

func objectCommands() []command {
	return []command{
		{`\d`, "[TABLE]", "the columns of a table or view; without a name, what tables and views there are", ofObjects, plainly(describe)},
		{`\dt`, "[PATTERN]", "tables", ofObjects, plainly(func(s *Shell, ctx context.Context, c *call) error { return s.list(ctx, c, "TABLES") })},
		{`\dv`, "[PATTERN]", "views", ofObjects, plainly(func(s *Shell, ctx context.Context, c *call) error { return s.list(ctx, c, "VIEWS") })},
		{`\df`, "[PATTERN]", "functions and how they are called", ofObjects, plainly(listFunctions)},
		{`\dc`, "", "connectors", ofObjects, plainly(listConnectors)},
	}
}

// quiet runs a statement of the shell's own.
func (s *Shell) quiet(ctx context.Context, text string) error { return s.r.Run(ctx, text, "") }

// quotedName puts the parts of a name in back-ticks, those that are not yet.
func quotedName(name string) string {
	if strings.Contains(name, "`") {
		return name
	}
	return "`" + strings.ReplaceAll(name, ".", "`.`") + "`"
}

// describe shows what a table is, or which there are.
func describe(s *Shell, ctx context.Context, c *call) error {
	name, err := c.one()
	if err != nil {
		return err
	}
	if name != "" {
		return s.quiet(ctx, "DESCRIBE "+quotedName(name))
	}
	views := s.names("SHOW VIEWS")
	var rows [][]string
	for _, t := range s.names("SHOW TABLES") {
		kind := "table"
		if slices.Contains(views, t) {
			kind = "view"
		}
		rows = append(rows, []string{t, kind})
	}
	for _, t := range s.r.Session.BuiltInTables() {
		rows = append(rows, []string{t, "built in"})
	}
	return render.Texts(s.r.Out, s.plainFormat(), []render.Column{{Name: "name"}, {Name: "kind"}}, rows, nil)
}

// plainFormat is how lists are shown: as rows are, but all of them.
func (s *Shell) plainFormat() render.Options {
	o := s.r.Result
	o.Limit, o.MaxRows = 0, 0
	return o
}

// list shows names, those that fit a pattern if one is given.
func (s *Shell) list(ctx context.Context, c *call, what string) error {
	pattern, err := c.one()
	if err != nil {
		return err
	}
	text := "SHOW " + what
	if pattern != "" {
		text += " LIKE '" + strings.ReplaceAll(like(pattern), "'", "''") + "'"
	}
	return s.quiet(ctx, text)
}

// like is a pattern with * and ? as LIKE has it; what has none is a part of the name.
func like(pattern string) string {
	if !strings.ContainsAny(pattern, "*?%") {
		return "%" + pattern + "%"
	}
	return strings.NewReplacer("*", "%", "?", "_").Replace(pattern)
}

// names is the first column of what a SHOW statement lists; nothing when it fails.
func (s *Shell) names(statement string) []string {
	res, err := s.r.Session.Prepare(statement)
	if err != nil {
		return nil
	}
	out := make([]string, len(res.Rows))
	for i, r := range res.Rows {
		out[i] = r[0]
	}
	return out
}

func (s *Shell) isFunction(name string) bool {
	return slices.Contains(s.names("SHOW FUNCTIONS"), strings.ToLower(name))
}

// listFunctions shows functions with their forms.
func listFunctions(s *Shell, _ context.Context, c *call) error {
	pattern, err := c.one()
	if err != nil {
		return err
	}
	statement := "SHOW FUNCTIONS"
	if pattern != "" {
		statement += " LIKE '" + strings.ReplaceAll(like(strings.ToLower(pattern)), "'", "''") + "'"
	}
	var rows [][]string
	for _, n := range s.names(statement) {
		rows = append(rows, []string{strings.ToUpper(n), s.forms(n)})
	}
	if len(rows) == 0 {
		return errors.New("no function fits the pattern")
	}
	return render.Texts(s.r.Out, s.plainFormat(), []render.Column{{Name: "function"}, {Name: "forms"}}, rows, nil)
}

// forms is how a function is called, or empty.
func (s *Shell) forms(name string) string {
	res, err := s.r.Session.Prepare("DESCRIBE FUNCTION EXTENDED " + quotedName(name))
	if err != nil {
		return ""
	}
	for _, r := range res.Rows {
		if r[0] != "forms" {
			continue
		}
		list := strings.Split(r[1], ", or ")
		for i, f := range list {
			if call := strings.ToUpper(name); !strings.Contains(f, call) { // arguments alone
				list[i] = call + "(" + f + ")"
			}
		}
		return strings.Join(list, " or ")
	}
	return ""
}

func listConnectors(s *Shell, _ context.Context, _ *call) error {
	cat := s.r.Session.Catalog()
	var rows [][]string
	for _, n := range cat.Connectors() {
		d := cat.Connector(n)
		use := "reads and writes"
		switch {
		case d.Sink == nil:
			use = "reads"
		case d.Source == nil:
			use = "writes"
		}
		rows = append(rows, []string{n, use, d.Doc})
	}
	return render.Texts(s.r.Out, s.plainFormat(), []render.Column{{Name: "connector"}, {Name: "use"}, {Name: "about"}}, rows, nil)
}
