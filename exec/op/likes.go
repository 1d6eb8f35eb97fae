package op

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// likes finds the rows of a batch with equal keys. It forgets all from one batch to the next.
type likes struct {
	keys   *vector.Keys
	hashes []uint64
	// slots are the groups by hash, plus one; heads are the hashes of groups, firsts their first rows.
	slots  []int32
	heads  []uint64
	firsts []int32
	groups []int32
	rows   []int32 // 0, 1, 2 ...
}

func newLikes(list []types.Type) *likes { return &likes{keys: vector.NewKeys(list)} }

// find numbers the rows by group, and lists the first row of each group. Groups are numbered from 0 as they come. There may
// be two groups with the same keys, if seldom. Both lists are lent until the next call.
func (l *likes) find(cols []*vector.Column, n int) (groups, firsts []int32) {
	if len(cols) == 0 {
		l.groups = zeros(l.groups, n)
		return l.groups, l.each(1)
	}
	l.hashes, l.groups = sized(l.hashes, n), sized(l.groups, n)
	l.keys.Load(cols, n)
	l.keys.Hash(l.hashes)
	l.divide()
	return l.groups, l.firsts
}

// divide makes groups of the rows with the same hash, and takes from them those whose keys are others.
func (l *likes) divide() {
	l.place()
	for i := range l.keys.Cols {
		switch c := l.keys.Column(i); {
		case c.Text:
			l.splitTexts(c)
		case c.Wide:
			splitWords(l, c.High)
			splitWords(l, c.Words)
		default:
			splitWords(l, c.Words)
		}
	}
	if l.keys.Nulls != nil {
		splitWords(l, l.keys.Nulls)
	}
}

// each is the first n rows.
func (l *likes) each(n int) []int32 {
	for len(l.rows) < n {
		l.rows = append(l.rows, int32(len(l.rows)))
	}
	return l.rows[:n]
}

// place puts rows with the same hash together.
func (l *likes) place() {
	size := 64
	for size < 2*len(l.hashes) {
		size *= 2
	}
	l.slots = zeros(l.slots, size)
	slots, heads, firsts, mask := l.slots, l.heads[:0], l.firsts[:0], uint64(size-1)
	for i, h := range l.hashes {
		at := h >> 20 & mask
		for slots[at] != 0 && heads[slots[at]-1] != h {
			at = (at + 1) & mask
		}
		if slots[at] == 0 {
			heads, firsts = append(heads, h), append(firsts, int32(i))
			slots[at] = int32(len(firsts))
		}
		l.groups[i] = slots[at] - 1
	}
	l.heads, l.firsts = heads, firsts
}

// apart gives row i a group of its own: only its hash is that of the others.
func (l *likes) apart(i int) {
	l.groups[i] = int32(len(l.firsts))
	l.firsts = append(l.firsts, int32(i))
}

func splitWords(l *likes, words []uint64) {
	words = words[:len(l.groups)]
	for i, g := range l.groups {
		if words[i] != words[l.firsts[g]] {
			l.apart(i)
		}
	}
}

func (l *likes) splitTexts(c *vector.KeyColumn) {
	for i, g := range l.groups {
		if !kernel.EqualView(&c.Views[i], &c.Views[l.firsts[g]], c.Bufs, c.Bufs) {
			l.apart(i)
		}
	}
}
