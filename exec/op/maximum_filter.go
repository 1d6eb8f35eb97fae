package op

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// MaximumFilter drops rows that are certainly not the greatest of a window: those that are behind one that came before,
// in every window that they are asked about. Others pass. What it knows of windows is no state: after a crash it drops
// fewer rows.
type MaximumFilter struct {
	// Value and Time are columns: of BIGINT, and the event time, a TIMESTAMP of at most 3 digits. Names are those of all.
	Value, Time int
	Names       []string
	// Window is a tumbling one. A row is asked about in the windows that end between its time less Before and its time
	// plus After.
	Window        Window
	Before, After time.Duration
	// Least asks for the least row instead.
	Least bool
}

// String implements Spec.
func (s *MaximumFilter) String() string {
	what := "max"
	if s.Least {
		what = "min"
	}
	return fmt.Sprintf("MaximumFilter(%s=[%s], window=[%s], time=[%s], ends=[-%s, %s])", what, s.Names[s.Value], s.Window, s.Names[s.Time],
		s.Before, s.After)
}

// New implements Spec.
func (s *MaximumFilter) New() Operator { return &maximumFilter{spec: s} }

type maximumFilter struct {
	spec   *MaximumFilter
	axis   axis
	before int64
	after  int64
	time   types.EventTime
	best   []windowBest // by end
	last   int          // the window of the last row
	rows   gatherer
	flat   [2]vector.Column
	sel    []int32
	out    vector.Batch
}

// windowBest is the greatest value of the rows of a window that were not late.
type windowBest struct{ end, value int64 }

// Open implements Operator.
func (o *maximumFilter) Open(*Context) error {
	o.axis, o.time = newAxis(o.spec.Window, nil), types.MinTime
	o.before, o.after = o.spec.Before.Milliseconds(), o.spec.After.Milliseconds()
	o.rows = gathererOf(allColumns(len(o.spec.Names)))
	return nil
}

// Process implements Operator.
func (o *maximumFilter) Process(_ int, b *vector.Batch, out Output) error {
	vector.Flatten(&o.flat[0], b.Cols[o.spec.Value])
	vector.Flatten(&o.flat[1], b.Cols[o.spec.Time])
	values, times := vector.Values[int64](&o.flat[0]), vector.Values[int64](&o.flat[1])
	some := o.flat[0].Valid != nil || o.flat[1].Valid != nil
	o.sel = o.sel[:0]
	for i, v := range values {
		if some && (o.flat[0].Null(i) || o.flat[1].Null(i)) {
			o.sel = append(o.sel, int32(i)) // whether it is asked for is not ours to say
			continue
		}
		if o.spec.Least {
			v = ^v
		}
		if o.passes(v, times[i]) {
			o.sel = append(o.sel, int32(i))
		}
	}
	switch {
	case len(o.sel) == 0:
		return nil
	case len(o.sel) == b.Len:
		return out.Emit(b)
	}
	o.out.Cols, o.out.Len, o.out.Kinds = o.rows.take(b, o.sel), len(o.sel), nil
	return out.Emit(&o.out)
}

// passes counts a row in its window and tells whether it may be the greatest of one.
func (o *maximumFilter) passes(value, at int64) bool {
	w := o.window(at)
	if w != nil && value > w.value {
		w.value = value
		return true
	}
	first := o.axis.floor(at-o.before-1, o.spec.Window.Size) + o.spec.Window.Size
	for end := first; end <= at+o.after; end += o.spec.Window.Size {
		if best := o.at(end); best == nil || value >= best.value {
			return true
		}
	}
	return false
}

// window is the one that a row of this time is in, nil where that is over: such a row counts in none.
func (o *maximumFilter) window(at int64) *windowBest {
	if o.last < len(o.best) {
		if w := &o.best[o.last]; at < w.end && at >= w.end-o.spec.Window.Size && o.open(w.end) {
			return w
		}
	}
	end := o.axis.sliceEnd(at)
	if !o.open(end) {
		return nil
	}
	i, ok := o.search(end)
	if !ok {
		o.best = slices.Insert(o.best, i, windowBest{end, math.MinInt64})
	}
	o.last = i
	return &o.best[i]
}

func (o *maximumFilter) search(end int64) (int, bool) {
	return slices.BinarySearchFunc(o.best, end, func(w windowBest, end int64) int { return cmp.Compare(w.end, end) })
}

func (o *maximumFilter) open(end int64) bool { return int64(o.time) < end-1 }

// at is what is known of the window with an end.
func (o *maximumFilter) at(end int64) *windowBest {
	if o.last < len(o.best) && o.best[o.last].end == end {
		return &o.best[o.last]
	}
	if i, ok := o.search(end); ok {
		return &o.best[i]
	}
	return nil
}

// Advance implements Operator. A window that is over keeps its value until rows that ask about it are late.
func (o *maximumFilter) Advance(t types.EventTime, _ Output) (types.EventTime, error) {
	o.time = t
	kept := o.best[:0]
	for _, w := range o.best {
		if t == types.MaxTime || w.end+o.before > int64(t) {
			kept = append(kept, w)
		}
	}
	o.best, o.last = kept, 0
	return t, nil
}

// Close implements Operator.
func (o *maximumFilter) Close() error { return nil }
