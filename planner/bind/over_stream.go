package bind

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// streamed refuses windows of calls that a stream without end cannot have. Ranks with a bound are no longer
// among them (logical.Ranked).
func (w *work) streamed(p logical.Plan) error {
	if o, ok := p.(*logical.Over); ok {
		if err := overStream(o); !o.AtEnd && err != nil {
			return err
		}
		if err := w.overFlink(o); err != nil {
			return err
		}
	}
	for _, in := range p.Inputs() {
		if err := w.streamed(in); err != nil {
			return err
		}
	}
	return nil
}

// overFlink refuses what Flink has not, in its dialect.
func (w *work) overFlink(o *logical.Over) error {
	if !w.cat.Settings().Flink() {
		return nil
	}
	what, timed, bounded := "", o.Time() != logical.NoTime, o.Frame.Start.Kind != op.UnboundedPreceding
	_, several := o.Input.(*logical.Over)
	distinct := slices.ContainsFunc(o.Calls, func(c op.OverCall) bool { return c.Distinct })
	switch {
	case o.AtEnd && distinct:
		what = "DISTINCT in calls with OVER in batch mode"
	case o.AtEnd:
		return nil
	case several:
		what = "several windows for the calls with OVER of a SELECT in a stream"
	case timed && logical.Retracts(o.Input):
		what = "OVER over rows that change in the order of a time attribute"
	case !timed && bounded:
		what = "frames that begin within the partition in an order that is no time attribute"
	default:
		return nil
	}
	return failf(syntax.Span{Pos: o.Pos, End: o.End}, CodeDialect, "Flink does not have %s", what).
		WithHint("RESET 'streamsql.dialect' allows it")
}

func overStream(o *logical.Over) error {
	at := syntax.Span{Pos: o.Pos, End: o.End}
	ranks := true
	for i := range o.Calls {
		switch c := &o.Calls[i]; c.Name {
		case "RANK", "DENSE_RANK":
			return failf(at, CodeAggregate, "%s is for batch mode", c.Name).
				WithHint("a stream has ROW_NUMBER, or SET 'execution.runtime-mode' = 'batch' for an input that ends")
		case "LEAD", "NTILE", "PERCENT_RANK", "CUME_DIST":
			return failf(at, CodeAggregate, "%s looks at rows that are still to come: it is for batch mode", c.Name).
				WithHint("SET 'execution.runtime-mode' = 'batch' for an input that ends")
		case "ROW_NUMBER":
		default:
			ranks = false
		}
	}
	hint := "ORDER BY a time attribute, ascending"
	if ranks {
		hint = "bound the rank from above in the query around it, as WHERE rn <= 10 does; or " + hint
	}
	switch {
	case len(o.Order) != 1:
		return failf(at, CodeAggregate, "OVER in a stream is ordered by one column, and here are %d", len(o.Order)).WithHint("%s", hint)
	case o.Order[0].Desc:
		return failf(at, CodeAggregate, "OVER in a stream is ordered ascending").WithHint("%s", hint)
	case len(expr.Columns(o.Order[0].Expr)) == 0:
		return failf(at, CodeAggregate, "OVER in a stream is ordered by a column, and not by a constant").WithHint("%s", hint)
	case o.Frame.End.Kind != op.CurrentRow:
		return failf(at, CodeAggregate, "OVER in a stream ends at CURRENT ROW: rows behind it are still to come").
			WithHint("%s BETWEEN … PRECEDING AND CURRENT ROW", map[bool]string{true: "ROWS", false: "RANGE"}[o.Frame.Rows])
	}
	return nil
}
