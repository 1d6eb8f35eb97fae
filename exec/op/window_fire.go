package op

import (
	"slices"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// fire emits the windows that time t closes, in the order of their ends.
func (o *windowAggregate) fire(t types.EventTime, out Output) error {
	if t <= o.time {
		return nil
	}
	o.time = t
	o.store.SetTime("time", int64(t))
	for {
		end, ok := o.nextWindow()
		if !ok || (t != types.MaxTime && !o.axis.fired(end, t)) {
			o.passed(t)
			return nil
		}
		if err := o.fireWindow(end, out); err != nil {
			return err
		}
		o.fired = end
		o.store.SetTime("fired", end)
		o.forget(end)
	}
}

// passed remembers that the windows up to t are over, those too that had no rows: a slice that comes late
// misses them.
func (o *windowAggregate) passed(t types.EventTime) {
	if k := o.spec.Window.Kind; k != Hop && k != Cumulate || t == types.MaxTime {
		return
	}
	end := o.axis.floor(o.axis.local(int64(t)+1), o.axis.step)
	for !o.axis.fired(end, t) {
		end -= o.axis.step
	}
	if end > o.fired {
		o.fired = end
		o.store.SetTime("fired", end)
	}
}

// nextWindow is the end of the next window that has rows and was not emitted.
func (o *windowAggregate) nextWindow() (end int64, ok bool) {
	if o.base != nil { // every step is emitted, with new rows or without
		end, ok = max(o.base.end, o.fired)+o.axis.step, true
	}
	if len(o.slices) == 0 {
		return end, ok
	}
	first := o.slices[0].end
	if o.spec.Window.Kind == Hop || o.spec.Window.Kind == Cumulate {
		// A slice that came late misses the windows that were emitted without it.
		first = max(first, o.fired+o.axis.step)
	}
	if !ok || first < end {
		return first, true
	}
	return end, true
}

func (o *windowAggregate) fireWindow(end int64, out Output) error {
	switch o.spec.Window.Kind {
	case Hop:
		return o.fireHop(end, out)
	case Cumulate:
		return o.fireCumulate(end, out)
	}
	s := o.slices[0]
	return o.emitter.emit(s, s.start, end, out)
}

// fireHop merges the slices of a window.
func (o *windowAggregate) fireHop(end int64, out Output) error {
	n := 0
	for n < len(o.slices) && o.slices[n].end <= end {
		n++
	}
	switch {
	case n == 0:
		return nil
	case o.canRun:
		r := o.advanceTo(end)
		return o.emitter.emit(&slice{aggregation: r.aggregation}, end-o.spec.Window.Size, end, out)
	case n == 1:
		return o.emitter.emit(o.slices[0], end-o.spec.Window.Size, end, out)
	}
	sum := o.bindSlice("window")
	defer o.store.Drop(sum.table)
	for _, s := range o.slices[:n] {
		sum.merge(s.aggregation)
	}
	return o.emitter.emit(sum, end-o.spec.Window.Size, end, out)
}

// fireCumulate merges the new steps of a window into its base, and emits that, or the groups that had new rows.
func (o *windowAggregate) fireCumulate(end int64, out Output) error {
	start := o.axis.start(end)
	if o.base == nil {
		o.base = o.bindSlice(baseTable)
		o.base.start = start
	}
	o.base.end = end
	o.emitter.groups = o.emitter.groups[:0]
	for len(o.slices) > 0 && o.slices[0].end <= end {
		o.emitter.groups = append(o.emitter.groups, o.base.merge(o.slices[0].aggregation)...)
		o.dropFirst()
	}
	if o.spec.Window.OnUpdate {
		slices.Sort(o.emitter.groups)
		o.emitter.groups = slices.Compact(o.emitter.groups)
	} else {
		o.emitter.groups = o.base.table.Groups(o.emitter.groups[:0])
	}
	if err := o.emitter.emitGroups(o.base, start, end, out); err != nil {
		return err
	}
	if end == start+o.spec.Window.Size {
		o.store.Drop(o.base.table)
		o.base = nil
	}
	return nil
}

// forget drops the slices that no window after the one with this end needs.
func (o *windowAggregate) forget(end int64) {
	for len(o.slices) > 0 && o.axis.lastWindow(o.slices[0].end) <= end {
		if r := o.running; r != nil && o.slices[0].end <= r.end {
			r.apply(o.slices[0].aggregation, -1)
		}
		o.dropFirst()
	}
}

func (o *windowAggregate) dropFirst() {
	o.store.Drop(o.slices[0].table)
	o.slices = o.slices[:copy(o.slices, o.slices[1:])]
}

// windowEmitter passes the groups of a window on.
type windowEmitter struct {
	maxRows int
	spec    *WindowAggregate
	axis    *axis
	groups  []int32
	own     []vector.Column
	out     vector.Batch
}

func (e *windowEmitter) open(maxRows int, spec *WindowAggregate, a *axis) {
	e.maxRows, e.spec, e.axis = maxRows, spec, a
	e.own, e.out.Cols = owned(len(spec.Keys) + len(spec.Aggs) + len(spec.Columns))
}

func (e *windowEmitter) emit(s *slice, start, end int64, out Output) error {
	e.groups = s.table.Groups(e.groups[:0])
	return e.emitGroups(s, start, end, out)
}

// emitGroups passes those on that were put to groups.
func (e *windowEmitter) emitGroups(s *slice, start, end int64, out Output) error {
	for from := 0; from < len(e.groups); from += e.maxRows {
		groups := e.groups[from:min(from+e.maxRows, len(e.groups))]
		e.out.Len = len(groups)
		at := 0
		for i := range e.spec.Keys {
			s.table.Key(&e.own[at], i, groups)
			at++
		}
		for i := range s.accs {
			s.accs[i].Value(groups, &e.own[at])
			at++
		}
		for _, c := range e.spec.Columns {
			e.bound(&e.own[at], c, start, end, len(groups))
			at++
		}
		if err := out.Emit(&e.out); err != nil {
			return err
		}
	}
	return nil
}

// bound makes out a constant column of one of the window's bounds.
func (e *windowEmitter) bound(out *vector.Column, c WindowColumn, start, end int64, n int) {
	v := start
	switch c {
	case WindowEnd:
		v = end
	case WindowTime:
		v = e.axis.instant(end - 1)
	}
	out.Reset(windowColumnType(c, e.spec.Zone), n)
	out.Enc = vector.Constant
	vector.Alloc[int64](out)[0] = v
}
