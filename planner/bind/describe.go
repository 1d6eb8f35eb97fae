package bind

import (
	"strconv"
	"strings"

	"streamsql/exec/types"
	"streamsql/planner/catalog"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// describe answers DESCRIBE of a table, a query, a function, a catalog or a database.
func (w *work) describe(s *syntax.Describe) (*Result, error) {
	switch {
	case s.Query != nil:
		q, err := w.query(s.Query, nil)
		if err != nil {
			return nil, err
		}
		return describeSchema(q.schema), nil
	case s.File != nil:
		p, err := w.fileTable(s.File, &scope{})
		if err != nil {
			return nil, err
		}
		return describeSchema(p.Schema()), nil
	case s.Job != nil:
		panic("bind: jobs are not known here")
	}
	switch s.Kind {
	case syntax.FunctionObject:
		return w.describeFunction(s)
	case syntax.CatalogObject:
		return w.describeCatalog(s)
	case syntax.DatabaseObject:
		return w.describeDatabase(s)
	case syntax.TableObject, syntax.ViewObject, "":
		t, err := w.find(s.Name)
		if err != nil {
			return nil, err
		}
		return w.columnsResult(t)
	}
	return nil, syntax.NotSupported(s.Span, "DESCRIBE "+string(s.Kind), "")
}

// IsView tells whether a name is that of a view.
func (b *Binder) IsView(name syntax.Path) bool {
	t, err := b.work("").find(name)
	return err == nil && t.IsView()
}

// row adds a row; an empty cell that null names is NULL.
func (r *Result) row(cells []string, null []bool) {
	r.Rows = append(r.Rows, cells)
	r.Nulls = append(r.Nulls, null)
}

// columnsResult lists the columns of a table or view as Flink does.
func (w *work) columnsResult(t *catalog.Table) (*Result, error) {
	times, err := w.timesOf(t)
	if err != nil {
		return nil, err
	}
	r := &Result{Columns: []string{"name", "type", "null", "key", "extras", "watermark"},
		Types: []types.Type{types.String(), types.String(), types.Of(types.Boolean), types.String(), types.String(), types.String()}}
	comments := false
	for _, c := range t.Columns {
		comments = comments || c.Comment != ""
	}
	if comments {
		r.Columns, r.Types = append(r.Columns, "comment"), append(r.Types, types.String())
	}
	for i, c := range t.Columns {
		key, extras, mark := "", "", ""
		for _, k := range t.PrimaryKey {
			if k == c.Name {
				key = "PRI(" + strings.Join(t.PrimaryKey, ", ") + ")"
			}
		}
		switch c.Kind {
		case syntax.Computed:
			extras = "AS " + c.Text
		case syntax.Metadata:
			extras = metadataText(c)
		}
		if t.Watermark != nil && t.Watermark.Column == c.Name {
			mark = t.Watermark.Text
		}
		cells := []string{c.Name, c.Type.WithNull(true).String() + times[i].String(),
			strconv.FormatBool(c.Type.Nullable()), key, extras, mark}
		null := []bool{false, false, false, key == "", extras == "", mark == ""}
		if comments {
			cells, null = append(cells, c.Comment), append(null, c.Comment == "")
		}
		r.row(cells, null)
	}
	return r, nil
}

// timesOf are the time attributes of a table's columns.
func (w *work) timesOf(t *catalog.Table) ([]logical.TimeAttribute, error) {
	out := make([]logical.TimeAttribute, len(t.Columns))
	var s logical.Schema
	if t.IsView() {
		r, err := w.view(t, &syntax.TableName{})
		if err != nil {
			return out, nil // a view that no longer fits its tables still has columns
		}
		s = r.schema
	} else {
		p, err := w.expand(t)
		if err != nil {
			return nil, position(err, syntax.Span{}, CodeDefinition)
		}
		s = p.Schema()
	}
	for i := range out {
		out[i] = s[i].Time
	}
	return out, nil
}

// describeSchema gives the columns of a query, which is not run.
func describeSchema(s logical.Schema) *Result {
	r := &Result{Columns: []string{"name", "type", "null"}, Types: []types.Type{types.String(), types.String(), types.Of(types.Boolean)}}
	names := unique(s.Names())
	for i, c := range s {
		r.row([]string{names[i], c.Type.WithNull(true).String() + c.Time.String(), strconv.FormatBool(c.Type.Nullable())},
			make([]bool, 3))
	}
	return r
}

func (w *work) describeFunction(s *syntax.Describe) (*Result, error) {
	r := &Result{Columns: []string{"info name", "info value"}, Types: []types.Type{types.String(), types.String()}}
	fn, err := w.function(&syntax.Call{Span: s.Name.Span, Name: s.Name})
	if err != nil {
		return nil, err
	}
	add := func(k, v string) { r.row([]string{k, v}, make([]bool, 2)) }
	if fn == nil {
		add("is system function", "true")
		add("forms", specialForms[strings.ToUpper(s.Name.Last())])
		return r, nil
	}
	_, created := w.cat.Function(w.fullName(s.Name))
	add("is system function", strconv.FormatBool(!created))
	add("is deterministic", strconv.FormatBool(!fn.Volatile))
	add("forms", strings.Join(fn.Forms, ", or "))
	add("description", fn.Doc.Text)
	add("example", fn.Doc.Example)
	return r, nil
}

func (w *work) describeCatalog(s *syntax.Describe) (*Result, error) {
	name := s.Name.Last()
	options, comment, err := w.catalogOptions(s.Name)
	if err != nil {
		return nil, err
	}
	r := &Result{Columns: []string{"info name", "info value"}, Types: []types.Type{types.String(), types.String()}}
	r.row([]string{"name", name}, make([]bool, 2))
	for _, o := range options {
		if o.Key == "type" {
			r.row([]string{"type", o.Value}, make([]bool, 2))
		}
	}
	r.row([]string{"comment", comment}, []bool{false, comment == ""})
	if s.Extended {
		for _, o := range options {
			r.row([]string{"option:" + o.Key, o.Value}, make([]bool, 2))
		}
	}
	return r, nil
}

func (w *work) describeDatabase(s *syntax.Describe) (*Result, error) {
	c, d, err := w.findDatabase(s.Name)
	if err != nil {
		return nil, err
	}
	r := &Result{Columns: []string{"info name", "info value"}, Types: []types.Type{types.String(), types.String()}}
	db := w.cat.Database(c, d)
	r.row([]string{"name", d}, make([]bool, 2))
	r.row([]string{"comment", db.Comment}, []bool{false, db.Comment == ""})
	return r, nil
}
