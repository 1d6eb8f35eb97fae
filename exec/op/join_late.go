package op

import (
	"math"
	"slices"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// joinLate counts the rows that came behind the watermark to a join that forgets rows by it: their partners may be gone.
// A row has the event times that bound how long the rows of the other input are kept.
type joinLate struct {
	columns [2][]int
	time    types.EventTime
	earliest
	rows int64
	some bool // in the batch in work
}

// lateTime is the name of the watermark in the store.
const lateTime = "time"

func (o *join) openLate() {
	if o.spec.Stamps != nil {
		return // no row is behind the clock
	}
	o.late.time = types.EventTime(o.store.Time(lateTime, int64(types.MinTime)))
	for side, list := range o.spec.Until {
		for _, u := range list {
			if at := &o.late.columns[1-side]; !slices.Contains(*at, u.By) {
				*at = append(*at, u.By)
			}
		}
	}
}

// count looks at a batch of an input. A row without an event time has no partners, and is not late.
func (x *joinLate) count(side int, b *vector.Batch) {
	x.some = false
	if len(x.columns[side]) == 0 || x.time == types.MinTime {
		return
	}
	x.start(b.Len)
	for _, at := range x.columns[side] {
		x.take(b.Cols[at], 0)
	}
	for _, t := range x.times {
		if t <= int64(x.time) && t != math.MinInt64 {
			x.rows++
			x.some = true
		}
	}
}

// passed notes the watermark.
func (o *join) passed(t types.EventTime) {
	if x := &o.late; len(x.columns[0])+len(x.columns[1]) > 0 && t > x.time {
		x.time = t
		o.store.SetTime(lateTime, int64(t))
	}
}
