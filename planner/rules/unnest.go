package rules

import (
	"slices"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/planner/logical"
)

// sinkUnnest pushes what the conditions say of the rows that are taken apart.
func sinkUnnest(x *logical.Unnest, conds []expr.Expr) logical.Plan {
	if expr.CanFail(x.Expr) || !expr.Pure(x.Expr) {
		return filtered(x, conds)
	}
	below, above := overInput(len(x.Input.Schema()), conds)
	if len(below) == 0 {
		return filtered(x, conds)
	}
	return filtered(x.With([]logical.Plan{sink(x.Input, below)}), above)
}

// pruneUnnest drops the columns that neither the reader nor the collection reads. Elements stay whole.
func (c *Context) pruneUnnest(x *logical.Unnest, need []connector.Path) (logical.Plan, map[int]int) {
	n := len(x.Input.Schema())
	below := pathsOf(x.Expr)
	for _, p := range need {
		if p[0] < n {
			below = append(below, p)
		}
	}
	in, to := c.prune(x.Input, below)
	out := *x
	out.Input, out.Expr = in, expr.Remap(x.Expr, to)
	out.Columns = slices.Concat(in.Schema(), x.Columns[n:])
	for i := range x.Columns[n:] {
		to[n+i] = len(in.Schema()) + i
	}
	return &out, to
}
