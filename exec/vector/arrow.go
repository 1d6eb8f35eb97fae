package vector

import (
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

// ToArrow shows c as an Arrow array over the same memory, lent like c. Texts are string views and
// dictionaries stay dictionaries; only a constant is repeated and a narrow DECIMAL widened.
func ToArrow(c *Column) arrow.Array { return array.MakeFromData(arrowData(c, false)) }

// ToArrowPlain shows c as an Arrow array of exactly ArrowType(c.Type), for readers that know neither views
// nor dictionaries: texts are copied and dictionaries resolved.
func ToArrowPlain(c *Column) arrow.Array { return array.MakeFromData(arrowData(c, true)) }

func arrowData(c *Column, plain bool) *array.Data {
	t := c.Type
	if c.Enc == Constant || (c.Enc == Dict && plain) {
		flat := &Column{}
		Flatten(flat, c)
		if flat.Len == 0 || flat.Enc == Flat {
			c = flat
		}
	}
	if c.Enc == Dict {
		return arrowDictionary(c)
	}
	if c.Len == 0 && c.Type.Kind.IsComposite() { // may come without children
		c = &Column{}
		NewBuilder(t).Finish(c)
	}
	nulls := 0
	buffers := []*memory.Buffer{nil}
	if c.Valid != nil {
		nulls = c.Len - kernel.Count(c.Valid[:kernel.Words(c.Len)])
		buffers[0] = memory.NewBufferBytes(bytesOf(c.Valid[:kernel.Words(c.Len)]))
	}
	switch c.Phys() {
	case types.PhysNone:
		return array.NewData(arrow.Null, c.Len, buffers, nil, c.Len, 0)
	case types.PhysView:
		return arrowTexts(c, plain, buffers, nulls)
	case types.PhysRow:
		return arrowStruct(c, plain, buffers, nulls)
	case types.PhysList:
		return arrowList(c, plain, buffers, nulls)
	}
	data := c.Data
	if t.Kind == types.Decimal && !c.Wide {
		wide := make([]Int128, c.Len)
		kernel.WidenInt64(wide, Values[int64](c))
		data = bytesOf(wide)
	}
	return array.NewData(ArrowType(t), c.Len, append(buffers, memory.NewBufferBytes(data)), nil, nulls, 0)
}

func bytesOf[T any](v []T) []byte {
	var z T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(z)))
}

// arrowDictionary keeps the codes. A NULL row keeps its code, as Arrow allows.
func arrowDictionary(c *Column) *array.Data {
	dict := arrowData(c.Dict.Values, false)
	dt := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: dict.DataType()}
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(bytesOf(c.Codes[:c.Len]))}
	nulls := 0
	if c.Valid != nil {
		nulls = c.Len - kernel.Count(c.Valid[:kernel.Words(c.Len)])
		buffers[0] = memory.NewBufferBytes(bytesOf(c.Valid[:kernel.Words(c.Len)]))
	}
	return array.NewDataWithDictionary(dt, c.Len, buffers, nulls, 0, dict)
}

func arrowTexts(c *Column, plain bool, buffers []*memory.Buffer, nulls int) *array.Data {
	views := Values[View](c)
	if !plain {
		buffers = append(buffers, memory.NewBufferBytes(bytesOf(views)))
		for _, b := range c.Bufs {
			buffers = append(buffers, memory.NewBufferBytes(b))
		}
		var dt arrow.DataType = arrow.BinaryTypes.BinaryView
		if c.Type.Kind.IsText() || c.Type.Kind == types.Variant {
			dt = arrow.BinaryTypes.StringView
		}
		return array.NewData(dt, c.Len, buffers, nil, nulls, 0)
	}
	offsets, size := make([]int32, c.Len+1), 0
	for i := range views {
		if c.Valid == nil || kernel.Bit(c.Valid, i) {
			size += int(views[i].Len)
		}
		offsets[i+1] = int32(size)
	}
	text := make([]byte, 0, size)
	for i := range views {
		if offsets[i+1] > offsets[i] {
			text = append(text, views[i].Bytes(c.Bufs)...)
		}
	}
	buffers = append(buffers, memory.NewBufferBytes(bytesOf(offsets)), memory.NewBufferBytes(text))
	return array.NewData(ArrowType(c.Type), c.Len, buffers, nil, nulls, 0)
}

func arrowStruct(c *Column, plain bool, buffers []*memory.Buffer, nulls int) *array.Data {
	fields := make([]arrow.Field, len(c.Children))
	kids := make([]arrow.ArrayData, len(c.Children))
	for i, k := range c.Children {
		d := arrowData(k, plain)
		f := c.Type.Fields[i]
		fields[i], kids[i] = arrow.Field{Name: f.Name, Type: d.DataType(), Nullable: f.Type.Nullable()}, d
	}
	return array.NewData(arrow.StructOf(fields...), c.Len, buffers, kids, nulls, 0)
}

func arrowList(c *Column, plain bool, buffers []*memory.Buffer, nulls int) *array.Data {
	offsets := c.Offsets
	if len(offsets) > c.Len+1 {
		offsets = offsets[:c.Len+1]
	}
	buffers = append(buffers, memory.NewBufferBytes(bytesOf(offsets)))
	first := arrowData(c.Children[0], plain)
	if c.Type.Kind == types.Array {
		return array.NewData(arrow.ListOf(first.DataType()), c.Len, buffers, []arrow.ArrayData{first}, nulls, 0)
	}
	second := arrowData(c.Children[1], plain)
	dt := arrow.MapOf(first.DataType(), second.DataType())
	pairs := array.NewData(dt.Elem(), first.Len(), []*memory.Buffer{nil}, []arrow.ArrayData{first, second}, 0, 0)
	return array.NewData(dt, c.Len, buffers, []arrow.ArrayData{pairs}, nulls, 0)
}
