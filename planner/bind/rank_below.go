package bind

import (
	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// ranksBelow puts the conditions over a plan that bound ranks below it to them, and gives the others.
func (w *work) ranksBelow(at syntax.Node, plan logical.Plan, cond expr.Expr) (out logical.Plan, rest []expr.Expr, err error) {
	for _, c := range expr.Conjuncts(cond) {
		p, found := logical.RankBelow(plan, c, w.whole)
		if found == nil {
			rest = append(rest, c)
			continue
		}
		if err := keepsRows(at, found); err != nil {
			return nil, nil, err
		}
		plan = p
	}
	return plan, rest, nil
}

func keepsRows(at syntax.Node, r *logical.Rank) error {
	if !r.AtEnd && r.To < 1 {
		return failf(at, CodeShape, "the condition keeps no row: places are counted from 1").
			WithHint("bound the rank by 1 or more, as WHERE rn <= 1 does")
	}
	return nil
}

// ranksOfSides puts the conditions of a join that bound a rank of one side to that, where the join drops the rows of that
// side that fail them. It gives the others; nil is TRUE.
func (w *work) ranksOfSides(at *syntax.Join, kind op.JoinKind, sides *[2]logical.Plan, cond expr.Expr) (expr.Expr, error) {
	if cond == nil || w.missing != nil {
		return cond, nil
	}
	n := len(sides[0].Schema())
	var rest []expr.Expr
	for _, c := range expr.Conjuncts(cond) {
		side := map[logical.Side]int{logical.LeftSide: 0, logical.RightSide: 1}[logical.SideOf(c, n)]
		if logical.SideOf(c, n) == logical.LeftSide|logical.RightSide || kind.Keeps(side) {
			rest = append(rest, c)
			continue
		}
		p, left, err := w.ranksBelow(at.On, sides[side], logical.Shifted(c, -n*side))
		if err != nil {
			return nil, err
		}
		if sides[side] = p; len(left) > 0 {
			rest = append(rest, c)
		}
	}
	if len(rest) == 0 {
		return nil, nil
	}
	return expr.And(rest...), nil
}
