package vector

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

// Concat makes out the rows of flat columns of one type, one after the other.
func Concat(out *Column, t types.Type, cols []*Column) {
	n, wide, nulls := 0, false, false
	for _, c := range cols {
		n += c.Len
		wide = wide || c.Wide
		nulls = nulls || c.Valid != nil
	}
	out.Reset(t, n)
	out.Wide = wide
	if nulls {
		concatValid(out.AllocValid(), cols)
	}
	switch out.Phys() {
	case types.PhysBool:
		w := AllocBits(out)
		clear(w)
		at := 0
		for _, c := range cols {
			orBits(w, Bits(c), at, c.Len)
			at += c.Len
		}
	case types.PhysInt8:
		concatOf(Alloc[int8](out), cols)
	case types.PhysInt16:
		concatOf(Alloc[int16](out), cols)
	case types.PhysInt32, types.PhysFloat32:
		concatOf(Alloc[int32](out), cols)
	case types.PhysInt64, types.PhysFloat64:
		concatOf(Alloc[int64](out), cols)
	case types.PhysInt128:
		concatWide(Alloc[Int128](out), cols)
	case types.PhysView:
		concatText(out, cols)
	case types.PhysRow:
		concatChildren(out, t, cols)
	case types.PhysList:
		concatLists(out, t, cols)
	}
}

func concatValid(out []uint64, cols []*Column) {
	at := 0
	clear(out)
	for _, c := range cols {
		if c.Valid != nil {
			orBits(out, c.Valid, at, c.Len)
		} else {
			for i := range c.Len {
				kernel.SetBit(out, at+i)
			}
		}
		at += c.Len
	}
}

// orBits sets the bits of src, n of them, from position at on.
func orBits(out, src []uint64, at, n int) {
	for i := range n {
		if kernel.Bit(src, i) {
			kernel.SetBit(out, at+i)
		}
	}
}

func concatOf[T any](out []T, cols []*Column) {
	for _, c := range cols {
		out = out[copy(out, Values[T](c)):]
	}
}

func concatWide(out []Int128, cols []*Column) {
	at := 0
	for _, c := range cols {
		if c.Wide {
			at += copy(out[at:], Values[Int128](c))
			continue
		}
		for _, v := range Values[int64](c) {
			out[at] = kernel.Int128Of(v)
			at++
		}
	}
}

func concatText(out *Column, cols []*Column) {
	v := Alloc[View](out)
	for _, c := range cols {
		base := out.ShareText(c)
		n := copy(v, Values[View](c))
		kernel.ShiftBuf(v[:n], base)
		v = v[n:]
	}
}

func concatChildren(out *Column, t types.Type, cols []*Column) {
	own := out.OwnChildren(len(t.Fields))
	for i, f := range t.Fields {
		concatFlattened(own[i], f.Type, cols, i)
	}
}

func concatFlattened(out *Column, t types.Type, cols []*Column, child int) {
	parts := make([]*Column, len(cols))
	for k, c := range cols {
		parts[k] = &Column{}
		Flatten(parts[k], c.Children[child])
	}
	Concat(out, t, parts)
}

func concatLists(out *Column, t types.Type, cols []*Column) {
	out.Offsets = make([]int32, 1, out.Len+1)
	parts := make([]*Column, len(cols))
	for k, c := range cols {
		from, to := c.Offsets[0], c.Offsets[c.Len]
		base := out.Offsets[len(out.Offsets)-1]
		for _, o := range c.Offsets[1 : c.Len+1] {
			out.Offsets = append(out.Offsets, o-from+base)
		}
		parts[k] = &Column{Type: t, Len: int(to - from), Children: sliceAll(c.Children, int(from), int(to-from))}
	}
	width := 0
	if len(cols) > 0 {
		width = len(cols[0].Children)
	}
	own := out.OwnChildren(width)
	for i := range own {
		concatFlattened(own[i], cols[0].Children[i].Type, parts, i)
	}
}

func sliceAll(cols []*Column, from, n int) []*Column {
	out := make([]*Column, len(cols))
	for i, c := range cols {
		out[i] = &Column{}
		Slice(out[i], c, from, n)
	}
	return out
}
