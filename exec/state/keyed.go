package state

import (
	"slices"

	"streamsql/exec/types"
)

// Keyed is a table of rows by key: keys have dense group ids, and columns are indexed by them.
//
// A key column is stored in the form of vector.Keys. Group ids of removed keys are given out again.
type Keyed struct {
	store  *Store
	name   string
	types  []types.Type
	parent *Keyed
	loose  bool          // rows that no key finds (Rows)
	shares []sharedTexts // by column, of a loose table
	pairs  *Pairs
	spare  int // group ids that hold no key, beside those in free

	words []keyPages
	nulls *Pages[uint64] // bits of NULL keys; without pages until there is one
	live  *Pages[uint8]
	cols  []column // all of them, in the order of declaration
	texts []Texts
	refs  []*Pages[ref] // in place of texts, of a loose table
	heap  heap
	lent  lentChunks
	index hashIndex
	hint  hint

	n     int // group ids given out, freed ones included
	room  int // rows that the columns have pages for
	free  []int32
	bytes int64

	spans   spans
	opened  bool
	restore []func()
	id      uint64

	scratch
}

// keyPages is a key column at rest: short where words are integers of 32 bits.
type keyPages struct {
	short     *Pages[int32]
	low, high *Pages[uint64]
	text      Texts
	ref       *Pages[ref]
}

func (p *keyPages) word(g int32) uint64 {
	if p.short != nil {
		return uint64(p.short.At(g))
	}
	return p.low.At(g)
}

// Keyed declares a table. A subtable's first key column, of type INT, is a group of its parent; it is
// dropped with the parent. The caller then declares columns, and calls Open.
func (s *Store) Keyed(name string, parent *Keyed, keys []types.Type) *Keyed {
	return s.declare(name, parent, keys, false)
}

func (s *Store) declare(name string, parent *Keyed, keys []types.Type, loose bool) *Keyed {
	if len(keys) > 64 {
		panic("state: more than 64 key columns")
	}
	t := &Keyed{store: s, name: name, types: keys, parent: parent, loose: loose, scratch: s.spare.scratchFor(keys),
		index: newHashIndex(s.spare), hint: hint{spare: s.spare}, spans: spans{epoch: 1}}
	t.heap.table = t
	t.hint.column, t.hint.dict, t.hint.settled = -1, -1, true
	t.live = NewPages[uint8](t)
	t.nulls = NewPages[uint64](t)
	t.nulls.rare = true
	for i, k := range keys {
		var p keyPages
		switch c := &t.keys.Cols[i]; {
		case c.Text && loose:
			p.ref = NewPages[ref](t)
			t.refs = append(t.refs, p.ref)
		case c.Text:
			p.text = NewTexts(t)
		case isShort(k):
			p.short = NewPages[int32](t)
		default:
			p.low = NewPages[uint64](t)
			if c.Wide {
				p.high = NewPages[uint64](t)
			}
		}
		t.words = append(t.words, p)
		if clusters(k) && (parent == nil || i > 0) {
			t.hint.settled = t.hint.column < 0
			t.hint.column = i
		}
	}
	if parent != nil && len(keys) > 0 {
		t.words[0].short.parent = parent
	}
	t.account(firstRows * 8)
	s.ids++
	t.id = s.ids
	s.tables = append(s.tables, t)
	return t
}

// isShort tells the types whose words are 32 bits with their sign.
func isShort(t types.Type) bool {
	switch t.Physical() {
	case types.PhysBool, types.PhysInt8, types.PhysInt16, types.PhysInt32:
		return true
	}
	return false
}

// clusters tells the types whose values may be dense.
func clusters(t types.Type) bool {
	return t.Kind.IsInteger() || t.Kind.IsTemporal() || t.Kind.IsInterval()
}

func (t *Keyed) add(c column) {
	if t.room > 0 {
		panic("state: a column declared too late in " + t.name)
	}
	t.cols = append(t.cols, c)
}

// Name is the table's name.
func (t *Keyed) Name() string { return t.name }

