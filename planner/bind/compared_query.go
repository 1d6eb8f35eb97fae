package bind

import (
	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// compares tells whether values compare with some, or with all, of the rows of a query: TRUE, FALSE, or NULL where
// a comparison that is NULL leaves it open.
func (v *valueOf) compares(w *work, to *valueQueries) (expr.Expr, bool) {
	if e, ok := v.looksUp(w, to); ok {
		return e, true
	}
	n := len(to.plan.Schema())
	d, ok := w.depend(v.q, to.plan, v.of, 0, v.left)
	if !ok {
		return nil, false
	}
	in, ok := d.whole(visible(v.q.result))
	if !ok {
		return nil, false
	}
	k := len(d.keys)
	cols := columnsOf(in.Schema())
	test, ok := v.test(w, cols[k-len(v.left):k], cols[k:])
	if !ok {
		return nil, false
	}
	p := logical.NewProject(in, append(cols[:k:k], test), append(in.Schema()[:k].Names(), "test"))
	cols = columnsOf(p.Schema())
	decides := "IS TRUE"
	if v.all {
		decides = "IS FALSE"
	}
	right := w.groupedBy(p, cols[:k], []op.AggregateCall{counted(w, v.at, decides, cols[k]), counted(w, v.at, "IS NULL", cols[k])})
	at := to.join(right, d.ties(n), w.batch()) + k
	decided, open := some(to.at(at)), some(to.at(at+1))
	t := types.Of(types.Boolean)
	return &expr.Case{Whens: []expr.When{{Cond: decided, Then: truthOf(!v.all)}, {Cond: open, Then: expr.Null(t)}},
		Else: truthOf(v.all), T: t}, true
}

// looksUp is IN and NOT IN, as = ANY and <> ALL are, of a query that does not read the row around: the values are
// looked up among its rows.
func (v *valueOf) looksUp(w *work, to *valueQueries) (expr.Expr, bool) {
	if len(v.q.refs.near(v.of)) > 0 || !(v.op == syntax.Eq && !v.all || v.op == syntax.Ne && v.all) {
		return nil, false
	}
	rows := visible(v.q.result)
	s := rows.Schema()
	cols := columnsOf(s)
	nullable := false
	for i, l := range v.left {
		nullable = nullable || l.Type().Nullable() || s[i].Type.Nullable()
	}
	n := len(to.plan.Schema())
	list := make([]expr.Expr, len(v.left))
	for i, l := range v.left {
		var err error
		if list[i], err = w.call(v.at, "=", l, &expr.Column{Index: n + i, Name: s[i].Name, T: s[i].Type}); err != nil {
			return nil, false
		}
	}
	cond := expr.And(list...)
	probe := &logical.Join{Left: to.plan, Right: rows, Cond: cond}
	if nullable && len(v.left) > 1 || len(probe.Keys().Left) < len(list) {
		return nil, false
	}
	marked := logical.NewProject(rows, append(cols[:len(cols):len(cols)], expr.Bool(true)), append(s.Names(), "found"))
	found := present(to.at(to.join(w.once(marked), cond, w.batch()) + len(cols)))
	t := types.Of(types.Boolean)
	whens := []expr.When{{Cond: found, Then: truthOf(!v.all)}}
	if nullable {
		calls := []op.AggregateCall{{Fn: function.MustAggregate("COUNT"), T: types.Of(types.BigInt).WithNull(false)},
			counted(w, v.at, "IS NULL", cols[0])}
		at := to.join(w.groupedBy(rows, nil, calls), nil, w.batch())
		open := some(to.at(at + 1))
		if v.left[0].Type().Nullable() {
			none := &expr.Call{Fn: function.Must("IS NULL"), List: []expr.Expr{v.left[0]}, T: t.WithNull(false), Pos: -1}
			open = expr.Or(expr.And(none, some(to.at(at))), open)
		}
		whens = append(whens, expr.When{Cond: open, Then: expr.Null(t)})
	}
	return &expr.Case{Whens: whens, Else: truthOf(v.all), T: t}, true
}

// test compares values with the columns of a row.
func (v *valueOf) test(w *work, left, right []expr.Expr) (expr.Expr, bool) {
	list := make([]expr.Expr, len(left))
	for i, l := range left {
		e, err := w.call(v.at, v.op.String(), l, right[i])
		if err != nil {
			return nil, false
		}
		list[i] = e
	}
	return expr.And(list...), true
}

// counted counts the rows that pass a test of a value.
func counted(w *work, at syntax.Node, test string, e expr.Expr) op.AggregateCall {
	cond, err := w.call(at, test, e)
	if err != nil {
		panic("bind: " + test + " does not take " + e.Type().String())
	}
	return op.AggregateCall{Fn: function.MustAggregate("COUNT"), Filter: cond, T: types.Of(types.BigInt).WithNull(false)}
}

// some tells that a count, which may be missing, is above 0.
func some(count expr.Expr) expr.Expr {
	zero := constant(types.Of(types.BigInt), int64(0), "0")
	return &expr.Call{Fn: function.Must(">"), List: []expr.Expr{count, zero}, T: types.Of(types.Boolean), Pos: -1}
}

func present(e expr.Expr) expr.Expr {
	return &expr.Call{Fn: function.Must("IS NOT NULL"), List: []expr.Expr{e}, T: types.Of(types.Boolean).WithNull(false), Pos: -1}
}

// truthOf is a truth value as a branch of a CASE that may be NULL.
func truthOf(v bool) expr.Expr {
	t := types.Of(types.Boolean)
	return &expr.Const{Value: expr.Bool(v).Value, T: t, Text: expr.Bool(v).Text}
}
