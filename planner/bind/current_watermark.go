package bind

import (
	"streamsql/exec/expr"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// watermarkCall refuses the functions of watermarks where they may not stand.
func (w *work) watermarkCall(e *syntax.Call, name string, args []expr.Expr, s *scope) error {
	switch name {
	case "CURRENT_WATERMARK":
		return w.rowtimeArgument(e, args, s)
	case sourceWatermark:
		return failf(e, CodeWatermark, "SOURCE_WATERMARK() is no value: it is the whole of a WATERMARK clause").
			WithHint("WATERMARK FOR ts AS SOURCE_WATERMARK(), or one that is computed: WATERMARK FOR ts AS ts - INTERVAL '5' SECOND")
	}
	return nil
}

// rowtimeArgument checks that CURRENT_WATERMARK has an event time attribute as its argument.
func (w *work) rowtimeArgument(e *syntax.Call, args []expr.Expr, s *scope) error {
	if len(args) != 1 {
		return failf(e, CodeType, "CURRENT_WATERMARK takes one argument, not %d", len(args))
	}
	c, ok := args[0].(*expr.Column)
	if columns := s.schema(); ok && c.Index < len(columns) && columns[c.Index].Time == logical.Rowtime {
		return nil
	}
	return failf(e.Args[0], CodeWatermark, "CURRENT_WATERMARK takes an event time attribute, not %s", typeText(args[0])).
		WithHint("a column is one where its table declares WATERMARK FOR it")
}
