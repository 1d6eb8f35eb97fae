package bind

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/planner/catalog"
	"streamsql/planner/syntax"
)

// star spreads *, t.* and t.r.*, without the columns that are left out, and with the values that replace others.
func (w *work) star(star *syntax.Star, s *scope) ([]item, error) {
	items, err := w.starOf(star, s)
	if err != nil || len(star.Exclude)+len(star.Replace) == 0 {
		return items, err
	}
	list := make([][]syntax.Piece, len(items))
	for i, it := range items {
		list[i] = []syntax.Piece{asText(it.text)}
	}
	for _, r := range star.Replace {
		found := false
		for i := range items {
			if items[i].name != r.Name.Name {
				continue
			}
			found = true
			if items[i].e, err = w.expr(r.Expr, s); err != nil {
				return nil, err
			}
			items[i].at = r.Expr
			list[i] = []syntax.Piece{{Span: r.Expr.At()}, asText(" AS " + catalog.Quote(r.Name.Name))}
		}
		if !found {
			return nil, unknownIn(r.Name, items)
		}
	}
	w.rewrite(star.Span, listedPieces(list)...)
	return items, nil
}

// starOf spreads a star, without the columns that are left out.
func (w *work) starOf(star *syntax.Star, s *scope) ([]item, error) {
	items, err := w.spread(star, s)
	if err != nil {
		return nil, err
	}
	for _, x := range star.Exclude {
		n := len(items)
		items = slices.DeleteFunc(items, func(it item) bool { return it.name == x.Name })
		if len(items) == n {
			return nil, unknownIn(x, items)
		}
	}
	if len(items) == 0 {
		return nil, failf(star, CodeShape, "EXCLUDE leaves no column").
			WithHint("name fewer columns in EXCLUDE")
	}
	return items, nil
}

// unknownIn is the error for a name that no column of a star has.
func unknownIn(name syntax.Ident, items []item) error {
	names := make([]string, len(items))
	for i, it := range items {
		names[i] = it.name
	}
	return failf(name, CodeColumn, "the star has no column '%s'", name.Name).WithHint("%s", suggest(name.Name, "columns", names))
}

// spread gives the columns that a star stands for.
func (w *work) spread(star *syntax.Star, s *scope) ([]item, error) {
	var out []item
	if len(star.Qualifier) == 0 {
		if len(s.relations) == 0 {
			return nil, failf(star, CodeColumn, "SELECT * needs a FROM clause").
				WithHint("SELECT * FROM t, or values alone: SELECT 1")
		}
		for _, m := range s.merged {
			out = append(out, item{e: m.e, name: m.name, at: star, text: catalog.Quote(m.name)})
		}
		for i := range s.relations {
			out = append(out, s.relations[i].items(star, false, len(s.relations) > 1)...)
		}
		return out, nil
	}
	if r := s.relation(star.Qualifier); r != nil {
		return r.items(star, true, len(s.relations) > 1), nil
	}
	name := &syntax.Name{Span: star.Span, Parts: star.Qualifier}
	f, err := s.resolve(name)
	if err != nil {
		return nil, err
	}
	t := f.e.Type()
	if t.Kind != types.Row {
		return nil, failf(star, CodeType, "%s.* needs a ROW, but %s is %s", name, name, t.WithNull(true)).
			WithHint("write %s alone", name)
	}
	for i, field := range t.Fields {
		out = append(out, item{e: expr.NewField(f.e, i), name: field.Name, at: star,
			text: quotedPath(star.Qualifier) + "." + catalog.Quote(field.Name)})
	}
	return out, nil
}

// items are the columns of a table, those that are merged with another's only where all are wanted. Among several tables
// their text has the table's name.
func (r *relation) items(at syntax.Expr, all, several bool) []item {
	var out []item
	for i, c := range r.schema {
		if all || !r.hidden[c.Name] {
			text := catalog.Quote(c.Name)
			if several && r.name != "" {
				text = catalog.Quote(r.name) + "." + text
			}
			out = append(out, item{e: r.at(i), name: c.Name, at: at, text: text})
		}
	}
	return out
}
