package op

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// matchRecognize keeps rows until they are taken up. That is done for many partitions at a time, in rounds, each of which
// takes one row of each up.
type matchRecognize struct {
	spec  *MatchRecognize
	store *state.Store
	parts *state.Keyed
	rows  *matchRows
	held  *heldMatches
	steps *matchSteps
	ev    *expr.Evaluator
	code  *sortCode
	// next is the word of the time at which a partition is due, or 0.
	next    *state.Pages[uint64]
	timers  *state.Timers
	time    types.EventTime
	late    int64
	maxRows int
	stopped func() error
	// holding are the partitions that have complete matches which are held back, and holds where each is, plus one.
	// Without a time that waits for them there are none. ends is the earliest end of those of a partition.
	holding []int32
	holds   *state.Pages[int32]
	ends    *state.Pages[int64]

	groups, sel, made, fresh []int32
	scratch                  []byte
	one                      [1]int32
	due                      [1]int64
	queue                    []int32
	bits                     []uint64
	turns                    []matchTurn
	span                     matchSpan
	list                     []int32
}

// matchTurn is the rows of a partition that are to be taken up, from at to end of the queue.
type matchTurn struct {
	group   int32
	at, end int
}

// Open implements Operator.
func (o *matchRecognize) Open(c *Context) error {
	s := o.spec
	var err error
	if o.ev, err = expr.New(append(slices.Clone(s.Partition), SortExprs(s.Order)...), c.Env); err != nil {
		return err
	}
	o.store, o.maxRows, o.stopped, o.code = c.Store(s), c.MaxRows, c.Stopped, newSortCode(s.Order)
	o.time = types.EventTime(o.store.Time("time", int64(types.MinTime)))
	keys := make([]types.Type, len(s.Partition))
	for i, e := range s.Partition {
		keys[i] = e.Type()
	}
	o.parts = o.store.Keyed("partitions", nil, keys)
	o.next, o.timers = state.NewPages[uint64](o.parts), state.NewTimers(o.parts, 1)
	o.holds, o.ends = state.NewDerived[int32](o.parts), state.NewDerived[int64](o.parts)
	o.rows = newMatchRows(o.parts, s)
	o.held = newHeldMatches(o.rows, len(s.Elements))
	o.span = newMatchSpan(len(s.Elements))
	ask, err := newMatchAsk(s, o.rows, o.held, c.MaxRows, c.Env)
	if err != nil {
		return err
	}
	o.steps = &matchSteps{matchAsk: ask, base: newMatchSpan(len(s.Elements))}
	if o.steps.give, err = newMatchGive(s, o.rows, c.MaxRows, c.Env); err != nil {
		return err
	}
	o.held.table.OnRestore(func() {
		o.held.restored()
		for _, g := range o.parts.Groups(nil) {
			o.hold(g)
		}
	})
	return o.store.Open()
}

// Process implements Operator.
func (o *matchRecognize) Process(_ int, b *vector.Batch, out Output) error {
	keys, err := o.ev.Eval(b.Cols, b.Len)
	if err != nil {
		return err
	}
	n := len(o.spec.Partition)
	o.groups = append(o.groups[:0], o.parts.Lookup(keys[:n], b.Len)...)
	o.fresh = append(o.fresh[:0], o.parts.Fresh()...)
	o.parts.Own(o.groups)
	o.code.load(keys[n:], b.Len)
	o.keep(b)
	o.forgetEmpty(o.fresh)
	if o.spec.Time == OverProctime {
		o.groups = o.groups[:len(o.made)]
		slices.Sort(o.groups)
		o.groups = slices.Compact(o.groups)
		if err := o.run(o.groups, mostWord, int64(types.MinTime), out); err != nil {
			return err
		}
	}
	return o.store.Err()
}

