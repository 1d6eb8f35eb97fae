package logical

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/vector"
	"streamsql/planner/catalog"
)

// Sink writes its input to a table, whose Persisted columns the input has in order, or hands it to
// whoever asked the query.
type Sink struct {
	Input Plan
	// Table is the target, the options of a hint merged in; nil for the result of a query.
	Table *catalog.Table
	// Columns are names and types as the target declares them.
	Columns Schema
	// Required are the positions of NOT NULL columns whose input may be NULL: a NULL there fails the job.
	Required []int
	// RequiredAt are the offsets in the statement of what gives these their values; zeros where it does not say.
	RequiredAt [][2]int
	// Overwrite is INSERT OVERWRITE.
	Overwrite bool
	// Static are the values of PARTITION by column, nil for columns without.
	Static []expr.Expr
}

// Partition are the columns at some positions that PARTITION gives a constant value, as those; nil for others.
func (s *Sink) Partition(at []int) []*vector.Column {
	out := make([]*vector.Column, len(at))
	for i, k := range at {
		if k < len(s.Static) {
			if c, ok := s.Static[k].(*expr.Const); ok {
				out[i] = c.Value
			}
		}
	}
	return out
}

// Result is the sink of a query whose rows go to the session.
func Result(input Plan) *Sink { return &Sink{Input: input, Columns: input.Schema()} }

// Schema implements Plan.
func (s *Sink) Schema() Schema { return s.Columns }

// Inputs implements Plan.
func (s *Sink) Inputs() []Plan { return []Plan{s.Input} }

// With implements Plan.
func (s *Sink) With(in []Plan) Plan {
	c := *s
	c.Input = in[0]
	return &c
}

// String implements Plan.
func (s *Sink) String() string {
	name := "result"
	if s.Table != nil {
		name = s.Table.Name.String()
	}
	text := "Sink(table=" + name + ", columns=[" + strings.Join(s.Columns.Names(), ", ") + "]"
	if len(s.Required) > 0 {
		names := make([]string, len(s.Required))
		for i, k := range s.Required {
			names[i] = s.Columns[k].Name
		}
		text += ", notNull=[" + strings.Join(names, ", ") + "]"
	}
	if s.Overwrite {
		text += ", overwrite=[true]"
	}
	return text + ")"
}
