package op

import (
	"streamsql/exec/state"
)

// expiry ends partitions whose rows no RANGE frame reaches any more. Each row puts the end of its partition off, to
// half a reach more than the row needs, so that most rows find it far enough. The ends that were set meanwhile stay
// as marks: when the watermark passes one, what is before it counts as given, as in Flink; when it passes the last
// one, the partition is forgotten, and a row of any time begins it anew.
type expiry struct {
	parts *state.Keyed
	reach int64               // milliseconds
	until *state.Pages[int64] // the last mark of a partition, where marked
	// marked tells that a partition has marks; they are rows of marks, whose timers are when they are.
	marked *state.Pages[uint8]
	marks  *payload
	timers *state.Timers

	made, groups []int32
	dues         []int64
	gone         []int32
}

func newExpiry(parts *state.Keyed, reach int64) *expiry {
	x := &expiry{parts: parts, reach: reach, until: state.NewPages[int64](parts), marked: state.NewPages[uint8](parts)}
	x.marks = newPayload(parts, "marks", nil, nil, false)
	x.timers = state.NewTimers(x.marks.rows, 1)
	return x
}

// extend puts off the ends of partitions, whose pages are owned, for rows with sort words.
func (x *expiry) extend(groups []int32, rows []int32, words []uint64) {
	x.made, x.groups, x.dues = x.made[:0], x.groups[:0], x.dues[:0]
	for k, r := range rows {
		g, t := groups[k], int64(words[r]^signBit)
		if x.marked.At(g) != 0 && x.until.At(g) >= later(t, x.reach, 1) {
			continue
		}
		t = later(t, x.reach, x.reach/2, 1)
		x.marked.Set(g, 1)
		x.until.Set(g, t)
		x.made, x.groups, x.dues = append(x.made, x.marks.rows.Reserve()), append(x.groups, g), append(x.dues, t)
	}
	x.marks.fill(x.made, x.groups, nil, nil)
	x.timers.Set(x.made, x.dues)
}

// pass takes the marks that the watermark has passed: last moves to them. It returns the partitions that ended, lent
// until the next call.
func (x *expiry) pass(now int64, last *state.Pages[uint64]) []int32 {
	due := x.timers.Due(now)
	x.groups, x.gone = x.groups[:0], x.gone[:0]
	for _, m := range due {
		x.groups = append(x.groups, int32(x.marks.rows.Word(0, m)))
	}
	x.parts.Own(x.groups)
	for k, g := range x.groups {
		last.Set(g, max(last.At(g), wordOfTime(x.timers.Time(due[k]))))
		if x.until.At(g) <= now && x.marked.At(g) != 0 {
			x.marked.Set(g, 0)
			x.gone = append(x.gone, g)
		}
	}
	x.marks.rows.Remove(due)
	return x.gone
}

// later is a time so much later, or the last one.
func later(t int64, by ...int64) int64 {
	for _, d := range by {
		t = minus(t, -d)
	}
	return t
}
