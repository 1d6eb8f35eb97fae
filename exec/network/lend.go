package network

import (
	"bytes"
	"slices"

	"streamsql/exec/kernel"
	"streamsql/exec/vector"
)

// Where writer and reader share memory, texts that last are not copied: a buffer lists the memory that they are in, and
// its views point there. Of a fixed dictionary the codes go over, so that behind the exchange, too, an expression is
// evaluated once per entry and state keeps a text once. Over a connection texts are copied.

// maxLent is how many pieces of memory a buffer may list.
const maxLent = 15

// lend finds the leaves whose texts all last. None is lent when they lie in more pieces than a buffer may list.
func (s *sheet) lend() {
	s.lent = s.lent[:0]
	for i, f := range s.layout.leaves {
		at := s.lentAt[i][:0]
		if c := s.leaves[i]; f.form == varying && lasts(c) {
			for _, t := range c.Bufs {
				at = append(at, s.piece(t))
			}
		}
		s.lentAt[i] = at
	}
	if len(s.lent) > maxLent {
		s.lent = s.lent[:0]
	}
}

// lasts tells that all texts of a column last: it has some, and no buffer that may be written again.
func lasts(c *vector.Column) bool {
	for k, t := range c.Bufs {
		if len(t) > 0 && c.Lasting>>k&1 == 0 {
			return false
		}
	}
	return c.Lasting != 0
}

// piece is the place of a text buffer among those that are lent.
func (s *sheet) piece(t []byte) int {
	if k := find(s.lent, t); k >= 0 {
		return k
	}
	s.lent = append(s.lent, t)
	return len(s.lent) - 1
}

// find is the place of a text buffer in a list, or of one that it has grown out of, whose place it takes; -1 for none.
func find(list [][]byte, t []byte) int {
	for k, x := range list {
		if len(t) == 0 && len(x) == 0 {
			return k
		}
		if len(t) > 0 && len(x) > 0 && &t[0] == &x[0] {
			if len(t) > len(x) {
				list[k] = t
			}
			return k
		}
	}
	return -1
}

// lends tells that the texts of a leaf are not copied.
func (s *sheet) lends(i int) bool { return len(s.lent) > 0 && len(s.lentAt[i]) > 0 }

// borrows lists memory that views of the buffer are to point to. It tells false where the buffer has too much of it.
func (b *buffer) borrows(lent [][]byte) bool {
	more := 0
	for _, t := range lent {
		if find(b.lent, t) < 0 {
			more++
		}
	}
	if len(b.lent)+more > maxLent {
		return false
	}
	for _, t := range lent {
		if more > 0 && find(b.lent, t) < 0 {
			b.lent = append(b.lent, t)
		}
	}
	return true
}

// refer copies views of a leaf that is lent.
func (b *buffer) refer(leaf int, s *sheet, from, n int) {
	c := s.leaves[leaf]
	if c.Valid != nil || b.shown[1+leaf] {
		b.showNulls(leaf, c.Valid, from, n)
	}
	var number [64]uint32
	for k, piece := range s.lentAt[leaf] {
		number[k&63] = uint32(find(b.lent, s.lent[piece])) + 1
	}
	at := b.place.data[leaf]
	dst := vector.Column{Type: c.Type, Len: n, Data: b.mem[at+b.rows*16 : at+(b.rows+n)*16]}
	out := vector.Values[vector.View](&dst)
	in := vector.Values[vector.View](c)
	if s.later[leaf] {
		referPicked(out, in, s.order[from:from+n], &number)
		return
	}
	in = in[from : from+n]
	out = out[:len(in)]
	for i := range in {
		referTo(&out[i], &in[i], &number)
	}
	if c.Valid == nil {
		return
	}
	for i := range out {
		if !kernel.Bit(c.Valid, from+i) {
			out[i] = vector.View{}
		}
	}
}

// referPicked copies views of the rows at order.
func referPicked(out, in []vector.View, order []int32, number *[64]uint32) {
	out = out[:len(order)]
	for i, r := range order {
		referTo(&out[i], &in[r], number)
	}
}

// referTo copies a view to memory with another number. It goes word by word: a copy of which one is changed is read back
// before it is written.
func referTo(out, in *vector.View, number *[64]uint32) {
	buf := in.Buf
	if in.Len > kernel.InlineLen {
		buf = number[buf&63]
	}
	out.Len, out.Prefix, out.Buf, out.Off = in.Len, in.Prefix, buf, in.Off
}