// keep takes the rows of a batch in that are not late; their partitions are the first of groups then.
func (o *matchRecognize) keep(b *vector.Batch) {
	o.sel, o.made = o.sel[:0], o.made[:0]
	reached, timed := wordOfTime(int64(o.time)), o.spec.Time == OverRowtime
	for i, w := range o.code.words {
		if timed && w <= reached && o.time > types.MinTime || w < leastWord || w > mostWord {
			o.late++
			continue
		}
		g, v := o.groups[i], o.rows.kept.rows.Reserve()
		o.scratch = o.rows.waiting.set(v, o.code, i, o.scratch)
		o.rows.waiting.insert(g, v)
		o.groups[len(o.made)] = g
		o.sel, o.made = append(o.sel, int32(i)), append(o.made, v)
		if is := o.next.At(g); timed && (is == 0 || w < is) {
			o.arm(g, w)
		}
	}
	o.rows.kept.fill(o.made, o.groups[:len(o.made)], b.Cols, o.sel)
}

func (o *matchRecognize) arm(g int32, word uint64) {
	o.next.Set(g, word)
	o.one[0], o.due[0] = g, int64(word^signBit)
	o.timers.Set(o.one[:], o.due[:])
}

// Advance implements Operator.
func (o *matchRecognize) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	if o.spec.Time != OverRowtime || t <= o.time {
		return t, nil
	}
	o.time = t
	o.store.SetTime("time", int64(t))
	if err := o.fire(int64(t), out); err != nil {
		return t, err
	}
	return min(t, o.heldTo(t)), o.store.Err()
}

// fire takes up what is due at a time.
func (o *matchRecognize) fire(t int64, out Output) error {
	o.groups = append(o.groups[:0], o.timers.Due(t)...)
	for due := slices.Compact(o.groups); len(due) > 0; {
		some := due[:min(len(due), o.maxRows)]
		if err := o.run(some, wordOfTime(t), t, out); err != nil {
			return err
		}
		due = due[len(some):]
	}
	return nil
}

// NextTick implements Clocked.
func (o *matchRecognize) NextTick() types.EventTime {
	if t, ok := o.timers.Next(); ok && o.spec.Time == OverProctime {
		return types.EventTime(t)
	}
	return types.MaxTime
}

// Tick implements Clocked.
func (o *matchRecognize) Tick(now types.EventTime, out Output) error {
	if o.spec.Time != OverProctime {
		return nil
	}
	return o.fire(int64(now), out)
}

// run takes the rows of partitions up whose words are not above reached, and gives up at a time what has gone on for
// too long then.
func (o *matchRecognize) run(groups []int32, reached uint64, now int64, out Output) error {
	o.parts.Own(groups)
	o.line(groups, reached)
	if err := o.steps.ofRows(o.queue, o.bits); err != nil {
		return err
	}
	for rounds := 0; len(o.turns) > 0; rounds++ {
		if err := o.round(); err != nil {
			return err
		}
		if o.steps.full {
			o.steps.full = false
			if err := o.steps.give.flush(out); err != nil {
				return err
			}
		}
		if rounds&255 == 255 && o.stopped != nil {
			if err := o.stopped(); err != nil {
				return err
			}
		}
	}
	for _, g := range groups {
		if err := o.steps.expire(g, now); err != nil {
			return err
		}
	}
	if err := o.steps.after(); err != nil {
		return err
	}
	if err := o.steps.give.flush(out); err != nil {
		return err
	}
	o.steps.full = false
	o.held.flush()
	for _, g := range groups {
		o.hold(g)
		o.rearm(g)
	}
	o.rows.forget()
	o.forgetEmpty(groups)
	return nil
}

// line queues the rows of partitions.
func (o *matchRecognize) line(groups []int32, reached uint64) {
	o.queue, o.turns = o.queue[:0], o.turns[:0]
	w := o.rows.waiting
	for _, g := range groups {
		from := len(o.queue)
		for v := w.best(g); v >= 0 && w.word.At(v) <= reached; v = w.best(g) {
			w.remove(g, v)
			o.queue = append(o.queue, v)
		}
		if len(o.queue) > from {
			o.turns = append(o.turns, matchTurn{g, from, len(o.queue)})
		}
	}
	o.bits = sized(o.bits, len(o.queue))
}

