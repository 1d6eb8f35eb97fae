package logical

import "streamsql/exec/expr"

// Filter keeps the rows whose condition is TRUE.
type Filter struct {
	Input Plan
	Cond  expr.Expr
}

// Schema implements Plan.
func (f *Filter) Schema() Schema { return f.Input.Schema() }

// Inputs implements Plan.
func (f *Filter) Inputs() []Plan { return []Plan{f.Input} }

// With implements Plan.
func (f *Filter) With(in []Plan) Plan { return &Filter{in[0], f.Cond} }

// String implements Plan.
func (f *Filter) String() string { return "Filter(where=[" + f.Cond.String() + "])" }
