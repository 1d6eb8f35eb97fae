package bind

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// streamed refuses windows of calls that a stream without end cannot have. Ranks with a bound are no longer
// among them (logical.Ranked).
func (w *work) streamed(p logical.Plan) error {
	if r, ok := p.(*logical.Rank); ok && r.Shares() && !r.AtEnd {
		if err := w.beyond(parse.SharedRank(), syntax.Span{Pos: r.Pos, End: r.End}); err != nil {
			return err
		}
	}
	if f, ok := p.(*logical.Filter); ok {
		if o, bound := logical.BoundByColumn(f); o != nil && !o.AtEnd && overStream(o) != nil {
			return failf(syntax.Span{Pos: o.Pos, End: o.End}, CodeAggregate, "a rank in a stream is bounded by a constant, and not by %s", bound).
				WithHint("bound it by a constant as well, as WHERE rn <= 10 AND … does")
		}
	}
	if o, ok := p.(*logical.Over); ok {
		if err := overStream(o); !o.AtEnd && err != nil {
			return err
		}
		if x, ok := overBeyond(o); ok {
			if err := w.beyond(x, syntax.Span{Pos: o.Pos, End: o.End}); err != nil {
				return err
			}
		}
	}
	for _, in := range p.Inputs() {
		if err := w.streamed(in); err != nil {
			return err
		}
	}
	return nil
}

// overBeyond is what a window of calls has that Flink has not.
func overBeyond(o *logical.Over) (x parse.Widening, ok bool) {
	timed, bounded := o.Time() != logical.NoTime, o.Frame.Start.Kind != op.UnboundedPreceding
	_, several := o.Input.(*logical.Over)
	shares := slices.ContainsFunc(o.Calls, func(c op.OverCall) bool { return c.Ranks() && c.Name != "ROW_NUMBER" })
	distinct := slices.ContainsFunc(o.Calls, func(c op.OverCall) bool { return c.Distinct })
	switch {
	case o.AtEnd && distinct:
		return parse.OverDistinct(), true
	case o.AtEnd:
		return x, false
	case shares && (!timed || logical.Retracts(o.Input)):
		return parse.SharedRank(), true
	case several:
		return parse.OverSeveral(), true
	case timed && logical.Retracts(o.Input):
		return parse.OverChanges(), true
	case !timed && bounded:
		return parse.OverFrame(), true
	}
	return x, false
}

func overStream(o *logical.Over) error {
	at := syntax.Span{Pos: o.Pos, End: o.End}
	ranks := true
	for i := range o.Calls {
		ranks = ranks && o.Calls[i].Ranks()
	}
	hint := "ORDER BY one ascending column, a time attribute or another"
	if ranks {
		hint = "bound the rank from above by a constant in the query around it, as WHERE rn <= 10 does; or " + hint
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
