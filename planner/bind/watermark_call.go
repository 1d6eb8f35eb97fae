package bind

import (
	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// watermarkCall refuses the functions of watermarks where they may not stand.
func (w *work) watermarkCall(e *syntax.Call, fn *function.Scalar, args []expr.Expr, s *scope) error {
	switch {
	case fn.Watermark:
		return w.rowtimeArgument(e, fn.Name, args, s)
	case fn.Name == sourceWatermark:
		return failf(e, CodeWatermark, "SOURCE_WATERMARK() is no value: it is the whole of a WATERMARK clause").
			WithHint("WATERMARK FOR ts AS SOURCE_WATERMARK(), or one that is computed: WATERMARK FOR ts AS ts - INTERVAL '5' SECOND")
	}
	return nil
}

// rowtimeArgument checks that a function which reads the watermark has an event time attribute as its argument.
func (w *work) rowtimeArgument(e *syntax.Call, name string, args []expr.Expr, s *scope) error {
	if len(args) != 1 {
		return failf(e, CodeType, "%s takes one argument, not %d", name, len(args)).
			WithHint("%s(ts)", name)
	}
	c, ok := args[0].(*expr.Column)
	if columns := s.schema(); ok && c.Index < len(columns) && columns[c.Index].Time == logical.Rowtime {
		return nil
	}
	return failf(e.Args[0], CodeWatermark, "%s takes an event time attribute, not %s", name, typeText(args[0])).
		WithHint("a column is one where its table declares WATERMARK FOR it")
}
