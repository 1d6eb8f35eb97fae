package bind

import (
	"streamsql/exec/op"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// partQueried parts the conjuncts of a condition in which queries stand from the others; either may be nil.
func partQueried(e syntax.Expr) (rest, queried syntax.Expr) {
	if b, ok := e.(*syntax.Binary); ok && b.Op == syntax.And {
		l, some := partQueried(b.Left)
		r, more := partQueried(b.Right)
		return both(b, l, r), both(b, some, more)
	}
	if holdsQuery(e) {
		return nil, e
	}
	return e, nil
}

// both is l AND r, of which either may be nil.
func both(at *syntax.Binary, l, r syntax.Expr) syntax.Expr {
	switch {
	case l == nil:
		return r
	case r == nil:
		return l
	}
	return &syntax.Binary{Span: at.Span, Op: syntax.And, Left: l, Right: r}
}

// holdsQuery tells that a query stands in an expression.
func holdsQuery(e syntax.Expr) (found bool) {
	walk(e, func(e syntax.Expr) {
		switch x := e.(type) {
		case *syntax.Subquery, *syntax.Exists:
			found = true
		case *syntax.In:
			found = found || x.Query != nil
		case *syntax.Quantified:
			found = found || x.Query != nil
		}
	})
	return found
}

// apartQueries takes those conditions of an inner join in which queries stand out of it: they hold for the joined rows. Of a
// join behind others of the FROM clause, whose rows it does not have, they stay.
func apartQueries(j *syntax.Join, s *scope) (plain *syntax.Join, queried syntax.Expr) {
	if joinKinds[j.Kind] != op.InnerJoin || j.On == nil || s.width() > 0 {
		return j, nil
	}
	rest, queried := partQueried(j.On)
	if queried == nil {
		return j, nil
	}
	out := *j
	if out.On = rest; rest == nil {
		out.Kind = syntax.Cross
	}
	return &out, queried
}

// joinedWhere keeps the joined rows for which a condition over queries holds.
func (w *work) joinedWhere(cond syntax.Expr, plan logical.Plan, s *scope) (logical.Plan, error) {
	n := plan.Schema()
	rest, tests := partConjuncts(cond)
	var err error
	if rest != nil {
		if plan, err = w.whereValue(rest, plan, s); err != nil {
			return nil, err
		}
	}
	for _, x := range tests {
		if plan, err = w.semiJoin(x, plan, s); err != nil {
			return nil, err
		}
	}
	if len(plan.Schema()) == len(n) {
		return plan, nil
	}
	p := logical.NewProject(plan, columnsOf(plan.Schema())[:len(n)], n.Names())
	for i := range p.Columns {
		p.Columns[i].Time = plan.Schema()[i].Time
	}
	return p, nil
}
