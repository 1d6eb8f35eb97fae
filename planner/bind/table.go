package bind

import (
	"errors"
	"slices"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/planner/catalog"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// fullName completes a path of one to three parts with the current catalog and database.
func (w *work) fullName(p syntax.Path) catalog.Name {
	n := catalog.Name{Catalog: w.catalog, Database: w.database, Object: p.Last()}
	if k := len(p.Parts); k >= 2 {
		n.Database = p.Parts[k-2].Name
		if k >= 3 {
			n.Catalog = p.Parts[k-3].Name
		}
	}
	return n
}

// find looks a table or view up by its path.
func (w *work) find(p syntax.Path) (*catalog.Table, error) {
	if len(p.Parts) > 3 {
		return nil, failf(p.Parts[3], CodeTable, "a table's name has at most three parts").
			WithHint("catalog.database.table")
	}
	n := w.fullName(p)
	if t := w.cat.Table(n); t != nil {
		return t, nil
	}
	if t := w.builtinTable(n); t != nil {
		return t, nil
	}
	k := len(p.Parts)
	builtin := n.Catalog == catalog.DefaultCatalog && n.Database == builtinDatabase && w.cat.Connector(builtinDatabase) != nil
	switch {
	case k >= 2 && builtin && w.cat.Database(n.Catalog, n.Database) == nil:
		return nil, failf(p.Parts[k-1], CodeTable, "table '%s' not found", p.String()).
			WithHint("%s", suggest(n.Object, "tables", slices.Sorted(slices.Values(builtinTables))))
	case k >= 3 && !w.cat.HasCatalog(n.Catalog):
		return nil, failf(p.Parts[k-3], CodeTable, "catalog '%s' not found", n.Catalog).
			WithHint("%s", suggest(n.Catalog, "catalogs", w.cat.Catalogs()))
	case k >= 2 && w.cat.Database(n.Catalog, n.Database) == nil:
		e := failf(p.Parts[k-2], CodeTable, "database '%s' not found in catalog '%s'", n.Database, n.Catalog)
		if k == 2 && slices.Contains(w.readers(), readerPrefix+strings.ToUpper(n.Object)) {
			return nil, e.WithHint("a file is read by its path in quotes: FROM '%s'", p.String())
		}
		return nil, e.WithHint("%s", suggest(n.Database, "databases", append(w.cat.Databases(n.Catalog), builtinDatabase)))
	}
	e := failf(p.Parts[k-1], CodeTable, "table '%s' not found", p.String())
	names := w.tableNames(n.Catalog, n.Database)
	if full := builtinDatabase + "." + n.Object; slices.Contains(names, full) {
		return nil, e.WithHint("did you mean '%s'?", full)
	}
	return nil, e.WithHint("%s", suggest(n.Object, "tables", names))
}

// tableNames lists what find could have found beside a name.
func (w *work) tableNames(c, d string) []string {
	var out []string
	for _, t := range w.cat.Tables(c, d) {
		out = append(out, t.Name.Object)
	}
	if c == catalog.DefaultCatalog && d == catalog.DefaultDatabase && w.cat.Connector(builtinDatabase) != nil {
		for _, t := range builtinTables {
			out = append(out, builtinDatabase+"."+t)
		}
	}
	return out
}

// table binds a table, view or common table in FROM and adds it to s.
func (w *work) table(t *syntax.TableName, s *scope) (logical.Plan, error) {
	r, path, err := w.tableByName(t)
	if err != nil {
		return nil, err
	}
	if t.Sample != nil {
		return nil, syntax.NotSupported(t.Sample.Span, "TABLESAMPLE", "")
	}
	if err := w.timeTravel(t, s); err != nil {
		return nil, err
	}
	return r.plan, positionless(w.add(s, r, t.Path.Last(), path, t.Alias), t)
}

func (w *work) tableByName(t *syntax.TableName) (result, []string, error) {
	if len(t.Path.Parts) == 1 {
		for i := len(w.ctes) - 1; i >= 0; i-- {
			if c := w.ctes[i]; c.name == t.Path.Last() {
				for _, h := range t.Hints {
					if h.Name == "OPTIONS" {
						return result{}, nil, failf(h, CodeOption, "%s is a query; OPTIONS are for tables", c.name).
							WithHint("write the hint behind the table that %s reads", c.name)
					}
				}
				return c.rel, []string{c.name}, nil
			}
		}
	}
	def, err := w.find(t.Path)
	if err != nil {
		return result{}, nil, err
	}
	path := []string{def.Name.Catalog, def.Name.Database, def.Name.Object}
	if def.IsView() {
		r, err := w.view(def, t)
		return r, path, err
	}
	def, err = w.withHints(def, t.Hints)
	if err != nil {
		return result{}, nil, err
	}
	def = def.WithOptions(w.pushed)
	if err := w.usable(def, t.Path, false); err != nil {
		return result{}, nil, err
	}
	plan, err := w.expand(def)
	if err != nil {
		return result{}, nil, position(err, t.Path, CodeDefinition)
	}
	if w.batch() && logical.ChangesOf(plan).Kinds.Updating() {
		return result{}, nil, failf(t.Path, CodeConnector, "table %s gives updates and deletes, which batch mode does not read", def.Name.Object).
			WithHint("SET 'execution.runtime-mode' = 'STREAMING'")
	}
	return result{plan, plan.Schema()}, path, nil
}

// withHints merges the OPTIONS hints behind a table's name into its options. Other hints are about how
// to run a query and have no effect.
func (w *work) withHints(t *catalog.Table, hints []syntax.Hint) (*catalog.Table, error) {
	for _, h := range hints {
		if h.Name != "OPTIONS" {
			continue
		}
		var set []catalog.Option
		for _, a := range h.Args {
			if a.Key == "" {
				return nil, failf(a, CodeOption, "OPTIONS takes 'key' = 'value' pairs").
					WithHint("OPTIONS('key' = 'value')")
			}
			set = append(set, catalog.Option{Key: a.Key, Value: a.Value})
		}
		t = t.WithOptions(set)
	}
	return t, nil
}

// usable checks that the connector of a table exists, takes its options and can do what is asked.
func (w *work) usable(t *catalog.Table, at syntax.Node, write bool) error {
	d, _, err := w.cat.Connect(t)
	if err != nil {
		code := CodeOption
		if d == nil {
			code = CodeConnector
		}
		e := position(err, at, code).(*syntax.Error)
		e.Msg = "table " + t.Name.Object + ": " + e.Msg
		return e
	}
	switch {
	case !write && d.Source == nil:
		return failf(at, CodeConnector, "table %s cannot be read: connector '%s' only writes", t.Name.Object, d.Name).
			WithHint("connectors that can be read: %s", w.connectors(func(d *connector.Definition) bool { return d.Source != nil }))
	case write && d.Sink == nil:
		return failf(at, CodeConnector, "table %s cannot be written: connector '%s' only reads", t.Name.Object, d.Name).
			WithHint("connectors that can be written: %s", w.connectors(func(d *connector.Definition) bool { return d.Sink != nil }))
	case !write:
		return w.lacksWatermark(t, at, d.Name)
	}
	return nil
}

// connectors lists the names of those that are fit for something.
func (w *work) connectors(fit func(*connector.Definition) bool) string {
	names := slices.DeleteFunc(w.cat.Connectors(), func(name string) bool { return !fit(w.cat.Connector(name)) })
	return strings.Join(names, ", ")
}

// expand is the plan of a table: the scan, its computed columns, its watermark.
func (w *work) expand(t *catalog.Table) (logical.Plan, error) {
	scan := logical.NewScan(t)
	if d, options, err := w.cat.Connect(t); err == nil && d.Changes != nil {
		scan.Changing = d.Changes(options)
	}
	var plan logical.Plan = scan
	base := &scope{relations: []relation{{name: t.Name.Object, schema: scan.Columns}}}
	if len(scan.Columns) < len(t.Columns) {
		exprs := make([]expr.Expr, 0, len(t.Columns))
		stored := 0
		for _, c := range t.Columns {
			if c.Kind != syntax.Computed {
				exprs = append(exprs, base.relations[0].at(stored))
				stored++
				continue
			}
			e, err := w.detached().expr(c.Expr, base)
			if err != nil {
				return nil, inside(err, "column "+c.Name)
			}
			exprs = append(exprs, e)
		}
		plan = logical.NewProject(plan, exprs, t.ColumnNames())
	}
	if t.Watermark == nil {
		return plan, nil
	}
	full := &scope{relations: []relation{{name: t.Name.Object, schema: plan.Schema()}}}
	e, err := w.detached().watermark(t, full)
	if err != nil {
		return nil, inside(err, "WATERMARK")
	}
	out := &logical.Watermark{Input: plan, Column: t.Column(t.Watermark.Column), Expr: e}
	if w.batch() {
		// All rows are there before the first result: none is late.
		return &logical.Project{Input: plan, Exprs: columnsOf(plan.Schema()), Columns: out.Schema()}, nil
	}
	return out, nil
}

// detached binds expressions whose positions belong to another statement.
func (w *work) detached() *work {
	d := *w
	d.apart, d.ctes = true, nil
	return &d
}

// inside takes the place from an error that belongs to another text and says where it came from.
func inside(err error, what string) error {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return err
	}
	return &apartError{Code: e.Code, Msg: "in " + what + ": " + e.Msg, Hint: e.Hint}
}

