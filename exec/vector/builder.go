package vector

import (
	"unsafe"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

// Builder makes a flat column row by row, for decoders and VALUES. Every row is one Append call of the
// column's physical form, or AppendNull. A ROW takes one row in each child, then AppendRow; an ARRAY, MAP
// or MULTISET takes any number of rows in its children, then AppendList. Its memory is kept from batch to
// batch: the column that Finish shows is lent until Reset.
type Builder struct {
	typ     types.Type
	phys    types.Physical
	width   int
	n       int
	nulls   bool
	valid   []uint64
	data    []uint64 // values of width bytes each, or bits
	arena   []byte
	offsets []int32
	kids    []*Builder
	kept    []*Column // the children shown by Finish
}

// NewBuilder makes an empty builder. DECIMALs of more than 18 digits are built wide.
func NewBuilder(t types.Type) *Builder {
	b := &Builder{typ: t, phys: t.Physical()}
	if t.Wide() {
		b.phys = types.PhysInt128
	}
	b.width = b.phys.Width()
	switch b.phys {
	case types.PhysRow, types.PhysList:
		for _, f := range t.Fields {
			b.kids = append(b.kids, NewBuilder(f.Type))
		}
		if t.Kind == types.Multiset {
			b.kids = append(b.kids, NewBuilder(types.Of(types.Int)))
		}
		if b.phys == types.PhysList {
			b.offsets = append(b.offsets, 0)
		}
	}
	for range b.kids {
		b.kept = append(b.kept, &Column{})
	}
	return b
}

// Type is the type of the column being built.
func (b *Builder) Type() types.Type { return b.typ }

// Len is the number of rows appended since Reset.
func (b *Builder) Len() int { return b.n }

// Child is the builder of a ROW's field, an ARRAY's or MULTISET's element (0), a MAP's key (0) or value
// (1), or a MULTISET's count (1).
func (b *Builder) Child(i int) *Builder { return b.kids[i] }

// Reset forgets all rows and keeps the memory.
func (b *Builder) Reset() { b.Truncate(0) }

// Truncate forgets the rows from n on, and what their children got, also for a row that was begun and
// not finished.
func (b *Builder) Truncate(n int) {
	if n == 0 {
		b.nulls, b.arena = false, b.arena[:0]
	}
	b.n = min(b.n, n)
	switch b.phys {
	case types.PhysRow:
		for _, k := range b.kids {
			k.Truncate(b.n)
		}
	case types.PhysList:
		b.offsets = b.offsets[:b.n+1]
		for _, k := range b.kids {
			k.Truncate(int(b.offsets[b.n]))
		}
	}
}

// grow makes room for one more row and counts it as valid.
func (b *Builder) grow() int {
	i := b.n
	b.n++
	if i>>6 >= len(b.valid) {
		b.valid = append(b.valid, 0)
	}
	kernel.SetBit(b.valid, i)
	words := (b.n*b.width + 7) >> 3
	if b.phys == types.PhysBool {
		words = kernel.Words(b.n)
	}
	if words > len(b.data) {
		bigger := make([]uint64, max(2*len(b.data), words, 64))
		copy(bigger, b.data)
		b.data = bigger
	}
	return i
}

// put appends a value of the physical form's Go type.
func put[T any](b *Builder, v T) {
	if unsafe.Sizeof(v) != uintptr(b.width) {
		panic("vector: a value of another form for " + b.typ.String())
	}
	i := b.grow()
	p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(b.data)), i*b.width)
	*(*T)(p) = v
}

// AppendNull appends NULL.
func (b *Builder) AppendNull() {
	switch b.phys {
	case types.PhysBool:
		b.AppendBool(false)
	case types.PhysRow:
		for _, k := range b.kids {
			k.Truncate(b.n)
			k.AppendNull()
		}
		b.grow()
	case types.PhysList:
		for _, k := range b.kids {
			k.Truncate(int(b.offsets[b.n]))
		}
		b.AppendList()
	default:
		i := b.grow()
		w := b.width
		clear(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(b.data))), len(b.data)*8)[i*w : i*w+w])
	}
	b.nulls = true
	kernel.ClearBit(b.valid, b.n-1)
}

// AppendBool appends a BOOLEAN.
func (b *Builder) AppendBool(v bool) {
	if b.phys != types.PhysBool {
		panic("vector: a BOOLEAN for " + b.typ.String())
	}
	i := b.grow()
	if v {
		kernel.SetBit(b.data, i)
	} else {
		kernel.ClearBit(b.data, i)
	}
}

// AppendInt appends a value of any form that is an integer: the integers, dates, times, timestamps,
// intervals, and the unscaled value of a DECIMAL. The caller has checked the range.
func (b *Builder) AppendInt(v int64) {
	switch b.phys {
	case types.PhysInt8:
		put(b, int8(v))
	case types.PhysInt16:
		put(b, int16(v))
	case types.PhysInt32:
		put(b, int32(v))
	case types.PhysInt64:
		put(b, v)
	case types.PhysInt128:
		put(b, kernel.Int128Of(v))
	default:
		panic("vector: an integer for " + b.typ.String())
	}
}

