package logical

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/op"
)

// Aggregate is GROUP BY: a row per key, which changes as rows come in. Without keys all rows are one group;
// without calls it is DISTINCT.
type Aggregate struct {
	Input Plan
	// Keys and the calls' expressions are over the input.
	Keys  []expr.Expr
	Calls []op.AggregateCall
	// AtEnd gives each row once, when the input has ended, as batch mode does.
	AtEnd bool
	// Extra is how many of the first keys follow from the others, and tell no groups apart.
	Extra int
	// Until are bounds of the time until which rows come to a group, over the columns of the keys.
	Until []op.Until
	// Columns are those of the keys, then those of the calls. None has a time attribute.
	Columns Schema
}

// NewAggregate groups input; columns are named after what they hold.
func NewAggregate(input Plan, keys []expr.Expr, calls []op.AggregateCall) *Aggregate {
	return &Aggregate{Input: input, Keys: keys, Calls: calls, Columns: aggregateColumns(keys, calls)}
}

func aggregateColumns(keys []expr.Expr, calls []op.AggregateCall) Schema {
	s := make(Schema, 0, len(keys)+len(calls))
	for _, k := range keys {
		s = append(s, Column{Name: k.String(), Type: k.Type()})
	}
	for i := range calls {
		s = append(s, Column{Name: calls[i].String(), Type: calls[i].T})
	}
	return s
}

// Schema implements Plan.
func (a *Aggregate) Schema() Schema { return a.Columns }

// Inputs implements Plan.
func (a *Aggregate) Inputs() []Plan { return []Plan{a.Input} }

// With implements Plan.
func (a *Aggregate) With(in []Plan) Plan { return a.Over(in[0], a.Keys, a.Calls, a.Columns) }

// Over is the same grouping by other keys and calls.
func (a *Aggregate) Over(in Plan, keys []expr.Expr, calls []op.AggregateCall, columns Schema) *Aggregate {
	out := *a
	out.Input, out.Keys, out.Calls, out.Columns = in, keys, calls, columns
	return &out
}

// Changes implements Changer: +I for a new key, updates of its row, and -D only where rows of the input may go.
func (a *Aggregate) Changes(in []Changes, reader Need) (Changes, []Need) {
	out := Changes{Kinds: Inserts, Stays: true, Keys: []Key{shiftedKey(sequence(len(a.Keys)-a.Extra), a.Extra)}}
	if !a.AtEnd {
		out.Kinds |= updates(reader)
		out.Stays = len(a.Calls) == 0 && in[0].Stays
		if in[0].Kinds.Updating() {
			out.Kinds |= Deletes
		}
	}
	return out, []Need{Everything}
}

// String implements Plan.
func (a *Aggregate) String() string {
	name := "Aggregate("
	if a.AtEnd {
		name = "BatchAggregate("
	}
	text := name + groupText(a.Keys, a.Calls)
	if len(a.Until) > 0 {
		text += ", until=[" + op.UntilText(a.Until) + "]"
	}
	return text + ")"
}

func groupText(keys []expr.Expr, calls []op.AggregateCall) string {
	list := make([]string, len(keys))
	for i, k := range keys {
		list[i] = k.String()
	}
	var parts []string
	if len(keys) > 0 {
		parts = append(parts, "groupBy=["+strings.Join(list, ", ")+"]")
	}
	if len(calls) > 0 {
		list = make([]string, len(calls))
		for i := range calls {
			list[i] = calls[i].String()
		}
		parts = append(parts, "select=["+strings.Join(list, ", ")+"]")
	}
	return strings.Join(parts, ", ")
}

// CallExprs lists the arguments and filters of calls.
func CallExprs(calls []op.AggregateCall) []expr.Expr {
	var out []expr.Expr
	for i := range calls {
		out = append(out, calls[i].Args...)
		if calls[i].Filter != nil {
			out = append(out, calls[i].Filter)
		}
	}
	return out
}

// MapCalls rewrites the arguments and filters of calls.
func MapCalls(calls []op.AggregateCall, f func(expr.Expr) expr.Expr) []op.AggregateCall {
	out := make([]op.AggregateCall, len(calls))
	for i, c := range calls {
		c.Args = MapExprs(c.Args, f)
		if c.Filter != nil {
			c.Filter = f(c.Filter)
		}
		out[i] = c
	}
	return out
}

// MapExprs rewrites a list.
func MapExprs(list []expr.Expr, f func(expr.Expr) expr.Expr) []expr.Expr {
	out := make([]expr.Expr, len(list))
	for i, e := range list {
		out[i] = f(e)
	}
	return out
}
