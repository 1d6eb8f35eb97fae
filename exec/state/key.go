package state

import (
	"math"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// verify compares the keys of all rows with those of their groups, but for the column skip, and sets the
// group to -1 where they differ.
func (t *Keyed) verify(skip int) {
	g := t.groups
	for i := range t.words {
		if i == skip {
			continue
		}
		c, p := t.keys.Column(i), &t.words[i]
		if c.Text {
			verifyViews(g, p.text.pages, c.Views, t.heap.chunks, c.Bufs)
			continue
		}
		if p.short != nil {
			verifyWords(g, p.short.pages, c.Words)
			continue
		}
		verifyWords(g, p.low.pages, c.Words)
		if c.Wide {
			verifyWords(g, p.high.pages, c.High)
		}
	}
	t.verifyNulls()
}

func (t *Keyed) verifyNulls() {
	nulls, pages := t.keys.Nulls, t.nulls.pages
	if nulls == nil && len(pages) == 0 {
		return
	}
	for i, g := range t.groups {
		if g < 0 {
			continue
		}
		var row, group uint64
		if nulls != nil {
			row = nulls[i]
		}
		if len(pages) > 0 {
			group = pages[g>>PageShift][g&PageMask]
		}
		if row != group {
			t.groups[i] = -1
		}
	}
}

func verifyWords[T int32 | uint64](groups []int32, pages [][]T, words []uint64) {
	words = words[:len(groups)]
	for i, g := range groups {
		if g >= 0 && uint64(pages[g>>PageShift][g&PageMask]) != words[i] {
			groups[i] = -1
		}
	}
}

func verifyViews(groups []int32, pages [][]kernel.View, views []kernel.View, chunks, bufs [][]byte) {
	views = views[:len(groups)]
	for i, g := range groups {
		if g >= 0 && !kernel.EqualView(&pages[g>>PageShift][g&PageMask], &views[i], chunks, bufs) {
			groups[i] = -1
		}
	}
}

// verifyRows sets the group of the rows whose key differs from their candidate's to -1.
func (t *Keyed) verifyRows(rows []int32) {
	groups := t.groups
	for i := range t.words {
		c, p := t.keys.Column(i), &t.words[i]
		if c.Text {
			pages := p.text.pages
			for _, r := range rows {
				if g := groups[r]; g >= 0 &&
					!kernel.EqualView(&pages[g>>PageShift][g&PageMask], &c.Views[r], t.heap.chunks, c.Bufs) {
					groups[r] = -1
				}
			}
			continue
		}
		if p.short != nil {
			verifyWordRows(groups, p.short.pages, c.Words, rows)
			continue
		}
		verifyWordRows(groups, p.low.pages, c.Words, rows)
		if c.Wide {
			verifyWordRows(groups, p.high.pages, c.High, rows)
		}
	}
	t.verifyNulls()
}

func verifyWordRows[T int32 | uint64](groups []int32, pages [][]T, words []uint64, rows []int32) {
	for _, r := range rows {
		if g := groups[r]; g >= 0 && uint64(pages[g>>PageShift][g&PageMask]) != words[r] {
			groups[r] = -1
		}
	}
}

// equalRow compares the key of row r with that of group g.
func (t *Keyed) equalRow(r, g int32) bool {
	page, at := g>>PageShift, g&PageMask
	for i := range t.words {
		c, p := t.keys.Column(i), &t.words[i]
		switch {
		case c.Text:
			if !kernel.EqualView(&p.text.pages[page][at], &c.Views[r], t.heap.chunks, c.Bufs) {
				return false
			}
		case p.short != nil:
			if uint64(p.short.pages[page][at]) != c.Words[r] {
				return false
			}
		case p.low.pages[page][at] != c.Words[r], c.Wide && p.high.pages[page][at] != c.High[r]:
			return false
		}
	}
	var row, group uint64
	if t.keys.Nulls != nil {
		row = t.keys.Nulls[r]
	}
	if len(t.nulls.pages) > 0 {
		group = t.nulls.pages[page][at]
	}
	return row == group
}

// Word is the value of a key column that is no text, in the form of vector.Keys.
func (t *Keyed) Word(i int, g int32) uint64 { return t.words[i].word(g) }

// Wide is the value of a DECIMAL key of more than 18 digits.
func (t *Keyed) Wide(i int, g int32) vector.Int128 {
	return vector.Int128{Lo: t.words[i].low.At(g), Hi: int64(t.words[i].high.At(g))}
}

// Text is the value of a key column that is a text, lent until the table changes.
func (t *Keyed) Text(i int, g int32) []byte {
	if p := t.words[i].ref; p != nil {
		text, _ := textAt(t.heap.chunks, p.At(g))
		return text
	}
	return t.words[i].text.pages[g>>PageShift][g&PageMask].Bytes(t.heap.chunks)
}

// Key makes out the values of key column i of groups: a copy, but for texts that rows of the table share, which are lent.
func (t *Keyed) Key(out *vector.Column, i int, groups []int32) { t.key(out, i, groups, false) }

// Lend is Key with all texts of rows that no key finds lent: out stands until the table changes.
func (t *Keyed) Lend(out *vector.Column, i int, groups []int32) { t.key(out, i, groups, true) }

func (t *Keyed) key(out *vector.Column, i int, groups []int32, lent bool) {
	p, typ := &t.words[i], t.types[i]
	out.Reset(typ, len(groups))
	if len(t.nulls.pages) > 0 {
		t.keyNulls(out, uint(i), groups)
	}
	switch {
	case p.ref != nil && lent:
		t.lendTexts(out, p.ref.pages, groups)
		return
	case p.ref != nil:
		t.copyTexts(out, p.ref.pages, groups)
		return
	case p.text.Pages != nil:
		p.text.Copy(out, groups)
		return
	}
	switch phys := typ.Physical(); {
	case p.high != nil:
		out.Wide = true
		w := vector.Alloc[vector.Int128](out)
		for k, g := range groups {
			w[k] = vector.Int128{Lo: p.low.At(g), Hi: int64(p.high.At(g))}
		}
	case phys == types.PhysBool:
		w := vector.AllocBits(out)
		clear(w)
		for k, g := range groups {
			w[k>>6] |= p.word(g) << (uint(k) & 63)
		}
	case phys == types.PhysInt8:
		wordsTo(vector.Alloc[int8](out), p.short.pages, groups)
	case phys == types.PhysInt16:
		wordsTo(vector.Alloc[int16](out), p.short.pages, groups)
	case phys == types.PhysInt32:
		wordsTo(vector.Alloc[int32](out), p.short.pages, groups)
	case phys == types.PhysInt64:
		wordsTo(vector.Alloc[int64](out), p.low.pages, groups)
	case phys == types.PhysFloat32:
		w := vector.Alloc[float32](out)
		for k, g := range groups {
			w[k] = float32(math.Float64frombits(p.low.At(g)))
		}
	case phys == types.PhysFloat64:
		w := vector.Alloc[float64](out)
		for k, g := range groups {
			w[k] = math.Float64frombits(p.low.At(g))
		}
	}
}

func wordsTo[T kernel.Integer, W int32 | uint64](out []T, pages [][]W, groups []int32) {
	out = out[:len(groups)]
	for i, g := range groups {
		out[i] = T(pages[g>>PageShift][g&PageMask])
	}
}

func (t *Keyed) keyNulls(out *vector.Column, bit uint, groups []int32) {
	pages := t.nulls.pages
	some := uint64(0)
	for _, g := range groups {
		some |= pages[g>>PageShift][g&PageMask]
	}
	if some>>bit&1 == 0 {
		return
	}
	valid := out.AllocValid()
	for k, g := range groups {
		if pages[g>>PageShift][g&PageMask]>>bit&1 != 0 {
			kernel.ClearBit(valid, k)
		}
	}
}
