package network

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// sheet is a batch made ready to be copied into buffers: one flat column for each leaf of the layout, rows
// in the order in which they go out. Its memory is reused from batch to batch.
type sheet struct {
	layout *layout
	rows   int
	kinds  []vector.RowKind
	leaves []*vector.Column
	// order are the rows of the batch that go out, nil for all as they stand. Of the leaves in later all rows are there:
	// those of order are picked when they are copied, so that they move once.
	order  []int32
	later  []bool
	heap   []int32  // bytes of text that each row needs, when the layout has texts
	long   int      // their sum
	lent   [][]byte // what texts that last are in, and for each leaf whose texts all do where its buffers are among them
	lentAt [][]int
	// last is the dictionary by which a leaf was coded, changes how often it was another one.
	last    []*vector.Dictionary
	changes []int
	zeros   []int32 // codes of constants

	taken   []*vector.Column // one for each leaf, as are these
	scratch []*vector.Column
	lists   []*vector.Column
	moved   []vector.RowKind
}

func newSheet(l *layout) *sheet {
	s := &sheet{layout: l, leaves: make([]*vector.Column, len(l.leaves)), lentAt: make([][]int, len(l.leaves)),
		last: make([]*vector.Dictionary, len(l.leaves)), changes: make([]int, len(l.leaves)),
		later: make([]bool, len(l.leaves))}
	for range l.leaves {
		s.taken = append(s.taken, &vector.Column{})
		s.scratch = append(s.scratch, &vector.Column{})
		s.lists = append(s.lists, &vector.Column{})
	}
	return s
}

// load takes the rows of b at order, or all of them when it is nil.
func (s *sheet) load(b *vector.Batch, order []int32) {
	s.rows, s.kinds, s.order = b.Len, b.Kinds, order
	clear(s.later)
	if order != nil {
		s.rows = len(order)
		if b.Kinds != nil {
			if cap(s.moved) < len(order) {
				s.moved = make([]vector.RowKind, len(order)*2)
			}
			s.kinds = s.moved[:len(order)]
			kernel.Take(s.kinds, b.Kinds, order)
		}
	}
	next := 0
	for i, c := range b.Cols {
		t := s.layout.types[i]
		if order != nil {
			if s.later[next] = s.defers(next, t, c); !s.later[next] {
				vector.Take(s.taken[next], c, order)
				c = s.taken[next]
			}
		}
		next = s.spread(next, t, c)
	}
	if s.layout.texts {
		if s.layout.lends {
			s.lend()
		}
		s.measure()
	}
}

// defers tells whether the rows of a column are picked when they are copied.
func (s *sheet) defers(i int, t types.Type, c *vector.Column) bool {
	form := s.layout.leaves[i].form
	switch {
	case c.Valid != nil || c.Type.Kind == types.Null:
		return false
	case c.Enc == vector.Dict:
		return s.mayKeepCodes(i) && codesOf(c) != nil
	}
	return c.Enc == vector.Flat && (form == fixed || form == varying) && (t.Kind != types.Decimal || c.Wide == t.Wide())
}

// spread puts a column, and the fields of a ROW behind it, among the leaves; it returns the next leaf.
func (s *sheet) spread(i int, t types.Type, c *vector.Column) int {
	if c.Type.Kind == types.Null && t.Kind != types.Null {
		s.lists[i].SetConstNull(t, c.Len)
		c = s.lists[i]
	}
	if c = s.entry(i, c); s.keepsCodes(i, c) {
		s.leaves[i] = c
		return i + 1
	}
	if c.Enc != vector.Flat && t.Kind != types.Null {
		vector.Flatten(s.scratch[i], c)
		c = s.scratch[i]
	}
	f := s.layout.leaves[i]
	switch {
	case f.form == list:
		encodeLists(s.lists[i], c)
		c = s.lists[i]
	case t.Kind == types.Decimal && c.Wide != t.Wide():
		c = s.resize(i, t, c)
	}
	s.leaves[i] = c
	i++
	if t.Kind != types.Row {
		return i
	}
	for k, field := range t.Fields {
		i = s.spread(i, field.Type, c.Children[k])
	}
	return i
}

// resize brings a DECIMAL to the width at which its type travels.
func (s *sheet) resize(i int, t types.Type, c *vector.Column) *vector.Column {
	valid := c.Valid
	out := s.lists[i]
	out.Reset(t, c.Len)
	if t.Wide() {
		kernel.WidenInt64(vector.AllocWide(out), vector.Values[int64](c))
	} else {
		narrow := vector.Alloc[int64](out)
		for k, v := range vector.Values[vector.Int128](c) {
			narrow[k] = v.Int64()
		}
	}
	out.Valid = valid
	return out
}

// measure adds up the bytes of long texts in each row.
func (s *sheet) measure() {
	if cap(s.heap) < s.rows {
		s.heap = make([]int32, s.rows*2)
	}
	s.heap, s.long = s.heap[:s.rows], 0
	for i, f := range s.layout.leaves {
		if f.form != varying && f.form != list || s.lends(i) || s.coded(i) != nil {
			continue
		}
		c := s.leaves[i]
		if c.Type.Kind == types.Null {
			continue
		}
		v := vector.Values[vector.View](c)
		if s.later[i] {
			s.long += addPicked(s.heap, v, s.order, s.long == 0)
		} else {
			s.long += addLengths(s.heap, v, c.Valid, s.long == 0)
		}
	}
}

// addLengths adds the bytes of the long texts of rows, to nothing where they are the first, and returns their sum. Without
// any sum may be left as it is.
func addLengths(sum []int32, v []vector.View, valid []uint64, first bool) (total int) {
	v = v[:len(sum)]
	for i := range v {
		if n := v[i].Len; n > kernel.InlineLen && (valid == nil || kernel.Bit(valid, i)) {
			if total == 0 && first {
				clear(sum)
			}
			sum[i] += int32(n)
			total += int(n)
		}
	}
	return total
}

// addPicked is addLengths of the rows at order.
func addPicked(sum []int32, v []vector.View, order []int32, first bool) (total int) {
	order = order[:len(sum)]
	for i, r := range order {
		if n := v[r].Len; n > kernel.InlineLen {
			if total == 0 && first {
				clear(sum)
			}
			sum[i] += int32(n)
			total += int(n)
		}
	}
	return total
}
