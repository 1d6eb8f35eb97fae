// Package vector is the data that flows: columns in Arrow's memory layout and batches of them.
//
// It does not know functions, operators, state or networks.
//
// Invariants (the numbers are the design's):
//
//	V1 every column of a batch has Len rows, dense.
//	V2 no empty batch is emitted; Len ≤ MaxRows.
//	V3 a batch is lent: unchanged until the call that passed it returns, then its memory may be
//	   reused. Whoever keeps rows copies them, text bytes included.
//	V4 validity bits past Len are zero.
//	V5 a text is a kernel.View, never a Go pointer; the column carries its buffer list.
//	V6 a Column is owned by who made it; passing it on lends it. Slices of a lent column are lent too.
package vector

import (
	"sync/atomic"
	"unsafe"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

// View is a text or binary value.
type View = kernel.View

// Int128 is the wide form of a DECIMAL's unscaled value.
type Int128 = kernel.Int128

// Encoding is how a column's rows stand in its memory.
type Encoding uint8

const (
	// Flat holds one value per row.
	Flat Encoding = iota
	// Constant holds one value for all rows.
	Constant
	// Dict holds a code per row into the values of a dictionary.
	Dict
)

// Column is Len values of one type.
//
// What is set depends on encoding and type. Flat: Data for fixed widths and views, bits for BOOLEAN
// (also in Data), Children for ROW (Len rows each), Offsets (Len+1) and Children for ARRAY, MAP and
// MULTISET. Constant: the same for a single row. Dict: Codes and Dict alone. Valid is nil when no row
// is NULL; a constant NULL has Valid[0] == 0; under Dict it speaks of rows, and a row is also NULL when
// its entry is.
type Column struct {
	Type types.Type
	Len  int
	Enc  Encoding
	// Wide says that a DECIMAL's Data holds Int128 instead of int64.
	Wide  bool
	Valid []uint64
	Data  []byte
	Bufs  [][]byte
	// Lasting has a bit for each of the first buffers whose bytes are never written again: views into them may be kept
	// as long as the buffer is.
	Lasting  uint64
	Offsets  []int32
	Children []*Column
	Codes    []int32
	Dict     *Dictionary

	mem   []uint64 // owned memory behind Data
	vmem  []uint64 // owned memory behind Valid
	arena []byte   // owned text bytes, one of Bufs
	ints  []int32  // owned memory behind Offsets
	// own are the child columns that this column made itself; Children may be lent ones.
	own []*Column
}

// Dictionary is the set of distinct values that codes refer to. A shared one (ID ≠ 0) is append-only
// and its codes stay valid for its life, so results of pure functions over it may be kept, and its texts
// last; a private one (ID 0) belongs to a single batch. Values is flat.
type Dictionary struct {
	ID     uint64
	Values *Column
	// Fixed says that all values are there from the start and nothing of them changes: any goroutine may read them.
	Fixed bool
}

// Phys is the physical form of the column's values.
func (c *Column) Phys() types.Physical {
	if c.Wide {
		return types.PhysInt128
	}
	return c.Type.Physical()
}

// Stored is the number of values in memory: 1 for a constant, Len for a flat column.
func (c *Column) Stored() int {
	if c.Enc == Constant {
		return 1
	}
	return c.Len
}

// Values views the data of a flat or constant column as a slice of T, which must be the Go type of its
// physical form: int8, int16, int32, int64, float32, float64, Int128 or View. Call it once per batch.
func Values[T any](c *Column) []T {
	n := c.Stored()
	if n == 0 || len(c.Data) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(c.Data))), n)
}

// Bits views the data of a flat or constant BOOLEAN column.
func Bits(c *Column) []uint64 {
	n := kernel.Words(c.Stored())
	if n == 0 || len(c.Data) == 0 {
		return nil
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(c.Data))), n)
}

// Step is what a loop adds to its index per row: 1, or 0 for a constant. Kernels for rare functions read
// vals[i*step].
func (c *Column) Step() int {
	if c.Enc == Constant {
		return 0
	}
	return 1
}

// Null tells whether row i is NULL, in any encoding. It is for edges and tests, not for hot loops.
func (c *Column) Null(i int) bool {
	switch c.Enc {
	case Constant:
		i = 0
	case Dict:
		if c.Valid != nil && !kernel.Bit(c.Valid, i) {
			return true
		}
		return c.Dict.Values.Null(int(c.Codes[i]))
	}
	if c.Type.Kind == types.Null {
		return true
	}
	return c.Valid != nil && !kernel.Bit(c.Valid, i)
}

// At resolves row i through constant and dictionary encodings: the flat column that holds the value
// and its position there. It is for edges and tests, not for hot loops.
func (c *Column) At(i int) (*Column, int) {
	for {
		switch c.Enc {
		case Constant:
			return c, 0
		case Dict:
			c, i = c.Dict.Values, int(c.Codes[i])
		default:
			return c, i
		}
	}
}

// Value reads row i of a column of physical form T through any encoding. The row must not be NULL.
func Value[T any](c *Column, i int) T {
	f, k := c.At(i)
	return Values[T](f)[k]
}

// Bool reads row i of a BOOLEAN column through any encoding.
func Bool(c *Column, i int) bool {
	f, k := c.At(i)
	return kernel.Bit(Bits(f), k)
}

// Text reads row i of a text or binary column through any encoding. The bytes are lent like the column.
func Text(c *Column, i int) []byte {
	f, k := c.At(i)
	return Values[View](f)[k].Bytes(f.Bufs)
}

// IsConstNull tells whether every row is NULL by encoding.
func (c *Column) IsConstNull() bool {
	return c.Type.Kind == types.Null || (c.Enc == Constant && c.Valid != nil && c.Valid[0]&1 == 0)
}

var dictionaries atomic.Uint64

// NewDictionary makes a shared dictionary over values, which may later grow but never change.
func NewDictionary(values *Column) *Dictionary {
	return &Dictionary{ID: dictionaries.Add(1), Values: values}
}

// FixedDictionary makes a shared dictionary over values that stay as they are.
func FixedDictionary(values *Column) *Dictionary {
	d := NewDictionary(values)
	d.Fixed = true
	return d
}
