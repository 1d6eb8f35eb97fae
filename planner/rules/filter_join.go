package rules

import (
	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// sinkJoin pushes conditions over a join, and the join's own, to the sides that they read alone. A condition over
// both sides of an inner join becomes the join's, which finds its equalities there: the join of FROM a, b WHERE
// a.x = b.y. What may fail stays.
func sinkJoin(x *logical.Join, conds []expr.Expr) logical.Plan {
	n := len(x.Left.Schema())
	var left, right, on, above []expr.Expr
	for _, e := range conds {
		side := logical.SideOf(e, n)
		switch {
		case !expr.Pure(e) || expr.CanFail(e) || side == logical.NoSide:
			above = append(above, e)
		case side == logical.LeftSide && !x.Kind.Pads(0):
			left = append(left, e)
		case side == logical.RightSide && !x.Kind.Pads(1):
			right = append(right, logical.Shifted(e, -n))
		case x.Kind == op.InnerJoin:
			on = append(on, named(e, x.Columns))
		default:
			above = append(above, e)
		}
	}
	var own []expr.Expr
	for _, e := range x.Conds() {
		side := logical.SideOf(e, n)
		switch {
		case !expr.Pure(e) || expr.CanFail(e):
			own = append(own, e)
		case side == logical.LeftSide && !x.Kind.Keeps(0) && x.Kind != op.AntiJoin:
			left = append(left, e)
		case side == logical.RightSide && !x.Kind.Keeps(1):
			right = append(right, logical.Shifted(e, -n))
		default:
			own = append(own, e)
		}
	}
	if len(left)+len(right)+len(on) == 0 {
		return filtered(x, above)
	}
	l, r := x.Left, x.Right
	if len(left) > 0 {
		l = sink(l, left)
	}
	if len(right) > 0 {
		r = sink(r, right)
	}
	var cond expr.Expr
	if own = append(own, on...); len(own) > 0 {
		cond = expr.And(own...)
	}
	return filtered(x.Over(x.Kind, l, r, cond), above)
}

// named is an expression whose columns have the names of a schema.
func named(e expr.Expr, s logical.Schema) expr.Expr {
	return expr.Rewrite(e, func(x expr.Expr) expr.Expr {
		if c, ok := x.(*expr.Column); ok {
			return &expr.Column{Index: c.Index, Name: s[c.Index].Name, T: c.T}
		}
		return x
	})
}
