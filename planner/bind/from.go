package bind

import (
	"fmt"
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// schema is the columns of all tables of the scope in order.
func (s *scope) schema() logical.Schema {
	var out logical.Schema
	for _, r := range s.relations {
		out = append(out, r.schema...)
	}
	return out
}

// width is the number of columns of all tables of the scope.
func (s *scope) width() int {
	n := 0
	for _, r := range s.relations {
		n += len(r.schema)
	}
	return n
}

// from binds a FROM clause: its tables are added to s.
func (w *work) from(ref syntax.TableRef, s *scope) (logical.Plan, error) {
	switch t := ref.(type) {
	case nil:
		return logical.OneRow(), nil
	case *syntax.TableName:
		return w.table(t, s)
	case *syntax.FileTable:
		return w.fileTable(t, s)
	case *syntax.Derived:
		return w.derived(t, s)
	case *syntax.Join:
		return w.join(t, s)
	case *syntax.TableFunction:
		return w.tableFunction(t, s)
	case *syntax.Unnest:
		return w.unnest(t, s)
	case *syntax.Match:
		return w.match(t, s)
	}
	panic(fmt.Sprintf("bind: table %T", ref))
}

// add puts a table into the scope under its alias, or under its own name.
func (w *work) add(s *scope, r result, name string, path []string, alias *syntax.Alias) error {
	rel := relation{name: name, path: path, start: s.width(), schema: r.schema}
	if alias != nil {
		rel.name, rel.path = alias.Name.Name, nil
		if n := len(alias.Columns); n > 0 {
			if n != len(r.schema) {
				return failf(alias, CodeShape, "%s has %d columns (%s), but %d names are given for them",
					alias.Name.Name, len(r.schema), strings.Join(r.schema.Names(), ", "), n).
					WithHint("%s: AS %s", giveNames(len(r.schema)), alias.Name.Name)
			}
			rel.schema = renamed(r.schema, alias.Columns)
		}
	}
	for _, have := range s.relations {
		if rel.name == "" || have.name != rel.name || (rel.path != nil && have.path != nil && !samePath(rel.path, have.path)) {
			continue
		}
		at := syntax.Node(syntax.Span{})
		if alias != nil {
			at = alias.Name
		}
		return failf(at, CodeDuplicate, "table name '%s' stands twice in FROM", rel.name).
			WithHint("give one of them another alias: … AS x")
	}
	s.relations = append(s.relations, rel)
	return nil
}

func samePath(a, b []string) bool { return strings.Join(a, "\x00") == strings.Join(b, "\x00") }

func (w *work) derived(t *syntax.Derived, s *scope) (logical.Plan, error) {
	r, err := w.query(t.Query, s.outer)
	if err != nil {
		return nil, err
	}
	return r.plan, w.add(s, r, "", nil, t.Alias)
}

// stub stands for a plan that is not built, so that binding can go on over its columns. It never leaves
// the package: whoever makes one records what is missing.
type stub struct{ columns logical.Schema }

func (p *stub) Schema() logical.Schema           { return p.columns }
func (p *stub) Inputs() []logical.Plan           { return nil }
func (p *stub) With([]logical.Plan) logical.Plan { return p }
func (p *stub) String() string                   { return "NotSupported" }

// positionless gives an error without a place the one of the table it came from.
func positionless(err error, at syntax.Node) error {
	if e, ok := err.(*syntax.Error); ok && e.Span == (syntax.Span{}) {
		e.Span = at.At()
	}
	return err
}

// tableArg binds the table of a window function.
func (w *work) tableArg(x *syntax.TableArg, s *scope) (result, error) {
	var plan logical.Plan
	var err error
	if x.Table != nil {
		plan, err = w.table(x.Table, s)
	} else {
		var r result
		if r, err = w.query(x.Query, s.outer); err == nil {
			plan, err = r.plan, w.add(s, r, "", nil, nil)
		}
	}
	if err != nil {
		return result{}, err
	}
	for _, k := range x.PartitionBy {
		if _, err := w.expr(k, s); err != nil {
			return result{}, err
		}
	}
	return result{plan, s.schema()}, nil
}

// descriptor finds the time column of a window function.
func (w *work) descriptor(d *syntax.Descriptor, in result) (int, error) {
	s := in.schema
	c := d.Columns[0]
	at := (&relation{schema: s}).schemaIndex(c.Name)
	if at < 0 {
		return 0, failf(c, CodeColumn, "column '%s' not found in the window's table", c.Name).
			WithHint("%s", suggest(c.Name, "columns", s.Names()))
	}
	if s[at].Time == logical.NoTime && !w.anyTime(s[at]) {
		lost := lostTime(in.plan, at)
		if lost != "" {
			lost = ": " + lost
		}
		return 0, failf(c, CodeWatermark, "column '%s' is %s, not a time attribute%s", c.Name, s[at].Type.WithNull(true), lost).
			WithHint("declare WATERMARK FOR %s in its table, or use a PROCTIME() column", c.Name)
	}
	return at, nil
}

func (w *work) unknownTableFunction(t *syntax.TableFunction, s *scope) error {
	name := t.Call.Name.String()
	for _, a := range t.Call.Args {
		if _, ok := a.(*syntax.TableArg); ok {
			continue
		}
		if _, ok := a.(*syntax.Descriptor); ok {
			continue
		}
		if _, err := w.expr(a, s); err != nil {
			return err
		}
	}
	if flinkTableFunctions[strings.ToUpper(name)] {
		return syntax.NotSupported(t.Call.Name.At(), "the table function "+strings.ToUpper(name), "")
	}
	return failf(t.Call.Name, CodeFunction, "table function '%s' not found", name).
		WithHint("%s", suggest(strings.ToUpper(name), "table functions",
			append([]string{"CUMULATE", "HOP", "SESSION", "TUMBLE"}, w.readers()...)))
}

// unbuilt is the value of an expression that is not built: it has a type and nothing else. Like stub it
// never leaves the package.
type unbuilt struct {
	text string
	t    types.Type
}

func (e *unbuilt) Type() types.Type           { return e.t }
func (e *unbuilt) String() string             { return e.text }
func (e *unbuilt) Args() []expr.Expr          { return nil }
func (e *unbuilt) With([]expr.Expr) expr.Expr { return e }
