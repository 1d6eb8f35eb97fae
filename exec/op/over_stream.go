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
	keys       *state.Pages[int64] // how many different times those given had, where a DENSE_RANK asks; nil where all are
	past       *state.Pages[int64]
	// next is the word of the least time that waits in a partition, or 0.
	next *state.Pages[uint64]
	// last is the word up to which rows of a partition were given, or 0; nil where the watermark says it.
	last    *state.Pages[uint64]
	expiry  *expiry       // nil where partitions don't end
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
		if s.ranksDense() {
			o.keys = state.NewPages[int64](o.parts)
		}
		o.next, o.timers = state.NewPages[uint64](o.parts), state.NewTimers(o.parts, 1)
		if s.slides() {
			o.last = state.NewPages[uint64](o.parts)
		}
		if s.slides() && !s.Frame.Rows {
			o.expiry = newExpiry(o.parts, o.frames.start.whole)
		}
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
		if g := int32(o.kept.rows.Word(0, v)); o.spec.Time == OverProctime || o.word.At(v) <= o.passed(g) {
			o.past.Set(g, o.past.At(g)+1)
		}
	}
}

// reached is the last word that the watermark has reached.
func (o *overStream) reached() uint64 { return wordOfTime(int64(o.time)) }

// passed is the word behind which rows of a partition are taken, or 0. Where rows leave frames it is that of the last
// one given, so that a row which is behind the watermark still counts if it comes before the next one of its
// partition is given; elsewhere it is the watermark's.
func (o *overStream) passed(g int32) uint64 {
	if o.last != nil {
		return o.last.At(g)
	}
	return o.mark()
}

// mark is the word that the watermark has reached, or 0 before the first one.
func (o *overStream) mark() uint64 {
	if o.time == types.MinTime {
		return 0
	}
	return o.reached()
}

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
	bar := o.mark()
	for i, w := range o.code.words {
		if o.last != nil {
			bar = o.last.At(o.groups[i])
		}
		if w <= bar || w < leastWord || w > mostWord {
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
	if o.expiry != nil {
		o.expiry.extend(o.groups, o.sel, o.code.words)
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

// Advance implements Operator.
func (o *overStream) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	if o.spec.Time != OverRowtime || t <= o.time {
		return t, nil
	}
	before := o.mark()
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
	if o.expiry != nil {
		gone := o.expiry.pass(int64(t), o.last)
		o.drop(gone)
		o.parts.Remove(gone)
	}
	return t, nil
}

// reach makes a stretch of the rows of a partition that the watermark has reached now.
func (o *overStream) reach(g int32, before uint64) {
	reached := o.reached()
	if o.last != nil {
		before = o.last.At(g)
	}
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
	word := o.word.At(o.fresh[len(o.fresh)-1])
	if o.last != nil {
		o.last.Set(g, word)
	}
	o.leaving(g, int64(len(o.fresh)), word)
	for _, v := range o.fresh {
		o.wanted = append(o.wanted, int32(len(o.ids)))
		o.ids = append(o.ids, v)
	}
	o.stretch(g)
}

// sweep forgets partitions whose time to live is over; those in which rows wait, or that will end, begin anew.
func (o *overStream) sweep(groups []int32) {
	o.drop(groups)
	o.gone = o.gone[:0]
	for _, g := range groups {
		if (o.next == nil || o.next.At(g) == 0) && (o.expiry == nil || o.expiry.marked.At(g) == 0) {
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
	if o.keys != nil {
		o.keys.Zero(groups)
	}
	if o.last != nil {
		o.last.Zero(groups)
	}
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
