package vector

import "streamsql/exec/kernel"

// Hash writes the hashes of all rows.
func (k *Keys) Hash(out []uint64) { k.hash(out, kernel.HashFirst, kernel.HashAll) }

// Spread writes other hashes of all rows, for kernel.SpreadLast, which cost less where keys are numbers: by those rows are
// divided among tables, by Hash they are found in one.
func (k *Keys) Spread(out []uint64) { k.hash(out, kernel.SpreadFirst, kernel.SpreadNext) }

// hash writes hashes of all rows by what begins one with the words of a column and what adds those of another.
func (k *Keys) hash(out []uint64, first, next func(out, words []uint64)) {
	out = out[:k.Len]
	if len(k.Cols) == 0 || k.Cols[0].Text {
		kernel.Repeat(out, kernel.HashSeed)
	}
	for i := range k.Cols {
		c := k.Column(i)
		switch {
		case c.Text:
			kernel.HashViews(out, c.Views, c.Bufs, k.all())
			continue
		case i == 0:
			first(out, c.Words)
		default:
			next(out, c.Words)
		}
		if c.Wide {
			next(out, c.High)
		}
	}
	k.hashNulls(out, nil)
}

// all are the positions of all rows.
func (k *Keys) all() []int32 {
	for len(k.rows) < k.Len {
		k.rows = append(k.rows, int32(len(k.rows)))
	}
	return k.rows[:k.Len]
}

// HashRows writes the hashes of some rows.
func (k *Keys) HashRows(out []uint64, rows []int32) {
	out = out[:k.Len]
	for _, r := range rows {
		out[r] = kernel.HashSeed
	}
	for i := range k.Cols {
		c := k.Column(i)
		switch {
		case c.Text:
			kernel.HashViews(out, c.Views, c.Bufs, rows)
		default:
			kernel.HashWords(out, c.Words, rows)
			if c.Wide {
				kernel.HashWords(out, c.High, rows)
			}
		}
	}
	k.hashNulls(out, rows)
}

// hashNulls adds which keys are NULL to the hashes at rows, nil for all.
func (k *Keys) hashNulls(out []uint64, rows []int32) {
	if k.Nulls == nil {
		return
	}
	if rows == nil {
		rows = k.all()
	}
	for _, r := range rows {
		if k.Nulls[r] != 0 {
			out[r] = kernel.HashWord(out[r], k.Nulls[r])
		}
	}
}
