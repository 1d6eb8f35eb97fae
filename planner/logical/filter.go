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

// Changes implements Changer: where the condition reads more than a key of the input, a row that is kept no longer
// leaves by its -U alone, and a -D must have what the condition reads.
func (f *Filter) Changes(in []Changes, reader Need) (Changes, []Need) {
	if !in[0].HasKey(expr.Columns(f.Cond)) || !expr.Pure(f.Cond) {
		reader = Everything
	}
	return in[0], []Need{reader}
}

// String implements Plan.
func (f *Filter) String() string { return "Filter(where=[" + f.Cond.String() + "])" }