// apartError is an error about a text that is not the statement being bound.
type apartError struct {
	Code      syntax.Code
	Msg, Hint string
}

func (e *apartError) Error() string { return e.Msg }

// view expands a view where it is used. Its names mean what they meant where it was made.
func (w *work) view(v *catalog.Table, at *syntax.TableName) (result, error) {
	if slices.Contains(w.views, v.Name) {
		return result{}, failf(at, CodeDefinition, "view %s refers to itself", v.Name.Object).
			WithHint("ALTER VIEW %s AS a query that does not read it", v.Name.Object)
	}
	pushed, err := w.viewHints(v, at)
	if err != nil {
		return result{}, err
	}
	if e, ok := w.expanded[v]; ok && len(pushed) == 0 {
		w.lackIn(v, e.missing, at)
		return e.result, nil
	}
	inner := w.detached()
	inner.pushed = pushed
	inner.catalog, inner.database = v.View.Catalog, v.View.Database
	inner.views = append(slices.Clone(w.views), v.Name)
	inner.missing = nil
	r, err := inner.query(v.View.Query, nil)
	if err != nil {
		return result{}, position(inside(err, "view "+v.Name.Object), at.Path, CodeTable)
	}
	w.lackIn(v, inner.missing, at)
	schema := append(logical.Schema(nil), r.schema...)
	if len(schema) != len(v.Columns) {
		return result{}, failf(at, CodeShape, "view %s was made with %d columns, its query has %d now",
			v.Name.Object, len(v.Columns), len(schema)).
			WithHint("ALTER VIEW %s AS SELECT … makes it anew", v.Name.Object)
	}
	for i := range schema {
		schema[i].Name = v.Columns[i].Name
	}
	out := result{r.plan, schema}
	if len(pushed) == 0 {
		w.expanded[v] = expansion{out, inner.missing}
	}
	return out, nil
}

