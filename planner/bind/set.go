package bind

import (
	"strconv"
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// values binds VALUES: the columns have the common types of their rows.
func (w *work) values(q *syntax.Values, outer *scope) (result, error) {
	n := len(q.Rows[0].Items)
	s := &scope{outer: outer, clause: "VALUES"}
	rows := make([][]expr.Expr, len(q.Rows))
	schema := make(logical.Schema, n)
	for i, row := range q.Rows {
		if len(row.Items) != n {
			return result{}, failf(row, CodeShape, "rows of VALUES differ: this one has %d columns, the first %d",
				len(row.Items), n).
				WithHint("give each row %d values; CAST(NULL AS type) stands for one that is missing", max(n, len(row.Items)))
		}
		rows[i] = make([]expr.Expr, n)
		for k, it := range row.Items {
			e, err := w.expr(it, s)
			if err != nil {
				return result{}, err
			}
			if e.Type().Kind == types.Null {
				return result{}, illegalNull(it)
			}
			rows[i][k] = e
			if i == 0 {
				schema[k] = logical.Column{Name: "EXPR$" + strconv.Itoa(k), Type: e.Type()}
				continue
			}
			t, ok := types.Common(schema[k].Type, e.Type())
			if !ok {
				return result{}, failf(it, CodeType, "column %d of VALUES is %s in an earlier row, %s here",
					k+1, schema[k].Type.WithNull(true), typeText(e)).WithHint("%s", oneType(rows[0][k], e))
			}
			schema[k].Type = t
		}
	}
	for i, row := range q.Rows {
		for k := range rows[i] {
			e, err := w.coerce(rows[i][k], schema[k].Type, row.Items[k])
			if err != nil {
				return result{}, err
			}
			rows[i][k] = e
		}
	}
	plan := &logical.Values{Columns: schema, Rows: rows}
	return result{plan, schema}, nil
}

// setOp binds UNION, INTERSECT and EXCEPT.
func (w *work) setOp(q *syntax.SetOp, outer *scope) (result, error) {
	left, err := w.query(q.Left, outer)
	if err != nil {
		return result{}, err
	}
	right, err := w.query(q.Right, outer)
	if err != nil {
		return result{}, err
	}
	name := [...]string{syntax.Union: "UNION", syntax.Intersect: "INTERSECT", syntax.Except: "EXCEPT"}[q.Op]
	if q.All {
		name += " ALL"
	}
	if len(left.schema) != len(right.schema) {
		return result{}, failf(q.Right, CodeShape, "%s joins queries of %d and %d columns",
			name, len(left.schema), len(right.schema)).
			WithHint("left: (%s)  right: (%s)  CAST(NULL AS type) stands for one that is missing",
				strings.Join(left.schema.Names(), ", "), strings.Join(right.schema.Names(), ", "))
	}
	want := make([]types.Type, len(left.schema))
	for i, l := range left.schema {
		t, ok := types.Common(l.Type, right.schema[i].Type)
		if !ok {
			return result{}, failf(q.Right, CodeType, "column %d of %s is %s on the left and %s on the right",
				i+1, name, l.Type.WithNull(true), right.schema[i].Type.WithNull(true)).WithHint("write a CAST")
		}
		want[i] = t
	}
	l, err := w.coerceAll(left.plan, want, q.Left)
	if err != nil {
		return result{}, err
	}
	r, err := w.coerceAll(right.plan, want, q.Right)
	if err != nil {
		return result{}, err
	}
	if q.Op != syntax.Union {
		p := w.both(q, name, l, r, left.schema)
		return result{p, p.Schema()}, nil
	}
	inputs := []logical.Plan{l, r}
	if u, ok := l.(*logical.Union); ok {
		inputs = append(append([]logical.Plan(nil), u.List...), r)
	}
	u := logical.NewUnion(inputs)
	for i := range u.Columns {
		u.Columns[i].Name = left.schema[i].Name
	}
	if !q.All {
		p := w.distinct(q, u)
		return result{p, u.Columns}, nil
	}
	return result{u, u.Columns}, nil
}

// both is INTERSECT and EXCEPT: the rows of both sides are grouped, and counted by side.
func (w *work) both(q *syntax.SetOp, name string, l, r logical.Plan, names logical.Schema) logical.Plan {
	sided := func(p logical.Plan, left bool) logical.Plan {
		s := p.Schema()
		return logical.NewProject(p, append(columnsOf(s), expr.Bool(left)), append(names.Names(), "left"))
	}
	u := logical.NewUnion([]logical.Plan{sided(l, true), sided(r, false)})
	n := len(names)
	keys := columnsOf(u.Columns)
	side := keys[n]
	keys = keys[:n]
	if !w.keyed(q, name, keys) {
		return &stub{u.Columns[:n]}
	}
	count := op.AggregateCall{Fn: function.MustAggregate("COUNT"), Filter: side, T: types.Of(types.BigInt).WithNull(false)}
	calls := []op.AggregateCall{count, count}
	calls[1].Filter = &expr.Call{Fn: function.Must("NOT"), List: []expr.Expr{side}, T: side.Type(), Pos: -1}
	a := w.windowed(u, keys, calls)
	zero := constant(types.Of(types.BigInt), int64(0), "0")
	is := func(call int, compare string) expr.Expr {
		c := a.Schema()[n+call]
		return &expr.Call{Fn: function.Must(compare), List: []expr.Expr{&expr.Column{Index: n + call, Name: c.Name, T: c.Type}, zero},
			T: types.Of(types.Boolean).WithNull(false), Pos: -1}
	}
	if q.All {
		return copied(q.Op, a, n, names)
	}
	right := ">"
	if q.Op == syntax.Except {
		right = "="
	}
	out := &logical.Filter{Input: a, Cond: expr.And(is(0, ">"), is(1, right))}
	return logical.NewProject(out, columnsOf(a.Schema())[:n], names.Names())
}

// copied gives each group of n keys, of which the sides are counted behind these, as often as INTERSECT ALL and
// EXCEPT ALL have it.
func copied(by syntax.SetOperator, a logical.Plan, n int, names logical.Schema) logical.Plan {
	counts := columnsOf(a.Schema())[n:]
	number := types.Of(types.BigInt).WithNull(false)
	fn := function.Must("LEAST")
	if by == syntax.Except {
		fn = function.Must("-")
	}
	times := &expr.Call{Fn: fn, List: counts, T: number, Pos: -1}
	zero := constant(number, int64(0), "0")
	some := &expr.Call{Fn: function.Must(">"), List: []expr.Expr{times, zero}, T: types.Of(types.Boolean).WithNull(false), Pos: -1}
	copies := &expr.Call{Fn: function.Copies, List: []expr.Expr{times}, Pos: -1}
	sig, _ := copies.Fn.Type([]function.Arg{{Type: number}})
	copies.T = sig.Result
	u := logical.NewUnnest(&logical.Filter{Input: a, Cond: some}, copies, false, false)
	return logical.NewProject(u, columnsOf(u.Schema())[:n], names.Names())
}

// coerceAll casts the columns of a plan to the given types where they differ.
func (w *work) coerceAll(p logical.Plan, want []types.Type, at syntax.Node) (logical.Plan, error) {
	s := p.Schema()
	exprs := columnsOf(s)
	changed := false
	for i := range exprs {
		if exprs[i].Type().Same(want[i]) {
			continue
		}
		e, err := w.coerce(exprs[i], want[i], at)
		if err != nil {
			return nil, err
		}
		exprs[i], changed = e, true
	}
	if !changed {
		return p, nil
	}
	return logical.NewProject(p, exprs, s.Names()), nil
}
