package bind

import (
	"streamsql/planner/catalog"
	"streamsql/planner/syntax"
)

// drop removes an object.
func (w *work) drop(s *syntax.Drop) error {
	switch s.Kind {
	case syntax.TableObject, syntax.ViewObject:
		return w.dropTable(s)
	case syntax.FunctionObject:
		return w.dropFunction(s)
	case syntax.DatabaseObject:
		return w.dropDatabase(s)
	case syntax.CatalogObject:
		return w.dropCatalog(s)
	}
	if s.IfExists {
		return nil
	}
	return syntax.NotSupported(s.Span, "DROP "+string(s.Kind), "")
}

// dropTable removes a table or a view. A permanent one that a temporary one hides stays.
func (w *work) dropTable(s *syntax.Drop) error {
	n := w.fullName(s.Name)
	view := s.Kind == syntax.ViewObject
	what := "table"
	if view {
		what = "view"
	}
	if !s.Temporary {
		if t := w.cat.Temporary(n); t != nil && t.IsView() == view && w.cat.Permanent(n) != nil {
			return failf(s.Name, CodeInUse, "a temporary %s '%s' hides the permanent one", what, n.Object).
				WithHint("DROP TEMPORARY %s first", s.Kind)
		}
	}
	t := w.cat.Permanent(n)
	if s.Temporary || (t == nil && w.cat.Temporary(n) != nil) {
		t = w.cat.Temporary(n)
	}
	if t != nil && t.IsView() == view {
		if t.Temporary && !s.Temporary {
			return failf(s.Name, CodeInUse, "'%s' is a temporary %s", n.Object, what).
				WithHint("DROP TEMPORARY %s %s", s.Kind, n.Object)
		}
		w.cat.Drop(t)
		return nil
	}
	if s.IfExists {
		return nil
	}
	if t != nil {
		other := syntax.TableObject
		if t.IsView() {
			other = syntax.ViewObject
		}
		return failf(s.Name, CodeTable, "'%s' is no %s", n.Object, what).WithHint("DROP %s %s", other, n.Object)
	}
	kind := what
	if s.Temporary {
		kind = "temporary " + what
	}
	return failf(s.Name, CodeTable, "%s '%s' not found", kind, s.Name.String()).
		WithHint("%s", w.suggestOf(n, what))
}

// suggestOf is the hint for a table or a view that there is not.
func (w *work) suggestOf(n catalog.Name, what string) string {
	var names []string
	for _, o := range w.cat.Tables(n.Catalog, n.Database) {
		if o.IsView() == (what == "view") {
			names = append(names, o.Name.Object)
		}
	}
	return suggest(n.Object, what+"s", names)
}

func (w *work) dropFunction(s *syntax.Drop) error {
	n := w.fullName(s.Name)
	if s.System {
		n = catalog.Name{Object: n.Object}
	}
	if w.cat.DropFunction(n, s.Temporary) || s.IfExists {
		return nil
	}
	return failf(s.Name, CodeFunction, "function '%s' not found among those created", s.Name.String()).
		WithHint("%s", suggest(n.Object, "created functions", w.cat.Functions(n.Catalog, n.Database)))
}

func (w *work) dropDatabase(s *syntax.Drop) error {
	c, d, err := w.databaseName(s.Name)
	if err != nil {
		return err
	}
	if w.cat.Database(c, d) == nil {
		if s.IfExists {
			return nil
		}
		return failf(s.Name, CodeTable, "database '%s' not found in catalog '%s'", d, c).
			WithHint("%s", suggest(d, "databases", w.cat.Databases(c)))
	}
	return position(w.cat.DropDatabase(c, d, s.Cascade), s.Name, CodeInUse)
}

func (w *work) dropCatalog(s *syntax.Drop) error {
	name := s.Name.Last()
	if !w.cat.HasCatalog(name) {
		if s.IfExists {
			return nil
		}
		return failf(s.Name, CodeTable, "catalog '%s' not found", name).
			WithHint("%s", suggest(name, "catalogs", w.cat.Catalogs()))
	}
	return position(w.cat.DropCatalog(name), s.Name, CodeInUse)
}
