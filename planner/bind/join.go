package bind

import (
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

var joinKinds = map[syntax.JoinKind]op.JoinKind{syntax.Inner: op.InnerJoin, syntax.Left: op.LeftJoin, syntax.Right: op.RightJoin,
	syntax.Full: op.FullJoin, syntax.Cross: op.InnerJoin, syntax.Comma: op.InnerJoin}

// join binds both sides and the condition. The scope holds the tables of both afterwards, without time attributes
// but for those that an interval join keeps.
func (w *work) join(j *syntax.Join, s *scope) (logical.Plan, error) {
	first, base := len(s.relations), s.width()
	plain, queried := apartQueries(j)
	left, err := w.from(j.Left, s)
	if err != nil {
		return nil, err
	}
	switch t := j.Right.(type) {
	case *syntax.TableName:
		if t.AsOf != nil {
			return w.temporalJoin(j, t, left, s, first, base)
		}
	case *syntax.Unnest:
		return w.unnestJoin(j, t, left, s, first, base)
	case *syntax.Derived:
		if t.Lateral {
			return w.lateralJoin(j, t, left, s, first, base)
		}
	}
	middle := len(s.relations)
	right, err := w.from(j.Right, s)
	if err != nil {
		return nil, positionless(err, j.Right)
	}
	kind := joinKinds[j.Kind]
	names, cond, err := w.joinCondition(plain, s.part(first, middle, len(s.relations)), middle-first)
	if err != nil {
		return nil, err
	}
	if cond != nil {
		cond = logical.Shifted(cond, -base)
	}
	ttl := s.ttlOf(first, middle)
	q := &sideQueries{sides: [2]logical.Plan{left, right}}
	var across logical.Plan
	if queried != nil && kind != op.InnerJoin {
		both := &bothSides{kind: kind, sides: q.sides, cond: cond, queried: queried, s: s.rebased(first, len(s.relations)), ttl: ttl}
		if across, err = both.bind(w); err == nil && across == nil {
			cond, err = q.bind(w, queried, cond, kind, s, first, middle)
		}
		if err != nil {
			return nil, err
		}
	}
	for i := range s.relations[first:] {
		side := 0
		if first+i >= middle {
			side = 1
		}
		s.relations[first+i].schema = matched(s.relations[first+i].schema, kind.Pads(side))
	}
	s.padMerged(kind, first, middle)
	if err := w.merge(names, kind, s, first, middle); err != nil {
		return nil, err
	}
	if across != nil {
		return across, nil
	}
	if cond, err = w.ranksOfSides(j, kind, &q.sides, cond); err != nil {
		return nil, err
	}
	out := logical.NewJoin(kind, q.sides[0], q.sides[1], cond)
	out.AtEnd, out.TTL = w.batch(), ttl
	plan := logical.Plan(out)
	if names == nil {
		out.KeepTimes()
		plan = q.without(out)
		keepTimes(s.relations[first:], plan.Schema())
	}
	if queried != nil && kind == op.InnerJoin {
		return w.joinedWhere(queried, plan, s.rebased(first, len(s.relations)))
	}
	return plan, nil
}

// ttlOf is how long rows live, by the hints for the tables from first on, where a side of a join is one: the right side
// begins at middle.
func (s *scope) ttlOf(first, middle int) (ttl [2]time.Duration) {
	for side, part := range [][]relation{s.relations[first:middle], s.relations[middle:]} {
		if len(part) == 1 {
			ttl[side] = s.ttl[part[0].name]
		}
	}
	return ttl
}

// keepTimes gives the columns of tables the time attributes that they have behind a join.
func keepTimes(list []relation, columns logical.Schema) {
	for _, r := range list {
		for k := range r.schema {
			r.schema[k].Time = columns[k].Time
		}
		columns = columns[len(r.schema):]
	}
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

// joinCondition binds the condition; nil is TRUE. The names are those of columns that USING or NATURAL merges.
func (w *work) joinCondition(j *syntax.Join, s *scope, left int) ([]syntax.Ident, expr.Expr, error) {
	bare := j.On == nil && len(j.Using) == 0 && !j.Natural
	switch j.Kind {
	case syntax.Cross, syntax.Comma:
		return nil, nil, nil
	case syntax.Inner, syntax.Left, syntax.Right, syntax.Full:
		if _, lateral := j.Right.(*syntax.Unnest); bare && !lateral {
			return nil, nil, failf(j, CodeShape, "a join needs a condition").
				WithHint("add ON …, USING (…) or NATURAL, or write CROSS JOIN")
		}
	}
	if j.On != nil {
		cond, err := w.condition(j.On, s, "ON")
		return nil, cond, err
	}
	return w.sharedColumns(j, s.part(0, 0, left), s.part(left, left, len(s.relations)))
}
