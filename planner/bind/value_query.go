package bind

import (
	"strings"

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

// inner binds the query. What it reads of queries further out is left to those.
func (w *work) inner(q syntax.Query, s *scope) (valueQuery, error) {
	before := w.outers
	w.outers = &outers{}
	r, err := w.query(q, s)
	out := valueQuery{r, w.outers}
	w.outers = before
	if before != nil {
		for _, c := range out.refs.refs {
			if c.of != s {
				before.refs = append(before.refs, c)
			}
		}
	}
	return out, err
}

// scalar joins a query of one row at most, or one of which each row around has one at most, and fails where it has more.
func (v *valueOf) scalar(w *work, to *valueQueries) (expr.Expr, bool) {
	n := len(to.plan.Schema())
	if len(v.q.refs.near(v.of)) == 0 {
		first := visible(v.q.result)
		if logical.ChangesOf(v.q.plan).HasKey(nil) {
			return to.at(to.join(first, nil, w.batch())), true
		}
		return to.one(to.join(w.groupedBy(first, nil, firstAndCount(columnsOf(first.Schema())[0])), nil, w.batch()), w.posOf(v.at)), true
	}
	if agg, value := aggregated(v.q.plan); agg != nil {
		return v.aggregates(w, to, agg, value)
	}
	in, conds, ok := v.q.refs.takeOut(visible(v.q.result), v.of, true)
	if ok {
		if keys, cond, ok := w.equalities(v.q.refs, conds, n); ok {
			right := w.groupedBy(in, keys, firstAndCount(columnsOf(in.Schema())[0]))
			return to.one(to.join(right, cond, w.batch())+len(keys), w.posOf(v.at)), true
		}
	}
	d, ok := w.depend(v.q, to.plan, v.of, 0, nil)
	if !ok {
		return nil, false
	}
	if in, ok = d.whole(visible(v.q.result)); !ok {
		return nil, false
	}
	k := len(d.keys)
	right := w.groupedBy(in, columnsOf(in.Schema())[:k], firstAndCount(columnsOf(in.Schema())[k]))
	return to.one(to.join(right, d.ties(n), w.batch())+k, w.posOf(v.at)), true
}

// aggregates joins a query of aggregates, by the equalities that tie it to the row around or by what it reads of it.
func (v *valueOf) aggregates(w *work, to *valueQueries, agg *logical.Aggregate, value expr.Expr) (expr.Expr, bool) {
	n := len(to.plan.Schema())
	var right *logical.Aggregate
	var cond expr.Expr
	var keys []expr.Expr
	in, conds, ok := v.q.refs.takeOut(withoutNone(agg), v.of, true)
	if ok && !v.q.refs.reads(value, v.of) {
		keys, cond, ok = w.equalities(v.q.refs, conds, n)
	}
	if ok {
		right = logical.NewAggregate(in, keys, agg.Calls)
		right.AtEnd = agg.AtEnd
	} else {
		d, ok := w.depend(v.q, to.plan, v.of, 0, nil)
		if !ok {
			return nil, false
		}
		v.q.refs.seeIn(value, d)
		if right, ok = d.aggregate(agg, withoutNone(agg)); !ok || !d.complete() {
			return nil, false
		}
		cond, keys = d.ties(n), d.keys
	}
	at := to.join(right, cond, w.batch()) + len(keys)
	calls := make([]expr.Expr, len(agg.Calls))
	for i := range calls {
		if calls[i], ok = ofNone(to.at(at+i), agg.Calls[i].T); !ok {
			return nil, false
		}
	}
	value = v.q.refs.around(expr.Inline(value, calls), v.of)
	if c, ok := value.(*expr.Case); ok {
		value = &expr.Case{Whens: c.Whens, Else: c.Else, T: c.T.WithNull(true)}
	}
	return value, true
}

// firstAndCount are the calls of which one makes a value.
func firstAndCount(e expr.Expr) []op.AggregateCall {
	return []op.AggregateCall{
		{Fn: function.MustAggregate("FIRST_VALUE"), Args: []expr.Expr{e}, T: e.Type().WithNull(true)},
		{Fn: function.MustAggregate("COUNT"), T: types.Of(types.BigInt).WithNull(false)},
	}
}

// one is the value of firstAndCount, joined from column i on: it fails where there were several rows.
func (v *valueQueries) one(i, pos int) expr.Expr { return onlyOne(v.at(i), v.at(i+1), pos) }

// onlyOne is a value that fails unless the number of its rows is at most one, with its place in the statement.
func onlyOne(value, rows expr.Expr, pos int) expr.Expr {
	t := value.Type().WithNull(true)
	check := &expr.Call{Fn: function.AtMostOne, List: []expr.Expr{rows}, T: types.Of(types.Boolean).WithNull(false), Pos: pos}
	return &expr.Case{Whens: []expr.When{{Cond: check, Then: value}}, Else: expr.Null(t), T: t}
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
		if col, ok := expr.Conjuncts(c.Filter)[0].(*expr.Column); !ok || col.Index != 0 {
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
		if len(refs.in(in)) > 0 || len(expr.Columns(refs.joined(out, n))) != len(refs.in(out)) {
			return nil, nil, false
		}
		if t := in.Type(); !vector.KeyType(t) {
			if !function.Packs(t) || !function.Exact(t) || !t.Same(out.Type()) {
				return nil, nil, false
			}
			in, out = logical.Packed(in), logical.Packed(out)
		}
		key := &expr.Column{Index: n + len(keys), Name: in.String(), T: in.Type()}
		keys = append(keys, in)
		list[i] = call.With([]expr.Expr{refs.joined(out, n), key})
	}
	return keys, expr.And(list...), len(list) > 0
}

// exists joins the rows of a query, each key once, and tells whether there are any.
func (v *valueOf) exists(w *work, to *valueQueries) (expr.Expr, bool) {
	n := len(to.plan.Schema())
	var right logical.Plan
	var cond expr.Expr
	keys := []expr.Expr{expr.Bool(true)}
	in, conds, ok := v.q.refs.takeOut(v.q.plan, v.of, false)
	if ok && len(conds) > 0 {
		keys, cond, ok = w.equalities(v.q.refs, conds, n)
	}
	if ok {
		right = logical.NewProject(in, keys, textsOf(keys))
	} else {
		d, ok := w.depend(v.q, to.plan, v.of, 0, nil)
		if !ok {
			return nil, false
		}
		if in, ok = d.whole(v.q.plan); !ok {
			return nil, false
		}
		keys, cond = append([]expr.Expr{expr.Bool(true)}, columnsOf(in.Schema())[:len(d.keys)]...), d.ties(n+1)
		right = logical.NewProject(in, keys, textsOf(keys))
	}
	there := to.at(to.join(w.once(right), cond, w.batch()))
	e, err := w.call(v.at, "IS NOT NULL", there)
	return e, err == nil
}

func textsOf(list []expr.Expr) []string {
	names := make([]string, len(list))
	for i, e := range list {
		names[i] = e.String()
	}
	return names
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
func groups(q *syntax.Select) bool {
	found := q.GroupBy != nil || q.Having != nil
	for _, it := range q.Items {
		walk(it.Expr, func(e syntax.Expr) {
			if c, ok := e.(*syntax.Call); ok && c.Over == nil && len(c.Name.Parts) == 1 {
				found = found || isAggregate(strings.ToUpper(c.Name.Last()))
			}
		})
	}
	return found
}
