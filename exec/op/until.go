package op

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Until is an event time behind which a row of a join finds no partner any more: a row is over once the watermark has
// passed Time + Delay. One whose Time is NULL has no partners.
type Until struct {
	// Time is over the columns of the row's input: a timestamp of at most 3 digits.
	Time  expr.Expr
	Delay time.Duration // of whole milliseconds
	// By is the column of the other input that the bound is of, an event time of partners; where rows are no join's it
	// says nothing.
	By int
}

// String is the sum.
func (u Until) String() string {
	switch {
	case u.Delay > 0:
		return u.Time.String() + " + " + u.Delay.String()
	case u.Delay < 0:
		return u.Time.String() + " - " + (-u.Delay).String()
	}
	return u.Time.String()
}

// UntilText lists bounds as EXPLAIN shows them.
func UntilText(list []Until) string {
	parts := make([]string, len(list))
	for i, u := range list {
		parts[i] = u.String()
	}
	return strings.Join(parts, ", ")
}

// deadlineWidth is how much longer than it must a row may stay, in milliseconds.
const deadlineWidth = 128

// untilQueue queues rows of a table, or what began with them, by the time at which they are over. Those that have the same
// times are over at the same watermark, whichever operator queued them.
type untilQueue struct {
	until []Until
	exprs *expr.Evaluator
	used  []int // the columns that the bounds read
	due   *state.Deadlines
	earliest
}

// earliest is of each row of a batch the least of some times; math.MinInt64 where one of them is NULL.
type earliest struct {
	flat  vector.Column
	times []int64
}

// start begins with a batch of n rows, of none of which a time is known.
func (x *earliest) start(n int) {
	x.times = x.times[:0]
	for range n {
		x.times = append(x.times, math.MaxInt64)
	}
}

// take takes one of the times, and a delay in its unit.
func (x *earliest) take(c *vector.Column, delay int64) {
	vector.Flatten(&x.flat, c)
	for k, t := range vector.Values[int64](&x.flat) {
		x.times[k] = min(x.times[k], t+delay)
	}
	if x.flat.Valid == nil {
		return
	}
	for k := range x.times {
		if x.flat.Null(k) {
			x.times[k] = math.MinInt64
		}
	}
}

// some tells that there are times that the watermark has reached.
func (x *earliest) some(watermark types.EventTime) bool {
	return watermark > types.MinTime && slices.Min(x.times) <= int64(watermark)
}

func newUntilQueue(list []Until, env *function.Env) (x *untilQueue, err error) {
	exprs := make([]expr.Expr, len(list))
	for i, u := range list {
		exprs[i] = u.Time
	}
	x = &untilQueue{until: list, used: expr.Columns(exprs...), due: state.NewDeadlines(deadlineWidth)}
	x.exprs, err = expr.New(exprs, env)
	return x, err
}

// add queues rows of a table, of which cols are the columns.
func (x *untilQueue) add(rows []int32, cols []*vector.Column) error {
	err := x.measure(cols, len(rows))
	if err == nil {
		x.due.Add(rows, x.times)
	}
	return err
}

// measure says in times when each of n rows is over.
func (x *untilQueue) measure(cols []*vector.Column, n int) error {
	times, err := x.exprs.Eval(cols, n)
	if err != nil {
		return fmt.Errorf("op: bounds may not fail: %w", err)
	}
	x.start(n)
	for i, c := range times {
		x.take(c, x.until[i].Delay.Milliseconds())
	}
	return nil
}
