package op

import (
	"slices"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// overStream computes calls over rows that stay and that come, or are put, in the order of a time attribute: each
// row enters the accumulators of its partition once, and leaves them once. It keeps the rows that wait for the
// watermark, and behind them those that are still to leave a frame, or that LAG looks back at.
type overStream struct {
	spec  *OverAggregate
	store *state.Store
	parts *state.Keyed
	// kept holds rows; nil where none are kept.
	kept *payload
	*ranked
	// given is how many rows of a partition were given; past how many of those are kept; out how many of these
	// have left the frame.
	given, out *state.Pages[int64]
	past       *state.Pages[int64]
	// next is the word of the least time that waits in a partition, or 0.
	next    *state.Pages[uint64]
	timers  *state.Timers // of event time
	time    types.EventTime
	code    *sortCode
	ev      *expr.Evaluator
	frames  *frames
	seek    seek
	lags    int64 // how many rows LAG looks back
	ttl     *state.TTL
	clock   func() time.Time
	late    int64
	maxRows int

	groups, sel []int32
	scratch     []byte
	one         [1]int32
	due         [1]int64
	// of are the partitions of a batch, whose rows of it end at ends in byPart; at is where each stands, plus one.
	of     []int32
	ends   []int
	byPart []int32
	at     *state.Pages[int32]
	made   []int32 // rows of the batch, kept
	fresh  []int32
	ids    []int32 // kept rows of a run, in the order of the frames
	old    int32   // where those of a stretch end that were given before
	begun  int32   // where the next stretch begins
	wanted []int32 // places in the order of the frames of the rows to give
	rows   []int32
	gone   []int32
	read   []vector.Column
	inputs []*vector.Column
	own    []vector.Column
	batch  vector.Batch
}

// Open implements Operator.
func (o *overStream) Open(c *Context) error {
	s := o.spec
	var err error
	exprs := slices.Clone(s.Partition)
	if s.Time == OverRowtime {
		exprs = append(exprs, SortExprs(s.Order)...)
	}
	if o.ev, err = expr.New(exprs, c.Env); err != nil {
		return err
	}
	if o.frames, err = newFrames(s, c.Env); err != nil {
		return err
	}
	for i := range s.Calls {
		if s.Calls[i].Name == "LAG" {
			by, err := s.Calls[i].lag(c)
			if err != nil {
				return err
			}
			o.lags = max(o.lags, by)
		}
	}
	o.store, o.maxRows, o.clock = c.Store(s), c.MaxRows, c.Env.Now
	o.parts = o.store.Keyed("partitions", nil, s.keyTypes())
	if s.TTL > 0 {
		o.ttl = state.NewTTL(o.parts, s.TTL)
	}
	o.given, o.at = state.NewPages[int64](o.parts), state.NewDerived[int32](o.parts)
	o.frames.alone = s.Time == OverProctime
	o.frames.bindTo(o.parts)
	if s.Time == OverRowtime {
		o.next, o.timers = state.NewPages[uint64](o.parts), state.NewTimers(o.parts, 1)
		o.code = newSortCode(s.Order)
		o.time = types.EventTime(o.store.Time("time", int64(types.MinTime)))
	} else {
		o.code = newSortCode(nil)
	}
	if o.keeps() {
		o.past, o.out = state.NewDerived[int64](o.parts), state.NewPages[int64](o.parts)
		o.kept = newPayload(o.parts, "rows", s.Types, s.Partition, false)
		o.ranked = newRanked(o.parts, o.kept.rows)
		o.seek.x = o.ranked
		o.kept.rows.OnRestore(o.restored)
	}
	o.read, o.inputs = owned(len(s.Types))
	o.own, o.batch.Cols = owned(len(s.Types) + len(s.Calls))
	return o.store.Open()
}

// keeps tells that rows are kept.
func (o *overStream) keeps() bool {
	return o.spec.Time == OverRowtime || o.leaves() || o.lags > 0
}

// leaves tells that rows leave frames.
func (o *overStream) leaves() bool { return o.spec.slides() && len(o.frames.framed) > 0 }

// restored makes what snapshots leave out.
func (o *overStream) restored() {
	o.relink()
	for _, v := range o.kept.rows.Groups(nil) {
		if g := int32(o.kept.rows.Word(0, v)); o.spec.Time == OverProctime || o.word.At(v) <= o.reached() {
			o.past.Set(g, o.past.At(g)+1)
		}
	}
}

// reached is the last word that the watermark has reached.
func (o *overStream) reached() uint64 { return wordOfTime(int64(o.time)) }

func wordOfTime(t int64) uint64 { return min(max(uint64(t)^signBit, leastWord), mostWord) }

// Process implements Operator.
func (o *overStream) Process(_ int, b *vector.Batch, out Output) error {
	keys, err := o.ev.Eval(b.Cols, b.Len)
	if err != nil {
		return err
	}
	n := len(o.spec.Partition)
	var now time.Time
	if o.ttl != nil {
		now = o.clock()
		o.sweep(o.ttl.Sweep(now))
	}
	o.groups = append(o.groups[:0], o.parts.Lookup(keys[:n], b.Len)...)
	o.parts.Own(o.groups)
	if o.ttl != nil {
		o.drop(o.ttl.Touch(o.groups, now))
	}
	o.code.load(keys[n:], b.Len)
	if o.spec.Time == OverRowtime {
		o.wait(b)
	} else {
		err = o.pass(b, out)
	}
	if err != nil {
		return err
	}
	return o.store.Err()
}

// wait keeps rows until the watermark reaches them.
func (o *overStream) wait(b *vector.Batch) {
	o.sel = o.sel[:0]
	reached := o.reached()
	for i, w := range o.code.words {
		if w <= reached && o.time > types.MinTime || w < leastWord || w > mostWord {
			o.late++
			continue
		}
		o.sel = append(o.sel, int32(i))
	}
	o.keep(b)
	for k, r := range o.sel {
		g, w := o.groups[k], o.code.words[r]
		if is := o.next.At(g); is == 0 || w < is {
			o.arm(g, w)
		}
	}
}

func (o *overStream) arm(g int32, word uint64) {
	o.next.Set(g, word)
	o.one[0], o.due[0] = g, int64(word^signBit)
	o.timers.Set(o.one[:], o.due[:])
}

// keep takes the selected rows of a batch into the table, as made; their partitions are left in groups.
func (o *overStream) keep(b *vector.Batch) {
	o.made = o.made[:0]
	for k, r := range o.sel {
		g := o.groups[r]
		v := o.kept.rows.Reserve()
		o.scratch = o.set(v, o.code, int(r), o.scratch)
		o.insert(g, v)
		o.made = append(o.made, v)
		o.groups[k] = g
	}
	o.kept.fill(o.made, o.groups[:len(o.made)], b.Cols, o.sel)
}

// pass gives rows as they come.
func (o *overStream) pass(b *vector.Batch, out Output) error {
	if o.frames.start.whole != 0 {
		now := wordOfTime(o.clock().UnixMilli())
		for i := range o.code.words {
			o.code.words[i] = now
		}
	}
	o.divide()
	if o.kept == nil {
		return o.direct(b, out)
	}
	o.sel = o.sel[:0]
	for i := range b.Len {
		o.sel = append(o.sel, int32(i))
	}
	o.keep(b)
	o.begin()
	o.wanted = sized(o.wanted, b.Len)
	from := 0
	for k, g := range o.of {
		rows := o.byPart[from:o.ends[k]]
		from = o.ends[k]
		o.leaving(g, int64(len(rows)), o.code.words[rows[len(rows)-1]])
		for _, r := range rows {
			o.wanted[r] = int32(len(o.ids))
			o.ids = append(o.ids, o.made[r])
		}
		o.stretch(g)
	}
	return o.compute(out)
}

// divide brings the rows of the batch together that are of one partition.
func (o *overStream) divide() {
	o.of, o.ends = o.of[:0], o.ends[:0]
	for _, g := range o.groups {
		k := o.at.At(g) - 1
		if k < 0 {
			k = int32(len(o.of))
			o.at.Set(g, k+1)
			o.of, o.ends = append(o.of, g), append(o.ends, 0)
		}
		o.ends[k]++
	}
	sum := 0
	for k, n := range o.ends {
		o.ends[k] = sum
		sum += n
	}
	o.byPart = sized(o.byPart, sum)
	for i, g := range o.groups {
		k := o.at.At(g) - 1
		o.byPart[o.ends[k]] = int32(i)
		o.ends[k]++
	}
	for _, g := range o.of {
		o.at.Set(g, 0)
	}
}

// direct computes over the batch itself, of which nothing is kept.
func (o *overStream) direct(b *vector.Batch, out Output) error {
	f := o.frames
	f.reset()
	f.order = append(f.order, o.byPart...)
	from := int32(0)
	for k, g := range o.of {
		to := int32(o.ends[k])
		f.stretches = append(f.stretches, stretch{group: g, from: from, to: to, first: from, added: from, gone: from,
			number: o.given.At(g)})
		o.given.Set(g, o.given.At(g)+int64(to-from))
		from = to
	}
	f.words, f.same = sized(f.words, b.Len), sized(f.same, b.Len)
	clear(f.same)
	if err := f.load(b.Cols, b.Len); err != nil {
		return err
	}
	f.run()
	o.wanted = sized(o.wanted, b.Len)
	for at, r := range f.order {
		o.wanted[r] = int32(at)
	}
	return o.give(b.Cols, out)
}

// begin starts a run over kept rows.
func (o *overStream) begin() {
	o.frames.reset()
	o.ids, o.wanted = o.ids[:0], o.wanted[:0]
	o.begun = 0
}

// leaving appends the rows given before that so many more rows, the last of them with a word, look at: those that
// leave the frame, and for LAG all.
func (o *overStream) leaving(g int32, more int64, last uint64) {
	f, past := o.frames, o.past.At(g)
	switch {
	case o.lags > 0:
		o.ids = o.walk(g, o.ids, past)
	case !o.leaves():
	case o.spec.Frame.Rows || f.alone && o.spec.Frame.Start.Kind == CurrentRow:
		o.ids = o.walk(g, o.ids, min(max(past+more-1+f.shift(o.spec.Frame.Start, 0), 0), past))
	default:
		bar := f.start.back(last)
		o.seek.toWord(g, 0)
		for n := past; n > 0; n-- {
			v := o.seek.after()
			if o.word.At(v) >= bar {
				break
			}
			o.ids = append(o.ids, v)
		}
	}
	o.old = int32(len(o.ids))
}

// stretch makes one of the rows that leaving and then the caller appended.
func (o *overStream) stretch(g int32) {
	f, from, to := o.frames, o.begun, int32(len(o.ids))
	s := stretch{group: g, from: from, to: to, first: o.old, added: o.old, gone: from, number: o.given.At(g) - int64(o.old-from)}
	if o.lags > 0 {
		s.gone += int32(o.out.At(g))
	} else {
		s.gap = int32(o.past.At(g)) - (o.old - from)
	}
	f.stretches = append(f.stretches, s)
	o.begun = to
}

// compute gives the wanted rows of a run, and forgets those that nobody will look at again.
func (o *overStream) compute(out Output) error {
	f, n := o.frames, len(o.ids)
	if n == 0 {
		return nil
	}
	for i, v := range o.ids {
		w := o.word.At(v)
		f.order, f.words = append(f.order, int32(i)), append(f.words, w)
		f.same = append(f.same, i > 0 && w == f.words[i-1])
	}
	for _, s := range f.stretches {
		f.same[s.from] = false
	}
	o.kept.values(o.read, o.ids)
	if err := f.load(o.inputs, n); err != nil {
		return err
	}
	f.run()
	err := o.give(o.inputs, out)
	o.gone = o.gone[:0]
	for _, s := range f.stretches {
		left := s.to // the first row that is still in the frame
		if o.leaves() {
			left = f.lo[s.to-1]
		}
		kept := int32(max(min(int64(left), int64(s.to)-o.lags), int64(s.from)))
		for _, v := range o.ids[s.from:kept] {
			o.remove(s.group, v)
			o.gone = append(o.gone, v)
		}
		more := int64(s.to - s.first)
		o.given.Set(s.group, o.given.At(s.group)+more)
		o.past.Set(s.group, o.past.At(s.group)+more-int64(kept-s.from))
		if o.lags > 0 && o.leaves() {
			o.out.Set(s.group, int64(left-kept))
		}
	}
	o.kept.rows.Remove(o.gone)
	o.kept.rows.Compact()
	return err
}

// give passes on the wanted rows of columns, with their results.
func (o *overStream) give(cols []*vector.Column, out Output) error {
	f, n := o.frames, len(cols)
	for from := 0; from < len(o.wanted); from += o.maxRows {
		at := o.wanted[from:min(from+o.maxRows, len(o.wanted))]
		o.rows = o.rows[:0]
		for _, i := range at {
			o.rows = append(o.rows, f.order[i])
		}
		for i := range n {
			vector.Take(&o.own[i], cols[i], o.rows)
		}
		for i := range f.results {
			vector.Take(&o.own[n+i], &f.results[i], at)
		}
		o.batch.Len = len(at)
		if err := out.Emit(&o.batch); err != nil {
			return err
		}
	}
	return nil
}

// Advance implements Operator.
func (o *overStream) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	if o.spec.Time != OverRowtime || t <= o.time {
		return t, nil
	}
	before := o.reached()
	if o.time == types.MinTime {
		before = 0
	}
	o.time = t
	o.store.SetTime("time", int64(t))
	due := append(o.groups[:0], o.timers.Due(int64(t))...)
	o.groups = due
	for len(due) > 0 {
		o.begin()
		for len(due) > 0 && len(o.ids) < o.maxRows {
			o.reach(due[0], before)
			due = due[1:]
		}
		if err := o.compute(out); err != nil {
			return t, err
		}
	}
	return t, nil
}

