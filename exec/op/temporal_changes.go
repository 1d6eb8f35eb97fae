package op

import (
	"cmp"
	"slices"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// temporalChanges are the kinds of the rows that a temporal join holds, and the order in which they came.
type temporalChanges struct {
	kind  *state.Pages[uint8]
	place *state.Pages[int64]
	next  int64
	// time is the watermark: what was found at or before it is found again.
	time types.EventTime
}

// newTemporalChanges adds the columns to the table of held rows.
func newTemporalChanges(time types.EventTime, held *state.Keyed) *temporalChanges {
	x := &temporalChanges{kind: state.NewPages[uint8](held), place: state.NewPages[int64](held), time: time}
	held.OnRestore(func() {
		for _, v := range held.Groups(nil) {
			x.next = max(x.next, x.place.At(v)+1)
		}
	})
	return x
}

// mark says what the rows sel of a batch are, which are held as rows.
func (x *temporalChanges) mark(rows []int32, b *vector.Batch, sel []int32) {
	for i, v := range rows {
		x.kind.Set(v, uint8(b.Kind(int(sel[i]))))
		x.place.Set(v, x.next)
		x.next++
	}
}

// order puts rows in that of their times, and those of one time in that in which they came: what is taken back stands
// behind what was added.
func (x *temporalChanges) order(rows []int32, due *state.Timers) {
	slices.SortFunc(rows, func(a, b int32) int {
		return cmp.Or(cmp.Compare(due.Time(a), due.Time(b)), cmp.Compare(x.place.At(a), x.place.At(b)))
	})
}

// kinds are those of rows, as they came.
func (x *temporalChanges) kinds(out []vector.RowKind, rows []int32) []vector.RowKind {
	out = out[:0]
	for _, v := range rows {
		out = append(out, vector.RowKind(x.kind.At(v)))
	}
	return out
}

// from is the time from which a version of a group holds that says that it holds from at on: rows that the watermark has
// passed found others. It counts for nothing where one that is newer holds by then.
func (x *temporalChanges) from(v *versions, g int32, at int64) (int64, bool) {
	if at > int64(x.time) || x.time == types.MinTime {
		return at, true
	}
	if last := v.at(g, int64(x.time)); last >= 0 && v.time.At(last) > at || x.time == types.MaxTime {
		return at, false
	}
	return int64(x.time) + 1, true
}
