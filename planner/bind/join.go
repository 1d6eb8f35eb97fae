package bind

import (
	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

var joinKinds = map[syntax.JoinKind]op.JoinKind{syntax.Inner: op.InnerJoin, syntax.Left: op.LeftJoin, syntax.Right: op.RightJoin,
	syntax.Full: op.FullJoin, syntax.Cross: op.InnerJoin, syntax.Comma: op.InnerJoin}

// join binds both sides and the condition. The scope holds the tables of both afterwards, without time attributes.
func (w *work) join(j *syntax.Join, s *scope) (logical.Plan, error) {
	first, base := len(s.relations), s.width()
	left, err := w.from(j.Left, s)
	if err != nil {
		return nil, err
	}
	middle := len(s.relations)
	right, err := w.from(j.Right, s)
	if err != nil {
		return nil, positionless(err, j.Right)
	}
	inner := *s
	inner.relations = s.relations[first:]
	cond, err := w.joinCondition(j, &inner, middle-first)
	if err != nil {
		return nil, err
	}
	if cond != nil {
		cond = logical.Shifted(cond, -base)
	}
	kind := joinKinds[j.Kind]
	for i := range s.relations[first:] {
		side := 0
		if first+i >= middle {
			side = 1
		}
		s.relations[first+i].schema = matched(s.relations[first+i].schema, kind.Pads(side))
	}
	out := logical.NewJoin(kind, left, right, cond)
	out.AtEnd = w.cat.Settings().Mode == "BATCH"
	return out, nil
}

// matched are the columns of a table behind a join.
func matched(s logical.Schema, padded bool) logical.Schema {
	out := append(logical.Schema(nil), s...)
	for i := range out {
		out[i].Time = logical.NoTime
		if padded {
			out[i].Type = out[i].Type.WithNull(true)
		}
	}
	return out
}

// joinCondition binds the condition; nil is TRUE.
func (w *work) joinCondition(j *syntax.Join, s *scope, left int) (expr.Expr, error) {
	bare := j.On == nil && len(j.Using) == 0 && !j.Natural
	switch j.Kind {
	case syntax.Cross, syntax.Comma:
		return nil, nil
	case syntax.Inner, syntax.Left, syntax.Right, syntax.Full:
		if _, lateral := j.Right.(*syntax.Unnest); bare && !lateral {
			return nil, failf(j, CodeShape, "a join needs a condition").
				WithHint("add ON …, USING (…) or NATURAL, or write CROSS JOIN")
		}
	}
	if j.On != nil {
		return w.condition(j.On, s, "ON")
	}
	return w.sharedColumns(j, s, left)
}

// sharedColumns is the condition of USING and NATURAL: columns of one name are equal.
func (w *work) sharedColumns(j *syntax.Join, s *scope, left int) (expr.Expr, error) {
	l, r := scope{relations: s.relations[:left]}, scope{relations: s.relations[left:]}
	names := j.Using
	if j.Natural {
		right := r.columns()
		for _, c := range l.columns() {
			for _, other := range right {
				if c == other {
					names = append(names, syntax.Ident{Span: j.Span, Name: c})
				}
			}
		}
	}
	var list []expr.Expr
	for _, c := range names {
		var both [2]expr.Expr
		for i, side := range []*scope{&l, &r} {
			e, err := side.resolveHere([]syntax.Ident{c})
			if err != nil {
				return nil, err
			}
			if e == nil {
				return nil, side.unknown(&syntax.Name{Span: c.Span, Parts: []syntax.Ident{c}})
			}
			both[i] = e
		}
		equal, err := w.call(c, "=", both[0], both[1])
		if err != nil {
			return nil, err
		}
		list = append(list, equal)
	}
	for _, c := range names {
		r.hide(c.Name)
	}
	if len(list) == 0 {
		return nil, nil
	}
	return expr.And(list...), nil
}

// hide takes a column out of sight that USING or NATURAL has merged.
func (s *scope) hide(name string) {
	for i := range s.relations {
		r := &s.relations[i]
		if r.schemaIndex(name) < 0 {
			continue
		}
		if r.hidden == nil {
			r.hidden = map[string]bool{}
		}
		r.hidden[name] = true
	}
}