// viewHints are the options that a hint behind a view's name gives to the table in it. Only the built-in
// views take them; options of a user's view could mean any table.
func (w *work) viewHints(v *catalog.Table, at *syntax.TableName) ([]catalog.Option, error) {
	t, err := w.withHints(&catalog.Table{Options: slices.Clone(w.pushed)}, at.Hints)
	if err != nil || len(t.Options) == len(w.pushed) {
		return w.pushed, err
	}
	if d := w.cat.Database(v.Name.Catalog, v.Name.Database); v.Temporary || d == nil || !d.Hidden {
		return nil, failf(at.Path, CodeOption, "%s is a view; OPTIONS are for tables", v.Name.Object).
			WithHint("put the hint behind the table in the view")
	}
	return t.Options, nil
}

// expansion is a view bound once in a statement: plans are immutable, so all its uses share it.
type expansion struct {
	result
	missing *syntax.Error
}

// lackIn records, where a view is used, what is not built in it.
func (w *work) lackIn(v *catalog.Table, m *syntax.Error, at *syntax.TableName) {
	if m != nil && w.missing == nil {
		w.missing = &syntax.Error{Code: m.Code, Span: at.Path.Span, Hint: m.Hint,
			Msg: m.Msg + " (in view " + v.Name.Object + ")"}
	}
}
