package bind

import (
	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// valueQueries are the queries that stand as values in a SELECT: each is joined to its rows, behind their columns.
type valueQueries struct {
	plan logical.Plan
	// n is how many there are.
	n int
}

// join puts the rows of a query beside those of the SELECT, where cond, over both, holds; it returns the position of
// the first column.
func (v *valueQueries) join(right logical.Plan, cond expr.Expr, atEnd bool) int {
	n := len(v.plan.Schema())
	j := logical.NewJoin(op.LeftJoin, v.plan, right, cond)
	j.AtEnd = atEnd
	v.plan, v.n = j, v.n+1
	return n
}

// valueQuery is a query that stands as a value, with what it reads of the query around it.
type valueQuery struct {
	result
	refs *outers
}

// inner binds the query.
func (w *work) inner(q syntax.Query, s *scope) (valueQuery, error) {
	before := w.outers
	w.outers = &outers{}
	r, err := w.query(q, s)
	out := valueQuery{r, w.outers}
	w.outers = before
	return out, err
}

// attached joins a query of one row at most, or one that aggregates the rows which equal the row around it; false
// where it is neither.
func (w *work) attached(q valueQuery, s *scope) (expr.Expr, bool) {
	if s.values == nil || w.missing != nil {
		return nil, false
	}
	atEnd := w.cat.Settings().Mode == "BATCH"
	if len(q.refs.refs) == 0 {
		if !logical.ChangesOf(q.plan).HasKey(nil) {
			return nil, false
		}
		first := visible(q.result)
		return s.values.at(s.values.join(first, nil, atEnd)), true
	}
	agg, value := aggregated(q.plan)
	if agg == nil {
		return nil, false
	}
	in, conds, ok := q.refs.takeOut(withoutNone(agg), s, true)
	if !ok || len(q.refs.in(value)) > 0 {
		return nil, false
	}
	n := len(s.values.plan.Schema())
	keys, cond, ok := w.equalities(q.refs, conds, n)
	if !ok {
		return nil, false
	}
	right := logical.NewAggregate(in, keys, agg.Calls)
	right.AtEnd = agg.AtEnd
	at := s.values.join(right, cond, atEnd) + len(keys)
	calls := make([]expr.Expr, len(agg.Calls))
	for i := range calls {
		if calls[i], ok = ofNone(s.values.at(at+i), agg.Calls[i].T); !ok {
			return nil, false
		}
	}
	value = expr.Inline(value, calls)
	if c, ok := value.(*expr.Case); ok {
		value = &expr.Case{Whens: c.Whens, Else: c.Else, T: c.T.WithNull(true)}
	}
	return value, true
}

// at is a column of the rows as they are joined so far.
func (v *valueQueries) at(i int) *expr.Column {
	c := v.plan.Schema()[i]
	return &expr.Column{Index: i, Name: c.Name, T: c.Type}
}

// visible is a query without the columns that only its ORDER BY reads.
func visible(r result) logical.Plan {
	if n := len(r.schema); n < len(r.plan.Schema()) {
		return logical.NewProject(r.plan, columnsOf(r.plan.Schema())[:n], r.plan.Schema()[:n].Names())
	}
	return r.plan
}

// aggregated takes a query apart that gives one value of aggregates over all of its rows; nil where it is none.
func aggregated(p logical.Plan) (*logical.Aggregate, expr.Expr) {
	var value expr.Expr
	for {
		switch x := p.(type) {
		case *logical.Project:
			if value == nil {
				value = x.Exprs[0]
			} else {
				value = expr.Inline(value, x.Exprs)
			}
			p = x.Input
		case *logical.Aggregate:
			if len(x.Keys) > 0 || value == nil || !expr.Pure(value) {
				return nil, nil
			}
			return x, value
		default:
			return nil, nil
		}
	}
}

// withoutNone is the input of an aggregation over all rows, in batch mode without the row that no aggregate counts
// (emptyGroup).
func withoutNone(a *logical.Aggregate) logical.Plan {
	u, ok := a.Input.(*logical.Union)
	if !ok || len(u.List) != 2 {
		return a.Input
	}
	one, ok := u.List[1].(*logical.Values)
	if !ok || len(one.Rows) != 1 || len(one.Columns) == 0 || !expr.Equal(one.Rows[0][0], expr.Bool(false)) {
		return a.Input
	}
	for _, c := range a.Calls {
		first := c.Filter
		if l, ok := first.(*expr.Logic); ok && !l.Or {
			first = l.List[0]
		}
		if col, ok := first.(*expr.Column); !ok || col.Index != 0 {
			return a.Input
		}
	}
	return u.List[0]
}

// ofNone is the value of an aggregate that was joined, where no rows may be there: a count is then 0.
func ofNone(c *expr.Column, t types.Type) (expr.Expr, bool) {
	if t.Nullable() {
		return c, true
	}
	if t.Kind != types.BigInt {
		return nil, false
	}
	present := &expr.Call{Fn: function.Must("IS NOT NULL"), List: []expr.Expr{c}, T: types.Of(types.Boolean).WithNull(false), Pos: -1}
	plain := &expr.Column{Index: c.Index, Name: c.Name, T: t}
	zero := expr.NewConst(vector.ConstOf(t, int64(0), 1), "0")
	return &expr.Case{Whens: []expr.When{{Cond: present, Then: plain}}, Else: zero, T: t}, true
}

// equalities are the conditions that tie a query to the row around it, of n columns: what its rows are grouped by,
// and the condition over both. It is false where one is no equality.
func (w *work) equalities(refs *outers, conds []expr.Expr, n int) (keys []expr.Expr, cond expr.Expr, ok bool) {
	list := make([]expr.Expr, len(conds))
	for i, e := range conds {
		call, ok := e.(*expr.Call)
		if !ok || call.Fn.Name != "=" {
			return nil, nil, false
		}
		in, out := call.List[0], call.List[1]
		if len(refs.in(in)) > 0 {
			in, out = out, in
		}
		if len(refs.in(in)) > 0 || len(expr.Columns(refs.joined(out, n))) != len(refs.in(out)) || !vector.KeyType(in.Type()) {
			return nil, nil, false
		}
		key := &expr.Column{Index: n + len(keys), Name: in.String(), T: in.Type()}
		keys = append(keys, in)
		list[i] = call.With([]expr.Expr{refs.joined(out, n), key})
	}
	return keys, expr.And(list...), len(list) > 0
}

// existing joins the rows of a query, each key once, and tells whether there are any.
func (w *work) existing(at syntax.Node, q valueQuery, s *scope) (expr.Expr, bool) {
	if s.values == nil || w.missing != nil {
		return nil, false
	}
	in, conds, ok := q.refs.takeOut(q.plan, s, false)
	if !ok {
		return nil, false
	}
	atEnd := w.cat.Settings().Mode == "BATCH"
	keys, cond := []expr.Expr{expr.Bool(true)}, expr.Expr(nil)
	if len(conds) > 0 {
		if keys, cond, ok = w.equalities(q.refs, conds, len(s.values.plan.Schema())); !ok {
			return nil, false
		}
	}
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.String()
	}
	p := logical.NewProject(in, keys, names)
	right := logical.NewAggregate(p, columnsOf(p.Schema()), nil)
	right.AtEnd = atEnd
	e, err := w.call(at, "IS NOT NULL", s.values.at(s.values.join(right, cond, atEnd)))
	return e, err == nil
}

// attachable opens a SELECT, until closed is called, for queries as values; closed gives the plan with them.
func (s *scope) attachable(plan logical.Plan) (closed func() logical.Plan) {
	s.values = &valueQueries{plan: plan}
	return func() logical.Plan {
		v := s.values
		s.values = nil
		return v.plan
	}
}

// groups tells that a SELECT groups its rows.
func groups(q *syntax.Select, s *scope) bool {
	return q.GroupBy != nil || q.Having != nil || s.group != nil && (len(s.group.keys) > 0 || len(s.group.calls) > 0)
}
