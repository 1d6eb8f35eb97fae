package op

import (
	"strings"

	"streamsql/exec/expr"
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
