package bind

import (
	"slices"

	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/planner/catalog"
	"streamsql/planner/syntax"
)

// createView declares a view. Its query is bound now, so that what is wrong in it is told, and again at
// each use.
func (w *work) createView(s *syntax.CreateView) (*Result, error) {
	name, found, err := w.newName(s.Name, s.Temporary, s.IfNotExists, s.Replace, "view")
	if err != nil {
		return nil, err
	}
	v, err := w.newView(name, s.Query, s.Columns)
	if err != nil || found {
		return nil, err
	}
	v.Temporary = s.Temporary
	if s.Comment != nil {
		v.Comment, v.HasComment = *s.Comment, true
	}
	w.cat.Put(v)
	return nil, nil
}

// newView checks a view's query and gives its columns.
func (w *work) newView(name catalog.Name, q syntax.Query, columns []syntax.Ident) (*catalog.Table, error) {
	for i, c := range columns {
		if slices.ContainsFunc(columns[:i], func(o syntax.Ident) bool { return o.Name == c.Name }) {
			return nil, failf(c, CodeDuplicate, "column '%s' stands twice in the view", c.Name).
				WithHint("give one of them another name, such as %s2", c.Name)
		}
	}
	r, err := w.query(q, nil)
	if err != nil {
		return nil, err
	}
	if err := w.final(q, r.schema); err != nil {
		return nil, err
	}
	names := unique(r.schema.Names())
	if len(columns) > 0 {
		if len(columns) != len(r.schema) {
			return nil, failf(columns[0], CodeShape, "the view lists %d columns, its query has %d", len(columns), len(r.schema)).
				WithHint("%s", nameEach(names))
		}
		for i, c := range columns {
			names[i] = c.Name
		}
	}
	v := &catalog.Table{Name: name, View: &catalog.View{
		Query: q, Text: q.At().Text(w.text), Catalog: w.catalog, Database: w.database,
	}}
	for i, c := range r.schema {
		v.Columns = append(v.Columns, catalog.Column{Name: names[i], Type: c.Type})
	}
	return v, nil
}

// createFunction gives a name to a built-in function by the class that it has in Flink.
func (w *work) createFunction(s *syntax.CreateFunction) (*Result, error) {
	f := catalog.Function{Name: w.fullName(s.Name), Class: s.Class, Language: s.Language, Temporary: s.Temporary,
		System: s.System, Builtin: catalog.BuiltinOf(s.Class)}
	if s.System {
		f.Name = catalog.Name{Object: s.Name.Last()}
	}
	if !s.System && w.cat.Database(f.Name.Catalog, f.Name.Database) == nil {
		return nil, failf(s.Name, CodeTable, "database '%s' not found in catalog '%s'", f.Name.Database, f.Name.Catalog).
			WithHint("%s", suggest(f.Name.Database, "databases", w.cat.Databases(f.Name.Catalog)))
	}
	if w.cat.HasFunction(f.Name, f.Temporary) {
		if s.IfNotExists {
			return nil, nil
		}
		kind := "FUNCTION"
		switch {
		case s.System:
			kind = "TEMPORARY SYSTEM FUNCTION"
		case s.Temporary:
			kind = "TEMPORARY FUNCTION"
		}
		return nil, failf(s.Name, CodeExists, "a function '%s' exists already", f.Name.Object).
			WithHint("DROP it first, or write CREATE %s IF NOT EXISTS or ALTER %[1]s", kind)
	}
	if function.Lookup(f.Builtin) == nil {
		f.Builtin = ""
	}
	w.cat.PutFunction(f)
	if f.Builtin == "" {
		return &Result{Warnings: []string{"function " + f.Name.Object + ": class '" + s.Class +
			"' is not known here; using the function will fail"}}, nil
	}
	return nil, nil
}

func (w *work) alterFunction(s *syntax.AlterFunction) (*Result, error) {
	n := w.fullName(s.Name)
	if s.System {
		n = catalog.Name{Object: n.Object}
	}
	if !w.cat.HasFunction(n, s.Temporary) {
		if s.IfExists {
			return nil, nil
		}
		return nil, failf(s.Name, CodeFunction, "function '%s' not found", n.Object).
			WithHint("%s", suggest(n.Object, "created functions", w.cat.Functions(n.Catalog, n.Database)))
	}
	w.cat.PutFunction(catalog.Function{Name: n, Class: s.Class, Language: s.Language, Temporary: s.Temporary,
		System: s.System, Builtin: catalog.BuiltinOf(s.Class)})
	return nil, nil
}

// databaseName completes the name of a database, of one or two parts.
func (w *work) databaseName(p syntax.Path) (c, d string, err error) {
	c, d = w.catalog, p.Last()
	switch len(p.Parts) {
	case 1:
	case 2:
		c = p.Parts[0].Name
	default:
		return c, d, failf(p, CodeTable, "a database's name has at most two parts").
			WithHint("catalog.database")
	}
	if !w.cat.HasCatalog(c) {
		return c, d, failf(p.Parts[0], CodeTable, "catalog '%s' not found", c).
			WithHint("%s", suggest(c, "catalogs", w.cat.Catalogs()))
	}
	return c, d, nil
}

