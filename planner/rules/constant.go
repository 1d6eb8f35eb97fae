package rules

import (
	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/planner/logical"
)

// propagateConstants uses that behind `column = constant` the column is that constant: expressions over
// it fold further. Types whose equal values may differ (CHAR padding, floating zeros, decimals, zones) are
// left out.
func propagateConstants(_ *Context, p logical.Plan) logical.Plan {
	return logical.Rewrite(p, func(p logical.Plan) logical.Plan {
		x, ok := p.(*logical.Project)
		if !ok {
			return p
		}
		known := map[int]*expr.Const{}
		equalities(x.Input, known)
		if len(known) == 0 {
			return p
		}
		out := make([]expr.Expr, len(x.Exprs))
		for i, e := range x.Exprs {
			out[i] = substitute(e, known)
		}
		return &logical.Project{Input: x.Input, Exprs: out, Columns: x.Columns}
	})
}

// equalities collects what the filters directly below say.
func equalities(p logical.Plan, known map[int]*expr.Const) {
	switch x := p.(type) {
	case *logical.Filter:
		learn(expr.Conjuncts(x.Cond), known)
		equalities(x.Input, known)
	case *logical.Scan:
		learn(x.Filters, known)
	}
}

func learn(conds []expr.Expr, known map[int]*expr.Const) {
	for _, e := range conds {
		call, ok := e.(*expr.Call)
		if !ok || call.Fn.Name != "=" {
			continue
		}
		a, b := call.List[0], call.List[1]
		if _, ok := a.(*expr.Const); ok {
			a, b = b, a
		}
		c, isCol := a.(*expr.Column)
		k, isConst := b.(*expr.Const)
		if isCol && isConst && c.T.Same(k.T) && exact(c.T.Kind) && !k.Value.IsConstNull() {
			known[c.Index] = k
		}
	}
}

func exact(k types.Kind) bool {
	return k.IsInteger() || k == types.Boolean || k == types.Varchar || k == types.Date
}

// substitute leaves a bare column alone: the schema says how it may be NULL.
func substitute(e expr.Expr, known map[int]*expr.Const) expr.Expr {
	if _, bare := e.(*expr.Column); bare {
		return e
	}
	return expr.Rewrite(e, func(x expr.Expr) expr.Expr {
		if c, ok := x.(*expr.Column); ok && known[c.Index] != nil {
			return known[c.Index]
		}
		return x
	})
}
