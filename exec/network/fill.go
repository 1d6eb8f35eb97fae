package network

import (
	"encoding/binary"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// budget is what regions and texts of a buffer may take, so that its wire form fits a segment with the
// marks it has, and a few more.
func (l *layout) budget(segment, marks int) int {
	return segment - l.head - markSize*max(marks, spareMarks)
}

// open prepares an empty buffer whose first row needs an amount of text; others are expected to need
// perRow. Of the leaves in narrow it will hold codes. It tells false when not even one row fits.
func (l *layout) open(b *buffer, firstText, perRow int, narrow uint64) bool {
	size := l.budget(len(b.mem), 0)
	rows := l.fit(size, perRow, narrow)
	if rows < 1 || size-l.sizeOf(rows, narrow) < firstText {
		if rows = l.fit(size-firstText, 0, narrow); rows > 1 && perRow > 0 {
			rows = 1 + (rows-1)*firstText/(firstText+size) // leave texts of other rows a part of the space
		}
	}
	if rows < 1 {
		return false
	}
	l.openRows(b, rows, narrow)
	return true
}

func (l *layout) openRows(b *buffer, rows int, narrow uint64) {
	b.place = l.placed(rows, narrow)
	if cap(b.shown) < len(l.leaves)+1 {
		b.shown = make([]bool, len(l.leaves)+1)
	}
	b.shown = b.shown[:len(l.leaves)+1]
	clear(b.shown)
	if cap(b.copied) < len(l.leaves) {
		b.copied = make([]bool, len(l.leaves))
	}
	b.copied = b.copied[:len(l.leaves)]
	clear(b.copied)
}

// room is how many of the rows of s from a position fit behind what b holds.
func (l *layout) room(b *buffer, s *sheet, from, n int) int {
	n = min(n, b.place.rows-b.rows)
	size := l.budget(len(b.mem), len(b.marks))
	if len(b.marks) > spareMarks {
		for n > 0 && l.sizeOf(b.rows+n, b.place.narrow)+b.heap > size {
			n--
		}
	}
	if !l.texts {
		return n
	}
	if !b.takesCodes(s) || len(s.lent) > 0 && !b.borrows(s.lent) {
		return 0
	}
	if s.long == 0 {
		return n
	}
	left := size - b.place.heap - b.heap
	for i, x := range s.heap[from : from+n] {
		if left -= int(x); left < 0 {
			return i
		}
	}
	return n
}

// marksFit tells whether one mark more fits in the wire form.
func (l *layout) marksFit(b *buffer) bool {
	return len(b.marks) < spareMarks || l.head+l.sizeOf(b.rows, b.place.narrow)+b.heap+markSize*(len(b.marks)+1) <= len(b.mem)
}

// fill copies rows from..from+n of s behind what b holds; room said that they fit.
func (l *layout) fill(b *buffer, s *sheet, from, n int) {
	if s.kinds != nil {
		at := b.place.kinds
		if !b.shown[0] {
			b.shown[0] = true
			clear(b.mem[at : at+b.rows])
		}
		for i, k := range s.kinds[from : from+n] {
			b.mem[at+b.rows+i] = byte(k)
		}
	} else if b.shown[0] {
		at := b.place.kinds + b.rows
		clear(b.mem[at : at+n])
	}
	for i := range l.leaves {
		switch {
		case s.coded(i) != nil:
			b.fillCodes(i, s, from, n)
		case s.lends(i):
			b.refer(i, s, from, n)
		default:
			l.fillLeaf(b, i, s, from, n)
		}
	}
	b.rows += n
}

func (l *layout) fillLeaf(b *buffer, i int, s *sheet, from, n int) {
	f, c := &l.leaves[i], s.leaves[i]
	if c.Type.Kind == types.Null {
		if f.typ.Kind != types.Null {
			panic("network: a column of the NULL type for " + f.typ.String())
		}
		return
	}
	if c.Valid != nil || b.shown[1+i] {
		b.showNulls(i, c.Valid, from, n)
	}
	at := b.place.data[i]
	switch f.form {
	case fixed:
		w := f.width
		if s.later[i] {
			dst := vector.Column{Type: c.Type, Len: n, Data: b.mem[at+b.rows*w : at+(b.rows+n)*w]}
			pick(&dst, c, s.order[from:from+n], w)
			return
		}
		copy(b.mem[at+b.rows*w:at+(b.rows+n)*w], c.Data[from*w:(from+n)*w])
	case bitmap:
		putBits(b.mem[at:], b.rows, vector.Bits(c), from, n)
	case varying, list:
		var order []int32
		if s.later[i] {
			order = s.order[from : from+n]
		}
		if b.fillTexts(at, c, order, from, n) {
			b.copied[i] = true
		}
	}
}

// pick copies the rows of c at order, of so many bytes each.
func pick(out, c *vector.Column, order []int32, width int) {
	switch width {
	case 1:
		kernel.Take(vector.Values[uint8](out), vector.Values[uint8](c), order)
	case 2:
		kernel.Take(vector.Values[uint16](out), vector.Values[uint16](c), order)
	case 4:
		kernel.Take(vector.Values[uint32](out), vector.Values[uint32](c), order)
	case 8:
		kernel.Take(vector.Values[uint64](out), vector.Values[uint64](c), order)
	default:
		kernel.Take(vector.Values[vector.Int128](out), vector.Values[vector.Int128](c), order)
	}
}

// showNulls writes the validity of n rows, and of those before them when these are the first NULLs.
func (b *buffer) showNulls(i int, valid []uint64, from, n int) {
	at := b.place.valid[i]
	if !b.shown[1+i] {
		b.shown[1+i] = true
		putBits(b.mem[at:], 0, nil, 0, b.rows)
	}
	putBits(b.mem[at:], b.rows, valid, from, n)
}

// putBits writes n bits of src (nil: ones) at position at of a bitmap and clears the rest of its last word.
func putBits(dst []byte, at int, src []uint64, from, n int) {
	for n > 0 {
		k := min(n, 64-at&63)
		var x uint64
		if src == nil {
			x = ^uint64(0)
		} else {
			x = src[from>>6] >> (uint(from) & 63)
			if r := from & 63; r != 0 && from>>6+1 < len(src) {
				x |= src[from>>6+1] << (64 - uint(r))
			}
		}
		x &= kernel.TailMask(k)
		w := dst[at>>6<<3 : at>>6<<3+8]
		old := uint64(0)
		if at&63 != 0 {
			old = binary.LittleEndian.Uint64(w) & (1<<(uint(at)&63) - 1)
		}
		binary.LittleEndian.PutUint64(w, old|x<<(uint(at)&63))
		at, from, n = at+k, from+k, n-k
	}
}

// fillTexts copies views of n rows, those at order or else those from a position on, and the long texts behind them to the
// heap. It tells whether there were any.
func (b *buffer) fillTexts(at int, c *vector.Column, order []int32, from, n int) bool {
	dst := vector.Column{Type: c.Type, Len: n, Data: b.mem[at+b.rows*16 : at+(b.rows+n)*16]}
	out := vector.Values[vector.View](&dst)
	in := vector.Values[vector.View](c)
	heap := b.mem[b.place.heap:]
	used := b.heap
	for i := range out {
		row := from + i
		if order != nil {
			row = int(order[i])
		}
		v := in[row]
		switch {
		case c.Valid != nil && !kernel.Bit(c.Valid, row):
			v = vector.View{}
		case v.Len > kernel.InlineLen:
			copy(heap[used:used+int(v.Len)], c.Bufs[v.Buf][v.Off:v.Off+v.Len])
			v.Buf, v.Off = 0, uint32(used)
			used += int(v.Len)
		}
		out[i] = v
	}
	long := used > b.heap
	b.heap = used
	return long
}
