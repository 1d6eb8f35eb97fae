package logical

import "streamsql/exec/expr"

// Watermark assigns event time: column Column becomes the rowtime attribute, and after each row the
// watermark is at least Expr, which may be NULL.
type Watermark struct {
	Input  Plan
	Column int
	Expr   expr.Expr
}

// Schema implements Plan.
func (w *Watermark) Schema() Schema {
	s := append(Schema(nil), w.Input.Schema()...)
	s[w.Column].Time = Rowtime
	return s
}

// Inputs implements Plan.
func (w *Watermark) Inputs() []Plan { return []Plan{w.Input} }

// With implements Plan.
func (w *Watermark) With(in []Plan) Plan { return &Watermark{in[0], w.Column, w.Expr} }

// Changes implements Changer.
func (w *Watermark) Changes(in []Changes, reader Need) (Changes, []Need) {
	return in[0], []Need{reader}
}

// String implements Plan.
func (w *Watermark) String() string {
	return "Watermark(rowtime=[" + w.Input.Schema()[w.Column].Name + "], watermark=[" + w.Expr.String() + "])"
}
