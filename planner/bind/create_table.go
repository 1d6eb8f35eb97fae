package bind

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/option"
	"streamsql/exec/types"
	"streamsql/planner/catalog"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// createTable declares a table. Its connector is only looked at for warnings: as in Flink the first use
// is the error.
func (w *work) createTable(s *syntax.CreateTable) (*Result, error) {
	if s.As != nil { // CreateTableAs found the name taken and IF NOT EXISTS before it
		return nil, nil
	}
	t, exists, err := w.newTable(s)
	if err != nil || exists {
		return nil, err
	}
	w.cat.Put(t)
	return &Result{Warnings: w.connectorWarnings(t)}, nil
}

// newTable makes the table of a CREATE TABLE, and tells whether IF NOT EXISTS found one.
func (w *work) newTable(s *syntax.CreateTable) (t *catalog.Table, exists bool, err error) {
	name, found, err := w.newName(s.Name, s.Temporary, s.IfNotExists, s.Replace, "table")
	if err != nil {
		return nil, false, err
	}
	t = &catalog.Table{Name: name, Temporary: s.Temporary}
	if s.Replace && strings.HasPrefix(strings.ToUpper(s.Text(w.text)), "REPLACE") && w.cat.Permanent(name) == nil {
		return nil, false, failf(s.Name, CodeTable, "there is no table '%s' to replace", name.Object).
			WithHint("CREATE OR REPLACE TABLE")
	}
	if s.Comment != nil {
		t.Comment, t.HasComment = *s.Comment, true
	}
	if err := w.options(t, s.Options); err != nil {
		return nil, false, err
	}
	if s.Like != nil {
		err = w.likeTable(s, t)
	} else {
		err = w.define(t, s.Columns)
	}
	if err != nil {
		return nil, false, err
	}
	if err := w.clauses(t, s); err != nil {
		return nil, false, err
	}
	return t, found, w.complete(t)
}

// newName finds the full name of an object to be made. found tells that IF NOT EXISTS stands and the
// name is taken.
func (w *work) newName(p syntax.Path, temporary, ifNotExists, replace bool, kind string) (n catalog.Name, found bool, err error) {
	n = w.fullName(p)
	k := len(p.Parts)
	if k > 3 {
		return n, false, failf(p.Parts[3], CodeTable, "a name has at most three parts").
			WithHint("catalog.database.table")
	}
	if !w.cat.HasCatalog(n.Catalog) {
		return n, false, failf(p.Parts[0], CodeTable, "catalog '%s' not found", n.Catalog).
			WithHint("%s", suggest(n.Catalog, "catalogs", w.cat.Catalogs()))
	}
	if !temporary && w.cat.Database(n.Catalog, n.Database) == nil {
		return n, false, failf(p.Parts[max(k-2, 0)], CodeTable, "database '%s' not found in catalog '%s'", n.Database, n.Catalog).
			WithHint("%s", suggest(n.Database, "databases", w.cat.Databases(n.Catalog)))
	}
	have := w.cat.Permanent(n)
	if temporary {
		have = w.cat.Temporary(n)
	}
	switch {
	case have == nil || (replace && have.IsView() == (kind == "view")):
		return n, false, nil
	case ifNotExists:
		return n, true, nil
	}
	what := "table"
	if have.IsView() {
		what = "view"
	}
	return n, false, failf(p, CodeExists, "a %s '%s' exists already", what, n.Object).
		WithHint("DROP it first, or write CREATE %s IF NOT EXISTS", map[string]string{"table": "TABLE", "view": "VIEW"}[kind])
}

func (w *work) options(t *catalog.Table, list []syntax.Option) error {
	for _, o := range list {
		if _, ok := t.Option(o.Key); ok {
			return failf(o.KeySpan, CodeDuplicate, "option '%s' is set twice", o.Key).
				WithHint("leave one of them out")
		}
		t.Options = append(t.Options, catalog.Option{Key: o.Key, Value: o.Value})
	}
	return nil
}

// define adds columns as written; types of computed ones follow in complete.
func (w *work) define(t *catalog.Table, list []syntax.ColumnDef) error {
	for _, d := range list {
		c, err := w.column(d)
		if err != nil {
			return err
		}
		if t.Column(c.Name) >= 0 {
			return failf(d.Name, CodeDuplicate, "column '%s' is defined twice", c.Name).
				WithHint("leave one of them out, or give it another name")
		}
		t.Columns = append(t.Columns, c)
	}
	return nil
}

