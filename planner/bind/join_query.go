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
	if hasQuery(e) {
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
	plan, err := w.where(cond, plan, s)
	if err != nil || len(plan.Schema()) == len(n) {
		return plan, err
	}
	p := logical.NewProject(plan, columnsOf(plan.Schema())[:len(n)], n.Names())
	for i := range p.Columns {
		p.Columns[i].Time = plan.Schema()[i].Time
	}
	return p, nil
}
