package bind

import (
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

// apartQueries takes those conditions of a join in which queries stand out of it.
func apartQueries(j *syntax.Join) (plain *syntax.Join, queried syntax.Expr) {
	if j.On == nil {
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
	n := len(plan.Schema())
	plan, err := w.where(cond, plan, s)
	if err != nil {
		return nil, err
	}
	return firstColumns(plan, n), nil
}

// firstColumns are the first n columns of a plan, with their times.
func firstColumns(plan logical.Plan, n int) logical.Plan {
	s := plan.Schema()
	if len(s) == n {
		return plan
	}
	p := logical.NewProject(plan, columnsOf(s)[:n], s[:n].Names())
	for i := range p.Columns {
		p.Columns[i].Time = s[i].Time
	}
	return p
}
