package logical

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
)

// Match finds a pattern in the rows of each partition, MATCH_RECOGNIZE: a row for every match, with the keys of its
// partition and the measures.
type Match struct {
	Input Plan
	op.RowPattern
	// Partition, Order and the calls' arguments are over the input; conditions and measures over what RowPattern says.
	Partition []expr.Expr
	Order     []op.SortKey
	Measures  []expr.Expr
	Columns   Schema
}

// Schema implements Plan.
func (m *Match) Schema() Schema { return m.Columns }

// Inputs implements Plan.
func (m *Match) Inputs() []Plan { return []Plan{m.Input} }

// With implements Plan.
func (m *Match) With(in []Plan) Plan {
	c := *m
	c.Input = in[0]
	return &c
}

// Time is the time attribute that rows are in the order of.
func (m *Match) Time() TimeAttribute {
	return TimeOf(m.Input, m.Order[0].Expr.(*expr.Column).Index)
}

// Exprs are the expressions over the input.
func (m *Match) Exprs() []expr.Expr {
	out := append(slices.Clone(m.Partition), op.SortExprs(m.Order)...)
	for i := range m.Calls {
		out = append(out, CallExprs([]op.AggregateCall{m.Calls[i].AggregateCall})...)
	}
	return out
}

// Conds are the conditions of the variables.
func (m *Match) Conds() []expr.Expr {
	var out []expr.Expr
	for _, v := range m.Variables {
		if v.Cond != nil {
			out = append(out, v.Cond)
		}
	}
	return out
}

// Map rewrites the expressions over the input by over, and conditions and measures by within.
func (m *Match) Map(over, within func(expr.Expr) expr.Expr) *Match {
	c := *m
	c.Partition, c.Order = MapExprs(m.Partition, over), op.MapSort(m.Order, over)
	c.Measures = MapExprs(m.Measures, within)
	c.Calls = slices.Clone(m.Calls)
	for i := range c.Calls {
		c.Calls[i].AggregateCall = MapCalls([]op.AggregateCall{c.Calls[i].AggregateCall}, over)[0]
	}
	c.Variables = slices.Clone(m.Variables)
	for i := range c.Variables {
		if c.Variables[i].Cond != nil {
			c.Variables[i].Cond = within(c.Variables[i].Cond)
		}
	}
	return &c
}

// Needed leaves the measures that keep names out, and what conditions and measures then do not read.
func (m *Match) Needed(keep []int) *Match {
	c := *m
	c.Measures, c.Columns = nil, slices.Clone(m.Columns[:len(m.Partition)])
	for _, i := range keep {
		c.Measures = append(c.Measures, m.Measures[i])
		c.Columns = append(c.Columns, m.Columns[len(m.Partition)+i])
	}
	c.Reads, c.Calls = nil, nil
	to := map[int]int{}
	used := expr.Columns(append(c.Conds(), c.Measures...)...)
	for _, i := range used {
		if i < len(m.Reads) {
			to[i] = len(c.Reads)
			c.Reads = append(c.Reads, m.Reads[i])
		}
	}
	for _, i := range used {
		if i >= len(m.Reads) {
			to[i] = len(c.Reads) + len(c.Calls)
			c.Calls = append(c.Calls, m.Calls[i-len(m.Reads)])
		}
	}
	return c.Map(func(e expr.Expr) expr.Expr { return e }, func(e expr.Expr) expr.Expr { return expr.Remap(e, to) })
}

// Changes implements Changer: rows that stay give matches that stay.
func (m *Match) Changes(in []Changes, _ Need) (Changes, []Need) {
	return Changes{Kinds: in[0].Kinds, Stays: in[0].Stays}, []Need{Everything}
}

// String implements Plan.
func (m *Match) String() string {
	return "Match(" + windowSpecText(m.Partition, m.Order) + m.Text(m.Measures) + ")"
}
