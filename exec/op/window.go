package op

import (
	"fmt"
	"strings"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/types"
)

// WindowKind is how windows lie on the time axis.
type WindowKind uint8

const (
	// Tumble is windows of Size, end to end.
	Tumble WindowKind = iota
	// Hop is windows of Size that begin every Step. To be aggregated as slices, Size is a multiple of Step.
	Hop
	// Cumulate is windows that begin every Size and end after each Step; Size is a multiple of Step.
	Cumulate
	// Assigned is windows that the input's rows were given before: they are grouped again by their bounds.
	Assigned
	// Session is a window per key from a row to a gap of Size behind the last one: [t, t+Size) of each row, those that
	// meet or touch put together.
	Session
)

// Window assigns rows to windows. Times are milliseconds.
type Window struct {
	Kind WindowKind
	// Size > 0; |Offset| < Size. Step is of HOP and CUMULATE.
	Size, Step, Offset int64
	// OnUpdate leaves those of the windows of CUMULATE out of an aggregation that have no rows in their last step: a group
	// comes when it has new rows.
	OnUpdate bool
}

// Sliced tells that each window is a run of whole steps.
func (w Window) Sliced() bool { return w.Step == 0 || w.Size%w.Step == 0 }

// String is the window as EXPLAIN shows it.
func (w Window) String() string {
	if w.Kind == Assigned {
		return "win_start=[window_start], win_end=[window_end]"
	}
	if w.Kind == Session {
		return "SESSION(gap=[" + millis(w.Size) + "])"
	}
	name := [...]string{"TUMBLE(size=[", "HOP(size=[", "CUMULATE(max_size=["}[w.Kind]
	text := name + millis(w.Size) + "]"
	switch w.Kind {
	case Hop:
		text += ", slide=[" + millis(w.Step) + "]"
	case Cumulate:
		text += ", step=[" + millis(w.Step) + "]"
	}
	if w.Offset != 0 {
		text += ", offset=[" + millis(w.Offset) + "]"
	}
	if w.OnUpdate {
		text += ", emitOnlyOnUpdate=[true]"
	}
	return text + ")"
}

func millis(ms int64) string {
	switch {
	case ms%3_600_000 == 0:
		return fmt.Sprintf("%d h", ms/3_600_000)
	case ms%60_000 == 0:
		return fmt.Sprintf("%d min", ms/60_000)
	case ms%1000 == 0:
		return fmt.Sprintf("%d s", ms/1000)
	}
	return fmt.Sprintf("%d ms", ms)
}

// WindowColumn is one of the columns that tell a row's window.
type WindowColumn uint8

// The window columns: start and end are TIMESTAMP(3) NOT NULL, time is the last millisecond, of the type
// of the time attribute.
const (
	WindowStart WindowColumn = iota
	WindowEnd
	WindowTime
)

func (c WindowColumn) String() string {
	return [...]string{"window_start", "window_end", "window_time"}[c]
}

// WindowAggregate is GROUP BY keys and window. Its output, all inserts, has a column per key, then one per
// aggregate, then Columns in their order. A window is emitted once, when the watermark reaches its last
// millisecond; rows of windows that were emitted are dropped and counted. Rows before that share slices:
// what one row costs does not depend on how many windows it is in.
type WindowAggregate struct {
	Window Window
	// Time is the position of the input's time attribute: a TIMESTAMP(3) or TIMESTAMP_LTZ(3). Of Assigned
	// windows it is the position of window_end, and Start that of window_start.
	Time, Start int
	// Zone cuts a TIMESTAMP_LTZ on the wall clock of the session; nil for a TIMESTAMP.
	Zone *time.Location
	// Proctime fires by the clock (Clocked) instead of the watermark. Rows are then never late. What is open
	// at the end of input is dropped and counted, unless Drain is set.
	Proctime, Drain bool
	Keys            []expr.Expr
	Aggs            []AggregateCall
	Columns         []WindowColumn
	// Names of the output's columns.
	Names []string
	// Phase says which half of a two-phase aggregation this is. Final takes what a LocalWindowAggregate with the same
	// window, keys and calls gives: Time is its first column, and Keys are those behind.
	Phase Phase
}

// String implements Spec.
func (s *WindowAggregate) String() string {
	var b strings.Builder
	if s.Phase == Final {
		b.WriteString("Global")
	}
	fmt.Fprintf(&b, "WindowAggregate(window=[%s], %s", s.Window, aggregateText(s.Keys, s.Aggs))
	if s.Proctime {
		b.WriteString(", proctime")
	}
	b.WriteString(")")
	return b.String()
}

// WindowTable is a windowing table function by itself: every row once per window that it is in, with
// window_start, window_end and window_time behind its own columns. It holds no state, but for sessions: their rows
// come when the session is over; late ones are dropped and counted.
type WindowTable struct {
	Window Window
	Time   int
	Zone   *time.Location
	// Of sessions: what the input is partitioned by, and the types of its columns. Proctime and Drain are as in
	// WindowAggregate.
	Keys            []expr.Expr
	Types           []types.Type
	Proctime, Drain bool
}

// String implements Spec.
func (s *WindowTable) String() string {
	text := "WindowTableFunction(window=[" + s.Window.String() + "]"
	if len(s.Keys) > 0 {
		text += ", partition=[" + exprText(s.Keys) + "]"
	}
	return text + ")"
}
