package rules

import (
	"streamsql/exec/expr"
	"streamsql/planner/logical"
)

// mergeProjections computes Project over Project at once. Volatile expressions keep their own step, since
// a copy would give another value; equal pure ones are computed once by the evaluator.
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
		exprs := make([]expr.Expr, len(outer.Exprs))
		for i, e := range outer.Exprs {
			exprs[i] = expr.Inline(e, inner.Exprs)
		}
		return &logical.Project{Input: inner.Input, Exprs: exprs, Columns: outer.Columns}
	})
}
