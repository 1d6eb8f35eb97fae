package logical

import (
	"slices"
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/op"
)

// Over computes calls over windows: every row of the input, and behind its columns the value of each call over
// the row's frame. All calls share partitions, order and frame; other windows are another Over above.
//
// A condition on a rank above makes it a Rank or its like (see Ranked); what is left is an OVER aggregation.
type Over struct {
	Input Plan
	// Partition, Order and the calls' arguments are over the input.
	Partition []expr.Expr
	Order     []op.SortKey
	Frame     op.Frame
	Calls     []op.OverCall
	// AtEnd gives the rows when the input has ended, as batch mode does.
	AtEnd bool
	// Pos and End are where the first call stands in the text of the statement; 0 for nowhere, as in a view.
	Pos, End int
	// Columns are those of the input, then those of the calls.
	Columns Schema
}

// NewOver puts calls over an input; their columns are named after what they hold.
func NewOver(input Plan, partition []expr.Expr, order []op.SortKey, frame op.Frame, calls []op.OverCall) *Over {
	s := slices.Clone(input.Schema())
	for i := range calls {
		s = append(s, Column{Name: calls[i].String(), Type: calls[i].T})
	}
	return &Over{Input: input, Partition: partition, Order: order, Frame: frame, Calls: calls, Columns: s}
}

// Schema implements Plan.
func (o *Over) Schema() Schema { return o.Columns }

// Inputs implements Plan.
func (o *Over) Inputs() []Plan { return []Plan{o.Input} }

// With implements Plan.
func (o *Over) With(in []Plan) Plan {
	c := *o
	c.Input = in[0]
	return &c
}

// Width is the number of columns in front of those of the calls.
func (o *Over) Width() int { return len(o.Columns) - len(o.Calls) }

// Exprs are all expressions over the input, bounds of frames left out.
func (o *Over) Exprs() []expr.Expr {
	out := append(slices.Clone(o.Partition), op.SortExprs(o.Order)...)
	for i := range o.Calls {
		out = append(out, CallExprs([]op.AggregateCall{o.Calls[i].AggregateCall})...)
	}
	return out
}

// Map rewrites the expressions over the input.
func (o *Over) Map(f func(expr.Expr) expr.Expr) *Over {
	c := *o
	c.Partition, c.Order = MapExprs(o.Partition, f), op.MapSort(o.Order, f)
	c.Calls = make([]op.OverCall, len(o.Calls))
	for i, call := range o.Calls {
		c.Calls[i] = op.OverCall{Name: call.Name, AggregateCall: MapCalls([]op.AggregateCall{call.AggregateCall}, f)[0]}
	}
	return &c
}

// Time is the time attribute that rows are in the order of, if they stay; NoTime where there is none.
func (o *Over) Time() TimeAttribute {
	if o.AtEnd || len(o.Order) != 1 {
		return NoTime
	}
	c, ok := o.Order[0].Expr.(*expr.Column)
	if !ok {
		return NoTime
	}
	return TimeOf(o.Input, c.Index)
}

// Changes implements Changer: in the order of a time attribute rows that stay come with their calls and stay.
// Elsewhere calls change as rows come and go in front, and a row goes with its calls.
func (o *Over) Changes(in []Changes, reader Need) (Changes, []Need) {
	out := Changes{Kinds: Inserts, Stays: true, Keys: in[0].Keys}
	switch {
	case o.AtEnd:
	case in[0].Stays && o.Time() != NoTime:
		out.Kinds = in[0].Kinds
	case in[0].Stays:
		out.Kinds, out.Stays = Inserts|updates(reader), false
	default:
		out.Kinds, out.Stays = Inserts|updates(reader)|Deletes, false
	}
	return out, []Need{Everything}
}

// String implements Plan.
func (o *Over) String() string {
	calls := make([]string, len(o.Calls))
	for i := range o.Calls {
		calls[i] = o.Calls[i].String()
	}
	text := "OverAggregate("
	if o.AtEnd {
		text = "BatchOverAggregate("
	}
	text += windowSpecText(o.Partition, o.Order)
	if len(o.Order) > 0 || o.Frame.Rows {
		text += "frame=[" + o.Frame.String() + "], "
	}
	return text + "select=[" + strings.Join(calls, ", ") + "])"
}

// windowSpecText is partitions and order, each with a comma behind it.
func windowSpecText(partition []expr.Expr, order []op.SortKey) string {
	text := ""
	if len(partition) > 0 {
		parts := make([]string, len(partition))
		for i, e := range partition {
			parts[i] = e.String()
		}
		text = "partitionBy=[" + strings.Join(parts, ", ") + "], "
	}
	if len(order) > 0 {
		text += "orderBy=[" + op.SortText(order) + "], "
	}
	return text
}
