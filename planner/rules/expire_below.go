package rules

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// What stands over a join of which a side forgets its rows by the watermark, and groups by what tells those rows apart, can
// forget its groups with them.

// rewriteMerged rewrites p and merges the projections that came of it.
func rewriteMerged(c *Context, p logical.Plan, by func(logical.Plan) logical.Plan) logical.Plan {
	q := logical.Rewrite(p, by)
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

// sideOfGroups is the join below in, and its side of whose rows each group by keys has one alone, which the watermark ends:
// no row comes to the group any more when that one is over. It is nil where there is none.
func sideOfGroups(in logical.Plan, keys []expr.Expr) (x *logical.Join, side int) {
	x = joinBelow(in)
	if x == nil || x.Kind != op.InnerJoin || x.AtEnd {
		return nil, 0
	}
	if _, interval := x.Interval(); interval { // what it gives is behind its watermark
		return nil, 0
	}
	from := sourcesOf(in)
	for side := range x.Until {
		if len(x.Until[side]) > 0 && oneRowEach(keys, x, side, from) {
			return x, side
		}
	}
	return nil, 0
}

// oneRowEach tells that all rows of a group come from one row of a side of x.
func oneRowEach(keys []expr.Expr, x *logical.Join, side int, from []int) bool {
	parts := map[int]bool{}
	for _, e := range keys {
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

// carried is p with a column of the inputs of the join below; to says where the columns of p went.
func carried(p logical.Plan, source int) (q logical.Plan, to map[int]int) {
	switch y := p.(type) {
	case *logical.Filter:
		in, to := carried(y.Input, source)
		return &logical.Filter{Input: in, Cond: expr.Remap(y.Cond, to)}, to
	case *logical.Project:
		in, moved := carried(y.Input, source)
		at := slices.Index(sourcesOf(in), source)
		s := in.Schema()
		out := &logical.Project{Input: in, Columns: append(slices.Clone(y.Columns), s[at])}
		for _, e := range y.Exprs {
			out.Exprs = append(out.Exprs, expr.Remap(e, moved))
		}
		out.Exprs = append(out.Exprs, s.Expr(at))
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

// carrying is in with the columns that the bounds of a side of the join below read; to says where those of in went.
func carrying(in logical.Plan, x *logical.Join, side int) (q logical.Plan, to map[int]int) {
	q, to = in, identity(len(in.Schema()))
	for _, c := range boundColumns(x, side) {
		if slices.Contains(sourcesOf(q), c) {
			continue
		}
		var moved map[int]int
		q, moved = carried(q, c)
		for i, k := range to {
			to[i] = moved[k]
		}
	}
	return q, to
}

// boundColumns are the columns, among those of both sides, that the bounds of one read.
func boundColumns(x *logical.Join, side int) (out []int) {
	for _, u := range x.Until[side] {
		for _, c := range expr.Columns(u.Time) {
			out = append(out, baseOf(x, side)+c)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// boundsAt are the bounds of a side where its columns stand among others: sources says which one each of those is.
func boundsAt(x *logical.Join, side int, sources []int, s logical.Schema) (out []op.Until) {
	at := map[int]int{}
	for i, source := range sources {
		at[source-baseOf(x, side)] = i
	}
	for _, u := range x.Until[side] {
		out = append(out, op.Until{Time: named(expr.Remap(u.Time, at), s), Delay: u.Delay})
	}
	return out
}
