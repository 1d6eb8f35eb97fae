package state

// A key of several integers is guessed by one of them. Which one clusters shows in the values: one that tells all keys apart
// is taken, else of columns with about as many values the last, since keys are mostly written from the general to the
// particular, and none with few.

const (
	// settleRows is how many groups a table has before the column is chosen, for good.
	settleRows = 64
	// fewerValues is by what factor a column may have fewer values than another and still be taken.
	fewerValues = 8
)

// chooseHint chooses the column that groups are guessed by among those that may cluster.
func (t *Keyed) chooseHint() {
	t.hint.settled = true
	sample := t.Groups(nil)
	sample = sample[:min(len(sample), 4*settleRows)]
	counts, most := make([]int, len(t.types)), 0
	for i, k := range t.types {
		if !clusters(k) || t.parent != nil && i == 0 {
			continue
		}
		values := map[uint64]struct{}{}
		for _, g := range sample {
			values[t.words[i].word(g)] = struct{}{}
		}
		counts[i] = len(values)
		most = max(most, counts[i])
	}
	enough := (most + fewerValues - 1) / fewerValues
	if most == len(sample) {
		enough = most
	}
	for i := len(counts) - 1; i >= 0; i-- {
		if counts[i] > 0 && counts[i] >= enough {
			if i != t.hint.column {
				t.guessBy(i)
			}
			return
		}
	}
}

// guessBy makes guesses and the hash index, whose places go by the same column, anew.
func (t *Keyed) guessBy(column int) {
	groups := t.Groups(nil)
	t.account(-t.hint.drop() - t.index.bytes())
	t.hint.column, t.hint.off, t.hint.right, t.hint.wrong = column, false, 0, 0
	t.index = newHashIndex(t.store.spare)
	t.account(t.index.bytes())
	for i, h := range new(storedKeys).hashesOf(t, groups) {
		t.account(t.index.insert(h, groups[i]))
		t.account(t.hint.set(t.words[column].word(groups[i]), groups[i]))
	}
}

// bytes is the memory of the index beyond its first directory.
func (x *hashIndex) bytes() (n int) {
	for _, b := range x.buckets {
		n += len(b.slots) * 8
	}
	return n + (len(x.dir)-1)*4
}
