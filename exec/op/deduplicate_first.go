package op

import (
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// firstRows keeps the first row of each key by event time.
type firstRows struct {
	spec  *Deduplicate
	store *state.Store
	ev    *expr.Evaluator
	table *state.Keyed
	// times are those of the rows that are held, and done tells keys whose row was given.
	times  *state.Pages[int64]
	done   *state.Pages[uint8]
	timers *state.Timers
	held   *payload
	row    *state.Pages[int32] // of each key, plus one
	won    *state.Pages[int32] // row of the batch, plus one
	ttl    *state.TTL          // or nil
	clock  func() time.Time
	now    types.EventTime
	late   int64

	groups, touched, rows, from []int32
	due                         []int64
	time                        vector.Column
	maxRows                     int
	own                         []vector.Column
	out                         vector.Batch
}

// Open implements Operator.
func (o *firstRows) Open(c *Context) error {
	s := o.spec
	var err error
	if o.ev, err = expr.New(s.Keys, c.Env); err != nil {
		return err
	}
	o.store, o.maxRows = c.Store(s), c.MaxRows
	o.now = types.EventTime(o.store.Time("time", int64(types.MinTime)))
	o.table = s.table(o.store)
	o.times, o.done = state.NewPages[int64](o.table), state.NewPages[uint8](o.table)
	o.timers = state.NewTimers(o.table, 1)
	o.won = state.NewDerived[int32](o.table)
	if s.TTL > 0 {
		o.ttl, o.clock = state.NewTTL(o.table, s.TTL), c.Env.Now
	}
	o.held = newPayload(o.table, "rows", s.Types, s.Keys, false)
	o.row = o.held.single()
	o.own, o.out.Cols = owned(len(s.Types))
	return o.store.Open()
}

// Process implements Operator.
func (o *firstRows) Process(_ int, b *vector.Batch, _ Output) error {
	keys, err := o.ev.Eval(b.Cols, b.Len)
	if err != nil {
		return err
	}
	o.groups = append(o.groups[:0], o.table.Lookup(keys, b.Len)...)
	o.table.Own(o.groups)
	if o.ttl != nil {
		now := o.clock()
		for _, g := range o.ttl.Touch(o.groups, now) {
			o.done.Set(g, 0)
		}
		o.sweep(now)
	}
	o.choose(b)
	o.hold(b)
	return o.store.Err()
}

// sweep forgets keys whose row was given long ago. Those that hold one go when it is given.
func (o *firstRows) sweep(now time.Time) {
	o.rows = o.rows[:0]
	for _, g := range o.ttl.Sweep(now) {
		if o.row.At(g) == 0 {
			o.rows = append(o.rows, g)
		}
	}
	o.table.Remove(o.rows)
}

// choose finds the row of the batch that each key holds from now on, where there is one.
func (o *firstRows) choose(b *vector.Batch) {
	vector.Flatten(&o.time, b.Cols[o.spec.Time])
	o.touched = o.touched[:0]
	done, won, held, times := o.done.All(), o.won.All(), o.row.All(), o.times.All()
	for i, t := range vector.Values[int64](&o.time)[:len(o.groups)] {
		p, at := o.groups[i]>>state.PageShift, o.groups[i]&state.PageMask
		w := &won[p][at]
		switch {
		case done[p][at] != 0:
		case t <= int64(o.now):
			o.late++
		case *w == 0 && held[p][at] == 0, t < times[p][at]:
			if times[p][at] = t; *w == 0 {
				o.touched = append(o.touched, o.groups[i])
			}
			*w = int32(i) + 1
		}
	}
}

// hold keeps the rows that were chosen until their time comes.
func (o *firstRows) hold(b *vector.Batch) {
	o.rows, o.from, o.due = o.rows[:0], o.from[:0], o.due[:0]
	for _, g := range o.touched {
		v := o.row.At(g) - 1
		if v < 0 {
			v = o.held.rows.Reserve()
			o.row.Set(g, v+1)
		}
		o.rows, o.from, o.due = append(o.rows, v), append(o.from, o.won.At(g)-1), append(o.due, o.times.At(g))
		o.won.Set(g, 0)
	}
	o.timers.Set(o.touched, o.due)
	o.held.rows.Own(o.rows)
	o.held.fill(o.rows, o.touched, b.Cols, o.from)
	o.held.rows.Compact()
}

// Advance implements Operator.
func (o *firstRows) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	if t <= o.now {
		return t, nil
	}
	o.now = t
	o.store.SetTime("time", int64(t))
	due := o.timers.Due(int64(t))
	for len(due) > 0 {
		n := min(len(due), o.maxRows)
		o.rows = o.rows[:0]
		for _, g := range due[:n] {
			o.rows = append(o.rows, o.row.At(g)-1)
			o.row.Set(g, 0)
			o.done.Set(g, 1)
		}
		o.held.values(o.own, o.rows)
		o.out.Len = n
		if err := out.Emit(&o.out); err != nil {
			return t, err
		}
		o.held.rows.Remove(o.rows)
		due = due[n:]
	}
	o.held.rows.Compact()
	return t, nil
}

// Close implements Operator.
func (o *firstRows) Close() error { return nil }

// Counters implements Counted.
func (o *firstRows) Counters() []Counter { return []Counter{{"late rows", o.late}} }
