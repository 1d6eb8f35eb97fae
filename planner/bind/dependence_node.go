package bind

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// exprsOf are the expressions of a node in which columns of rows around a query may stand.
func exprsOf(p logical.Plan) []expr.Expr {
	switch x := p.(type) {
	case *logical.Filter:
		return []expr.Expr{x.Cond}
	case *logical.Project:
		return x.Exprs
	case *logical.Aggregate:
		return append(slices.Clone(x.Keys), logical.CallExprs(x.Calls)...)
	case *logical.Rank:
		return append(slices.Clone(x.Partition), op.SortExprs(x.Order)...)
	case *logical.Over:
		return x.Exprs()
	case *logical.Unnest:
		return []expr.Expr{x.Expr}
	case *logical.Join:
		return x.Conds()
	case *logical.Values:
		return slices.Concat(x.Rows...)
	}
	return nil
}

// values are rows that read the keys: for each row of the keys one of each.
func (d *dependence) values(x *logical.Values) (logical.Plan, bool) {
	names := append(d.rows.Schema().Names(), x.Columns.Names()...)
	list := make([]logical.Plan, len(x.Rows))
	for i, row := range x.Rows {
		list[i] = logical.NewProject(d.rows, append(d.columns(), logical.MapExprs(row, d.shift)...), names)
	}
	if len(list) == 1 {
		return list[0], true
	}
	return logical.NewUnion(list), true
}

// join has the keys on its left, and where its right reads them too, joins the same ones.
func (d *dependence) join(x *logical.Join) (logical.Plan, bool) {
	if x.Kind.Pads(0) {
		return nil, false
	}
	left, ok := d.over(x.Left)
	if !ok {
		return nil, false
	}
	n, k := len(x.Left.Schema()), len(d.keys)
	if !d.reads(x.Right) {
		out := logical.NewJoin(x.Kind, left, x.Right, d.shiftCond(x))
		out.AtEnd = x.AtEnd
		return out, true
	}
	right, ok := d.over(x.Right)
	if !ok {
		return nil, false
	}
	// Columns of the right stand behind its keys.
	conds := logical.MapExprs(x.Conds(), func(e expr.Expr) expr.Expr {
		return expr.Rewrite(d.shift(e), func(y expr.Expr) expr.Expr {
			if c, ok := y.(*expr.Column); ok && c.Index >= n+k {
				return &expr.Column{Index: c.Index + k, Name: c.Name, T: c.T}
			}
			return y
		})
	})
	same := &dependence{keys: d.columns(), rows: d.rows}
	out := logical.NewJoin(x.Kind, left, right, expr.And(append(conds, same.ties(n+k))...))
	out.AtEnd = x.AtEnd
	if x.Kind.Halves() {
		return out, true
	}
	all := columnsOf(out.Schema())
	kept := append(all[:n+k:n+k], all[n+2*k:]...)
	return logical.NewProject(out, kept, append(out.Schema()[:n+k].Names(), out.Schema()[n+2*k:].Names()...)), true
}

func (d *dependence) shiftCond(x *logical.Join) expr.Expr {
	if x.Cond == nil {
		return nil
	}
	return d.shift(x.Cond)
}

func (d *dependence) union(x *logical.Union) (logical.Plan, bool) {
	list := make([]logical.Plan, len(x.List))
	for i, p := range x.List {
		var ok bool
		if list[i], ok = d.over(p); !ok {
			return nil, false
		}
	}
	out := logical.NewUnion(list)
	for i := range x.Columns {
		out.Columns[len(d.keys)+i].Name = x.Columns[i].Name
	}
	return out, true
}

func (d *dependence) grouped(x *logical.Aggregate) (logical.Plan, bool) {
	switch {
	case len(x.Keys) > 0:
		return d.aggregate(x, x.Input)
	case d.lateral:
		return d.aggregate(x, withoutNone(x))
	}
	return d.total(x)
}

// total is an aggregation of all rows: it has a row for each of the keys, of no rows where there are none.
func (d *dependence) total(x *logical.Aggregate) (logical.Plan, bool) {
	right, ok := d.aggregate(x, withoutNone(x))
	if !ok {
		return nil, false
	}
	k := len(d.keys)
	same := &dependence{keys: d.columns(), rows: d.rows}
	j := logical.NewJoin(op.LeftJoin, d.rows, right, same.ties(k))
	j.AtEnd = x.AtEnd
	s := j.Schema()
	exprs := columnsOf(s)[:k:k]
	for i, c := range x.Calls {
		v, ok := ofNone(&expr.Column{Index: 2*k + i, Name: s[2*k+i].Name, T: s[2*k+i].Type}, c.T)
		if !ok {
			return nil, false
		}
		exprs = append(exprs, v)
	}
	return logical.NewProject(j, exprs, right.Schema().Names()), true
}

// aggregate groups by the keys, too.
func (d *dependence) aggregate(x *logical.Aggregate, input logical.Plan) (*logical.Aggregate, bool) {
	in, ok := d.over(input)
	if !ok || len(x.Until) > 0 || x.Extra > 0 {
		return nil, false
	}
	out := logical.NewAggregate(in, append(d.columns(), logical.MapExprs(x.Keys, d.shift)...), logical.MapCalls(x.Calls, d.shift))
	out.AtEnd = x.AtEnd
	return out, true
}

func (d *dependence) rank(x *logical.Rank, in logical.Plan) (logical.Plan, bool) {
	if x.Windowed() {
		return nil, false
	}
	var number *logical.Column
	if x.Number {
		number = &x.Columns[x.Width()]
	}
	out := logical.NewRank(in, append(d.columns(), logical.MapExprs(x.Partition, d.shift)...), d.order(x.Order), x.From, x.To, number)
	out.Function, out.Newest, out.AtEnd, out.Pos, out.End = x.Function, x.Newest, x.AtEnd, x.Pos, x.End
	return out, true
}

func (d *dependence) order(keys []op.SortKey) []op.SortKey {
	out := slices.Clone(keys)
	for i := range out {
		out[i].Expr = d.shift(out[i].Expr)
	}
	return out
}

func (d *dependence) overs(x *logical.Over, in logical.Plan) logical.Plan {
	calls := slices.Clone(x.Calls)
	for i := range calls {
		calls[i].AggregateCall = logical.MapCalls([]op.AggregateCall{calls[i].AggregateCall}, d.shift)[0]
	}
	out := logical.NewOver(in, append(d.columns(), logical.MapExprs(x.Partition, d.shift)...), d.order(x.Order), x.Frame, calls)
	out.AtEnd, out.Pos, out.End = x.AtEnd, x.Pos, x.End
	return out
}
