package state

import (
	"encoding/binary"

	"streamsql/exec/vector"
)

// ref says where a text of a row that no key finds stands: the chunk of the heap, plus one, above refShift bits of the
// offset in it. The text has its length before it. Zero is the empty text. No row is compared by such a text, so that
// it needs none of what a view says of it, and rows may share it: refShared marks the texts that others refer to too.
type ref uint64

const (
	refShared ref = 1 << 63
	refShift      = 16 // offsets of what begins in a chunk are below chunkBytes
)

// textAt is the text of a ref in the chunks of its heap; false when it lies outside of them.
func textAt(chunks [][]byte, r ref) ([]byte, bool) {
	if r == 0 {
		return nil, true
	}
	k, off := r.at()
	if k < 0 || k >= len(chunks) || off >= len(chunks[k]) {
		return nil, false
	}
	c := chunks[k][off:]
	if n := int(c[0]); n < 0x80 && n < len(c) {
		return c[1 : 1+n], true
	}
	n, size := binary.Uvarint(c)
	if size <= 0 || n > uint64(len(c)-size) {
		return nil, false
	}
	return c[size : size+int(n)], true
}

// lengthAt is the length of the text at an offset of its chunk, and where it begins. Nothing is checked, unlike in textAt: the
// offset is the heap's own.
func lengthAt(chunk []byte, off int) (n, at int) {
	if n = int(chunk[off]); n < 0x80 {
		return n, off + 1
	}
	long, size := binary.Uvarint(chunk[off:])
	return int(long), off + size
}

// at is the chunk and the offset in it of a ref that is not zero.
func (r ref) at() (chunk, off int) {
	return int(uint64(r&^refShared)>>refShift - 1), int(r & (1<<refShift - 1))
}

// refBytes is what a text takes of the heap, with its length.
func refBytes(n int) int {
	size := 1
	for m := n; m >= 0x80; m >>= 7 {
		size++
	}
	return size + n
}

// keep copies a text for one row.
func (h *heap) keep(t []byte) ref { return h.copy(t, &h.last) }

func (h *heap) copy(t []byte, last *int) ref {
	if len(t) == 0 {
		return 0
	}
	n := refBytes(len(t))
	k := h.room(n, last)
	c := h.chunks[k]
	off := len(c)
	h.chunks[k] = append(binary.AppendUvarint(c, uint64(len(t))), t...)
	return ref(k+1)<<refShift | ref(off)
}

// share copies a text for many rows.
func (h *heap) share(t []byte) ref {
	if len(t) == 0 {
		return 0
	}
	h.shared += refBytes(len(t))
	return h.copy(t, &h.lastShared) | refShared
}

// leave says that a row has a text no more.
func (h *heap) leave(r ref) {
	switch {
	case r == 0:
	case r&refShared != 0:
		h.users--
		h.left++
	default:
		k, _ := r.at()
		h.die(k)
	}
}

// unused tells that shared texts may be mostly those of rows that are gone: which they are is known only once all
// rows were looked through.
func (h *heap) unused() bool { return h.shared > 2*h.kept+1<<20 && h.left > h.users }

// movedTexts says where shared texts went: by their places before, and by themselves, as those of a dictionary that
// came again after a restore were there twice.
type movedTexts struct {
	places map[ref]ref
	texts  map[string]ref
}

func newMovedTexts() *movedTexts { return &movedTexts{map[ref]ref{}, map[string]ref{}} }

// move takes over the texts of a row from the heap before; moved says where shared ones went.
func (h *heap) move(r ref, chunks [][]byte, moved *movedTexts) (ref, bool) {
	t, ok := textAt(chunks, r)
	if r&refShared == 0 {
		return h.keep(t), ok
	}
	h.users++
	m, there := moved.places[r]
	if there {
		return m, ok
	}
	if m, there = moved.texts[string(t)]; !there {
		m = h.share(t)
		moved.texts[string(t)] = m
	}
	moved.places[r] = m
	return m, ok
}

// sharedTexts are the texts that a table has of the dictionary that a column came with last, by code.
type sharedTexts struct {
	dictionary uint64
	refs       []ref
}

// putTexts gives rows the texts of a column. Those of a dictionary that outlives the batch are kept once.
func (t *Keyed) putTexts(column int, rows []int32) {
	pages, h := t.words[column].ref.pages, &t.heap
	if d, codes := t.keys.Codes(column); d != nil && d.Values.Enc == vector.Flat {
		t.putCodes(column, rows, d, codes)
		return
	}
	c := t.keys.Column(column)
	for k, g := range rows {
		at := &pages[g>>PageShift][g&PageMask]
		h.leave(*at)
		*at = h.keep(c.Views[k].Bytes(c.Bufs))
	}
}

func (t *Keyed) putCodes(column int, rows []int32, d *vector.Dictionary, codes []int32) {
	if t.shares == nil {
		t.shares = make([]sharedTexts, len(t.words))
	}
	s, pages, h := &t.shares[column], t.words[column].ref.pages, &t.heap
	if s.dictionary != d.ID {
		s.dictionary = d.ID
		clear(s.refs)
	}
	if more := d.Values.Len - len(s.refs); more > 0 {
		s.refs = append(s.refs, make([]ref, more)...)
		t.account(more * 8)
	}
	values, bufs := vector.Values[vector.View](d.Values), d.Values.Bufs
	nulls, bit := t.keys.Nulls, uint(column)
	for k, g := range rows {
		at := &pages[g>>PageShift][g&PageMask]
		h.leave(*at)
		if nulls != nil && nulls[k]>>bit&1 != 0 {
			*at = 0
			continue
		}
		r := &s.refs[codes[k]]
		if *r == 0 {
			*r = h.share(values[codes[k]].Bytes(bufs))
		}
		if *r != 0 {
			h.users++
		}
		*at = *r
	}
}

// forgetShares says that the texts of dictionaries are not where they were.
func (t *Keyed) forgetShares() {
	for i := range t.shares {
		clear(t.shares[i].refs)
	}
}

// copyTexts makes out, which has been Reset, the texts of rows. Shared ones are lent by the heap, where they stay as
// they are until it is compacted.
func (t *Keyed) copyTexts(out *vector.Column, pages [][]ref, rows []int32) {
	h := &t.heap
	for _, k := range h.common {
		out.Bufs = append(out.Bufs, h.chunks[k])
	}
	w := vector.NewText(out)
	for i, g := range rows {
		r := pages[g>>PageShift][g&PageMask]
		text, _ := textAt(h.chunks, r)
		if r&refShared == 0 {
			w.Put(i, text)
			continue
		}
		k, off := r.at()
		w.PutLent(i, uint32(h.place[k]), off+refBytes(len(text))-len(text), len(text))
	}
	w.Finish()
}
