package rules

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// expireRanks finds ranks over inner joins, all rows of a partition of which come from one row of a side: the partition has
// what tells the rows of that side apart. No row comes to it any more once the join has forgotten that one. The columns that
// say when are carried along.
func expireRanks(c *Context, p logical.Plan) logical.Plan {
	q := logical.Rewrite(p, func(p logical.Plan) logical.Plan {
		r, ok := p.(*logical.Rank)
		if !ok || r.AtEnd || r.Windowed() {
			return p
		}
		x := joinBelow(r.Input)
		if x == nil || x.Kind != op.InnerJoin || x.AtEnd {
			return p
		}
		if _, interval := x.Interval(); interval { // what it gives is behind its watermark
			return p
		}
		from := sourcesOf(r.Input)
		for side := range x.Until {
			if len(x.Until[side]) > 0 && oneRowEach(r, x, side, from) {
				return expiringRank(r, x, side)
			}
		}
		return p
	})
	if q != p {
		q = mergeProjections(c, q)
	}
	return q
}

// joinBelow is the join that p takes rows from alone, or nil.
func joinBelow(p logical.Plan) *logical.Join {
	for {
		switch y := p.(type) {
		case *logical.Project:
			p = y.Input
		case *logical.Filter:
			p = y.Input
		case *logical.Join:
			return y
		default:
			return nil
		}
	}
}

// sourcesOf says of each column of p which one it is of the inputs of the join below, or -1.
func sourcesOf(p logical.Plan) (from []int) {
	switch y := p.(type) {
	case *logical.Join:
		for i := range y.Columns {
			from = append(from, y.Source(i))
		}
	case *logical.Filter:
		return sourcesOf(y.Input)
	case *logical.Project:
		below := sourcesOf(y.Input)
		for _, e := range y.Exprs {
			at := -1
			if c, ok := e.(*expr.Column); ok {
				at = below[c.Index]
			}
			from = append(from, at)
		}
	}
	return from
}

// oneRowEach tells that all rows of a partition of r come from one row of a side of x.
func oneRowEach(r *logical.Rank, x *logical.Join, side int, from []int) bool {
	parts := map[int]bool{}
	for _, e := range r.Partition {
		if c, ok := e.(*expr.Column); ok {
			parts[from[c.Index]] = true
		}
	}
	base := baseOf(x, side)
	for _, e := range x.Unique[side] {
		if c, ok := e.(*expr.Column); !ok || !parts[base+c.Index] {
			return false
		}
	}
	return len(x.Unique[side]) > 0
}

// baseOf is the position of the first column of a side among those of both.
func baseOf(x *logical.Join, side int) int {
	if side == 0 {
		return 0
	}
	return len(x.Left.Schema())
}

// expiringRank is r with the bounds of a side of x. Where its input lacks their columns it gets them, and what stands above
// does not see those.
func expiringRank(r *logical.Rank, x *logical.Join, side int) logical.Plan {
	base := baseOf(x, side)
	in, to := r.Input, identity(len(r.Input.Schema()))
	for _, u := range x.Until[side] {
		for _, c := range expr.Columns(u.Time) {
			if slices.Contains(sourcesOf(in), base+c) {
				continue
			}
			if r.Number { // the place stands behind the columns
				return r
			}
			var moved map[int]int
			in, moved = carried(in, base+c)
			for i, k := range to {
				to[i] = moved[k]
			}
		}
	}
	out := *r
	out.Input, out.Until, out.Partition, out.Order = in, nil, nil, nil
	for _, e := range r.Partition {
		out.Partition = append(out.Partition, expr.Remap(e, to))
	}
	for _, k := range r.Order {
		k.Expr = expr.Remap(k.Expr, to)
		out.Order = append(out.Order, k)
	}
	at := map[int]int{}
	for i, source := range sourcesOf(in) {
		at[source-base] = i
	}
	for _, u := range x.Until[side] {
		out.Until = append(out.Until, op.Until{Time: named(expr.Remap(u.Time, at), in.Schema()), Delay: u.Delay})
	}
	if len(in.Schema()) == len(r.Input.Schema()) {
		return &out
	}
	out.Columns = in.Schema()
	top := &logical.Project{Input: &out, Columns: r.Columns}
	for i, c := range r.Columns {
		top.Exprs = append(top.Exprs, &expr.Column{Index: to[i], Name: c.Name, T: c.Type})
	}
	return top
}

// carried is p with a column of the inputs of the join below; to says where the columns of p went.
func carried(p logical.Plan, source int) (q logical.Plan, to map[int]int) {
	switch y := p.(type) {
	case *logical.Filter:
		in, to := carried(y.Input, source)
		return &logical.Filter{Input: in, Cond: expr.Remap(y.Cond, to)}, to
	case *logical.Project:
		in, moved := carried(y.Input, source)
		at := slices.Index(sourcesOf(in), source)
		c := in.Schema()[at]
		out := &logical.Project{Input: in, Columns: append(slices.Clone(y.Columns), c)}
		for _, e := range y.Exprs {
			out.Exprs = append(out.Exprs, expr.Remap(e, moved))
		}
		out.Exprs = append(out.Exprs, &expr.Column{Index: at, Name: c.Name, T: c.Type})
		return out, identity(len(y.Exprs))
	}
	x := p.(*logical.Join)
	if slices.Contains(sourcesOf(x), source) {
		return x, identity(len(x.Columns))
	}
	out, to := *x, map[int]int{}
	at, _ := slices.BinarySearch(x.Output, source)
	column := x.Column(source)
	out.Output = slices.Insert(slices.Clone(x.Output), at, source)
	out.Columns = slices.Insert(slices.Clone(x.Columns), at, column)
	for i := range x.Columns {
		if to[i] = i; i >= at {
			to[i]++
		}
	}
	return &out, to
}
