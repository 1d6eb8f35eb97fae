package state

import (
	"streamsql/exec/kernel"
	"streamsql/exec/vector"
)

// Lookup returns the group of each of the first n rows of the key columns; keys that are new get one,
// and Fresh lists those. The result is lent until the next call.
func (t *Keyed) Lookup(cols []*vector.Column, n int) []int32 {
	if n > 1 && vector.Constants(cols) {
		return t.repeat(t.lookup(cols, 1), n)
	}
	return t.lookup(cols, n)
}

// repeat gives n rows the group of the only one.
func (t *Keyed) repeat(group []int32, n int) []int32 {
	g := group[0]
	t.size(n)
	fill(t.groups, g)
	return t.groups
}

// size makes room for the groups and hashes of n rows.
func (t *Keyed) size(n int) {
	if cap(t.groups) < n {
		t.groups, t.hashes = make([]int32, n, n+n/2), make([]uint64, n+n/2)
	}
	t.groups = t.groups[:n]
}

func (t *Keyed) lookup(cols []*vector.Column, n int) []int32 {
	switch {
	case !t.hint.settled && t.Len() >= settleRows:
		t.chooseHint()
	case t.index.crowded && t.hint.column >= 0:
		t.guessBy(-1)
	}
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
	if n > 1 && vector.Constants(cols) {
		return t.repeat(t.find(cols, 1), n)
	}
	return t.find(cols, n)
}

func (t *Keyed) find(cols []*vector.Column, n int) []int32 {
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
	t.size(n)
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
	if i := t.coded(); i >= 0 {
		d, codes := t.keys.Codes(i)
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

// coded is the key column to guess by that has the longest dictionary, -1 for none: one value beside other keys tells
// nothing.
func (t *Keyed) coded() int {
	best, longest := -1, 0
	if len(t.types) > 1 {
		longest = 1
	}
	for i := range t.types {
		if d, _ := t.keys.Codes(i); d != nil && d.Values.Len > longest && d.Values.Len <= maxHintCodes {
			best, longest = i, d.Values.Len
		}
	}
	return best
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
