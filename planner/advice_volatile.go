package planner

import (
	"slices"
	"strings"

	"streamsql/exec/expr"
	"streamsql/planner/logical"
)

// volatileAdvice names the nodes over rows that change whose values come out otherwise each time that they are computed: what
// takes a row back need not be the row that was given, so that it may stay where it went. Each is named once.
func volatileAdvice(plans []logical.Plan) []string {
	var out []string
	for _, p := range logical.Nodes(plans...) {
		if !slices.ContainsFunc(p.Inputs(), logical.Retracts) {
			continue
		}
		var names []string
		switch x := p.(type) {
		case *logical.Project:
			names = volatileCalls(x.Exprs...)
		case *logical.Filter:
			names = volatileCalls(x.Cond)
		case *logical.Join:
			if x.Cond != nil {
				names = volatileCalls(x.Cond)
			}
		}
		if len(names) == 0 {
			continue
		}
		text := "each change of a row gets another value of " + strings.Join(names, ", ") + ", so that -U and -D may take back what was " +
			"never given; compute it below, over rows that stay: " + p.String()
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// volatileCalls are the names of the functions in a list that do not give the same twice, each once.
func volatileCalls(list ...expr.Expr) []string {
	var out []string
	for _, e := range list {
		expr.Walk(e, func(x expr.Expr) bool {
			if c, ok := x.(*expr.Call); ok && c.Fn.Volatile && !slices.Contains(out, c.Fn.Name) {
				out = append(out, c.Fn.Name)
			}
			return true
		})
	}
	return out
}