// reach makes a stretch of the rows of a partition that the watermark has reached now.
func (o *overStream) reach(g int32, before uint64) {
	reached := o.reached()
	o.fresh = o.fresh[:0]
	o.seek.toWord(g, before+1)
	v := o.seek.after()
	for ; v >= 0 && o.word.At(v) <= reached; v = o.seek.after() {
		o.fresh = append(o.fresh, v)
	}
	if o.next.Set(g, 0); v >= 0 {
		o.arm(g, o.word.At(v))
	}
	if len(o.fresh) == 0 {
		return
	}
	o.leaving(g, int64(len(o.fresh)), o.word.At(o.fresh[len(o.fresh)-1]))
	for _, v := range o.fresh {
		o.wanted = append(o.wanted, int32(len(o.ids)))
		o.ids = append(o.ids, v)
	}
	o.stretch(g)
}

// sweep forgets partitions whose time to live is over; those in which rows wait begin anew.
func (o *overStream) sweep(groups []int32) {
	o.drop(groups)
	o.gone = o.gone[:0]
	for _, g := range groups {
		if o.next == nil || o.next.At(g) == 0 {
			o.gone = append(o.gone, g)
		}
	}
	o.parts.Remove(o.gone)
}

// drop forgets the rows that were given.
func (o *overStream) drop(groups []int32) {
	if len(groups) == 0 {
		return
	}
	o.parts.Own(groups)
	o.frames.clear(groups)
	o.given.Zero(groups)
	if o.kept == nil {
		return
	}
	for _, g := range groups {
		o.gone = o.walk(g, o.gone[:0], o.past.At(g))
		for _, v := range o.gone {
			o.remove(g, v)
		}
		o.kept.rows.Remove(o.gone)
	}
	o.past.Zero(groups)
	o.out.Zero(groups)
}

// Close implements Operator.
func (o *overStream) Close() error { return nil }

// Counters implements Counted.
func (o *overStream) Counters() []Counter {
	if o.spec.Time != OverRowtime {
		return nil
	}
	return []Counter{{"late rows", o.late}}
}
