package rules

import (
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// expireJoins finds comparisons in the conditions of joins that bound how long a row can find partners: that an event
// time e of one side, plus or minus an interval, is not greater than a value v of the other side. Once the watermark has
// passed v no partner of that row is expected to come. Columns that e may be are those of logical.FollowsTime.
//
// Both inputs hold rows that stay: to take back a row that came long ago, its partners of then are needed. What was
// given stays so; a row that is late, behind the watermark, meets only what is still there.
func expireJoins(_ *Context, p logical.Plan) logical.Plan {
	return logical.Rewrite(p, func(p logical.Plan) logical.Plan {
		x := keeping(p)
		if x == nil {
			return p
		}
		until := boundsOf(x)
		if len(until[0])+len(until[1]) == 0 || logical.Retracts(x.Left) || logical.Retracts(x.Right) {
			return p
		}
		out := x.Over(x.Kind, x.Left, x.Right, x.Cond)
		out.Until = until
		return out
	})
}

// keeping is p where it is a join that keeps rows until something is found to end them; nil where they go at the end of the
// input, with their windows or by a time to live.
func keeping(p logical.Plan) *logical.Join {
	x, ok := p.(*logical.Join)
	if !ok || x.AtEnd || x.TTL[0] > 0 || x.TTL[1] > 0 {
		return nil
	}
	if _, windows := x.Windows(); windows {
		return nil
	}
	return x
}

// boundsOf are the bounds of the rows of each side.
func boundsOf(x *logical.Join) (until [2][]op.Until) {
	for _, e := range x.Conds() {
		call, ok := e.(*expr.Call)
		if !ok || len(call.List) != 2 {
			continue
		}
		a, b := call.List[0], call.List[1]
		switch call.Fn.Name {
		case "<", "<=":
			bound(x, a, b, logical.Apart(call), &until)
		case ">", ">=":
			bound(x, b, a, logical.Apart(call), &until)
		case "=":
			bound(x, a, b, 0, &until)
			bound(x, b, a, 0, &until)
		}
	}
	return until
}

// bound adds what low + apart <= high says: where low is an event time of a side, rows of the other are over behind high.
func bound(x *logical.Join, low, high expr.Expr, apart time.Duration, until *[2][]op.Until) {
	low, less := logical.Offset(low)
	high, more := logical.Offset(high)
	c, ok := low.(*expr.Column)
	if !ok || !expr.Pure(high) || expr.CanFail(high) {
		return
	}
	n := len(x.Left.Schema())
	in, at, side, want := x.Left, c.Index, 1, logical.RightSide
	if at >= n {
		in, at, side, want = x.Right, at-n, 0, logical.LeftSide
	}
	t := high.Type()
	if logical.SideOf(high, n) != want || !logical.FollowsTime(in, at) || t.Kind != c.T.Kind || t.Precision > 3 {
		return
	}
	if side == 1 {
		high = logical.Shifted(high, -n)
	}
	until[side] = append(until[side], op.Until{Time: high, Delay: more - less - apart, By: at})
}
