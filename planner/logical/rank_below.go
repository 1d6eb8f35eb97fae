package logical

import (
	"streamsql/exec/expr"
	"streamsql/exec/op"
)

// RankBelow puts one condition over p to the rank below that it bounds from above, where it is one: through projections,
// other filters and joins. found is the rank; it is nil, and the plan p, where there is none.
//
// value computes an expression without columns, if it is a whole number.
func RankBelow(p Plan, c expr.Expr, value func(expr.Expr) (int64, bool)) (out Plan, found *Rank) {
	if out, found = rankBelow(p, c, value); found == nil {
		return p, nil
	}
	return out, found
}

func rankBelow(p Plan, c expr.Expr, value func(expr.Expr) (int64, bool)) (out Plan, found *Rank) {
	switch x := p.(type) {
	case *Over:
		return Ranked(&Filter{Input: x, Cond: c}, value)
	case *Project:
		if inner, ok := inlined(c, []*Project{x}); ok {
			return around(x, 0, inner, value)
		}
	case *Filter:
		return around(x, 0, c, value)
	case *Join:
		n := len(x.Left.Schema())
		switch side := SideOf(c, n); {
		case x.Output != nil:
		case side == LeftSide:
			return around(x.unpadded(0), 0, c, value)
		case side == RightSide:
			return around(x.unpadded(1), 1, Shifted(c, -n), value)
		}
	}
	return p, nil
}

// unpadded is the join without the rows that have NULLs for one side: a rank of that side is NULL there, and passes no bound.
func (j *Join) unpadded(side int) *Join {
	kind := j.Kind
	switch {
	case !kind.Pads(side):
		return j
	case kind != op.FullJoin:
		kind = op.InnerJoin
	case side == 0:
		kind = op.LeftJoin
	default:
		kind = op.RightJoin
	}
	return j.Over(kind, j.Left, j.Right, j.Cond)
}

// around is p over what RankBelow makes of one of its inputs.
func around(p Plan, input int, c expr.Expr, value func(expr.Expr) (int64, bool)) (Plan, *Rank) {
	in := append([]Plan(nil), p.Inputs()...)
	var found *Rank
	in[input], found = rankBelow(in[input], c, value)
	return p.With(in), found
}