// Store is the store that the table belongs to.
func (t *Keyed) Store() *Store { return t.store }

// OnRestore adds what must be done once the rows of all tables are restored: filling derived columns.
func (t *Keyed) OnRestore(f func()) { t.restore = append(t.restore, f) }

// Len is the number of keys.
func (t *Keyed) Len() int { return t.n - len(t.free) - t.spare }

func (t *Keyed) setNulls(g int32, bits uint64) {
	t.nulls.wake()
	t.nulls.Set(g, bits)
}

// newGroup gives out a group id whose page is owned.
func (t *Keyed) newGroup() int32 {
	var g int32
	if k := len(t.free) - 1; k >= 0 {
		g, t.free = t.free[k], t.free[:k]
	} else {
		g = int32(t.n)
		t.n++
		if t.n > t.room {
			t.growTo(t.n)
		}
	}
	t.OwnOne(g)
	t.live.Set(g, 1)
	return g
}

func (t *Keyed) growTo(n int) {
	if n > PageRows {
		t.room = (n + PageMask) &^ PageMask
	} else {
		t.room = firstRows
		for t.room < n {
			t.room *= 4
		}
		t.room = min(t.room, PageRows)
	}
	for _, c := range t.cols {
		c.grow(t.room)
	}
	t.spans.grow(t.room)
}

// Remove forgets groups; all their columns become zero.
func (t *Keyed) Remove(groups []int32) {
	if len(groups) == 0 {
		return
	}
	t.Own(groups)
	if !t.loose {
		for from := 0; from < len(groups); from += PageRows {
			some := groups[from:min(from+PageRows, len(groups))]
			for i, h := range t.stored.hashesOf(t, some) {
				t.index.remove(h, some[i])
			}
		}
	}
	if c := t.hint.column; c >= 0 {
		for _, g := range groups {
			t.hint.unset(t.words[c].word(g), g)
		}
	}
	t.empty(groups)
	t.free = append(t.free, groups...)
	t.hint.forget()
}

// Reset forgets all groups and keeps the memory, for tables that live as long as a batch. It does not
// know of subtables and snapshots.
func (t *Keyed) Reset() {
	if c := t.hint.column; c >= 0 && !t.hint.crowded() {
		for g := range int32(t.n) {
			t.hint.unset(t.words[c].word(g), g)
		}
	} else if c >= 0 {
		t.account(-t.hint.drop())
	}
	t.hint.forget()
	for i := range t.index.buckets {
		clear(t.index.buckets[i].slots)
		t.index.buckets[i].used = 0
	}
	for _, c := range t.cols {
		c.reset(t.n)
	}
	for i := range t.heap.chunks {
		t.heap.chunks[i] = t.heap.chunks[i][:0]
	}
	t.heap = heap{table: t, chunks: t.heap.chunks, alive: make([]int, len(t.heap.chunks)),
		gone: make([]int, len(t.heap.chunks)), pieces: t.heap.pieces, place: t.heap.place, compacted: t.heap.compacted}
	t.forgetShares()
	t.n, t.free = 0, t.free[:0]
}

// empty makes all columns of groups zero.
func (t *Keyed) empty(groups []int32) {
	for _, x := range t.texts {
		if len(x.pages) == 0 {
			continue
		}
		for _, g := range groups {
			t.heap.free(x.At(g))
		}
	}
	for _, x := range t.refs {
		for _, g := range groups {
			t.heap.leave(x.At(g))
		}
	}
	for _, c := range t.cols {
		c.zero(groups)
	}
}

// Groups appends the groups in use.
func (t *Keyed) Groups(out []int32) []int32 {
	out = slices.Grow(out, t.Len())
	for p, page := range t.live.pages {
		for i, l := range page[:max(min(len(page), t.n-p*PageRows), 0)] {
			if l != 0 {
				out = append(out, int32(p*PageRows+i))
			}
		}
	}
	return out
}

// KeyTypes are the types of the key columns.
func (t *Keyed) KeyTypes() []types.Type { return t.types }
