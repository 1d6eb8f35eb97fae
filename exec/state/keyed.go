package state

import (
	"slices"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Keyed is a table of rows by key: keys have dense group ids, and columns are indexed by them.
//
// A key column is stored in the form of vector.Keys. Group ids of removed keys are given out again.
type Keyed struct {
	store  *Store
	name   string
	types  []types.Type
	parent *Keyed
	loose  bool // rows that no key finds (Rows)

	keys  *vector.Keys
	words []keyPages
	nulls *Pages[uint64] // bits of NULL keys; without pages until there is one
	live  *Pages[uint8]
	cols  []column // all of them, in the order of declaration
	texts []Texts
	heap  heap
	index hashIndex
	hint  hint

	n     int // group ids given out, freed ones included
	room  int // rows that the columns have pages for
	free  []int32
	bytes int64

	// epoch is that of marks: a page with this mark is owned.
	epoch   uint32
	marks   []uint32
	changed []int32 // owned pages
	opened  bool
	restore []func()
	id      uint64
	based   bool           // it is in a snapshot
	reading map[int32]bool // pages of the last snapshot

	groups, rows, rest []int32
	hashes             []uint64
	fresh              []int32
}

// keyPages is a key column at rest: short where words are integers of 32 bits.
type keyPages struct {
	short     *Pages[int32]
	low, high *Pages[uint64]
	text      Texts
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
	if len(keys) > 64 {
		panic("state: more than 64 key columns")
	}
	t := &Keyed{store: s, name: name, types: keys, parent: parent, keys: vector.NewKeys(keys),
		index: newHashIndex(), epoch: 1}
	t.heap.table = t
	t.hint.column, t.hint.dict = -1, -1
	t.live = NewPages[uint8](t)
	t.nulls = NewPages[uint64](t)
	for i, k := range keys {
		var p keyPages
		switch c := &t.keys.Cols[i]; {
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
			t.hint.column = i
		}
	}
	if parent != nil {
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
func (t *Keyed) Len() int { return t.n - len(t.free) }

// Lookup returns the group of each of the first n rows of the key columns; keys that are new get one,
// and Fresh lists those. The result is lent until the next call.
func (t *Keyed) Lookup(cols []*vector.Column, n int) []int32 {
	if t.guessed(cols, n); len(t.rows) == 0 {
		return t.groups
	}
	if x := &t.hint; x.dict < 0 && len(x.pages) > 0 && x.right >= x.wrong {
		t.inOrder()
		return t.groups
	}
	t.search()
	for _, r := range t.rest {
		t.groups[r] = t.findOrInsert(r)
	}
	t.remember()
	return t.groups
}

// inOrder brings rows in one after the other: where guesses are mostly right, rows that have none are of
// new keys, and most of those of keys that a row just before made.
func (t *Keyed) inOrder() {
	x := &t.hint
	words, bit, grown := t.keys.Column(x.column).Words, uint(x.column), 0
	for i, r := range t.rows {
		g := x.guess(words[r])
		if g >= 0 && t.equalRow(r, g) {
			t.groups[r] = g
			x.right++
			continue
		}
		t.hash(t.keys, t.hashes[:len(t.groups)], t.rows[i:i+1])
		made := len(t.fresh)
		g = t.findOrInsert(r)
		t.groups[r] = g
		x.wrong += 1 - (len(t.fresh) - made)
		if t.keys.Nulls == nil || t.keys.Nulls[r]>>bit&1 == 0 {
			grown += x.set(words[r], g)
		}
	}
	t.account(grown - x.judge())
}

// Find is Lookup without new keys: the group of an unknown key is -1.
func (t *Keyed) Find(cols []*vector.Column, n int) []int32 {
	if t.guessed(cols, n); len(t.rows) == 0 {
		return t.groups
	}
	t.search()
	for _, r := range t.rest {
		t.groups[r], _, _ = t.probe(r)
	}
	return t.groups
}

// Fresh are the groups that the last Lookup made. Their pages are owned.
func (t *Keyed) Fresh() []int32 { return t.fresh }

// guessed fills groups where guesses are right; rows are the others.
func (t *Keyed) guessed(cols []*vector.Column, n int) {
	t.fresh, t.rest, t.rows = t.fresh[:0], t.rest[:0], t.rows[:0]
	if cap(t.groups) < n {
		t.groups, t.hashes = make([]int32, n, n+n/2), make([]uint64, n+n/2)
	}
	t.groups = t.groups[:n]
	t.keys.Load(cols, n)
	if t.guess() {
		t.verify(t.hint.dict)
	}
	t.rows = collect(t.rows, t.groups)
	t.hint.right += n - len(t.rows)
}

// search fills groups where candidates of the hash index are right; rest are the other rows, and have
// hashes.
func (t *Keyed) search() {
	t.hash(t.keys, t.hashes[:len(t.groups)], t.rows)
	t.index.candidates(t.groups, t.hashes, t.rows)
	t.verifyRows(t.rows)
	for _, r := range t.rows {
		if t.groups[r] < 0 {
			t.rest = append(t.rest, r)
		}
	}
}

func collect(out, groups []int32) []int32 {
	for i, g := range groups {
		if g < 0 {
			out = append(out, int32(i))
		}
	}
	return out
}

// guess fills groups from the hint; false leaves nothing to verify.
func (t *Keyed) guess() bool {
	t.hint.dict = -1
	if len(t.types) == 0 {
		fill(t.groups, int32(min(t.n-len(t.free), 1)-1))
		return false
	}
	for i := range t.types {
		d, codes := t.keys.Codes(i)
		if d == nil {
			continue
		}
		if groups, grown := t.hint.codesOf(d); groups != nil {
			t.account(grown)
			t.hint.dict = i
			guessCodes(t.groups, codes, groups)
			return true
		}
	}
	if c := t.hint.column; c >= 0 && !t.hint.off && len(t.hint.pages) > 0 {
		t.hint.guessWords(t.groups, t.keys.Column(c).Words)
		return true
	}
	fill(t.groups, -1)
	return false
}

func fill(out []int32, v int32) {
	for i := range out {
		out[i] = v
	}
}

// probe looks for the key of row r: its group, or -1 and the free slot where the search ended.
func (t *Keyed) probe(r int32) (g int32, b *bucket, slot uint32) {
	h := t.hashes[r]
	b = &t.index.buckets[t.index.dir[h>>(64-t.index.depth)]]
	slots, tag, at := b.slots, h>>32, uint32(h>>32)
	mask := uint32(len(slots) - 1)
	for {
		e := slots[at&mask]
		if e == 0 {
			return -1, b, at & mask
		}
		if g := int32(uint32(e)) - 1; e>>32 == tag && t.equalRow(r, g) {
			return g, b, at & mask
		}
		at++
	}
}

func (t *Keyed) findOrInsert(r int32) int32 {
	g, b, slot := t.probe(r)
	if g >= 0 {
		return g
	}
	g = t.newGroup()
	if b.full() {
		t.account(t.index.insert(t.hashes[r], g))
	} else {
		b.slots[slot] = t.hashes[r]>>32<<32 | uint64(uint32(g+1))
		b.used++
	}
	page, at := g>>PageShift, g&PageMask
	for i := range t.words {
		c, p := t.keys.Column(i), &t.words[i]
		if c.Text {
			p.text.Put(g, &c.Views[r], c.Bufs)
			continue
		}
		if p.short != nil {
			p.short.pages[page][at] = int32(c.Words[r])
			continue
		}
		p.low.pages[page][at] = c.Words[r]
		if c.Wide {
			p.high.pages[page][at] = c.High[r]
		}
	}
	if t.keys.Nulls != nil && t.keys.Nulls[r] != 0 {
		t.setNulls(g, t.keys.Nulls[r])
	}
	t.fresh = append(t.fresh, g)
	return g
}

func (t *Keyed) setNulls(g int32, bits uint64) {
	if len(t.nulls.pages) == 0 {
		t.nulls.grow(t.room)
	}
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
		if c != column(t.nulls) || len(t.nulls.pages) > 0 {
			c.grow(t.room)
		}
	}
	for len(t.marks)*PageRows < t.room {
		t.marks = append(t.marks, 0)
	}
}

// remember tells the hint what the hash index found or took in.
func (t *Keyed) remember() {
	x := &t.hint
	if len(t.rows) == 0 {
		return
	}
	if x.dict >= 0 {
		d, codes := t.keys.Codes(x.dict)
		groups, bit := x.codes[d.ID], uint(x.dict)
		for _, r := range t.rows {
			if t.keys.Nulls == nil || t.keys.Nulls[r]>>bit&1 == 0 {
				groups[codes[r]] = t.groups[r] + 1
			}
		}
		return
	}
	if x.column < 0 || x.off {
		return
	}
	words, grown := t.keys.Column(x.column).Words, 0
	bit := uint(x.column)
	for _, r := range t.rows {
		if t.keys.Nulls == nil || t.keys.Nulls[r]>>bit&1 == 0 {
			grown += x.set(words[r], t.groups[r])
		}
	}
	x.wrong += len(t.rows) - len(t.fresh)
	t.account(grown - x.judge())
}

// Own prepares the pages of groups to be written, once per batch.
func (t *Keyed) Own(groups []int32) {
	marks, epoch := t.marks, t.epoch
	for _, g := range groups {
		if marks[g>>PageShift] != epoch {
			t.ownPage(g >> PageShift)
		}
	}
}

// OwnOne prepares the page of one group.
func (t *Keyed) OwnOne(g int32) {
	if t.marks[g>>PageShift] != t.epoch {
		t.ownPage(g >> PageShift)
	}
}

func (t *Keyed) ownPage(page int32) {
	t.marks[page] = t.epoch
	t.changed = append(t.changed, page)
	if t.store.frozen.reads(t, page) {
		for _, c := range t.cols {
			c.own(int(page))
		}
	}
}

// Remove forgets groups; all their columns become zero.
func (t *Keyed) Remove(groups []int32) {
	if len(groups) == 0 {
		return
	}
	t.Own(groups)
	if !t.loose {
		for i, h := range t.hashesOf(t.keysOf(groups), len(groups)) {
			t.index.remove(h, groups[i])
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
	t.heap.live, t.heap.dead = 0, 0
	t.n, t.free = 0, t.free[:0]
}

// empty makes all columns of groups zero.
func (t *Keyed) empty(groups []int32) {
	for _, x := range t.texts {
		for _, g := range groups {
			t.heap.free(x.At(g))
		}
	}
	for _, c := range t.cols {
		c.zero(groups)
	}
}

// keysOf are the keys of groups.
func (t *Keyed) keysOf(groups []int32) []*vector.Column {
	cols := make([]*vector.Column, len(t.types))
	for i := range cols {
		cols[i] = &vector.Column{}
		t.Key(cols[i], i, groups)
	}
	return cols
}

// hashesOf computes the hashes of keys.
func (t *Keyed) hashesOf(cols []*vector.Column, n int) []uint64 {
	k := vector.NewKeys(t.types)
	k.Load(cols, n)
	out, rows := make([]uint64, n), make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	t.hash(k, out, rows)
	return out
}

const (
	// neighbours is the number of bits of integers that share their place in the hash index.
	neighbours = 6
	// placeBits is the number of first bits of a hash that are the place.
	placeBits = 14
)

// hash computes the hashes of rows. The first bits come from an integer key without its last ones, where
// there is one: keys near each other are then in the same few buckets, which stay in the processor's
// caches while the keys are in use.
func (t *Keyed) hash(k *vector.Keys, out []uint64, rows []int32) {
	k.HashRows(out, rows)
	if t.hint.column < 0 {
		return
	}
	const rest = 1<<(64-placeBits) - 1
	words := k.Column(t.hint.column).Words
	for _, r := range rows {
		out[r] = out[r]&rest | kernel.HashWord(kernel.HashSeed, words[r]>>neighbours)&^rest
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