// findDatabase is databaseName of one that must exist.
func (w *work) findDatabase(p syntax.Path) (c, d string, err error) {
	c, d, err = w.databaseName(p)
	if err == nil && w.cat.Database(c, d) == nil {
		w.builtinTable(catalog.Name{Catalog: c, Database: d, Object: builtinTables[0]})
		if w.cat.Database(c, d) == nil {
			err = failf(p, CodeTable, "database '%s' not found in catalog '%s'", d, c).
				WithHint("%s", suggest(d, "databases", w.cat.Databases(c)))
		}
	}
	return c, d, err
}

func (w *work) createDatabase(s *syntax.CreateDatabase) error {
	c, d, err := w.databaseName(s.Name)
	if err != nil {
		return err
	}
	if have := w.cat.Database(c, d); have != nil && !have.Hidden {
		if s.IfNotExists {
			return nil
		}
		return failf(s.Name, CodeExists, "a database '%s' exists already in catalog '%s'", d, c).
			WithHint("write CREATE DATABASE IF NOT EXISTS, or ALTER DATABASE %s SET (…)", s.Name.String())
	}
	db := catalog.Database{Name: d, Options: pairs(s.Options)}
	if s.Comment != nil {
		db.Comment = *s.Comment
	}
	w.cat.CreateDatabase(c, db)
	return nil
}

func pairs(list []syntax.Option) []catalog.Option {
	var out []catalog.Option
	for _, o := range list {
		out = append(out, catalog.Option{Key: o.Key, Value: o.Value})
	}
	return out
}

func (w *work) createCatalog(s *syntax.CreateCatalog) error {
	if w.cat.HasCatalog(s.Name.Name) {
		if s.IfNotExists {
			return nil
		}
		return failf(s.Name, CodeExists, "a catalog '%s' exists already", s.Name.Name).
			WithHint("write CREATE CATALOG IF NOT EXISTS, or ALTER CATALOG %s SET (…)", s.Name.Name)
	}
	kind := ""
	at := syntax.Node(s)
	for _, o := range s.Options {
		if o.Key == "type" {
			kind, at = o.Value, o.ValueSpan
		}
	}
	if kind != "generic_in_memory" {
		return failf(at, CodeDefinition, "there is no catalog of type '%s'", kind).
			WithHint("WITH ('type' = 'generic_in_memory')")
	}
	comment := ""
	if s.Comment != nil {
		comment = *s.Comment
	}
	w.cat.CreateCatalog(s.Name.Name, comment, pairs(s.Options))
	return nil
}

func (w *work) alterDatabase(s *syntax.AlterDatabase) error {
	c, d, err := w.findDatabase(s.Name)
	if err != nil {
		return err
	}
	w.cat.AlterDatabase(c, d, pairs(s.Options))
	return nil
}

func (w *work) alterCatalog(s *syntax.AlterCatalog) error {
	if !w.cat.HasCatalog(s.Name.Name) {
		return failf(s.Name, CodeTable, "catalog '%s' not found", s.Name.Name).
			WithHint("%s", suggest(s.Name.Name, "catalogs", w.cat.Catalogs()))
	}
	options, comment := w.cat.CatalogOptions(s.Name.Name)
	t := (&catalog.Table{Options: options}).WithOptions(pairs(s.Options))
	t.Options = slices.DeleteFunc(t.Options, func(o catalog.Option) bool { return slices.Contains(s.Reset, o.Key) })
	if s.Comment != nil {
		comment = *s.Comment
	}
	w.cat.SetCatalogOptions(s.Name.Name, t.Options, comment)
	return nil
}

// use makes a catalog or a database current.
func (w *work) use(s *syntax.Use) error {
	if len(s.Modules) > 0 {
		return w.useModules(s.Modules)
	}
	if s.Kind == syntax.CatalogObject {
		if !w.cat.HasCatalog(s.Name.Last()) {
			return failf(s.Name, CodeTable, "catalog '%s' not found", s.Name.Last()).
				WithHint("%s", suggest(s.Name.Last(), "catalogs", w.cat.Catalogs()))
		}
		return position(w.cat.UseCatalog(s.Name.Last()), s.Name, CodeTable)
	}
	c, d, err := w.findDatabase(s.Name)
	if err != nil {
		return err
	}
	return position(w.cat.UseDatabase(c, d), s.Name, CodeTable)
}

// set changes a setting, or lists them all.
func (w *work) set(s *syntax.Set) (*Result, error) {
	settings := w.cat.Settings()
	if s.Option == nil {
		r := &Result{Columns: []string{"key", "value"}, Types: []types.Type{types.String(), types.String()}}
		for _, kv := range settings.List() {
			r.Rows = append(r.Rows, []string{kv[0], kv[1]})
		}
		return r, nil
	}
	warning, err := settings.Set(s.Option.Key, s.Option.Value)
	if err != nil {
		at := s.Option.ValueSpan
		if !settings.Known(s.Option.Key) {
			at = s.Option.KeySpan
		}
		return nil, position(err, at, CodeSetting)
	}
	r := &Result{}
	if warning != "" {
		r.Warnings = []string{warning}
	}
	return r, nil
}

func (w *work) reset(s *syntax.Reset) error {
	if s.Key == nil {
		w.cat.Settings().ResetAll()
		return nil
	}
	w.cat.Settings().Reset(*s.Key)
	return nil
}
