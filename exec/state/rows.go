package state

import (
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Rows declares a table of rows that have no key: each belongs to a group of parent, and equal ones stand side
// by side. Rows come by Append and are named by group ids of the table; its first column is the parent's group,
// and the given ones follow, read by Key. Texts of a column that is coded by a dictionary are kept once per entry.
func (s *Store) Rows(name string, parent *Keyed, columns []types.Type) *Keyed {
	t := s.declare(name, parent, append([]types.Type{types.Of(types.Int).WithNull(false)}, columns...), true)
	t.hint.column, t.hint.settled = -1, true
	return t
}

// Append adds n rows, whose first column is the parent's group, and returns their ids, which ascend as long as
// no row was removed. The result is lent until the next call.
func (t *Keyed) Append(cols []*vector.Column, n int) []int32 {
	t.rows = t.rows[:0]
	for range n {
		t.rows = append(t.rows, t.newGroup())
	}
	t.Fill(t.rows, cols)
	return t.rows
}

// Reserve adds one row whose columns Fill must give values before the batch is over.
func (t *Keyed) Reserve() int32 { return t.newGroup() }

// Fill gives rows, whose pages are owned, the values of columns, in place of those that they had.
func (t *Keyed) Fill(rows []int32, cols []*vector.Column) {
	t.keys.Load(cols, len(rows))
	for i := range t.words {
		p := &t.words[i]
		if p.ref != nil {
			t.putTexts(i, rows)
			continue
		}
		c := t.keys.Column(i)
		switch {
		case c.Text:
			for k, g := range rows {
				p.text.Put(g, &c.Views[k], c.Bufs)
			}
		case p.short != nil:
			putWords(p.short.pages, c.Words, rows)
		default:
			putWords(p.low.pages, c.Words, rows)
			if c.Wide {
				putWords(p.high.pages, c.High, rows)
			}
		}
	}
	switch nulls := t.keys.Nulls; {
	case nulls != nil:
		for k, g := range rows {
			if nulls[k] != 0 || len(t.nulls.pages) > 0 {
				t.setNulls(g, nulls[k])
			}
		}
	case len(t.nulls.pages) > 0:
		t.nulls.Zero(rows)
	}
}

func putWords[T int32 | uint64](pages [][]T, words []uint64, rows []int32) {
	words = words[:len(rows)]
	for k, g := range rows {
		pages[g>>PageShift][g&PageMask] = T(words[k])
	}
}
