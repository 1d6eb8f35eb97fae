package bind

import (
	"streamsql/exec/expr"
	"streamsql/planner/logical"
)

// lostTime tells where a column of a plan stopped being a time attribute: the operator, and the column that was one below
// it; empty where none was.
func lostTime(p logical.Plan, at int) string {
	for {
		var below expr.Expr
		what := ""
		switch x := p.(type) {
		case *logical.Project:
			if c, ok := x.Exprs[at].(*expr.Column); ok {
				p, at = x.Input, c.Index
				continue
			}
			below, what = x.Exprs[at], "it is computed, as "+shortText(x.Exprs[at])
		case *logical.Aggregate:
			what = "it comes out of GROUP BY"
			if at < len(x.Keys) {
				below = x.Keys[at]
			} else if call := at - len(x.Keys); call < len(x.Calls) && len(x.Calls[call].Args) > 0 {
				below = x.Calls[call].Args[0]
			}
		case *logical.Join:
			what = "it comes out of a join that bounds its times by nothing"
			side, k := x.Left, at
			if n := len(x.Left.Schema()); at >= n {
				side, k = x.Right, at-n
			}
			if side.Schema()[k].Time == logical.NoTime {
				p, at = side, k
				continue
			}
			return what + ", and was '" + side.Schema()[k].Name + "' before"
		case *logical.Filter:
			p = x.Input
			continue
		}
		if below == nil {
			return ""
		}
		in := p.Inputs()[0].Schema()
		for _, i := range expr.Columns(below) {
			if in[i].Time != logical.NoTime {
				return what + ", from '" + in[i].Name + "', which is one"
			}
		}
		return ""
	}
}