// round takes a row of each partition up that has one.
func (o *matchRecognize) round() error {
	s := o.steps
	s.lanes = s.lanes[:0]
	for _, t := range o.turns {
		v := o.queue[t.at]
		if err := s.expire(t.group, o.rows.time(v)); err != nil {
			return err
		}
		o.rows.take(t.group, v)
		bits := o.bits[t.at]
		for m := o.held.open.At(t.group); m != 0; m = o.held.next.At(m - 1) {
			s.lanes = append(s.lanes, matchLane{v, m - 1, o.held.at.At(m - 1), t.group, bits})
		}
		s.lanes = append(s.lanes, matchLane{v, -1, s.states.first, t.group, bits})
	}
	if err := s.answer(); err != nil {
		return err
	}
	at, left := 0, o.turns[:0]
	for _, t := range o.turns {
		from := at
		for at < len(s.lanes) && s.lanes[at].group == t.group {
			at++
		}
		if err := s.step(t.group, s.lanes[from:at], from); err != nil {
			return err
		}
		if t.at++; t.at < t.end {
			left = append(left, t)
		}
	}
	o.turns = left
	return s.after()
}

// rearm sets when a partition is due next.
func (o *matchRecognize) rearm(g int32) {
	least := uint64(0)
	if v := o.rows.waiting.best(g); v >= 0 {
		least = o.rows.waiting.word.At(v)
	}
	if m := o.held.open.At(g); m != 0 && o.spec.Within > 0 {
		if w := wordOfTime(o.steps.over(m - 1)); least == 0 || w < least {
			least = w
		}
	}
	if o.next.Set(g, 0); least != 0 {
		o.arm(g, least)
	}
}

// hold notes whether a partition has matches that are held back, and where the first of them ends.
func (o *matchRecognize) hold(g int32) {
	if !o.spec.Timed {
		return
	}
	at, has := o.holds.At(g), o.held.done.At(g) != 0
	if has {
		o.ends.Set(g, o.firstEnd(g))
	}
	switch {
	case has == (at != 0):
	case has:
		o.holding = append(o.holding, g)
		o.holds.Set(g, int32(len(o.holding)))
	default:
		last := o.holding[len(o.holding)-1]
		o.holding[at-1] = last
		o.holds.Set(last, at)
		o.holds.Set(g, 0)
		o.holding = o.holding[:len(o.holding)-1]
	}
}

// heldTo is the time below which no match is held back, at the end of input that of the end.
func (o *matchRecognize) heldTo(t types.EventTime) types.EventTime {
	if t == types.MaxTime {
		return t
	}
	for _, g := range o.holding {
		t = min(t, types.EventTime(o.ends.At(g)-1))
	}
	return t
}

// firstEnd is the earliest end of the matches of a partition that are held back.
func (o *matchRecognize) firstEnd(g int32) int64 {
	end := int64(types.MaxTime)
	o.list = o.held.list(o.held.done, g, o.list[:0])
	for _, m := range o.list {
		o.held.load(&o.span, m)
		end = min(end, o.rows.ended(&o.span))
	}
	return end
}

// forgetEmpty removes the partitions among groups that have no rows.
func (o *matchRecognize) forgetEmpty(groups []int32) {
	o.list = o.list[:0]
	for _, g := range groups {
		if o.rows.empty(g) {
			o.list = append(o.list, g)
		}
	}
	o.timers.Stop(o.list)
	o.parts.Remove(o.list)
	o.parts.Compact()
}

// Close implements Operator.
func (o *matchRecognize) Close() error { return nil }

// Counters implements Counted.
func (o *matchRecognize) Counters() []Counter {
	if o.spec.Time != OverRowtime {
		return nil
	}
	return []Counter{{"late rows", o.late}}
}