func (w *work) column(d syntax.ColumnDef) (catalog.Column, error) {
	c := catalog.Column{Name: d.Name.Name, Kind: d.Kind, Virtual: d.Virtual}
	if d.Comment != nil {
		c.Comment = *d.Comment
	}
	switch d.Kind {
	case syntax.Reference:
		return c, failf(d.Name, CodeDefinition, "column '%s' needs a type", c.Name).
			WithHint("write it behind the name, as in %s STRING; names alone go with CREATE TABLE … AS", c.Name)
	case syntax.Computed:
		c.Expr, c.Text = d.Expr, unparse(d.Expr)
		if hasQuery(d.Expr) {
			return c, failf(d.Expr, CodeDefinition, "a computed column cannot hold a query").
				WithHint("compute it from columns of the table; CREATE VIEW … AS names a query")
		}
		return c, nil
	case syntax.Metadata:
		c.Key = c.Name
		if d.MetadataKey != nil {
			c.Key = *d.MetadataKey
		}
	}
	var err error
	c.Type, err = resolveType(d.Type)
	return c, err
}

// complete gives computed columns their types and checks the watermark. Computed columns see the stored
// ones, the watermark all.
func (w *work) complete(t *catalog.Table) error {
	var stored, full logical.Schema
	for _, c := range t.Stored() {
		stored = append(stored, logical.Column{Name: c.Name, Type: c.Type})
	}
	base := &scope{relations: []relation{{name: t.Name.Object, schema: stored}}, clause: "a computed column"}
	for i := range t.Columns {
		c := &t.Columns[i]
		column := logical.Column{Name: c.Name, Type: c.Type}
		if c.Kind == syntax.Computed {
			e, err := w.expr(c.Expr, base)
			if err != nil {
				return err
			}
			if e.Type().Kind == types.Null {
				return illegalNull(c.Expr)
			}
			c.Type = e.Type()
			column = logical.NewProject(&stub{stored}, []expr.Expr{e}, []string{c.Name}).Columns[0]
		}
		full = append(full, column)
	}
	if t.Watermark == nil {
		return nil
	}
	return w.checkWatermark(t, full)
}

func (w *work) checkWatermark(t *catalog.Table, full logical.Schema) error {
	at := t.Column(t.Watermark.Column)
	if at < 0 {
		return failf(t.Watermark.Expr, CodeWatermark, "the WATERMARK's column '%s' is no column of the table", t.Watermark.Column).
			WithHint("%s", suggest(t.Watermark.Column, "columns", t.ColumnNames()))
	}
	if c := full[at]; !c.Type.Kind.IsTimestamp() || c.Type.Precision > 3 || c.Time == logical.Proctime {
		return failf(t.Watermark.Expr, CodeWatermark, "the WATERMARK's column '%s' must be TIMESTAMP(p) or TIMESTAMP_LTZ(p) with p of at most 3, not %s",
			c.Name, c.Type.WithNull(true)).WithHint("TIMESTAMP alone is TIMESTAMP(6); declare TIMESTAMP(3)")
	}
	if w.isSourceWatermark(t.Watermark.Expr) {
		return nil
	}
	s := &scope{relations: []relation{{name: t.Name.Object, schema: full}}, clause: "a WATERMARK"}
	e, err := w.expr(t.Watermark.Expr, s)
	if err != nil {
		return err
	}
	if !e.Type().Kind.IsTimestamp() || e.Type().Precision > 3 {
		return failf(t.Watermark.Expr, CodeWatermark, "a WATERMARK must be TIMESTAMP(3) or TIMESTAMP_LTZ(3), not %s", typeText(e)).
			WithHint("such as WATERMARK FOR %s AS %[1]s - INTERVAL '5' SECOND", t.Watermark.Column)
	}
	return nil
}

// connectorWarnings tells what the first use of a table will refuse.
func (w *work) connectorWarnings(t *catalog.Table) []string {
	if len(t.Options) == 0 {
		return nil
	}
	_, _, err := w.cat.Connect(t)
	if err == nil {
		return nil
	}
	text := err.Error()
	if o, ok := err.(*option.Error); ok && o.Hint != "" {
		text = o.Msg + "; " + o.Hint
	}
	return []string{"table " + t.Name.Object + ": " + text}
}

// hasQuery tells that an expression holds a subquery.
func hasQuery(e syntax.Expr) (found bool) {
	walk(e, func(x syntax.Expr) {
		switch x := x.(type) {
		case *syntax.Subquery, *syntax.Exists:
			found = true
		case *syntax.In:
			found = found || x.Query != nil
		case *syntax.Quantified:
			found = found || x.Query != nil
		case *syntax.Collection:
			found = found || x.Query != nil
		}
	})
	return found
}
