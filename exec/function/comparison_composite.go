package function

import (
	"bytes"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// compareComposites compares ROWs, ARRAYs, MAPs and MULTISETs for equality. Inside a composite NULL is
// equal to NULL and to nothing else, so that two composites that are not NULL are equal or not.
func compareComposites(o kernel.Order) wordsFunc {
	return func(out []uint64, x, y *vector.Column, n int) {
		clear(out)
		for i := range n {
			if sameValue(x, i, y, i) == (o == kernel.EQ) {
				kernel.SetBit(out, i)
			}
		}
	}
}

// sameValue compares row i of x with row j of y, of types that differ in nothing but lengths, scales and
// nullability.
func sameValue(x *vector.Column, i int, y *vector.Column, j int) bool {
	if x.Null(i) || y.Null(j) {
		return x.Null(i) && y.Null(j)
	}
	x, i = x.At(i)
	y, j = y.At(j)
	switch x.Type.Kind {
	case types.Row:
		for k := range x.Children {
			if !sameValue(x.Children[k], i, y.Children[k], j) {
				return false
			}
		}
		return true
	case types.Array:
		return sameArray(x, i, y, j)
	case types.Map, types.Multiset:
		return sameMap(x, i, y, j)
	}
	return orderValue(x, i, y, j) == 0
}

// span is the range of elements of row i of a flat list.
func span(c *vector.Column, i int) (from, to int) { return int(c.Offsets[i]), int(c.Offsets[i+1]) }

func sameArray(x *vector.Column, i int, y *vector.Column, j int) bool {
	a, aEnd := span(x, i)
	b, bEnd := span(y, j)
	if aEnd-a != bEnd-b {
		return false
	}
	for ; a < aEnd; a, b = a+1, b+1 {
		if !sameValue(x.Children[0], a, y.Children[0], b) {
			return false
		}
	}
	return true
}

// sameMap compares without regard to the order of entries; keys are distinct.
func sameMap(x *vector.Column, i int, y *vector.Column, j int) bool {
	a, aEnd := span(x, i)
	b, bEnd := span(y, j)
	if aEnd-a != bEnd-b {
		return false
	}
	for ; a < aEnd; a++ {
		k := findValue(y.Children[0], b, bEnd, x.Children[0], a)
		if k < 0 || !sameValue(x.Children[1], a, y.Children[1], k) {
			return false
		}
	}
	return true
}

// findValue returns the first of the elements from..to of c that is the same as row j of y, or -1.
func findValue(c *vector.Column, from, to int, y *vector.Column, j int) int {
	for k := from; k < to; k++ {
		if sameValue(c, k, y, j) {
			return k
		}
	}
	return -1
}

// orderValue orders two values that are not NULL and not composite: FALSE before TRUE, texts by bytes, NaN
// above every number. x and y hold the values flat at i and j.
func orderValue(x *vector.Column, i int, y *vector.Column, j int) int {
	if x.Wide || y.Wide || (x.Type.Kind == types.Decimal && x.Type.Scale != y.Type.Scale) {
		var big kernel.BigDecimal
		return big.Cmp(vector.DecimalAt(x, i), x.Type.Scale, vector.DecimalAt(y, j), y.Type.Scale)
	}
	switch x.Type.Physical() {
	case types.PhysBool:
		return orderOf(b2i(vector.Bool(x, i)), b2i(vector.Bool(y, j)))
	case types.PhysInt8:
		return orderOf(vector.Value[int8](x, i), vector.Value[int8](y, j))
	case types.PhysInt16:
		return orderOf(vector.Value[int16](x, i), vector.Value[int16](y, j))
	case types.PhysInt32:
		return orderOf(vector.Value[int32](x, i), vector.Value[int32](y, j))
	case types.PhysInt64:
		return orderOf(vector.Value[int64](x, i), vector.Value[int64](y, j))
	case types.PhysFloat32:
		return orderOf(vector.Value[float32](x, i), vector.Value[float32](y, j))
	case types.PhysFloat64:
		return orderOf(vector.Value[float64](x, i), vector.Value[float64](y, j))
	case types.PhysView:
		return bytes.Compare(vector.Text(x, i), vector.Text(y, j))
	}
	panic("function: no order for " + x.Type.String())
}

// orderOf puts NaN above every number; two of them are the same.
func orderOf[T kernel.Number](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	}
	return int(b2i(a != a) - b2i(b != b))
}

func b2i(b bool) int8 {
	if b {
		return 1
	}
	return 0
}
