package bind

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/planner/catalog"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// CreateTableAs makes the table of a CREATE TABLE .. AS from its query's columns and returns the INSERT
// that fills it; a nil plan where IF NOT EXISTS found the table. With explain nothing is created.
func (b *Binder) CreateTableAs(s *syntax.CreateTable, text string, explain bool) (logical.Plan, error) {
	w := b.work(text)
	t, r, err := w.tableAs(s)
	if err != nil || t == nil {
		return nil, err
	}
	p, err := w.insertAs(s, t, r)
	if err != nil {
		return nil, err
	}
	if w.missing != nil {
		return nil, w.missing
	}
	if err := w.bounded(s, p); err != nil {
		return nil, err
	}
	if !explain {
		w.cat.Put(t)
	}
	return p, nil
}

func (w *work) tableAs(s *syntax.CreateTable) (*catalog.Table, result, error) {
	switch {
	case s.Temporary:
		return nil, result{}, failf(s, CodeDefinition, "CREATE TABLE … AS makes no temporary table").
			WithHint("leave out TEMPORARY, or write CREATE TEMPORARY VIEW %s AS …, which names the query", s.Name.Last())
	case s.Like != nil:
		return nil, result{}, failf(s.Like, CodeDefinition, "a table is made LIKE another one or AS a query, not both").
			WithHint("CREATE TABLE %s … LIKE … first, then INSERT INTO %[1]s the query", s.Name.Last())
	}
	name, found, err := w.newName(s.Name, false, s.IfNotExists, s.Replace, "table")
	if err != nil || found {
		return nil, result{}, err
	}
	if s.Replace && strings.HasPrefix(strings.ToUpper(s.Text(w.text)), "REPLACE") && w.cat.Permanent(name) == nil {
		return nil, result{}, failf(s.Name, CodeTable, "there is no table '%s' to replace", name.Object).
			WithHint("CREATE OR REPLACE TABLE")
	}
	r, err := w.query(s.As, nil)
	if err != nil {
		return nil, result{}, err
	}
	if err := w.final(s.As, r.schema); err != nil {
		return nil, result{}, err
	}
	t := &catalog.Table{Name: name}
	if s.Comment != nil {
		t.Comment, t.HasComment = *s.Comment, true
	}
	if err := w.options(t, s.Options); err != nil {
		return nil, result{}, err
	}
	if err := w.columnsAs(t, s, r); err != nil {
		return nil, result{}, err
	}
	if err := w.clauses(t, s); err != nil {
		return nil, result{}, err
	}
	return t, r, w.complete(t)
}

// columnsAs gives a table the columns of a query. Names alone reorder them; columns with a type are put
// in front, or give the query's column of that name another type.
func (w *work) columnsAs(t *catalog.Table, s *syntax.CreateTable, r result) error {
	names := unique(r.schema.Names())
	if len(s.Columns) > 0 && s.Columns[0].Kind == syntax.Reference {
		if len(s.Columns) != len(names) {
			return failf(s.Columns[0], CodeShape, "%d columns are listed, the query has %d", len(s.Columns), len(names)).
				WithHint("%s", nameEach(names))
		}
		for _, d := range s.Columns {
			at := indexOf(names, d.Name.Name)
			if at < 0 {
				return failf(d.Name, CodeColumn, "column '%s' not found in the query", d.Name.Name).
					WithHint("%s", suggest(d.Name.Name, "columns", names))
			}
			if t.Column(d.Name.Name) >= 0 {
				return failf(d.Name, CodeDuplicate, "column '%s' is listed twice", d.Name.Name).
					WithHint("list each column of the query once: %s", strings.Join(names, ", "))
			}
			t.Columns = append(t.Columns, catalog.Column{Name: names[at], Type: r.schema[at].Type})
		}
		return nil
	}
	own := catalog.Table{}
	if err := w.define(&own, s.Columns); err != nil {
		return err
	}
	for _, c := range own.Columns {
		if indexOf(names, c.Name) < 0 {
			t.Columns = append(t.Columns, c)
		}
	}
	for i, n := range names {
		if at := own.Column(n); at >= 0 {
			t.Columns = append(t.Columns, own.Columns[at])
			continue
		}
		t.Columns = append(t.Columns, catalog.Column{Name: n, Type: r.schema[i].Type})
	}
	return nil
}

func indexOf(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}

// insertAs fills the table by the names of the query's columns.
func (w *work) insertAs(s *syntax.CreateTable, t *catalog.Table, r result) (logical.Plan, error) {
	i := &syntax.Insert{Span: s.Span, Target: s.Name, Query: s.As}
	target := t.Persisted()
	names := unique(r.schema.Names())
	columns := columnsOf(r.plan.Schema())
	from := make([]expr.Expr, len(target))
	for k, c := range target {
		if at := indexOf(names, c.Name); at >= 0 {
			from[k] = columns[at]
		}
	}
	exprs, err := w.fit(i, t, target, from)
	if err != nil {
		return nil, err
	}
	if err := w.usable(t, s.Name, true); err != nil {
		return nil, err
	}
	return w.sink(i, t, target, r.plan, exprs), nil
}
