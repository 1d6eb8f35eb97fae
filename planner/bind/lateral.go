package bind

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// lateralJoin binds JOIN LATERAL (query): the query may read the rows on the left, from the table at first on, whose
// columns begin at base.
func (w *work) lateralJoin(j *syntax.Join, t *syntax.Derived, left logical.Plan, s *scope, first, base int) (logical.Plan, error) {
	kind := joinKinds[j.Kind]
	if kind != op.InnerJoin && kind != op.LeftJoin {
		return nil, failf(j, CodeShape, "LATERAL is joined by INNER, LEFT or CROSS JOIN, not %s", j.Kind).
			WithHint("CROSS JOIN LATERAL (…), or LEFT JOIN LATERAL (…) ON TRUE, which keeps rows that find nothing")
	}
	if len(j.Using) > 0 || j.Natural {
		return nil, failf(j, CodeShape, "LATERAL takes no USING or NATURAL").WithHint("write ON …")
	}
	middle := len(s.relations)
	of := s.part(first, middle, middle)
	q, err := w.inner(t.Query, of)
	if err != nil {
		return nil, err
	}
	if err := w.add(s, q.result, "", nil, t.Alias); err != nil {
		return nil, err
	}
	_, cond, err := w.joinCondition(j, s.part(first, middle, len(s.relations)), middle-first)
	if err != nil {
		return nil, err
	}
	for i := range s.relations[first:] {
		side := 0
		if first+i >= middle {
			side = 1
		}
		s.relations[first+i].schema = matched(s.relations[first+i].schema, kind.Pads(side))
	}
	if w.missing != nil {
		return &stub{s.part(first, middle, len(s.relations)).schema()}, nil
	}
	if limits(q.plan) && !groupsAlone(left) {
		if err := w.beyond(parse.LimitInLateral(), t); err != nil {
			return nil, err
		}
	}
	right, tie, keys, ok := w.tied(q, left, of, base)
	if !ok {
		w.lack(t, "LATERAL that reads the rows on its left in this way", "write a join")
		return &stub{s.part(first, middle, len(s.relations)).schema()}, nil
	}
	n := len(left.Schema())
	if cond != nil {
		tie = append(tie, expr.Rewrite(cond, func(x expr.Expr) expr.Expr {
			c, ok := x.(*expr.Column)
			switch {
			case !ok:
				return x
			case c.Index-base < n:
				return &expr.Column{Index: c.Index - base, Name: c.Name, T: c.T}
			}
			return &expr.Column{Index: c.Index - base + keys, Name: c.Name, T: c.T}
		}))
	}
	if cond = nil; len(tie) > 0 {
		cond = expr.And(tie...)
	}
	out := logical.NewJoin(kind, left, right, cond)
	out.AtEnd = w.batch()
	if keys == 0 {
		return out, nil
	}
	all := columnsOf(out.Schema())
	names := out.Schema().Names()
	return logical.NewProject(out, slices.Concat(all[:n], all[n+keys:]), slices.Concat(names[:n], names[n+keys:])), nil
}

// limits tells that a query ends with LIMIT.
func limits(p logical.Plan) bool {
	for {
		switch x := p.(type) {
		case *logical.Rank:
			return !x.Number
		case *logical.Project:
			p = x.Input
		default:
			return false
		}
	}
}

// groupsAlone tells that a plan is DISTINCT, or a GROUP BY without aggregates.
func groupsAlone(p logical.Plan) bool {
	for {
		switch x := p.(type) {
		case *logical.Project:
			p = x.Input
		case *logical.Aggregate:
			return len(x.Calls) == 0
		default:
			return false
		}
	}
}

// tied is a query of LATERAL as a plan to be joined with the rows on its left, by conditions over both; it has so many
// columns before its own.
func (w *work) tied(q valueQuery, left logical.Plan, of *scope, base int) (right logical.Plan, tie []expr.Expr, keys int, ok bool) {
	if len(q.refs.near(of)) == 0 {
		return visible(q.result), nil, 0, true
	}
	d, ok := w.depend(q, left, of, base, nil)
	if !ok {
		return nil, nil, 0, false
	}
	d.lateral = true
	right, ok = d.whole(visible(q.result))
	return right, []expr.Expr{d.ties(len(left.Schema()))}, len(d.keys), ok
}
