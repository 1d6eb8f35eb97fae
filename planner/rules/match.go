package rules

import (
	"slices"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/planner/logical"
)

// sinkMatch pushes conditions over the keys of partitions: they keep or drop all rows of one. Where something in the
// pattern may fail everything stays, since rows that are dropped earlier would not.
func sinkMatch(x *logical.Match, conds []expr.Expr) logical.Plan {
	own := append(append(x.Exprs(), x.Conds()...), x.Measures...)
	if slices.ContainsFunc(own, func(e expr.Expr) bool { return expr.CanFail(e) || !expr.Pure(e) }) {
		return filtered(x, conds)
	}
	below, above := overKeys(x.Partition, nil, conds)
	if len(below) == 0 {
		return filtered(x, conds)
	}
	return filtered(x.With([]logical.Plan{sink(x.Input, below)}), above)
}

// pruneMatch drops measures that nobody reads, and columns that the pattern does not.
func (c *Context) pruneMatch(x *logical.Match, need []connector.Path) (logical.Plan, map[int]int) {
	width := len(x.Partition)
	to := identity(width)
	var keep []int
	for i := range x.Measures {
		if reads(need, width+i) {
			to[width+i] = width + len(keep)
			keep = append(keep, i)
		}
	}
	out := x.Needed(keep)
	var below []connector.Path
	for _, e := range out.Exprs() {
		below = append(below, pathsOf(e)...)
	}
	for _, r := range out.Reads {
		below = append(below, connector.Path{r.Column})
	}
	in, moved := c.prune(x.Input, below)
	out = out.Map(func(e expr.Expr) expr.Expr { return expr.Remap(e, moved) }, func(e expr.Expr) expr.Expr { return e })
	out.Input, out.Reads = in, slices.Clone(out.Reads)
	for i := range out.Reads {
		out.Reads[i].Column = moved[out.Reads[i].Column]
	}
	return out, to
}
