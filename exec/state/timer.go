package state

import (
	"cmp"
	"slices"
)

// Timers give groups of a table a time at which they are due: of event time or of the clock, in
// milliseconds. Setting a timer later than it was costs a write: the group stays queued where it was, and is
// queued anew when that time comes (lazy re-arming). A group has one timer.
type Timers struct {
	table *Keyed
	due   *Pages[int64]
	armed *Pages[uint8]
	// slot is where the group is queued, plus one; groups queued elsewhere too are stale there.
	slot  *Pages[int64]
	width int64
	queue map[int64][]int32 // by slot
	order slots             // the slots in queue
	spare [][]int32
	fired []int32
}

// NewTimers adds timers to a table, before it is opened. Timers within width milliseconds are queued
// together.
func NewTimers(t *Keyed, width int64) *Timers {
	x := &Timers{table: t, width: max(width, 1), queue: map[int64][]int32{}}
	x.due, x.armed, x.slot = NewPages[int64](t), NewPages[uint8](t), NewDerived[int64](t)
	t.OnRestore(func() {
		for _, g := range t.Groups(nil) {
			if x.armed.At(g) != 0 {
				x.enqueue(g, x.slotOf(x.due.At(g)))
			}
		}
	})
	return x
}

func (x *Timers) slotOf(due int64) int64 {
	s := due / x.width
	if due%x.width < 0 {
		s--
	}
	return s
}

// Set arms the timers of groups, whose pages are owned.
func (x *Timers) Set(groups []int32, due []int64) {
	for i, g := range groups {
		s := x.slotOf(due[i])
		queued := x.armed.At(g) != 0 && x.slot.At(g)-1 <= s
		x.due.Set(g, due[i])
		x.armed.Set(g, 1)
		if !queued {
			x.enqueue(g, s)
		}
	}
}

// Armed tells that a group has a timer.
func (x *Timers) Armed(g int32) bool { return x.armed.At(g) != 0 }

// Time is when an armed group is due.
func (x *Timers) Time(g int32) int64 { return x.due.At(g) }

// Stop disarms the timers of groups, whose pages are owned. A group must be stopped before it is removed.
func (x *Timers) Stop(groups []int32) {
	x.armed.Zero(groups)
	x.slot.Zero(groups)
}

func (x *Timers) enqueue(g int32, slot int64) {
	list, ok := x.queue[slot]
	if !ok {
		x.order.push(slot)
		if k := len(x.spare) - 1; k >= 0 {
			list, x.spare = x.spare[k], x.spare[:k]
		}
	}
	x.queue[slot] = append(list, g)
	x.slot.Set(g, slot+1)
}

// Next is a time before which no timer is due; ok is false when none is armed.
func (x *Timers) Next() (t int64, ok bool) {
	if len(x.order) == 0 {
		return 0, false
	}
	return x.order[0] * x.width, true
}

// Due disarms and returns the groups whose time has come, the earliest first. The result is lent until the
// next call.
func (x *Timers) Due(now int64) []int32 {
	x.fired = x.fired[:0]
	last := x.slotOf(now)
	for len(x.order) > 0 && x.order[0] <= last {
		slot := x.order[0]
		list := x.queue[slot]
		kept := list[:0]
		for _, g := range list {
			switch {
			case x.armed.At(g) == 0 || x.slot.At(g) != slot+1:
			case x.due.At(g) <= now:
				x.slot.Set(g, 0)
				x.fired = append(x.fired, g)
			case x.slotOf(x.due.At(g)) == slot:
				kept = append(kept, g)
			default:
				x.enqueue(g, x.slotOf(x.due.At(g)))
			}
		}
		if len(kept) > 0 { // due later in the same slot, which is the last one
			x.queue[slot] = kept
			break
		}
		delete(x.queue, slot)
		x.order.pop()
		x.spare = append(x.spare, list[:0])
	}
	x.table.Own(x.fired)
	x.armed.Zero(x.fired)
	slices.SortFunc(x.fired, func(a, b int32) int {
		return cmp.Or(cmp.Compare(x.due.At(a), x.due.At(b)), cmp.Compare(a, b))
	})
	return x.fired
}
