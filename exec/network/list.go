package network

import (
	"encoding/binary"
	"math"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// A list travels as a text that holds the number of its elements and then their values, of each child one
// after the other: a byte that is 0 for NULL, and the value. Lists are rare in exchanges, so that what counts
// here is plainness.

// encodeLists writes a flat column of lists as texts.
func encodeLists(out, c *vector.Column) {
	out.Reset(types.Bytes(), c.Len)
	w := vector.NewText(out)
	for i := range c.Len {
		if c.Valid != nil && !kernel.Bit(c.Valid, i) {
			continue
		}
		w.End(i, appendList(w.Begin(), c, i))
	}
	w.Finish()
	out.Valid = c.Valid
}

func appendList(dst []byte, c *vector.Column, i int) []byte {
	from, to := c.Offsets[i], c.Offsets[i+1]
	dst = binary.LittleEndian.AppendUint32(dst, uint32(to-from))
	for k := from; k < to; k++ {
		for _, child := range c.Children {
			dst = appendValue(dst, child, int(k))
		}
	}
	return dst
}

func appendValue(dst []byte, c *vector.Column, i int) []byte {
	if c.Null(i) {
		return append(dst, 0)
	}
	dst = append(dst, 1)
	t := c.Type
	c, i = c.At(i)
	if t.Kind == types.Decimal {
		v := vector.DecimalAt(c, i)
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(dst, v.Lo), uint64(v.Hi))
	}
	switch c.Phys() {
	case types.PhysBool:
		if kernel.Bit(vector.Bits(c), i) {
			return append(dst, 1)
		}
		return append(dst, 0)
	case types.PhysInt8:
		return append(dst, byte(vector.Values[int8](c)[i]))
	case types.PhysInt16:
		return binary.LittleEndian.AppendUint16(dst, uint16(vector.Values[int16](c)[i]))
	case types.PhysInt32, types.PhysFloat32:
		return binary.LittleEndian.AppendUint32(dst, vector.Values[uint32](c)[i])
	case types.PhysInt64, types.PhysFloat64:
		return binary.LittleEndian.AppendUint64(dst, vector.Values[uint64](c)[i])
	case types.PhysView:
		t := vector.Values[vector.View](c)[i].Bytes(c.Bufs)
		return append(binary.LittleEndian.AppendUint32(dst, uint32(len(t))), t...)
	case types.PhysRow:
		for _, child := range c.Children {
			dst = appendValue(dst, child, i)
		}
		return dst
	}
	return appendList(dst, c, i)
}

// maxDepth bounds the nesting that decodeList follows.
const maxDepth = 100

// decodeList appends one list to b and returns the bytes behind it.
func decodeList(b *vector.Builder, src []byte, depth int) ([]byte, error) {
	if len(src) < 4 || depth > maxDepth {
		return nil, errGarbage
	}
	n := binary.LittleEndian.Uint32(src)
	if src = src[4:]; uint64(n) > uint64(len(src)) {
		return nil, errGarbage
	}
	t := b.Type()
	children := len(t.Fields)
	if t.Kind == types.Multiset {
		children = 2
	}
	for range n {
		for k := range children {
			var err error
			if src, err = decodeValue(b.Child(k), src, depth+1); err != nil {
				return nil, err
			}
		}
	}
	b.AppendList()
	return src, nil
}

func decodeValue(b *vector.Builder, src []byte, depth int) ([]byte, error) {
	if len(src) == 0 || depth > maxDepth {
		return nil, errGarbage
	}
	there := src[0]
	if src = src[1:]; there == 0 {
		b.AppendNull()
		return src, nil
	}
	t := b.Type()
	if t.Kind == types.Row {
		for k := range t.Fields {
			var err error
			if src, err = decodeValue(b.Child(k), src, depth+1); err != nil {
				return nil, err
			}
		}
		b.AppendRow()
		return src, nil
	}
	if t.Physical() == types.PhysList {
		return decodeList(b, src, depth+1)
	}
	return decodeScalar(b, t, src)
}

func decodeScalar(b *vector.Builder, t types.Type, src []byte) ([]byte, error) {
	p := t.Physical()
	w := p.Width()
	switch {
	case t.Kind == types.Decimal:
		w = types.PhysInt128.Width()
	case p == types.PhysBool:
		w = 1
	case p == types.PhysView:
		w = 4
	case p == types.PhysNone:
		return nil, errGarbage
	}
	if len(src) < w {
		return nil, errGarbage
	}
	switch {
	case t.Kind == types.Decimal:
		lo, hi := binary.LittleEndian.Uint64(src), binary.LittleEndian.Uint64(src[8:])
		b.AppendDecimal(kernel.Int128{Lo: lo, Hi: int64(hi)})
	case p == types.PhysBool:
		b.AppendBool(src[0] != 0)
	case p == types.PhysInt8:
		b.AppendInt(int64(int8(src[0])))
	case p == types.PhysInt16:
		b.AppendInt(int64(int16(binary.LittleEndian.Uint16(src))))
	case p == types.PhysInt32:
		b.AppendInt(int64(int32(binary.LittleEndian.Uint32(src))))
	case p == types.PhysInt64:
		b.AppendInt(int64(binary.LittleEndian.Uint64(src)))
	case p == types.PhysFloat32:
		b.AppendFloat(float64(math.Float32frombits(binary.LittleEndian.Uint32(src))))
	case p == types.PhysFloat64:
		b.AppendFloat(math.Float64frombits(binary.LittleEndian.Uint64(src)))
	default:
		n := binary.LittleEndian.Uint32(src)
		if uint64(n) > uint64(len(src)-4) {
			return nil, errGarbage
		}
		b.AppendBytes(src[4 : 4+n])
		w += int(n)
	}
	return src[w:], nil
}
