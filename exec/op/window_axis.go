package op

import (
	"time"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

// axis cuts the time axis into slices: every window is a run of whole slices, and a row is in one slice.
// Points are milliseconds on the axis of the windows: of the session's wall clock where zone is set.
type axis struct {
	window Window
	step   int64 // length of a slice
	zone   *kernel.Zone
}

func newAxis(w Window, zone *time.Location) axis {
	a := axis{window: w, step: w.Step}
	if w.Kind == Tumble {
		a.step = w.Size
	}
	if zone != nil && zone != time.UTC {
		a.zone = kernel.NewZone(zone)
	}
	return a
}

// floor is the last multiple of size, counted from the offset, at or before t.
func (a *axis) floor(t, size int64) int64 {
	d := t - a.window.Offset
	r := d % size
	if r < 0 {
		r += size
	}
	return t - r
}

// local is the point of an instant.
func (a *axis) local(ms int64) int64 {
	if a.zone == nil {
		return ms
	}
	return ms + a.zone.Offset(floorDiv(ms, 1000))*1000
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// sliceEnd is the end of the slice of a point.
func (a *axis) sliceEnd(t int64) int64 { return a.floor(t, a.step) + a.step }

// lastWindow is the end of the last window that the slice with this end is in.
func (a *axis) lastWindow(end int64) int64 {
	switch a.window.Kind {
	case Hop:
		return end + a.window.Size - a.step
	case Cumulate:
		return a.floor(end-a.step, a.window.Size) + a.window.Size
	}
	return end
}

// windows are the ends of the first and the last window that a point is in; they are a step apart. It may be in none,
// and the first is then behind the last.
func (a *axis) windows(t int64) (first, last int64) {
	if a.window.Kind != Hop {
		first = a.sliceEnd(t)
		return first, a.lastWindow(first)
	}
	if last = a.floor(t, a.step) + a.window.Size; last <= t {
		return t + 1, t
	}
	return last - (last-t-1)/a.step*a.step, last
}

// start is the start of the window with this end.
func (a *axis) start(end int64) int64 {
	if a.window.Kind == Cumulate {
		return a.floor(end-a.step, a.window.Size)
	}
	return end - a.window.Size
}

const day = 86_400_000

// instant is the first instant from which on no wall clock is before the point. Where clocks are set back a
// point comes twice, and counts the second time; where they are set forward it may be skipped.
func (a *axis) instant(t int64) int64 {
	if a.zone == nil {
		return t
	}
	before, after := a.offset(t-day), a.offset(t+day)
	if before == after {
		return t - before
	}
	change := a.change(t-2*day, t+2*day, before)
	if first := t - before; first < change && t <= change+after || first == change && after > before {
		return first
	}
	return max(change, t-after)
}

func (a *axis) offset(instant int64) int64 { return a.zone.Offset(floorDiv(instant, 1000)) * 1000 }

// change is the instant between from and to at which the offset stops being before.
func (a *axis) change(from, to, before int64) int64 {
	for to-from > 1 {
		if mid := from + (to-from)/2; a.offset(mid) == before {
			from = mid
		} else {
			to = mid
		}
	}
	return to
}

// fired tells whether a watermark closes the window with this end.
func (a *axis) fired(end int64, watermark types.EventTime) bool {
	return watermark >= types.EventTime(a.instant(end))-1
}