// AppendDecimal appends the unscaled value of a DECIMAL, which fits its precision.
func (b *Builder) AppendDecimal(v Int128) {
	if b.phys == types.PhysInt128 {
		put(b, v)
		return
	}
	put(b, v.Int64())
}

// AppendFloat appends a FLOAT or DOUBLE.
func (b *Builder) AppendFloat(v float64) {
	switch b.phys {
	case types.PhysFloat32:
		put(b, float32(v))
	case types.PhysFloat64:
		put(b, v)
	default:
		panic("vector: a float for " + b.typ.String())
	}
}

// AppendBytes appends a text or binary, copied.
func (b *Builder) AppendBytes(t []byte) { b.End(append(b.arena, t...)) }

// AppendString appends a text or binary, copied.
func (b *Builder) AppendString(t string) { b.End(append(b.arena, t...)) }

// Begin returns memory to append one text to; End with the result appends it as a row.
func (b *Builder) Begin() []byte { return b.arena }

// End appends the text that was written behind what Begin returned.
func (b *Builder) End(t []byte) {
	if b.phys != types.PhysView {
		panic("vector: a text for " + b.typ.String())
	}
	off := len(b.arena)
	put(b, kernel.MakeView(t, 0, off, len(t)-off))
	if len(t)-off <= kernel.InlineLen {
		t = t[:off]
	}
	b.arena = t
}

// AppendRow closes a ROW: every child holds one row more than before.
func (b *Builder) AppendRow() {
	for _, k := range b.kids {
		if k.n != b.n+1 {
			panic("vector: a ROW with a field missing: " + b.typ.String())
		}
	}
	b.grow()
}

// AppendList closes an ARRAY, MAP or MULTISET: its elements are what the children got since the last row.
func (b *Builder) AppendList() {
	end := b.kids[0].n
	if k := b.kids[len(b.kids)-1]; k.n != end {
		panic("vector: keys and values of different number: " + b.typ.String())
	}
	b.grow()
	b.offsets = append(b.offsets, int32(end))
}

// AppendValue appends row i of c, of the same type, through any encoding.
func (b *Builder) AppendValue(c *Column, i int) {
	if c.Null(i) {
		b.AppendNull()
		return
	}
	c, i = c.At(i)
	switch c.Phys() {
	case types.PhysBool:
		b.AppendBool(kernel.Bit(Bits(c), i))
	case types.PhysInt8:
		b.AppendInt(int64(Values[int8](c)[i]))
	case types.PhysInt16:
		b.AppendInt(int64(Values[int16](c)[i]))
	case types.PhysInt32:
		b.AppendInt(int64(Values[int32](c)[i]))
	case types.PhysInt64:
		b.AppendInt(Values[int64](c)[i])
	case types.PhysFloat32:
		put(b, Values[float32](c)[i])
	case types.PhysFloat64:
		put(b, Values[float64](c)[i])
	case types.PhysInt128:
		b.AppendDecimal(Values[Int128](c)[i])
	case types.PhysView:
		b.AppendBytes(Values[View](c)[i].Bytes(c.Bufs))
	case types.PhysRow:
		for k, child := range c.Children {
			b.kids[k].AppendValue(child, i)
		}
		b.AppendRow()
	case types.PhysList:
		for e := c.Offsets[i]; e < c.Offsets[i+1]; e++ {
			for k, child := range c.Children {
				b.kids[k].AppendValue(child, int(e))
			}
		}
		b.AppendList()
	}
}

// Finish makes out the rows appended so far, without a copy; they are lent until Reset.
func (b *Builder) Finish(out *Column) {
	out.Reset(b.typ, b.n)
	if w := kernel.Words(b.n); b.nulls && b.n > 0 {
		b.valid[w-1] &= kernel.TailMask(b.n)
		out.Valid = b.valid[:w:w]
	}
	switch b.phys {
	case types.PhysNone:
	case types.PhysRow, types.PhysList:
		for k, kid := range b.kids {
			kid.Finish(b.kept[k])
		}
		out.Children = append(out.Children, b.kept...)
		if b.phys == types.PhysList {
			out.Offsets = b.offsets
		}
	case types.PhysBool:
		if w := kernel.Words(b.n); w > 0 {
			b.data[w-1] &= kernel.TailMask(b.n)
			out.Data = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(b.data))), w*8)
		}
	default:
		out.Wide = b.phys == types.PhysInt128
		out.Data = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(b.data))), b.n*b.width)
		if b.phys == types.PhysView {
			out.Bufs = append(out.Bufs, b.arena)
		}
	}
}
