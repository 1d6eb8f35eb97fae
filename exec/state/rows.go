package state

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Rows declares a table of rows that have no key: each belongs to a group of parent, and equal ones stand side
// by side. Rows come by Append and are named by group ids of the table; its first column is the parent's group,
// and the given ones follow, read by Key.
func (s *Store) Rows(name string, parent *Keyed, columns []types.Type) *Keyed {
	t := s.Keyed(name, parent, append([]types.Type{types.Of(types.Int).WithNull(false)}, columns...))
	t.loose = true
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
		c, p := t.keys.Column(i), &t.words[i]
		switch {
		case c.Text:
			if d, codes := t.keys.Codes(i); d != nil && t.shares != nil && d.Values.Enc == vector.Flat {
				t.putCodes(i, rows, d, codes)
				continue
			}
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

// ShareTexts says that no row will be removed or filled again, so that rows may share a text. Those of a column that
// is coded by a dictionary are kept once per entry.
func (t *Keyed) ShareTexts() { t.shares = make([]sharedTexts, len(t.words)) }

// sharedTexts are the texts that a table has of the dictionary that a column came with last, by code.
type sharedTexts struct {
	dictionary uint64
	views      []kernel.View
}

func (t *Keyed) putCodes(column int, rows []int32, d *vector.Dictionary, codes []int32) {
	s, at := &t.shares[column], t.words[column].text
	if s.dictionary != d.ID {
		s.dictionary = d.ID
		clear(s.views)
	}
	if more := d.Values.Len - len(s.views); more > 0 {
		s.views = append(s.views, make([]kernel.View, more)...)
		t.account(more * 16)
	}
	values, bufs := vector.Values[kernel.View](d.Values), d.Values.Bufs
	nulls, bit := t.keys.Nulls, uint(column)
	for k, g := range rows {
		to := &at.pages[g>>PageShift][g&PageMask]
		if nulls != nil && nulls[k]>>bit&1 != 0 {
			*to = kernel.View{}
			continue
		}
		v := &s.views[codes[k]]
		if v.Len == 0 {
			*v = t.heap.put(&values[codes[k]], bufs)
		}
		*to = *v
	}
}

// takeText copies a text of a snapshot, once where rows share it: moved says which were copied, by their places.
func (t *Keyed) takeText(v *kernel.View, chunks [][]byte, moved map[uint64]kernel.View) kernel.View {
	if t.shares == nil {
		return t.heap.put(v, chunks)
	}
	place := uint64(v.Buf)<<32 | uint64(v.Off)
	if m, ok := moved[place]; ok && m.Len == v.Len {
		return m
	}
	m := t.heap.put(v, chunks)
	moved[place] = m
	return m
}

func putWords[T int32 | uint64](pages [][]T, words []uint64, rows []int32) {
	words = words[:len(rows)]
	for k, g := range rows {
		pages[g>>PageShift][g&PageMask] = T(words[k])
	}
}
