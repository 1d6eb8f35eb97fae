package rules

import (
	"testing"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/planner/logical"
)

// Forty projections that each use their column twice would have 2^40 nodes in one step, and so would a
// condition over them.
func TestMergedProjectionsStaySmall(t *testing.T) {
	columns := logical.Schema{{Name: "a", Type: types.Of(types.Int)}}
	column := func() expr.Expr { return &expr.Column{Index: 0, Name: "a", T: types.Of(types.Int)} }
	plus := func(a, b expr.Expr) expr.Expr {
		return &expr.Call{Fn: function.Must("+"), List: []expr.Expr{a, b}, T: types.Of(types.Int), Pos: -1}
	}
	var p logical.Plan = &logical.Values{Columns: columns}
	for range 40 {
		p = &logical.Project{Input: p, Exprs: []expr.Expr{plus(column(), column())}, Columns: columns}
	}
	cond := &expr.Call{Fn: function.Must("="), List: []expr.Expr{column(), column()}, T: types.Of(types.Boolean), Pos: -1}
	p = Optimize(&Context{Env: &function.Env{}}, &logical.Filter{Input: p, Cond: cond})
	steps := 0
	for len(p.Inputs()) > 0 {
		p = p.Inputs()[0]
		steps++
	}
	if steps < 2 || steps > 20 {
		t.Errorf("%d steps are left of 40", steps)
	}
}
