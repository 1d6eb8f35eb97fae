package op

import (
	"math"
	"slices"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// overRevise computes calls over rows that come anywhere in the order, and may be taken back. It keeps all rows and
// the results that were given of them, and computes anew the frames that a batch touches: those of as many rows as a
// frame is wide, or of the whole partition where frames begin with it. Of these the accumulators are kept, so that rows
// that come behind all others of their partition cost no more than themselves, nor do places that are counted on.
//
// Equal rows are one value with copies; of these the last that came is taken back first.
type overRevise struct {
	spec  *OverAggregate
	store *state.Store
	parts *state.Keyed
	// input are the values, and results the copies, each with the results that were given.
	input, results *payload
	*ranked
	// top is the last copy of each value, below the one before each copy, plus one; of is the value of a copy.
	top, below, of *state.Pages[int32]
	code           *sortCode
	ev             *expr.Evaluator
	frames         *frames
	seek           seek
	reach          int64 // how many rows before a row matter to it, where it is no matter of RANGE
	// counted says that all calls are counted on from a row before; given is what was given of one.
	counted bool
	given   []vector.Column
	// runs says that accumulators of whole partitions are kept; size is then how many rows a partition has, and hurt
	// tells partitions that the batch took rows of.
	runs  bool
	size  *state.Pages[int64]
	hurt  *state.Pages[uint8]
	ttl   *state.TTL
	clock func() time.Time
	lost  int64

	// low and high are the outermost copies of each partition that the batch touched, plus one.
	low, high *state.Pages[int32]
	dirty     []int32
	from      *state.Pages[int32] // the first row of the batch with a value, plus one
	by        *state.Pages[int64] // how many copies more the batch makes
	fresh     *state.Pages[uint8] // copies of the batch
	groups    []int32
	made      []int32 // values of the batch
	gone      []int32 // copies
	emptied   []int32 // values
	scratch   []byte
	one       [1]int32
	copies    []int32 // in the order of the frames
	ids       []int32
	read      []vector.Column
	inputs    []*vector.Column
	diff      overDiff
}

// Open implements Operator.
func (o *overRevise) Open(c *Context) error {
	s := o.spec
	var err error
	if o.ev, err = expr.New(append(slices.Clone(s.Partition), SortExprs(s.Order)...), c.Env); err != nil {
		return err
	}
	if o.frames, err = newFrames(s, c.Env); err != nil {
		return err
	}
	if o.reach, err = s.reaches(o.frames, c); err != nil {
		return err
	}
	o.store, o.code = c.Store(s), newSortCode(s.Order)
	o.parts = o.store.Keyed("partitions", nil, s.keyTypes())
	if s.TTL > 0 {
		o.ttl, o.clock = state.NewTTL(o.parts, s.TTL), c.Env.Now
	}
	o.low, o.high = state.NewDerived[int32](o.parts), state.NewDerived[int32](o.parts)
	o.input = newPayload(o.parts, "rows", s.Types, s.Partition, true)
	o.top, o.from = state.NewDerived[int32](o.input.rows), state.NewDerived[int32](o.input.rows)
	o.by = state.NewDerived[int64](o.input.rows)
	o.results = newPayload(o.input.rows, "results", s.resultTypes(), nil, false)
	o.below, o.of = state.NewDerived[int32](o.results.rows), state.NewDerived[int32](o.results.rows)
	o.fresh = state.NewDerived[uint8](o.results.rows)
	o.ranked = newRanked(o.parts, o.results.rows)
	o.seek.x = o.ranked
	o.results.rows.OnRestore(o.restored)
	o.counted, o.given = s.counted(), make([]vector.Column, len(s.Calls))
	if o.runs = s.runs() && !o.counted; o.runs {
		o.size, o.hurt = state.NewDerived[int64](o.parts), state.NewDerived[uint8](o.parts)
		o.frames.bindTo(o.parts)
	} else {
		o.frames.bindScratch(o.store)
	}
	o.read, o.inputs = owned(len(s.Types))
	o.diff.open(o, c.MaxRows)
	return o.store.Open()
}

// restored makes what snapshots leave out.
func (o *overRevise) restored() {
	all := o.results.rows.Groups(nil)
	slices.SortFunc(all, func(a, b int32) int { return int(int64(o.number.At(a)) - int64(o.number.At(b))) })
	for _, c := range all {
		v := int32(o.results.rows.Word(0, c))
		g := int32(o.input.rows.Word(0, v))
		o.insert(g, c)
		o.push(v, c)
		o.grow(g, 1)
		o.last = o.number.At(c)
	}
}

// grow counts the rows of a partition.
func (o *overRevise) grow(g int32, by int64) {
	if o.runs {
		o.size.Set(g, o.size.At(g)+by)
		if by < 0 {
			o.hurt.Set(g, 1)
		}
	}
}

func (o *overRevise) push(v, c int32) {
	o.of.Set(c, v)
	o.below.Set(c, o.top.At(v))
	o.top.Set(v, c+1)
}

func (o *overRevise) pop(v int32) int32 {
	c := o.top.At(v) - 1
	o.top.Set(v, o.below.At(c))
	return c
}

// Process implements Operator.
func (o *overRevise) Process(_ int, b *vector.Batch, out Output) error {
	keys, err := o.ev.Eval(b.Cols, b.Len)
	if err != nil {
		return err
	}
	n := len(o.spec.Partition)
	var now time.Time
	if o.ttl != nil {
		now = o.clock()
		stale := o.ttl.Sweep(now)
		o.drop(stale)
		o.vanish(stale)
	}
	o.groups = append(o.groups[:0], o.parts.Lookup(keys[:n], b.Len)...)
	o.parts.Own(o.groups)
	o.code.load(keys[n:], b.Len)
	if o.ttl != nil {
		o.drop(o.ttl.Touch(o.groups, now))
	}
	o.revise(b)
	if err := o.store.Err(); err != nil {
		return err
	}
	if len(o.dirty) > 0 {
		if err := o.compute(); err != nil {
			return err
		}
		if err := o.diff.emit(out); err != nil {
			return err
		}
	}
	o.forget()
	return o.store.Err()
}

// revise puts the rows of a batch in their places and takes those away that go. What comes and goes within the
// batch leaves no trace.
func (o *overRevise) revise(b *vector.Batch) {
	values := o.input.rows
	ids := values.Lookup(o.input.load(o.groups, b.Cols, b.Len), b.Len)
	values.Own(ids)
	o.made, o.dirty = o.made[:0], o.dirty[:0]
	for i, v := range ids {
		if o.from.At(v) == 0 {
			o.from.Set(v, int32(i)+1)
			o.made = append(o.made, v)
		}
		by := int64(-1)
		if b.Kind(i).Adds() {
			by = 1
		}
		o.by.Set(v, o.by.At(v)+by)
	}
	for _, v := range o.made {
		r, by := o.from.At(v)-1, o.by.At(v)
		o.from.Set(v, 0)
		o.by.Set(v, 0)
		g := o.groups[r]
		for ; by > 0; by-- {
			c := o.results.rows.Reserve()
			o.scratch = o.set(c, o.code, int(r), o.scratch)
			o.insert(g, c)
			o.push(v, c)
			o.fresh.Set(c, 1)
			o.grow(g, 1)
			o.touch(g, c)
		}
		for ; by < 0 && o.top.At(v) != 0; by++ {
			c := o.pop(v)
			o.remove(g, c)
			o.gone = append(o.gone, c)
			o.grow(g, -1)
			o.touch(g, c)
		}
		if o.lost -= by; o.top.At(v) == 0 {
			o.emptied = append(o.emptied, v)
		}
	}
}

// touch says that a row came or went.
func (o *overRevise) touch(g, c int32) {
	low, high := o.low.At(g), o.high.At(g)
	if low == 0 {
		o.dirty = append(o.dirty, g)
	}
	if low == 0 || o.less(c, low-1) {
		o.low.Set(g, c+1)
	}
	if high == 0 || o.less(high-1, c) {
		o.high.Set(g, c+1)
	}
}

// compute makes the results of all rows that a batch touches.
func (o *overRevise) compute() error {
	f := o.frames
	f.reset()
	o.copies = o.copies[:0]
	for _, g := range o.dirty {
		from := int32(len(o.copies))
		s := stretch{group: g, from: from, first: from, added: from, gone: from}
		switch {
		case o.counted:
			o.countOn(&s, o.low.At(g)-1)
		case !o.runs || !o.behind(g, o.low.At(g)-1):
			s.first += o.affected(g, o.low.At(g)-1, o.high.At(g)-1)
		}
		s.to = int32(len(o.copies))
		if o.runs {
			s.first = max(min(s.first, s.to-1), from) // so that all rows are in the accumulators in the end
			s.number = o.size.At(g) - int64(s.to-from)
			o.hurt.Set(g, 0)
		}
		f.stretches = append(f.stretches, s)
		o.low.Set(g, 0)
		o.high.Set(g, 0)
	}
	if len(o.copies) == 0 {
		return nil
	}
	o.ids = o.ids[:0]
	for i, c := range o.copies {
		f.order, f.words = append(f.order, int32(i)), append(f.words, o.word.At(c))
		f.same = append(f.same, i > 0 && o.equal(c, o.copies[i-1]))
		o.ids = append(o.ids, o.of.At(c))
	}
	for i := range f.stretches {
		s := &f.stretches[i]
		if s.from < s.to {
			f.same[s.from] = false
		}
	}
	o.input.values(o.read, o.ids)
	if err := f.load(o.inputs, len(o.ids)); err != nil {
		return err
	}
	f.run()
	return nil
}

// behind appends the rows from low on, if they all came now, behind all others and without equals among these;
// otherwise it makes the accumulators of the partition empty.
func (o *overRevise) behind(g, low int32) bool {
	from := len(o.copies)
	o.seek.toRow(g, low)
	last := o.seek.before()
	ok := o.hurt.At(g) == 0 && (last < 0 || o.spec.Frame.Rows || !o.equal(last, low))
	for c := o.seek.after(); ok && c >= 0; c = o.seek.after() {
		o.copies = append(o.copies, c)
		ok = o.fresh.At(c) != 0
	}
	if !ok {
		o.copies, o.one[0] = o.copies[:from], g
		o.frames.clear(o.one[:])
	}
	return ok
}

// ahead tells that a row sees nothing of another one behind it: in RANGE frames it sees its equals.
func (o *overRevise) ahead(c, low int32) bool {
	return o.less(c, low) && (o.spec.Frame.Rows || len(o.frames.framed) == 0 || !o.equal(c, low))
}

// affected appends the rows that those from low to high, which came or went, are of importance to, behind the rows
// that are of importance to these: it returns how many.
func (o *overRevise) affected(g, low, high int32) int32 {
	from := len(o.copies)
	if o.reach == math.MaxInt64 {
		o.copies = o.walk(g, o.copies, math.MaxInt64)
		for i, c := range o.copies[from:] {
			if !o.ahead(c, low) {
				return int32(i)
			}
		}
		return int32(len(o.copies) - from)
	}
	word, end := o.word.At(low), o.word.At(high)
	ranges := !o.spec.Frame.Rows && len(o.frames.framed) > 0
	if ranges {
		word, end = o.frames.start.back(word), o.frames.start.ahead(end)
		o.seek.toWord(g, word)
	} else {
		o.seek.toRow(g, low)
	}
	for n := o.reach; n > 0; n-- {
		c := o.seek.before()
		if c < 0 {
			break
		}
		o.copies = append(o.copies, c)
	}
	slices.Reverse(o.copies[from:])
	first, beyond := int32(-1), int64(0)
	for c := o.seek.after(); c >= 0; c = o.seek.after() {
		if o.less(high, c) && !(ranges && o.word.At(c) <= end) {
			if beyond == o.reach {
				break
			}
			beyond++
		}
		if first < 0 && !o.ahead(c, low) {
			first = int32(len(o.copies) - from)
		}
		o.copies = append(o.copies, c)
	}
	if first < 0 {
		first = int32(len(o.copies) - from)
	}
	return first
}

// Advance implements Operator.
func (o *overRevise) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

// Close implements Operator.
func (o *overRevise) Close() error { return nil }

// Counters implements Counted.
func (o *overRevise) Counters() []Counter { return []Counter{{"unmatched retractions", o.lost}} }
