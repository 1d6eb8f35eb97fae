package state

import (
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Rows declares a table of rows that have no key: each belongs to a group of parent, and equal ones stand side
// by side. Rows come by Append and are named by group ids of the table; its first column is the parent's group,
// and the given ones follow, read by Key.
func (s *Store) Rows(name string, parent *Keyed, columns []types.Type) *Keyed {
	t := s.Keyed(name, parent, append([]types.Type{types.Of(types.Int).WithNull(false)}, columns...))
	t.loose = true
	t.hint.column = -1
	return t
}

// Append adds n rows, whose first column is the parent's group, and returns their ids, which ascend as long as
// no row was removed. The result is lent until the next call.
func (t *Keyed) Append(cols []*vector.Column, n int) []int32 {
	t.keys.Load(cols, n)
	t.rows = t.rows[:0]
	for range n {
		t.rows = append(t.rows, t.newGroup())
	}
	rows := t.rows
	for i := range t.words {
		c, p := t.keys.Column(i), &t.words[i]
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
	for k, bits := range t.keys.Nulls {
		if bits != 0 {
			t.setNulls(rows[k], bits)
		}
	}
	return rows
}

func putWords[T int32 | uint64](pages [][]T, words []uint64, rows []int32) {
	words = words[:len(rows)]
	for k, g := range rows {
		pages[g>>PageShift][g&PageMask] = T(words[k])
	}
}
