package function

import (
	"encoding/binary"
	"math"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Values of any type as bytes, for accumulators that keep values one by one and rows that are kept: a byte that is 0 for NULL, then
// the value. Equal values have equal bytes.

// AppendPacked appends row i of c, in any encoding, to b.
func AppendPacked(b []byte, c *vector.Column, i int) []byte { return appendPacked(b, c, i) }

// Unpack appends the value at the start of b, which AppendPacked wrote for the type of out, and returns what
// follows it.
func Unpack(out *vector.Builder, b []byte) []byte { return unpackTo(out, b) }

func appendPacked(b []byte, c *vector.Column, i int) []byte {
	if c.Null(i) {
		return append(b, 0)
	}
	c, i = c.At(i)
	b = append(b, 1)
	switch c.Phys() {
	case types.PhysBool:
		return append(b, byte(b2i(vector.Bool(c, i))))
	case types.PhysInt8:
		return append(b, byte(vector.Values[int8](c)[i]))
	case types.PhysInt16:
		return binary.LittleEndian.AppendUint16(b, uint16(vector.Values[int16](c)[i]))
	case types.PhysInt32:
		return binary.LittleEndian.AppendUint32(b, uint32(vector.Values[int32](c)[i]))
	case types.PhysFloat32:
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(vector.Values[float32](c)[i]))
	case types.PhysFloat64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(vector.Values[float64](c)[i]))
	case types.PhysView:
		t := vector.Text(c, i)
		return append(binary.AppendUvarint(b, uint64(len(t))), t...)
	case types.PhysRow:
		for _, k := range c.Children {
			b = appendPacked(b, k, i)
		}
		return b
	case types.PhysList:
		from, to := c.Offsets[i], c.Offsets[i+1]
		b = binary.AppendUvarint(b, uint64(to-from))
		for e := from; e < to; e++ {
			for _, k := range c.Children {
				b = appendPacked(b, k, int(e))
			}
		}
		return b
	}
	if c.Type.Kind == types.Decimal {
		v := vector.DecimalAt(c, i)
		b = binary.LittleEndian.AppendUint64(b, v.Lo)
		if c.Type.Wide() {
			b = binary.LittleEndian.AppendUint64(b, uint64(v.Hi))
		}
		return b
	}
	return binary.LittleEndian.AppendUint64(b, uint64(vector.Values[int64](c)[i]))
}

// unpackTo appends the value at the start of b and returns what follows.
func unpackTo(out *vector.Builder, b []byte) []byte {
	present := b[0] != 0
	b = b[1:]
	if !present {
		out.AppendNull()
		return b
	}
	t := out.Type()
	switch t.Physical() {
	case types.PhysBool:
		out.AppendBool(b[0] != 0)
		return b[1:]
	case types.PhysInt8:
		out.AppendInt(int64(int8(b[0])))
		return b[1:]
	case types.PhysInt16:
		out.AppendInt(int64(int16(binary.LittleEndian.Uint16(b))))
		return b[2:]
	case types.PhysInt32:
		out.AppendInt(int64(int32(binary.LittleEndian.Uint32(b))))
		return b[4:]
	case types.PhysFloat32:
		out.AppendFloat(float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
		return b[4:]
	case types.PhysFloat64:
		out.AppendFloat(math.Float64frombits(binary.LittleEndian.Uint64(b)))
		return b[8:]
	case types.PhysView:
		n, k := binary.Uvarint(b)
		b = b[k:]
		out.AppendBytes(b[:n])
		return b[n:]
	case types.PhysRow:
		for i := range t.Fields {
			b = unpackTo(out.Child(i), b)
		}
		out.AppendRow()
		return b
	case types.PhysList:
		return unpackList(out, b)
	}
	lo := binary.LittleEndian.Uint64(b)
	b = b[8:]
	if t.Wide() {
		out.AppendDecimal(kernel.Int128{Lo: lo, Hi: int64(binary.LittleEndian.Uint64(b))})
		return b[8:]
	}
	out.AppendInt(int64(lo))
	return b
}

func unpackList(out *vector.Builder, b []byte) []byte {
	n, k := binary.Uvarint(b)
	b = b[k:]
	kids := len(out.Type().Fields)
	if out.Type().Kind == types.Multiset {
		kids++
	}
	for range n {
		for i := range kids {
			b = unpackTo(out.Child(i), b)
		}
	}
	out.AppendList()
	return b
}

// SkipPacked returns what follows the value of type t at the start of b, which AppendPacked wrote.
func SkipPacked(t types.Type, b []byte) []byte {
	present := b[0] != 0
	if b = b[1:]; !present {
		return b
	}
	switch t.Physical() {
	case types.PhysBool, types.PhysInt8:
		return b[1:]
	case types.PhysInt16:
		return b[2:]
	case types.PhysInt32, types.PhysFloat32:
		return b[4:]
	case types.PhysView:
		n, k := binary.Uvarint(b)
		return b[k+int(n):]
	case types.PhysRow:
		for _, f := range t.Fields {
			b = SkipPacked(f.Type, b)
		}
		return b
	case types.PhysList:
		n, k := binary.Uvarint(b)
		b = b[k:]
		for range n {
			for _, f := range t.Fields {
				b = SkipPacked(f.Type, b)
			}
			if t.Kind == types.Multiset {
				b = SkipPacked(types.Of(types.Int), b)
			}
		}
		return b
	}
	if t.Wide() {
		return b[16:]
	}
	return b[8:]
}

// twoBuilders make results in turn: one stays valid while the next is made.
type twoBuilders struct {
	made [2]*vector.Builder
	turn int
}

func (b *twoBuilders) next(t types.Type) *vector.Builder {
	b.turn ^= 1
	if b.made[b.turn] == nil {
		b.made[b.turn] = vector.NewBuilder(t)
	}
	out := b.made[b.turn]
	out.Reset()
	return out
}
