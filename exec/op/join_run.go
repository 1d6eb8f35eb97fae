package op

import (
	"slices"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// join is a hash join of two changelogs. A batch of one input is brought to the difference that it makes
// (items), which then meets the rows of the other input: first what is taken back, then what is added.
type join struct {
	spec  *Join
	store *state.Store
	keys  *state.Keyed // of both inputs
	sides [2]*joinSide
	exprs [2]*expr.Evaluator
	// expiry is that of each side, nil where rows do not go by the watermark.
	expiry [2]*joinExpiry
	pairs  pairs
	emit   joinEmitter
	clock  func() time.Time
	now    time.Time
	batch  uint32 // number of the batch

	// The batch in work: its side, its rows with a key, and what they come to.
	side      int
	kept      picked
	cols      []*vector.Column
	keyCols   []*vector.Column
	keyKept   picked
	kinds     []vector.RowKind
	keptKinds []vector.RowKind // those of the rows with a key
	nulls     []uint64
	loners    []int32  // rows of the batch without a key that are not kept
	keyless   []uint64 // those that are, for they may be taken back; nil for none
	sel       []int32
	groups    []int32
	takes     []item
	adds      []item

	waiting joinWaiting
	screens [2]*joinScreen      // of the sides whose rows may close keys
	closed  *state.Pages[uint8] // of each key, a bit per side that closed it; or nil

	seen      []int32
	scan      []int32
	ids       []int32
	gone      []int32
	empty     []int32 // keys that may have no rows left
	lonely    []int32 // rows of the other side that lost their last partner
	unmatched int64
	late      joinLate
}

// item is n equal rows of a batch: taken back where they are fewer than none.
type item struct {
	row   int32 // of the batch
	id    int32 // in the table of its side, or notKept
	group int32
	n     int32
	fresh bool // there was none before
	alone bool // it has no key, and no partners
	// partners is the number of rows that it is joined with.
	partners int32
}

// Open implements Operator.
func (o *join) Open(c *Context) error {
	if err := o.bind(c, c.Store(o.spec), ""); err != nil {
		return err
	}
	return o.store.Open()
}

// bind declares the tables of a join in a store, under names that begin with a prefix, and compiles it.
func (o *join) bind(c *Context, store *state.Store, prefix string) (err error) {
	s := o.spec
	o.store = store
	o.keys = store.Keyed(prefix+"keys", nil, s.keyTypes())
	own, rest := s.screens()
	if err := o.openScreens(own, c.Env); err != nil {
		return err
	}
	for side, name := range []string{"left rows", "right rows"} {
		counted := s.Kind.Keeps(side) || s.Kind.Halves() && side == 0
		o.sides[side] = newJoinSide(o.keys, prefix+name, joinSideSpec{types: s.Types[side], unread: s.screened(side, own[side], rest),
			retracts: s.Retracts[side], counted: counted, expires: len(s.Until[side]) > 0, ttl: s.TTL[side]})
		if o.exprs[side], err = expr.New(s.Keys[side], c.Env); err != nil {
			return err
		}
	}
	o.clock = c.Env.Now
	o.openLate()
	if err := o.openExpiry(c); err != nil {
		return err
	}
	if err := o.pairs.open(s, rest, c, o.sides); err != nil {
		return err
	}
	o.emit.open(s, c.MaxRows, o.sides)
	return nil
}

// Process implements Operator.
func (o *join) Process(input int, b *vector.Batch, out Output) error {
	o.side, o.batch = input, o.batch+1
	o.late.count(input, b)
	if err := o.load(b); err != nil {
		return err
	}
	o.empty, o.lonely = o.empty[:0], o.lonely[:0]
	if o.spec.TTL != [2]time.Duration{} {
		o.now = o.clock()
		o.pairs.now = o.now
		for side := range o.sides {
			o.forget(side, o.sides[side].expired(o.now))
		}
	}
	if err := o.screen(); err != nil {
		return err
	}
	if err := o.keep(len(o.groups)); err != nil {
		return err
	}
	if err := o.store.Err(); err != nil {
		return err
	}
	o.emit.out = out
	o.emit.wants.turn(out)
	if !o.spec.AtEnd {
		if err := o.change(b); err != nil {
			return err
		}
	} else if err := o.alone(b); err != nil {
		return err
	}
	o.part()
	o.tidy()
	return nil
}

// load computes the keys of a batch and sets the rows aside that have none and need not be kept.
func (o *join) load(b *vector.Batch) error {
	keys, err := o.exprs[o.side].Eval(b.Cols, b.Len)
	if err != nil {
		return err
	}
	o.loners = o.loners[:0]
	o.cols, o.keyCols, o.kinds = b.Cols, keys, b.Kinds
	n := b.Len
	o.keyless = nil
	switch nulls := nullKeys(o.nulls, keys, o.spec.NullSafe, n); {
	case nulls == nil:
	case o.sides[o.side].copies != nil && o.keepsAlone():
		o.nulls, o.keyless = nulls, nulls
	default:
		o.nulls = nulls
		n = o.setAside(b)
	}
	o.groups = o.groups[:0]
	if n > 0 {
		o.groups = append(o.groups, o.keys.Lookup(o.keyCols, n)...)
	}
	return nil
}

// setAside parts the rows of the batch without a key from the others, whose number it returns.
func (o *join) setAside(b *vector.Batch) int {
	o.sel = o.sel[:0]
	for r := range b.Len {
		if kernel.Bit(o.nulls, r) {
			o.loners = append(o.loners, int32(r))
		} else {
			o.sel = append(o.sel, int32(r))
		}
	}
	o.choose(b)
	return len(o.sel)
}

// choose keeps the rows of the batch that have a key.
func (o *join) choose(b *vector.Batch) {
	keys := o.keyCols
	o.cols, o.keyCols, o.kinds = nil, nil, nil
	if len(o.sel) == 0 {
		return
	}
	o.cols, o.keyCols = o.kept.take(b.Cols, o.sel), o.keyKept.take(keys, o.sel)
	if b.Kinds != nil {
		o.keptKinds = o.keptKinds[:0]
		for _, r := range o.sel {
			o.keptKinds = append(o.keptKinds, b.Kinds[r])
		}
		o.kinds = o.keptKinds
	}
}

// keep brings the rows of the batch into the table of their side, and leaves what they come to in takes and
// adds.
func (o *join) keep(n int) error {
	o.takes, o.adds = o.takes[:0], o.adds[:0]
	if n == 0 {
		return nil
	}
	me := o.sides[o.side]
	x := o.expiry[o.side]
	if o.spec.Once {
		if err := x.measure(o.cols, n); err != nil {
			return err
		}
	}
	if o.spec.untilMet(o.side) || o.spec.Once && x.some(o.late.time) {
		return o.keepWaiting(me, n)
	}
	ids := me.store(o.groups, o.cols, n)
	if me.ttl != nil {
		me.rows.Own(ids)
		expired := me.ttl.Touch(ids, o.now)
		if me.copies != nil {
			o.renew(me, expired)
		}
	}
	if me.copies == nil {
		me.link(ids)
		for r, v := range ids {
			o.adds = append(o.adds, item{row: int32(r), id: v, group: o.groups[r], n: 1, fresh: true})
		}
		switch {
		case o.spec.Once:
			x.due.Add(ids, x.times)
		case x != nil:
			return x.add(ids, o.cols)
		}
		return nil
	}
	o.fold(me, ids)
	return nil
}

// renew makes rows whose time was over as if they had not been there.
func (o *join) renew(me *joinSide, rows []int32) {
	for _, v := range rows {
		if me.next.At(v) != 0 {
			me.unlink(v)
			me.next.Set(v, 0)
		}
		me.copies.Set(v, 0)
		if me.partners != nil {
			me.partners.Set(v, 0)
		}
	}
}

// Advance implements Operator.
func (o *join) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	o.emit.out = out
	switch {
	case t == types.MaxTime && o.spec.AtEnd:
		return t, o.finish()
	case t == types.MaxTime && !o.spec.Once:
		return t, nil
	}
	o.passed(t)
	if err := o.expire(t); err != nil {
		return t, err
	}
	return o.behind(t), o.store.Err()
}

// Close implements Operator.
func (o *join) Close() error { return nil }

// Counters implements Counted.
func (o *join) Counters() []Counter {
	return []Counter{{"unmatched retractions", o.unmatched}, {"late rows", o.late.rows}}
}

// forget drops rows without a word.
func (o *join) forget(side int, rows []int32) {
	if len(rows) == 0 {
		return
	}
	o.empty = o.sides[side].remove(rows, o.empty)
}

// tidy forgets rows that are gone, keys without rows, and the texts of both.
func (o *join) tidy() {
	o.forget(o.side, o.gone)
	o.gone = o.gone[:0]
	if len(o.empty) > 0 {
		slices.Sort(o.empty)
		o.empty = slices.DeleteFunc(slices.Compact(o.empty), func(g int32) bool {
			return o.sides[0].tail.At(g) != 0 || o.sides[1].tail.At(g) != 0 || o.closed != nil && o.closed.At(g) != 0
		})
		o.keys.Remove(o.empty)
	}
	o.keys.Compact()
	for _, s := range o.sides {
		s.rows.Compact()
	}
}
