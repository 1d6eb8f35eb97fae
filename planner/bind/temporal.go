package bind

import (
	"errors"
	"slices"
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// asOf is the time attribute behind FOR SYSTEM_TIME AS OF: a column of the tables on the left.
func (w *work) asOf(t *syntax.TableName, s *scope) (int, logical.TimeAttribute, error) {
	e, err := w.expr(t.AsOf, s)
	if err != nil {
		return 0, 0, err
	}
	if k := e.Type().Kind; !k.IsTimestamp() {
		return 0, 0, failf(t.AsOf, CodeType, "FOR SYSTEM_TIME AS OF takes a time, not %s", typeText(e)).
			WithHint("%s", s.timeHint())
	}
	if c, ok := e.(*expr.Column); ok {
		if a := s.schema()[c.Index].Time; a != logical.NoTime {
			return c.Index, a, nil
		}
	}
	return 0, 0, failf(t.AsOf, CodeWatermark, "FOR SYSTEM_TIME AS OF takes a time attribute of the table on the left").
		WithHint("declare WATERMARK FOR it there, or add PROCTIME() AS pt to its columns and write FOR SYSTEM_TIME AS OF pt")
}

// timeHint names the time attributes that FOR SYSTEM_TIME AS OF could read.
func (s *scope) timeHint() string {
	var ways []string
	for _, r := range s.relations {
		for _, c := range r.schema {
			if c.Time != logical.NoTime {
				ways = append(ways, strings.TrimPrefix(joined([]syntax.Ident{{Name: r.name}, {Name: c.Name}}), "."))
			}
		}
	}
	if len(ways) == 0 {
		return "declare WATERMARK FOR a column of the table on the left, or add PROCTIME() AS pt to its columns"
	}
	return "name a time attribute of the table on the left: " + strings.Join(ways, ", ")
}

// temporalJoin binds JOIN t FOR SYSTEM_TIME AS OF: a lookup where the time is the clock's, and else a join with the
// versions of a table. The scope holds the tables of both sides afterwards, with their time attributes.
func (w *work) temporalJoin(j *syntax.Join, t *syntax.TableName, left logical.Plan, s *scope, first, base int) (logical.Plan, error) {
	at, clock, err := w.asOf(t, s)
	if err != nil {
		return nil, err
	}
	middle, plain := len(s.relations), *t
	plain.AsOf = nil
	right, err := w.from(&plain, s)
	if err != nil {
		return nil, positionless(err, t)
	}
	kind := joinKinds[j.Kind]
	if !logical.Looked(kind) {
		return nil, failf(j, CodeShape, "FOR SYSTEM_TIME AS OF joins INNER or LEFT, not %s", j.Kind).
			WithHint("write JOIN, or LEFT JOIN, which keeps the rows on the left that find nothing")
	}
	names, cond, err := w.joinCondition(j, s.part(first, middle, len(s.relations)), middle-first)
	if err != nil {
		return nil, err
	}
	if cond != nil {
		cond = logical.Shifted(cond, -base)
	}
	var out logical.Plan
	if clock == logical.Proctime {
		out, err = w.lookup(t, kind, left, right, cond)
	} else {
		out, err = w.versioned(t, kind, left, right, cond, at-base)
	}
	if err != nil {
		return nil, err
	}
	joined := out.Schema()
	for i := first; i < len(s.relations); i++ {
		r := &s.relations[i]
		schema := append(logical.Schema(nil), r.schema...)
		for k := range schema {
			c := joined[r.start-base+k]
			schema[k].Type, schema[k].Time = c.Type, c.Time
		}
		r.schema = schema
	}
	s.padMerged(kind, first, middle)
	return out, w.merge(names, kind, s, first, middle)
}

// lookup joins by the clock: the rows that the table has when a row comes, which are always the same.
func (w *work) lookup(t *syntax.TableName, kind op.JoinKind, left, right logical.Plan, cond expr.Expr) (logical.Plan, error) {
	table, ok := unwatched(right)
	if !ok {
		w.lack(t, "looking up in what is no table", "FOR SYSTEM_TIME AS OF processing time takes a table of inserts, or a view that filters and projects one")
		table = right
	}
	out := logical.NewLookupJoin(logical.NewJoin(kind, left, table, cond))
	out.Pos, out.End = t.Pos, t.End
	if len(out.LookupKeys().Left) == 0 && !out.LooksUpConstant() {
		return nil, failf(t, CodeShape, "a lookup needs columns of %s that equal something", t.Path.Last()).
			WithHint("write JOIN … ON t.key = …")
	}
	return out, nil
}

// unwatched is a table, or what a view makes of its rows one by one, without watermark.
func unwatched(p logical.Plan) (logical.Plan, bool) {
	switch x := p.(type) {
	case *logical.Scan:
		return p, !x.Changing
	case *logical.Values:
		return p, true
	case *logical.Watermark:
		return unwatched(x.Input)
	case *logical.Project, *logical.Filter:
		in, ok := unwatched(p.Inputs()[0])
		if !ok || in == p.Inputs()[0] {
			return p, ok
		}
		return p.With([]logical.Plan{in}), true
	}
	return p, false
}

// versioned joins by event time.
func (w *work) versioned(t *syntax.TableName, kind op.JoinKind, left, right logical.Plan, cond expr.Expr, at int) (logical.Plan, error) {
	name := t.Path.Last()
	from := right.Schema().Rowtime()
	if from < 0 {
		return nil, failf(t, CodeWatermark, "%s has no event time, by which its versions follow each other", name).
			WithHint("declare WATERMARK FOR a column of it")
	}
	if l, r := left.Schema()[at].Type, right.Schema()[from].Type; l.Kind != r.Kind {
		return nil, failf(t, CodeType, "the event times on both sides are %s and %s", l.WithNull(true), r.WithNull(true)).
			WithHint("make them both TIMESTAMP or both TIMESTAMP_LTZ")
	}
	j := logical.NewJoin(kind, left, right, cond)
	keys := j.Keys().Right
	if len(keys) == 0 {
		return nil, failf(t, CodeShape, "the join needs columns of %s that equal something", name).WithHint("write JOIN … ON t.key = …")
	}
	changes := logical.ChangesOf(right)
	key := slices.IndexFunc(changes.Keys, func(k logical.Key) bool { return len(k) > 0 && k.In(logical.Columns(keys)) })
	if key < 0 {
		return nil, failf(t, CodeDefinition, "the columns that %s is joined by do not hold a key of it", name).
			WithHint("declare PRIMARY KEY (…) NOT ENFORCED for it and join by that, or by a view that keeps the last row of each key")
	}
	// Batch mode gives only the last row of a key, whose versions are all of its rows all the same.
	plain, filters := unfiltered(right)
	if rows, ok := unfolded(plain); ok {
		j.Right = rows
	} else if !changes.Stays && asItChanges(plain) {
		j.Right = plain
	} else if filters = 0; !changes.Stays {
		w.lack(t, "versions from what a query makes of rows that change",
			"join the table of changes itself, or a view that keeps of rows that stay the last one of each key by event time")
	}
	return passing(j, [2]int{at, from}, changes.Keys[key], filters), nil
}

// asItChanges tells a table all changes of which come as they are, so that a +U comes behind each -U.
func asItChanges(p logical.Plan) bool {
	switch p.(type) {
	case *logical.Scan:
		return true
	case *logical.Project, *logical.Watermark:
		return asItChanges(p.Inputs()[0])
	}
	return false
}

// unfolded are the rows of which a plan keeps the last one of each key: its versions are all of them.
func unfolded(p logical.Plan) (logical.Plan, bool) {
	switch x := p.(type) {
	case *logical.Project:
		in, ok := unfolded(x.Input)
		return x.With([]logical.Plan{in}), ok
	case *logical.Deduplicate:
		return x.Input, x.Last && logical.ChangesOf(x.Input).Stays
	case *logical.Rank:
		return x.Input, x.AtEnd && lastByTime(x)
	}
	return p, false
}

// lastByTime tells a rank that keeps the row of each key with the latest event time.
func lastByTime(r *logical.Rank) bool {
	if r.Function != "ROW_NUMBER" || r.From != 1 || r.To != 1 || len(r.Order) != 1 || !r.Order[0].Desc {
		return false
	}
	c, ok := r.Order[0].Expr.(*expr.Column)
	return ok && logical.TimeOf(r.Input, c.Index) == logical.Rowtime
}

// timeTravel refuses FOR SYSTEM_TIME AS OF beside a table that is on the right of no join.
func (w *work) timeTravel(t *syntax.TableName, s *scope) error {
	if t.AsOf == nil {
		return nil
	}
	const hint = "it joins a table by the time of another one: … FROM a JOIN t FOR SYSTEM_TIME AS OF a.ts ON …"
	e, err := w.expr(t.AsOf, s)
	var at *syntax.Error
	switch {
	case errors.As(err, &at) && at.Code == CodeColumn:
		return failf(t.AsOf, CodeColumn, "FOR SYSTEM_TIME AS OF reads no column of its own table, and there is none on the left").WithHint(hint)
	case err != nil:
		return err
	}
	if !e.Type().Kind.IsTimestamp() && e.Type().Kind != types.Null {
		return failf(t.AsOf, CodeType, "FOR SYSTEM_TIME AS OF takes a time, not %s", typeText(e)).WithHint(hint)
	}
	w.lack(t, "FOR SYSTEM_TIME AS OF without a join", "tables have no snapshots; JOIN t FOR SYSTEM_TIME AS OF a.ts joins by time")
	return nil
}
