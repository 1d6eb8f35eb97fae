package rules

import (
	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// pruneRows prunes below a node that passes rows on: of the first n columns those that are read above or by the
// node's own expressions.
func (c *Context) pruneRows(in logical.Plan, n int, need []connector.Path, own ...expr.Expr) (logical.Plan, map[int]int) {
	var below []connector.Path
	for _, p := range need {
		if p[0] < n {
			below = append(below, p)
		}
	}
	for _, e := range own {
		below = append(below, pathsOf(e)...)
	}
	out, to := c.prune(in, below)
	return out, copyOf(to)
}

// pruneOver drops calls that nobody reads, and windows without calls.
func (c *Context) pruneOver(x *logical.Over, need []connector.Path) (logical.Plan, map[int]int) {
	width := x.Width()
	var calls []op.OverCall
	kept := map[int]int{}
	for i := range x.Calls {
		if reads(need, width+i) {
			kept[width+i] = len(calls)
			calls = append(calls, x.Calls[i])
		}
	}
	if len(calls) == 0 {
		return c.pruneRows(x.Input, width, need)
	}
	out := *x
	out.Calls = calls
	in, to := c.pruneRows(x.Input, width, need, out.Exprs()...)
	moved := out.Map(func(e expr.Expr) expr.Expr { return expr.Remap(e, to) })
	n := len(in.Schema())
	for old, k := range kept {
		to[old] = n + k
	}
	moved.Input, moved.Columns = in, behind(in.Schema(), x.Columns, to, len(calls))
	return moved, to
}

// behind is the schema of in with so many more columns, at their new places.
func behind(in, columns logical.Schema, to map[int]int, more int) logical.Schema {
	out := append(in[:len(in):len(in)], make(logical.Schema, more)...)
	for i, c := range columns {
		if k, ok := to[i]; ok && k >= len(in) {
			out[k] = c
		}
	}
	return out
}

// pruneRank drops the place when nobody reads it.
func (c *Context) pruneRank(x *logical.Rank, need []connector.Path) (logical.Plan, map[int]int) {
	width := x.Width()
	own := append(op.SortExprs(x.Order), x.Partition...)
	if x.Windowed() {
		own = append(own, x.Input.Schema().Expr(x.Time))
	}
	in, to := c.pruneRows(x.Input, width, need, own...)
	remap := func(e expr.Expr) expr.Expr { return expr.Remap(e, to) }
	out := *x
	out.Input, out.Partition, out.Order = in, logical.MapExprs(x.Partition, remap), op.MapSort(x.Order, remap)
	if x.Windowed() {
		out.Time = to[x.Time]
	}
	n := 0
	if out.Number = x.Number && reads(need, width); out.Number {
		to[width], n = len(in.Schema()), 1
	}
	out.Columns = behind(in.Schema(), x.Columns, to, n)
	return &out, to
}

func (c *Context) pruneDeduplicate(x *logical.Deduplicate, need []connector.Path) (logical.Plan, map[int]int) {
	s := x.Schema()
	own := append(x.Keys[:len(x.Keys):len(x.Keys)], s.Expr(x.Time))
	in, to := c.pruneRows(x.Input, len(s), need, own...)
	keys := logical.MapExprs(x.Keys, func(e expr.Expr) expr.Expr { return expr.Remap(e, to) })
	return &logical.Deduplicate{Input: in, Keys: keys, Time: to[x.Time], Last: x.Last}, to
}

func (c *Context) pruneSort(x *logical.TemporalSort, need []connector.Path) (logical.Plan, map[int]int) {
	in, to := c.pruneRows(x.Input, len(x.Schema()), need, op.SortExprs(x.Order)...)
	order := op.MapSort(x.Order, func(e expr.Expr) expr.Expr { return expr.Remap(e, to) })
	return &logical.TemporalSort{Input: in, Order: order}, to
}
