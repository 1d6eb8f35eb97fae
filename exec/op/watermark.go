package op

import (
	"errors"
	"fmt"

	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Watermark assigns watermarks. Logically one follows every row: the value of Expr, when it is greater
// than every one before.
//
// They are made once per batch, and a batch is cut before the first row that stands at or behind a
// watermark that was not yet passed on (W1 of the design): which rows are late never depends on batches.
// Each split of the source has its own, and the least of them is passed on (W3): a row that is not behind its own
// split's watermark is never late.
type Watermark struct {
	// Column is the position of the rowtime, a timestamp of at most 3 digits.
	Column int
	Name   string
	// Expr is the watermark over the input's columns, of the same kind of type.
	Expr expr.Expr
	// Each has batches cut behind each row that the watermark rises at, for those who look at it.
	Each bool
}

// String implements Spec.
func (s *Watermark) String() string {
	return fmt.Sprintf("WatermarkAssigner(rowtime=[%s], watermark=[%s])", s.Name, s.Expr)
}

// New implements Spec.
func (s *Watermark) New() Operator {
	return &watermark{spec: s, passed: int64(types.MinTime)}
}

func (*Watermark) passes() {}

// Delays says that a specification is one of a watermark that is not the rowtime itself.
func Delays(s Spec) bool {
	w, ok := s.(*Watermark)
	if !ok {
		return false
	}
	_, same := w.Expr.(*expr.Column)
	return !same
}

type watermark struct {
	spec   *Watermark
	store  *state.Store
	exprs  *expr.Evaluator
	splits []splitMark
	at     int // the split that rows are of
	// passed is the last watermark that was passed on.
	passed        int64
	rowtime, mark vector.Column // flat forms
	own           []vector.Column
	piece         vector.Batch
}

func (w *watermark) Open(c *Context) (err error) {
	w.store = c.Store(w.spec)
	w.passed = w.store.Time(passedTime, w.passed)
	w.openSplits(c.Splits)
	w.exprs, err = expr.New([]expr.Expr{w.spec.Expr}, c.Env)
	return err
}

var errNullRowtime = errors.New("RowTime field should not be null")

func (w *watermark) Process(_ int, b *vector.Batch, out Output) error {
	vector.Flatten(&w.rowtime, b.Cols[w.spec.Column])
	if w.rowtime.Valid != nil && anyNull(&w.rowtime) {
		return badRow(read(b), &w.rowtime, "give it a value where it is NULL: a column c AS COALESCE(…), and WATERMARK FOR c",
			"%v: column %s", errNullRowtime, w.spec.Name)
	}
	cols, err := w.exprs.Eval(b.Cols, b.Len)
	if err != nil {
		return err
	}
	vector.Flatten(&w.mark, cols[0])
	times, marks := vector.Values[int64](&w.rowtime), vector.Values[int64](&w.mark)
	if w.mark.Valid != nil && anyNull(&w.mark) {
		marks = w.withoutNulls(marks)
	}
	from, split := 0, &w.splits[w.at]
	for from < b.Len {
		n, running := orderedRun(times[from:], marks[from:], split.running, split.passed, w.spec.Each)
		split.running = running
		if err := w.emit(b, from, n, out); err != nil {
			return err
		}
		from += n
		if running > split.passed {
			split.passed = running
			if err := w.pass(out); err != nil {
				return err
			}
		}
	}
	w.store.SetTime(split.runningName, split.running)
	w.store.SetTime(split.passedName, split.passed)
	return nil
}

// orderedRun counts the rows before the first one that stands at or behind a running watermark not yet
// passed on, or with each the first row behind any, and returns the running watermark after them.
func orderedRun(times, marks []int64, running, passed int64, each bool) (int, int64) {
	marks = marks[:len(times)]
	for i, t := range times {
		if (each || t <= running) && running > passed {
			return i, running
		}
		running = max(running, marks[i])
	}
	return len(times), running
}

func (w *watermark) emit(b *vector.Batch, from, n int, out Output) error {
	if n == b.Len {
		return out.Emit(b)
	}
	if len(w.own) != len(b.Cols) {
		w.own, w.piece.Cols = owned(len(b.Cols))
	}
	w.piece.Len, w.piece.Kinds = n, nil
	for i, c := range b.Cols {
		vector.Slice(&w.own[i], c, from, n)
	}
	if b.Kinds != nil {
		w.piece.Kinds = b.Kinds[from : from+n]
	}
	return out.Emit(&w.piece)
}

// withoutNulls replaces the watermark of rows that have none by one that changes nothing.
func (w *watermark) withoutNulls(marks []int64) []int64 {
	out := make([]int64, len(marks))
	for i, m := range marks {
		out[i] = int64(types.MinTime)
		if !w.mark.Null(i) {
			out[i] = m
		}
	}
	return out
}

// Advance passes the end of input on; other watermarks from before have no say.
func (w *watermark) Advance(t types.EventTime, _ Output) (types.EventTime, error) {
	if t == types.MaxTime {
		return t, nil
	}
	return types.EventTime(w.passed), nil
}

func (w *watermark) Close() error { return nil }
