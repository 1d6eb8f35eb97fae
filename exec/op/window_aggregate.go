package op

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// New implements Spec.
func (s *WindowAggregate) New() Operator {
	if s.Window.Kind == Session {
		return &sessionAggregate{spec: s}
	}
	return &windowAggregate{spec: s}
}

type windowAggregate struct {
	spec *WindowAggregate
	axis axis
	// slicer cuts the times of rows; nil where they come as ends of slices.
	slicer *axis
	store  *state.Store
	calls  *calls
	slices []*slice // by end
	// base is the rows of the steps that a CUMULATE window has emitted.
	base *slice
	// running is the last HOP window, where canRun says that slices can be taken away from it.
	running *running
	canRun  bool
	// time is the watermark, or the clock where windows fire by it.
	time types.EventTime
	// fired is the end of the last window that was emitted.
	fired int64

	cut      cut
	gather   gatherer
	piece    vector.Batch
	partials vector.Batch
	emitter  windowEmitter
	dropped  int64 // late rows
	open     int64 // rows of windows that the end of input dropped
}

// slice is the groups of one slice, in a table of its own.
type slice struct {
	end, start int64
	*aggregation
	rows *state.Pages[int64]
}

const (
	slicePrefix = "slice "
	baseTable   = "base"
)

// Open implements Operator.
func (o *windowAggregate) Open(c *Context) (err error) {
	compile := newCalls
	if o.spec.Phase == Final {
		compile = newMerges
	}
	if o.calls, err = compile(o.spec.Keys, o.spec.Aggs, false, c.Env); err != nil {
		return err
	}
	o.canRun = o.subtracts()
	o.axis = newAxis(o.spec.Window, o.spec.Zone)
	if o.spec.Window.Kind != Assigned {
		o.slicer = &o.axis
	}
	o.gather = o.spec.gatherer()
	o.store = c.Store(o.spec)
	o.emitter.open(c.MaxRows, o.spec, &o.axis)
	o.time = types.EventTime(o.store.Time("time", int64(types.MinTime)))
	o.fired = o.store.Time("fired", int64(types.MinTime))
	for _, name := range o.store.Restored() {
		if end, ok := strings.CutPrefix(name, slicePrefix); ok && !strings.Contains(end, " ") {
			at, err := strconv.ParseInt(end, 10, 64)
			if err != nil {
				return err
			}
			o.slices = append(o.slices, o.newSlice(at))
		}
		if name == baseTable {
			o.base = o.bindSlice(baseTable)
			o.base.end = o.fired // no step is left out while there are rows
			o.base.start = o.axis.start(o.base.end)
		}
	}
	if err := o.store.Open(); err != nil {
		return err
	}
	slices.SortFunc(o.slices, func(a, b *slice) int { return int(min(max(a.end-b.end, -1), 1)) })
	for _, s := range o.slices {
		if s.rows != nil && s.table.Len() > 0 {
			s.start = s.rows.At(s.table.Groups(nil)[0])
		}
	}
	return nil
}

func (o *windowAggregate) newSlice(end int64) *slice {
	s := o.bindSlice(slicePrefix + strconv.FormatInt(end, 10))
	s.end = end
	if o.spec.Window.Kind != Assigned {
		s.start = o.axis.start(end)
	}
	return s
}

func (o *windowAggregate) bindSlice(name string) *slice {
	t := o.store.Keyed(name, nil, o.calls.keyTypes())
	s := &slice{}
	if o.spec.Window.Kind == Assigned {
		s.rows = state.NewPages[int64](t)
	}
	s.aggregation = o.calls.bind(t)
	return s
}

var errWindowRetracts = errors.New("not supported: window aggregation over rows that may be taken back")