// manyDictionaries is how often a leaf may change between dictionaries, or between one and none, until its values are
// copied for good: each change takes a new buffer. One that stays for patience batches makes up for a change.
const (
	manyDictionaries = 16
	patience         = 64
)

// keepsCodes tells whether a column goes over as codes.
func (s *sheet) keepsCodes(i int, c *vector.Column) bool {
	if !s.mayKeepCodes(i) {
		return false
	}
	d := codesOf(c)
	if s.last[i] != d {
		s.last[i] = d
		s.changes[i] += patience
	} else if s.changes[i] > 0 {
		s.changes[i]--
	}
	return d != nil
}

// mayKeepCodes tells whether a leaf goes over as codes where its column has some.
func (s *sheet) mayKeepCodes(i int) bool {
	return s.layout.lends && s.layout.leaves[i].form == varying && s.changes[i] < manyDictionaries*patience
}

// entry is a constant text as the code of a dictionary of its own, where it may go over as that.
func (s *sheet) entry(i int, c *vector.Column) *vector.Column {
	if c.Enc != vector.Constant || !s.mayKeepCodes(i) || c.IsConstNull() {
		return c
	}
	text, d := vector.Text(c, 0), s.last[i]
	if d == nil || d.Values.Len != 1 || !bytes.Equal(vector.Text(d.Values, 0), text) {
		b := vector.NewBuilder(c.Type)
		b.AppendBytes(text)
		one := &vector.Column{}
		b.Finish(one)
		d = vector.FixedDictionary(one)
	}
	for len(s.zeros) < c.Len {
		s.zeros = append(s.zeros, 0)
	}
	s.lists[i].SetDict(c.Type, s.zeros[:c.Len], d)
	return s.lists[i]
}

// codesOf is the dictionary of a column that can go over as codes, nil for one that can't.
func codesOf(c *vector.Column) *vector.Dictionary {
	if c.Enc == vector.Dict && c.Dict.ID != 0 && c.Dict.Fixed && c.Valid == nil {
		return c.Dict
	}
	return nil
}

// takesCodes tells whether the leaves of a sheet are coded as those of the buffer are. One without rows takes any.
func (b *buffer) takesCodes(s *sheet) bool {
	if b.rows == 0 {
		if b.place.narrow&^s.narrow() != 0 {
			return false
		}
		b.coded = b.coded[:0]
		for i := range s.leaves {
			b.coded = append(b.coded, s.coded(i))
		}
		return true
	}
	for i := range s.leaves {
		if b.coded[i] != s.coded(i) {
			return false
		}
	}
	return true
}

// narrow are the leaves, of the first 64, whose codes go over.
func (s *sheet) narrow() (leaves uint64) {
	for i := range s.leaves[:min(len(s.leaves), 64)] {
		if s.coded(i) != nil {
			leaves |= 1 << i
		}
	}
	return leaves
}

// coded is the dictionary whose codes a leaf holds, nil for one that holds values.
func (s *sheet) coded(i int) *vector.Dictionary {
	if s.layout.leaves[i].form != varying {
		return nil
	}
	return s.leaves[i].Dict
}

// fillCodes copies codes into the region of a leaf.
func (b *buffer) fillCodes(leaf int, s *sheet, from, n int) {
	c := s.leaves[leaf]
	at := b.place.data[leaf]
	dst := vector.Column{Type: c.Type, Len: n, Data: b.mem[at+b.rows*codeSize : at+(b.rows+n)*codeSize]}
	if out := vector.Values[int32](&dst); s.later[leaf] {
		kernel.Take(out, c.Codes, s.order[from:from+n])
	} else {
		copy(out, c.Codes[from:from+n])
	}
}

// copying makes the sheet ready to be copied whole, for a row that goes in parts, until it is told to undo that.
func (s *sheet) copying() (undo func()) {
	lent, coded := s.lent, slices.Clone(s.leaves)
	s.lent = nil
	for i, c := range s.leaves {
		if s.coded(i) != nil {
			vector.Flatten(s.scratch[i], c)
			s.leaves[i] = s.scratch[i]
		}
	}
	s.measure()
	return func() {
		copy(s.leaves, coded)
		s.lent = lent
		s.measure()
	}
}
