package op

import (
	"strings"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/types"
)

// BoundKind tells the bounds of a frame apart, in the order in which they lie.
type BoundKind uint8

// The bounds of a frame.
const (
	UnboundedPreceding BoundKind = iota
	Preceding
	CurrentRow
	Following
	UnboundedFollowing
)

// Bound is one end of a frame.
type Bound struct {
	Kind BoundKind
	// Offset is a constant for Preceding and Following: a BIGINT number of rows, or for RANGE a distance in the
	// type that the sort key's values differ by.
	Offset expr.Expr
}

// String is the bound as SQL writes it.
func (b Bound) String() string {
	text := [...]string{"UNBOUNDED PRECEDING", "PRECEDING", "CURRENT ROW", "FOLLOWING", "UNBOUNDED FOLLOWING"}[b.Kind]
	if b.Offset != nil {
		return b.Offset.String() + " " + text
	}
	return text
}

// Frame is which rows of its partition a row's call sees: those between two bounds, which are included. RANGE
// bounds are places in the order, so that CURRENT ROW stands for all rows that are equal in it.
type Frame struct {
	Rows       bool // ROWS, otherwise RANGE
	Start, End Bound
}

// String is the frame as SQL writes it.
func (f Frame) String() string {
	unit := "RANGE"
	if f.Rows {
		unit = "ROWS"
	}
	return unit + " BETWEEN " + f.Start.String() + " AND " + f.End.String()
}

// OverCall is a call with OVER: an aggregate, or a function that stands over windows alone.
type OverCall struct {
	// Name is that of ROW_NUMBER, RANK, DENSE_RANK, NTILE, PERCENT_RANK, CUME_DIST, LAG or LEAD; Fn is nil for
	// those. None of them takes note of the frame.
	Name string
	AggregateCall
}

// Ranks tells ROW_NUMBER, RANK and DENSE_RANK.
func (c *OverCall) Ranks() bool {
	return c.Name == "ROW_NUMBER" || c.Name == "RANK" || c.Name == "DENSE_RANK"
}

// String is the call as EXPLAIN shows it.
func (c *OverCall) String() string {
	if c.Fn != nil {
		return c.AggregateCall.String()
	}
	args := make([]string, len(c.Args))
	for i, a := range c.Args {
		args[i] = a.String()
	}
	return c.Name + "(" + strings.Join(args, ", ") + ")"
}

// OverTime says what the rows of an OverAggregate are in the order of.
type OverTime uint8

// The orders of rows: any columns, or a time attribute of rows that stay, which come, or are put, in its order.
const (
	NoOverTime OverTime = iota
	OverRowtime
	OverProctime
)

// OverAggregate computes calls over windows: its output has the columns of the input, then one per call. Rows with
// equal sort keys are in the order in which they came.
//
// In the order of an event time rows are given when the watermark has reached them. Rows behind it are dropped and
// counted; where frames begin within the partition, only those that are not after the last row of it that was given.
// A RANGE frame's reach behind the watermark a partition is forgotten, and its rows begin anew.
// In the order of processing time a row is given as it comes, and CURRENT ROW is that row alone. Both give inserts. In
// any other order a batch gives the difference that it makes: what is taken back first, then -U and +U of rows whose
// calls changed, then what is new.
type OverAggregate struct {
	// Partition and Order are over the input.
	Partition []expr.Expr
	Order     []SortKey
	Frame     Frame
	Calls     []OverCall
	// Types are those of the input's columns, Names those of the output's.
	Types []types.Type
	Names []string
	// Time says that the first key is a time attribute, and the input holds inserts only.
	Time OverTime
	// NoUpdateBefore leaves -U rows out, where no consumer needs them.
	NoUpdateBefore bool
	// AtEnd gives the rows when the input has ended, those of a partition in order. The input holds inserts only.
	AtEnd bool
	// TTL forgets a partition that got no row for this long by the clock; 0 never does.
	TTL time.Duration
}

// String implements Spec.
func (s *OverAggregate) String() string {
	text := "OverAggregate("
	if s.AtEnd {
		text = "BatchOverAggregate("
	}
	if len(s.Partition) > 0 {
		text += "partitionBy=[" + exprText(s.Partition) + "], "
	}
	if len(s.Order) > 0 {
		text += "orderBy=[" + SortText(s.Order)
		text += [...]string{"", " ROWTIME", " PROCTIME"}[s.Time] + "], "
	}
	if len(s.Order) > 0 || s.Frame.Rows {
		text += "frame=[" + s.Frame.String() + "], "
	}
	calls := make([]string, len(s.Calls))
	for i := range s.Calls {
		calls[i] = s.Calls[i].String()
	}
	return text + "select=[*, " + strings.Join(calls, ", ") + "])"
}

// New implements Spec.
func (s *OverAggregate) New() Operator {
	switch {
	case s.AtEnd:
		return &overEnd{spec: s}
	case s.Time != NoOverTime:
		return &overStream{spec: s}
	}
	return &overRevise{spec: s}
}

// keyTypes are the types of the partitions' table.
func (s *OverAggregate) keyTypes() []types.Type {
	out := make([]types.Type, len(s.Partition))
	for i, e := range s.Partition {
		out[i] = e.Type()
	}
	return out
}

// resultTypes are the types of the calls.
func (s *OverAggregate) resultTypes() []types.Type {
	out := make([]types.Type, len(s.Calls))
	for i := range s.Calls {
		out[i] = s.Calls[i].T
	}
	return out
}

// slides tells that rows leave a frame that another row's frame had.
func (s *OverAggregate) slides() bool { return s.Frame.Start.Kind != UnboundedPreceding }
