package bind

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/syntax"
)

// mergedColumn is a column that USING or NATURAL makes of one of each side.
type mergedColumn struct {
	name string
	e    expr.Expr
	// first and last bound the tables of the scope that the join is of.
	first, last int
}

// part is the scope of some of its tables, those from first to last without last. A join within them is seen
// where it is whole on one side of middle.
func (s *scope) part(first, middle, last int) *scope {
	out := *s
	out.relations = s.relations[first:last]
	out.merged = nil
	for _, m := range s.merged {
		if m.first >= first && m.last <= last && (m.last <= middle || m.first >= middle) {
			out.merged = append(out.merged, m)
		}
	}
	return &out
}

// sharedColumns is the condition of USING and NATURAL: columns of one name are equal.
func (w *work) sharedColumns(j *syntax.Join, l, r *scope) ([]syntax.Ident, expr.Expr, error) {
	names := j.Using
	if j.Natural {
		right := r.columns()
		for _, c := range l.columns() {
			if slices.Contains(right, c) {
				names = append(names, syntax.Ident{Span: j.Span, Name: c})
			}
		}
	}
	var list []expr.Expr
	for _, c := range names {
		both, err := shared(c, l, r)
		if err != nil {
			return nil, nil, err
		}
		equal, err := w.call(c, "=", both...)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, equal)
	}
	if len(list) == 0 {
		return nil, nil, nil
	}
	return names, expr.And(list...), nil
}

// shared finds the column of a name on either side.
func shared(c syntax.Ident, sides ...*scope) ([]expr.Expr, error) {
	var both []expr.Expr
	for _, side := range sides {
		e, err := side.resolveHere([]syntax.Ident{c})
		if err != nil {
			return nil, err
		}
		if e == nil {
			return nil, side.unknown(&syntax.Name{Span: c.Span, Parts: []syntax.Ident{c}})
		}
		both = append(both, e)
	}
	return both, nil
}

// padMerged makes the merged columns of a side nullable that a join pads.
func (s *scope) padMerged(kind op.JoinKind, first, middle int) {
	s.merged = slices.Clone(s.merged)
	for i := range s.merged {
		m := &s.merged[i]
		if m.first < first || m.first < middle && !kind.Pads(0) || m.first >= middle && !kind.Pads(1) {
			continue
		}
		m.e = expr.Rewrite(m.e, func(x expr.Expr) expr.Expr {
			switch x := x.(type) {
			case *expr.Column:
				return &expr.Column{Index: x.Index, Name: x.Name, T: x.T.WithNull(true)}
			case *expr.Case:
				return &expr.Case{Whens: x.Whens, Else: x.Else, T: x.T.WithNull(true)}
			}
			return x
		})
	}
}

// merge makes one column of the two of each name: that of the side whose rows are all kept, or the one that is
// there.
func (w *work) merge(names []syntax.Ident, kind op.JoinKind, s *scope, first, middle int) error {
	last := len(s.relations)
	l, r := s.part(first, first, middle), s.part(middle, middle, last)
	var out []mergedColumn
	for _, c := range names {
		both, err := shared(c, l, r)
		if err != nil {
			return err
		}
		e := both[0]
		switch kind {
		case op.RightJoin:
			e = both[1]
		case op.FullJoin:
			if e, err = w.coalesce(&syntax.Call{Span: c.Span, Name: syntax.Path{Parts: []syntax.Ident{{Name: "COALESCE"}}}}, both); err != nil {
				return err
			}
		}
		out = append(out, mergedColumn{c.Name, e, first, last})
	}
	for _, c := range names {
		s.merged = slices.DeleteFunc(s.merged, func(m mergedColumn) bool { return m.first >= first && m.name == c.Name })
		for i := first; i < last; i++ {
			s.relations[i].hide(c.Name)
		}
	}
	s.merged = append(out, s.merged...)
	return nil
}

// hide takes a column out of sight that is merged with another.
func (r *relation) hide(name string) {
	if r.schemaIndex(name) < 0 {
		return
	}
	if r.hidden == nil {
		r.hidden = map[string]bool{}
	}
	r.hidden[name] = true
}
