package op

import (
	"fmt"
	"math"
	"strings"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/state"
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
	flat  vector.Column
	times []int64
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
	times, err := x.exprs.Eval(cols, len(rows))
	if err != nil {
		return fmt.Errorf("op: bounds may not fail: %w", err)
	}
	x.times = x.times[:0]
	for range rows {
		x.times = append(x.times, math.MaxInt64)
	}
	for i, c := range times {
		vector.Flatten(&x.flat, c)
		delay := x.until[i].Delay.Milliseconds()
		for k, t := range vector.Values[int64](&x.flat) {
			x.times[k] = min(x.times[k], t+delay)
		}
		if x.flat.Valid == nil {
			continue
		}
		for k := range rows {
			if x.flat.Null(k) {
				x.times[k] = math.MinInt64
			}
		}
	}
	x.due.Add(rows, x.times)
	return nil
}
