package rules

import (
	"streamsql/exec/expr"
	"streamsql/planner/logical"
)

// mergeProjections computes Project over Project at once. Volatile expressions keep their own step, since
// a copy would give another value; equal pure ones are computed once by the evaluator. Steps that use a
// column several times stay apart where their copies would double with each of them.
func mergeProjections(_ *Context, p logical.Plan) logical.Plan {
	return logical.Rewrite(p, func(p logical.Plan) logical.Plan {
		outer, ok := p.(*logical.Project)
		if !ok {
			return p
		}
		inner, ok := outer.Input.(*logical.Project)
		if !ok {
			return p
		}
		for _, e := range inner.Exprs {
			if !expr.Pure(e) {
				return p
			}
		}
		if grows(outer.Exprs, inner.Exprs) {
			return p
		}
		exprs := make([]expr.Expr, len(outer.Exprs))
		for i, e := range outer.Exprs {
			exprs[i] = expr.Inline(e, inner.Exprs)
		}
		return &logical.Project{Input: inner.Input, Exprs: exprs, Columns: outer.Columns}
	})
}

// maxGrown is how many nodes copies of a projection's expressions may add.
const maxGrown = 2000

// grows tells that list, with the columns replaced by the expressions in of, is much larger than both.
func grows(list, of []expr.Expr) bool {
	sizes := make([]int, len(of))
	apart, together := 0, 0
	for i, e := range of {
		sizes[i] = size(e)
		apart += sizes[i]
	}
	for _, e := range list {
		expr.Walk(e, func(x expr.Expr) bool {
			apart++
			together++
			if c, ok := x.(*expr.Column); ok {
				together += sizes[c.Index]
			}
			return true
		})
	}
	return together > apart+maxGrown
}

func size(e expr.Expr) int {
	n := 0
	expr.Walk(e, func(expr.Expr) bool { n++; return true })
	return n
}
