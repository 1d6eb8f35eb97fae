package state

import "math"

// A key of several integers is guessed by one of them. Which one clusters shows in the values: one that tells all keys apart
// by values near each other is taken, the nearest; else of columns with about as many values the last, since keys are mostly
// written from the general to the particular, and none with few.

const (
	// settleRows is how many groups a table has before the column is chosen, for as long as the index has room by it.
	settleRows = 64
	// fewerValues is by what factor a column may have fewer values than another and still be taken.
	fewerValues = 8
	// keySpan is how far apart the values of a column may be that is taken because it tells keys apart.
	keySpan = hintSlack << hintShift
)

// chooseHint chooses the column that groups are guessed by among those that may cluster.
func (t *Keyed) chooseHint() {
	t.hint.settled = true
	sample := t.Groups(nil)
	sample = sample[:min(len(sample), 4*settleRows)]
	counts, most, chosen, nearest := make([]int, len(t.types)), 0, -1, int64(keySpan)
	for i, k := range t.types {
		if !clusters(k) || t.parent != nil && i == 0 {
			continue
		}
		values, least, largest := map[uint64]struct{}{}, int64(math.MaxInt64), int64(math.MinInt64)
		for _, g := range sample {
			w := t.words[i].word(g)
			values[w] = struct{}{}
			least, largest = min(least, int64(w)), max(largest, int64(w))
		}
		counts[i] = len(values)
		most = max(most, counts[i])
		if span := largest - least; counts[i] == len(sample) && span >= 0 && span <= nearest {
			chosen, nearest = i, span
		}
	}
	for i := len(counts) - 1; i >= 0 && chosen < 0; i-- {
		if counts[i] > 0 && counts[i]*fewerValues >= most {
			chosen = i
		}
	}
	if chosen >= 0 && chosen != t.hint.column {
		t.guessBy(chosen)
	}
}

// guessBy makes guesses and the hash index, whose places go by the same column, anew. -1 is no column: the first keys of a
// table may hide that a column has few values, whose rows then crowd in few places.
func (t *Keyed) guessBy(column int) {
	groups := t.Groups(nil)
	t.account(-t.hint.drop() - t.index.bytes())
	t.hint.column, t.hint.off, t.hint.right, t.hint.wrong = column, false, 0, 0
	t.index = newHashIndex(t.store.spare)
	t.account(t.index.bytes())
	for i, h := range new(storedKeys).hashesOf(t, groups) {
		t.account(t.index.insert(h, groups[i]))
		if column >= 0 {
			t.account(t.hint.set(t.words[column].word(groups[i]), groups[i]))
		}
	}
}

// bytes is the memory of the index beyond its first directory.
func (x *hashIndex) bytes() (n int) {
	for _, b := range x.buckets {
		n += len(b.slots) * 8
	}
	return n + (len(x.dir)-1)*4
}