// Process implements Operator.
func (o *windowAggregate) Process(_ int, b *vector.Batch, _ Output) error {
	if b.Kinds != nil && changed(b.Kinds) {
		return errWindowRetracts
	}
	ends, err := o.cut.ends(b, o.spec.Time, o.slicer)
	if err != nil {
		return err
	}
	if o.cut.single(ends) {
		err = o.add(b, ends[0])
	} else {
		for _, end := range o.cut.distinct(ends) {
			rows := o.cut.rows(ends, end)
			o.piece.Len, o.piece.Cols = len(rows), o.gather.take(b, rows)
			if err = o.add(&o.piece, end); err != nil {
				break
			}
		}
	}
	if err == nil {
		err = o.store.Err()
	}
	return err
}

// add puts rows into the slice with this end.
func (o *windowAggregate) add(b *vector.Batch, end int64) error {
	if o.spec.Proctime {
		// A row that was stamped before its window closed, and comes after, counts in the next.
		end = max(end, o.openEnd())
	} else if o.axis.fired(o.axis.lastWindow(end), o.time) {
		o.dropped += o.spec.rowsOf(b)
		return nil
	}
	o.late(end)
	s := o.slice(end)
	keys, err := s.eval(b)
	if err != nil {
		return err
	}
	groups := s.table.Lookup(keys, b.Len)
	s.table.Own(groups)
	if s.rows != nil {
		s.start = vector.Value[int64](b.Cols[o.spec.Start], 0)
		for _, g := range s.table.Fresh() {
			s.rows.Set(g, s.start)
		}
	}
	if o.spec.Phase == Final {
		o.partials.Len, o.partials.Cols = b.Len, b.Cols[1:] // behind the time of the slice
		s.mergeRows(&o.partials, groups)
	} else {
		s.update(groups, nil, false)
	}
	s.table.Compact()
	return nil
}

// rowsOf is how many rows a batch of the input stands for.
func (s *WindowAggregate) rowsOf(b *vector.Batch) int64 {
	if s.Phase == Final {
		return partialRows(b)
	}
	return int64(b.Len)
}

// openEnd is the end of the first slice whose window has not fired.
func (o *windowAggregate) openEnd() int64 {
	if o.time == types.MinTime {
		return int64(types.MinTime)
	}
	return o.axis.sliceEnd(o.axis.local(int64(o.time) + 1))
}

// slice finds or makes the slice with this end.
func (o *windowAggregate) slice(end int64) *slice {
	for i := len(o.slices) - 1; i >= 0; i-- {
		switch s := o.slices[i]; {
		case s.end == end:
			return s
		case s.end < end:
			return o.insert(i+1, end)
		}
	}
	return o.insert(0, end)
}

func (o *windowAggregate) insert(at int, end int64) *slice {
	s := o.newSlice(end)
	o.slices = slices.Insert(o.slices, at, s)
	return s
}

// Advance implements Operator.
func (o *windowAggregate) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	if o.spec.Proctime {
		if t != types.MaxTime {
			return t, nil
		}
		if !o.spec.Drain {
			o.dropOpen()
			return t, nil
		}
	}
	return t, o.fire(t, out)
}

// NextTick implements Clocked.
func (o *windowAggregate) NextTick() types.EventTime {
	end, ok := o.nextWindow()
	if !o.spec.Proctime || !ok {
		return types.MaxTime
	}
	return types.EventTime(o.axis.instant(end)) - 1
}

// Tick implements Clocked.
func (o *windowAggregate) Tick(now types.EventTime, out Output) error {
	if !o.spec.Proctime {
		return nil
	}
	return o.fire(now, out)
}

// dropOpen forgets the windows that the clock has not closed.
func (o *windowAggregate) dropOpen() {
	for _, s := range o.slices {
		o.open += int64(s.table.Len())
		o.store.Drop(s.table)
	}
	if o.base != nil {
		o.store.Drop(o.base.table)
	}
	o.slices, o.base = nil, nil
}

// Close implements Operator.
func (o *windowAggregate) Close() error { return nil }

// Counters implements Counted.
func (o *windowAggregate) Counters() []Counter {
	if o.spec.Proctime {
		return []Counter{{"results of open windows dropped", o.open}}
	}
	return []Counter{{"late rows dropped", o.dropped}}
}
