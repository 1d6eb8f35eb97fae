package rules

import (
	"slices"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// sinkLookup is sinkJoin of a table that is read once: its rows do not depend on when they are looked up, and so
// conditions over them alone are its own.
func sinkLookup(x *logical.LookupJoin, conds []expr.Expr) logical.Plan {
	p := sinkJoin(x.Join, conds)
	if f, ok := p.(*logical.Filter); ok {
		return &logical.Filter{Input: x.Of(f.Input.(*logical.Join)), Cond: f.Cond}
	}
	return x.Of(p.(*logical.Join))
}

// sinkTemporal pushes conditions over the left side, and over both into an inner join. Those over the right side
// stay: a version that fails one is not replaced by an older one.
func sinkTemporal(x *logical.TemporalJoin, conds []expr.Expr) logical.Plan {
	n, inner := len(x.Left.Schema()), x.Kind == op.InnerJoin
	var left, own, above []expr.Expr
	stays := func(e expr.Expr) bool {
		return !expr.Pure(e) || expr.CanFail(e) || logical.SideOf(e, n) != logical.LeftSide
	}
	for _, e := range conds {
		if stays(e) {
			above = append(above, e)
		} else {
			left = append(left, e)
		}
	}
	for _, e := range x.Conds() {
		if !inner || stays(e) {
			own = append(own, e)
		} else {
			left = append(left, e)
		}
	}
	if len(left) == 0 {
		return filtered(x, above)
	}
	return filtered(x.Of(x.Over(x.Kind, sink(x.Left, left), x.Right, expr.And(own...))), above)
}

// pruneLookup drops the columns of both sides that nobody reads.
func (c *Context) pruneLookup(x *logical.LookupJoin, need []connector.Path) (logical.Plan, map[int]int) {
	j, to := c.pruneBoth(x.Join, need)
	return x.Of(j), to
}

// pruneTemporal does so but for the times.
func (c *Context) pruneTemporal(x *logical.TemporalJoin, need []connector.Path) (logical.Plan, map[int]int) {
	n := len(x.Left.Schema())
	need = append(slices.Clone(need), connector.Path{x.Times[0]}, connector.Path{n + x.Times[1]})
	j, to := c.pruneBoth(x.Join, need)
	out := &logical.TemporalJoin{Join: j, Times: [2]int{to[x.Times[0]], to[n+x.Times[1]] - len(j.Left.Schema())}}
	out.Key, _ = x.Key.Moved(func(i int) (int, bool) { return to[n+i] - len(j.Left.Schema()), true })
	return out, to
}
