package vector

import (
	"unsafe"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

// Reset makes c an empty-handed column of type t with n rows: flat, no validity, no buffers, no
// children. Its owned memory is kept for reuse.
func (c *Column) Reset(t types.Type, n int) {
	c.Type, c.Len, c.Enc, c.Wide, c.Lasting = t, n, Flat, false, 0
	c.Valid, c.Data, c.Offsets, c.Codes, c.Dict = nil, nil, nil, nil, nil
	c.Bufs, c.Children, c.arena = c.Bufs[:0], c.Children[:0], c.arena[:0]
}

// Alloc gives c room for its Stored values of T in owned, reused memory and returns them; contents are
// arbitrary. T must be the Go type of the physical form.
func Alloc[T any](c *Column) []T {
	n := c.Stored()
	var t T
	size := n * int(unsafe.Sizeof(t))
	c.reserve(size)
	c.Data = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(c.mem))), size)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(c.mem))), n)
}

// AllocBits gives c room for its BOOLEAN values; contents are arbitrary, and the caller must leave the
// bits past the last row zero.
func AllocBits(c *Column) []uint64 {
	n := kernel.Words(c.Stored())
	c.reserve(n * 8)
	c.Data = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(c.mem))), n*8)
	return c.mem[:n]
}

func (c *Column) reserve(bytes int) {
	w := max((bytes+7)/8, 2) // a pointer to no values of 16 bytes must not reach past the memory
	if cap(c.mem) < w {
		c.mem = make([]uint64, w+w/2)
	}
	c.mem = c.mem[:cap(c.mem)]
}

// AllocValid gives c a validity map in owned, reused memory, every row valid, and returns it.
func (c *Column) AllocValid() []uint64 {
	n := c.Stored()
	w := max(kernel.Words(n), 1)
	if cap(c.vmem) < w {
		c.vmem = make([]uint64, w+w/2)
	}
	c.Valid = c.vmem[:w]
	kernel.Fill(c.Valid, n)
	return c.Valid
}

// SetNull makes row i of a flat or constant column NULL, allocating the validity map when needed.
func (c *Column) SetNull(i int) {
	if c.Valid == nil {
		c.AllocValid()
	}
	kernel.ClearBit(c.Valid, i)
}

// OfSlice makes a flat column over v without a copy; v must stay unchanged while the column is used.
func OfSlice[T any](t types.Type, v []T) *Column {
	c := &Column{}
	SetSlice(c, t, v)
	return c
}

// SetSlice makes c a flat column over v without a copy.
func SetSlice[T any](c *Column, t types.Type, v []T) {
	c.Reset(t, len(v))
	var z T
	if len(v) > 0 {
		c.Data = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(z)))
	}
	_, c.Wide = any(v).([]Int128)
}

// SetViews makes c a flat text column over views into bufs, without a copy.
func SetViews(c *Column, t types.Type, v []View, bufs ...[]byte) {
	SetSlice(c, t, v)
	c.Bufs = append(c.Bufs, bufs...)
}

// SetDict makes c a dictionary column.
func (c *Column) SetDict(t types.Type, codes []int32, d *Dictionary) {
	c.Reset(t, len(codes))
	c.Enc, c.Codes, c.Dict = Dict, codes, d
}

// SetConstNull makes c n rows of NULL.
func (c *Column) SetConstNull(t types.Type, n int) {
	c.Reset(t, n)
	c.Enc = Constant
	c.AllocValid()[0] = 0
	switch p := t.Physical(); p {
	case types.PhysNone:
	case types.PhysRow:
		for i, k := range c.OwnChildren(len(t.Fields)) {
			k.SetConstNull(t.Fields[i].Type, 1)
		}
	case types.PhysList:
		c.Offsets, _ = c.listScratch(1, 0)
		clear(c.Offsets)
		c.setNoElements(t)
	default:
		clear(AllocBits16(c))
	}
}

// setNoElements makes the children of a list type, without rows.
func (c *Column) setNoElements(t types.Type) {
	n := len(t.Fields)
	if t.Kind == types.Multiset {
		n++
	}
	for i, k := range c.OwnChildren(n) {
		if i < len(t.Fields) {
			k.setNoRows(t.Fields[i].Type)
		} else {
			k.setNoRows(types.Of(types.Int))
		}
	}
}

// setNoRows makes c a flat column without rows, as are the columns in it, however deep.
func (c *Column) setNoRows(t types.Type) {
	c.Reset(t, 0)
	switch t.Physical() {
	case types.PhysRow:
		for i, k := range c.OwnChildren(len(t.Fields)) {
			k.setNoRows(t.Fields[i].Type)
		}
	case types.PhysList:
		c.Offsets, _ = c.listScratch(0, 0)
		clear(c.Offsets)
		c.setNoElements(t)
	}
}

// AllocBits16 gives a constant column the 16 bytes that hold a value of any physical form.
func AllocBits16(c *Column) []uint64 {
	c.reserve(16)
	c.Data = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(c.mem))), 16)
	return c.mem[:2]
}

// ConstOf makes a constant column of n rows of v.
func ConstOf[T any](t types.Type, v T, n int) *Column {
	c := &Column{}
	c.Reset(t, n)
	c.Enc = Constant
	Alloc[T](c)[0] = v
	_, c.Wide = any(v).(Int128)
	return c
}

// ConstBool makes a constant BOOLEAN column.
func ConstBool(t types.Type, v bool, n int) *Column {
	c := &Column{}
	c.Reset(t, n)
	c.Enc = Constant
	w := AllocBits(c)
	w[0] = 0
	if v {
		w[0] = 1
	}
	return c
}

// ConstText makes a constant text or binary column.
func ConstText(t types.Type, s string, n int) *Column {
	c := &Column{}
	c.Reset(t, n)
	c.Enc = Constant
	b := []byte(s)
	Alloc[View](c)[0] = kernel.MakeView(b, 0, 0, len(b))
	c.Bufs, c.Lasting = append(c.Bufs, b), 1
	return c
}

// ConstNull makes a constant NULL column.
func ConstNull(t types.Type, n int) *Column {
	c := &Column{}
	c.SetConstNull(t, n)
	return c
}

// Alias makes c show the same rows as src, without a copy; c keeps its owned memory.
func (c *Column) Alias(src *Column) {
	c.Type, c.Len, c.Enc, c.Wide = src.Type, src.Len, src.Enc, src.Wide
	c.Valid, c.Data, c.Offsets, c.Codes, c.Dict = src.Valid, src.Data, src.Offsets, src.Codes, src.Dict
	c.Bufs, c.Lasting = append(c.Bufs[:0], src.Bufs...), src.Lasting
	c.Children = append(c.Children[:0], src.Children...)
}
