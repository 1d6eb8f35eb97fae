package vector

import (
	"fmt"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

// FromArrow makes out show an Arrow array as a column of type t, whose form TypeOfArrow told; t may also
// be a type of the same form, such as CHAR for STRING. Memory is shared where the layouts agree: all but
// utf8 offsets, dictionary codes that are not int32 and bitmaps that start inside a word. The array must
// live as long as the column.
func FromArrow(out *Column, t types.Type, a arrow.Array) error {
	return fromArrow(out, t, a.Data())
}

func fromArrow(out *Column, t types.Type, d arrow.ArrayData) error {
	own, err := typeOfArrow(d.DataType())
	if err != nil {
		return err
	}
	if own.Kind != types.Null && (own.Physical() != t.Physical() || (t.Kind == types.Decimal &&
		own.Scale != t.Scale) ||
		len(own.Fields) != len(t.Fields) && t.Kind != types.Multiset || (t.Kind.IsTimestamp() &&
		own.TickNanos() != t.TickNanos())) {
		return fmt.Errorf("vector: an Arrow %s is no %s", d.DataType(), t)
	}
	n, off := d.Len(), d.Offset()
	out.Reset(t, n)
	if d.DataType().ID() == arrow.NULL {
		out.SetConstNull(t, n)
		return nil
	}
	if d.NullN() != 0 && d.Buffers()[0] != nil {
		copyBits(out.AllocValid(), d.Buffers()[0].Bytes(), off, n)
	}
	switch dt := d.DataType().(type) {
	case *arrow.DictionaryType:
		return out.arrowCodes(t, dt, d)
	case *arrow.StructType:
		return out.arrowFields(t, d)
	case *arrow.ListType:
		return out.arrowElements(t, d, d.Children()[0])
	case *arrow.MapType:
		return out.arrowElements(t, d, d.Children()[0].Children()...)
	case *arrow.StringType, *arrow.BinaryType:
		out.arrowViews(d)
		return nil
	case *arrow.StringViewType, *arrow.BinaryViewType:
		for _, b := range d.Buffers()[2:] {
			out.Bufs = append(out.Bufs, b.Bytes())
		}
	case *arrow.BooleanType:
		if n > 0 {
			copyBits(AllocBits(out), d.Buffers()[1].Bytes(), off, n)
		}
		return nil
	}
	out.Wide = t.Kind == types.Decimal
	if n > 0 {
		w := out.Phys().Width()
		out.Data = aligned(out, d.Buffers()[1].Bytes()[off*w:(off+n)*w])
	}
	return nil
}

// aligned is b, or a copy of it in c's memory where b does not start at a word.
func aligned(c *Column, b []byte) []byte {
	if uintptr(unsafe.Pointer(unsafe.SliceData(b)))&7 == 0 {
		return b
	}
	c.reserve(len(b))
	own := bytesOf(c.mem)[:len(b)]
	copy(own, b)
	return own
}

// copyBits copies n bits of a little-endian bitmap from a position and clears the rest of the last word.
func copyBits(out []uint64, src []byte, from, n int) {
	out = out[:kernel.Words(n)]
	clear(out)
	dst := bytesOf(out)[:(n+7)/8]
	src = src[from>>3:]
	if s := from & 7; s == 0 {
		copy(dst, src)
	} else {
		for i := range dst {
			dst[i] = src[i] >> s
			if i+1 < len(src) {
				dst[i] |= src[i+1] << (8 - s)
			}
		}
	}
	if n > 0 {
		out[len(out)-1] &= kernel.TailMask(n)
	}
}

func (c *Column) arrowCodes(t types.Type, dt *arrow.DictionaryType, d arrow.ArrayData) error {
	vals := &Column{}
	if err := fromArrow(vals, t, d.Dictionary()); err != nil {
		return err
	}
	if vals.Len == 0 {
		c.SetConstNull(t, c.Len)
		return nil
	}
	n, off := d.Len(), d.Offset()
	var codes []int32
	if dt.IndexType.ID() == arrow.INT32 && c.Valid == nil {
		codes = unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(d.Buffers()[1].Bytes()))), off+n)[off:]
	} else {
		// Codes of NULL rows may be anything, ours must name an entry.
		x := array.NewDictionaryData(d)
		codes = make([]int32, n)
		for i := range codes {
			if c.Valid == nil || kernel.Bit(c.Valid, i) {
				codes[i] = int32(x.GetValueIndex(i))
			}
		}
		x.Release()
	}
	c.Enc, c.Codes, c.Dict = Dict, codes, &Dictionary{Values: vals}
	return nil
}

func (c *Column) arrowFields(t types.Type, d arrow.ArrayData) error {
	own := c.OwnChildren(len(t.Fields))
	for i, k := range d.Children() {
		// A slice of a struct leaves its children whole.
		part := array.NewSliceData(k, int64(d.Offset()), int64(d.Offset()+d.Len()))
		if err := fromArrow(own[i], t.Fields[i].Type, part); err != nil {
			return err
		}
	}
	return nil
}

func (c *Column) arrowElements(t types.Type, d arrow.ArrayData, kids ...arrow.ArrayData) error {
	n, off := d.Len(), d.Offset()
	c.Offsets = []int32{0}
	if n > 0 {
		c.Offsets = unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(d.Buffers()[1].Bytes()))), off+n+1)[off:]
	}
	own := c.OwnChildren(len(kids))
	for i, k := range kids {
		e := types.Of(types.Int) // the counts of a MULTISET
		if i < len(t.Fields) {
			e = t.Fields[i].Type
		}
		if err := fromArrow(own[i], e, k); err != nil {
			return err
		}
	}
	return nil
}

// arrowViews makes views into the text of an array with offsets.
func (c *Column) arrowViews(d arrow.ArrayData) {
	views := Alloc[View](c)
	if len(views) == 0 {
		return
	}
	off := d.Offset()
	offsets := unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(d.Buffers()[1].Bytes()))),
		off+len(views)+1)[off:]
	var text []byte
	if b := d.Buffers()[2]; b != nil {
		text = b.Bytes()
	}
	for i := range views {
		from, to := int(offsets[i]), int(offsets[i+1])
		views[i] = kernel.MakeView(text, 0, from, to-from)
	}
	c.Bufs = append(c.Bufs, text)
}
