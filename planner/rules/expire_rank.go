package rules

import (
	"streamsql/exec/expr"
	"streamsql/planner/logical"
)

// expireRanks finds ranks over inner joins, all rows of a partition of which come from one row of a side: the partition has
// what tells the rows of that side apart. No row comes to it any more once the join has forgotten that one. The columns that
// say when are carried along.
func expireRanks(c *Context, p logical.Plan) logical.Plan {
	return rewriteMerged(c, p, func(p logical.Plan) logical.Plan {
		r, ok := p.(*logical.Rank)
		if !ok || r.AtEnd || r.Windowed() {
			return p
		}
		if x, side := sideOfGroups(r.Input, r.Partition); x != nil {
			return expiringRank(r, x, side)
		}
		return p
	})
}

// expiringRank is r with the bounds of a side of x. Where its input lacks their columns it gets them, and what stands above
// does not see those.
func expiringRank(r *logical.Rank, x *logical.Join, side int) logical.Plan {
	in, to := carrying(r.Input, x, side)
	more := len(in.Schema()) > len(r.Input.Schema())
	if more && r.Number { // the place stands behind the columns
		return r
	}
	out := *r
	out.Input, out.Partition, out.Order = in, nil, nil
	for _, e := range r.Partition {
		out.Partition = append(out.Partition, expr.Remap(e, to))
	}
	for _, k := range r.Order {
		k.Expr = expr.Remap(k.Expr, to)
		out.Order = append(out.Order, k)
	}
	out.Until = boundsAt(x, side, sourcesOf(in), in.Schema())
	if !more {
		return &out
	}
	out.Columns = in.Schema()
	return inPlaces(&out, r.Columns, to)
}
