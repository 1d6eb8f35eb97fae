package op

import (
	"slices"
	"strings"
	"time"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// SinkMaterializer makes a changelog that a sink with a primary key can take out of one whose rows are told apart by
// other columns: several rows may have the same key at a time. The last one that came is the key's row; when it goes,
// the one before it is again. It keeps the rows of every key.
//
// Per key and batch it emits at most one change: +I for a key without a row before, +U for another row, -D when none is
// left. The input must hold -U.
type SinkMaterializer struct {
	// Key are the columns of the primary key, none of a composite type; Names are the columns.
	Key   []int
	Names []string
	Types []types.Type
	// UpdateBefore adds the -U of each +U.
	UpdateBefore bool
	// TTL forgets a key whose rows did not change for this long by the clock; 0 never does.
	TTL time.Duration
}

// String implements Spec.
func (s *SinkMaterializer) String() string {
	key := make([]string, len(s.Key))
	for i, k := range s.Key {
		key[i] = s.Names[k]
	}
	return "SinkMaterializer(primaryKey=[" + strings.Join(key, ", ") + "])"
}

// New implements Spec.
func (s *SinkMaterializer) New() Operator { return &materializer{spec: s} }

type materializer struct {
	spec  *SinkMaterializer
	store *state.Store
	keys  *state.Keyed
	rows  *joinSide
	// came is the number under which a row came last; rows are in this order.
	came *state.Pages[int64]
	last int64
	// before is the row, plus one, that a key had before the batch of this number.
	before *state.Pages[int32]
	batch  *state.Pages[uint32]
	now    uint32
	ttl    *state.TTL // or nil
	clock  func() time.Time

	keyCols   []*vector.Column
	touched   []int32
	one       [1]int32
	gone      []int32
	ids       []int32
	kinds     []vector.RowKind
	own       []vector.Column
	out       vector.Batch
	maxRows   int
	unmatched int64
}

// Open implements Operator.
func (o *materializer) Open(c *Context) error {
	list := make([]types.Type, len(o.spec.Key))
	for i, k := range o.spec.Key {
		list[i] = o.spec.Types[k]
	}
	o.store = c.Store(o.spec)
	o.keys = o.store.Keyed("keys", nil, list)
	o.before, o.batch = state.NewDerived[int32](o.keys), state.NewDerived[uint32](o.keys)
	o.rows = newJoinSide(o.keys, "rows", joinSideSpec{types: o.spec.Types, retracts: true})
	o.came = state.NewPages[int64](o.rows.rows)
	o.rows.rows.OnRestore(o.order)
	if o.spec.TTL > 0 {
		o.ttl, o.clock = state.NewTTL(o.keys, o.spec.TTL), c.Env.Now
	}
	o.keyCols = make([]*vector.Column, len(list))
	o.maxRows = c.MaxRows
	o.own, o.out.Cols = owned(len(o.spec.Types))
	return o.store.Open()
}

// order links restored rows as they had come.
func (o *materializer) order() {
	rows := o.rows.rows.Groups(nil)
	slices.SortFunc(rows, func(a, b int32) int { return int(o.came.At(a) - o.came.At(b)) })
	o.rows.tail.Zero(o.keys.Groups(nil))
	o.rows.link(rows)
	if n := len(rows); n > 0 {
		o.last = o.came.At(rows[n-1])
	}
}

// Process implements Operator.
func (o *materializer) Process(_ int, b *vector.Batch, out Output) error {
	for i, k := range o.spec.Key {
		o.keyCols[i] = b.Cols[k]
	}
	o.touched, o.gone = o.touched[:0], o.gone[:0]
	var now time.Time
	if o.ttl != nil {
		now = o.clock()
		o.forget(o.ttl.Sweep(now))
	}
	groups := o.keys.Lookup(o.keyCols, b.Len)
	o.touch(groups, now)
	ids := o.rows.store(groups, b.Cols, b.Len)
	o.rows.rows.Own(ids)
	copies := o.rows.copies
	for r, v := range ids {
		switch n := copies.At(v); {
		case b.Kind(r).Adds():
			copies.Set(v, n+1)
			o.unlink(v)
			o.one[0] = v
			o.rows.link(o.one[:])
			o.last++
			o.came.Set(v, o.last)
		case n == 0:
			o.unmatched++
			o.gone = append(o.gone, v)
		default:
			if copies.Set(v, n-1); n == 1 {
				o.unlink(v)
				o.gone = append(o.gone, v)
			}
		}
	}
	if err := o.store.Err(); err != nil {
		return err
	}
	if err := o.emit(out); err != nil {
		return err
	}
	o.tidy()
	return nil
}

func (o *materializer) unlink(v int32) {
	if o.rows.next.At(v) != 0 {
		o.rows.unlink(v)
		o.rows.next.Set(v, 0)
	}
}

// touch lists the keys of the batch, each once, and notes their rows. Those whose time is over by now have none.
func (o *materializer) touch(groups []int32, now time.Time) {
	o.now++
	for _, g := range groups {
		if o.batch.At(g) != o.now {
			o.batch.Set(g, o.now)
			o.touched = append(o.touched, g)
		}
	}
	if o.ttl != nil {
		o.keys.Own(o.touched)
		o.drop(o.ttl.Touch(o.touched, now))
	}
	for _, g := range o.touched {
		o.before.Set(g, o.rows.tail.At(g))
	}
}

// drop takes the rows of keys out without a word.
func (o *materializer) drop(keys []int32) {
	var rows []int32
	for _, g := range keys {
		for v := o.rows.tail.At(g); v != 0; v = o.rows.tail.At(g) {
			rows = append(rows, v-1)
			o.unlink(v - 1)
		}
	}
	o.rows.rows.Remove(rows)
}

func (o *materializer) forget(keys []int32) {
	if len(keys) > 0 {
		o.drop(keys)
		o.keys.Remove(keys)
	}
}

// emit compares the rows that the keys had with those that they have.
func (o *materializer) emit(out Output) error {
	o.ids, o.kinds = o.ids[:0], o.kinds[:0]
	add := func(v int32, kind vector.RowKind) {
		o.ids, o.kinds = append(o.ids, v-1), append(o.kinds, kind)
	}
	for _, g := range o.touched {
		was, is := o.before.At(g), o.rows.tail.At(g)
		switch {
		case was == is:
		case was == 0:
			add(is, vector.Insert)
		case is == 0:
			add(was, vector.Delete)
		default:
			if o.spec.UpdateBefore {
				add(was, vector.UpdateBefore)
			}
			add(is, vector.UpdateAfter)
		}
	}
	for len(o.ids) > 0 {
		n := min(len(o.ids), o.maxRows)
		if err := o.piece(o.ids[:n], o.kinds[:n], out); err != nil {
			return err
		}
		o.ids, o.kinds = o.ids[n:], o.kinds[n:]
	}
	return nil
}

func (o *materializer) piece(ids []int32, kinds []vector.RowKind, out Output) error {
	o.rows.unpack(ids)
	for i := range o.own {
		o.rows.column(&o.own[i], i, ids)
	}
	o.out.Len, o.out.Kinds = len(ids), kinds
	if !changed(kinds) {
		o.out.Kinds = nil
	}
	return out.Emit(&o.out)
}

// tidy forgets rows of which no copy is left, and keys without rows.
func (o *materializer) tidy() {
	slices.Sort(o.gone)
	o.rows.rows.Remove(slices.DeleteFunc(slices.Compact(o.gone), func(v int32) bool { return o.rows.copies.At(v) > 0 }))
	o.keys.Remove(slices.DeleteFunc(o.touched, func(g int32) bool { return o.rows.tail.At(g) != 0 }))
	o.rows.rows.Compact()
	o.keys.Compact()
}

// Advance implements Operator.
func (o *materializer) Advance(t types.EventTime, _ Output) (types.EventTime, error) { return t, nil }

// Close implements Operator.
func (o *materializer) Close() error { return nil }

// Counters implements Counted.
func (o *materializer) Counters() []Counter {
	return []Counter{{"unmatched retractions", o.unmatched}}
}
