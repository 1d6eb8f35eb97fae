package op

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// differing appends for each of the first n rows whether two flat columns of one type differ on it.
func differing(out []bool, n int, a, b *vector.Column) []bool {
	for len(out) < n {
		out = append(out, false)
	}
	switch p := a.Phys(); {
	case n == 0:
		return out
	case a.Wide != b.Wide:
		for i := range out {
			out[i] = vector.DecimalAt(a, i) != vector.DecimalAt(b, i)
		}
	case p == types.PhysBool:
		x, y := vector.Bits(a), vector.Bits(b)
		for i := range out {
			out[i] = (x[i>>6]^y[i>>6])>>(uint(i)&63)&1 != 0
		}
	case p == types.PhysInt8:
		differingValues[int8](out, a, b)
	case p == types.PhysInt16:
		differingValues[int16](out, a, b)
	case p == types.PhysInt32, p == types.PhysFloat32:
		differingValues[int32](out, a, b)
	case p == types.PhysInt64, p == types.PhysFloat64:
		differingValues[int64](out, a, b)
	case p == types.PhysInt128:
		differingValues[vector.Int128](out, a, b)
	case p == types.PhysView:
		x, y := vector.Values[vector.View](a), vector.Values[vector.View](b)
		for i := range out {
			out[i] = !kernel.EqualView(&x[i], &y[i], a.Bufs, b.Bufs)
		}
	default:
		for i := range out {
			out[i] = !a.Null(i) && !b.Null(i) && !sameValue(a, i, b, i)
		}
	}
	if a.Valid == nil && b.Valid == nil {
		return out
	}
	for i := range out {
		if x, y := a.Null(i), b.Null(i); x || y {
			out[i] = x != y
		}
	}
	return out
}

func differingValues[T comparable](out []bool, a, b *vector.Column) {
	x, y := vector.Values[T](a)[:len(out)], vector.Values[T](b)[:len(out)]
	for i := range out {
		out[i] = x[i] != y[i]
	}
}

// sameValue compares two values, of texts and composites too; NULL equals NULL.
func sameValue(a *vector.Column, i int, b *vector.Column, k int) bool {
	if a.Null(i) || b.Null(k) {
		return a.Null(i) == b.Null(k)
	}
	a, i = a.At(i)
	b, k = b.At(k)
	switch a.Phys() {
	case types.PhysView:
		return string(vector.Text(a, i)) == string(vector.Text(b, k))
	case types.PhysRow:
		for c := range a.Children {
			if !sameValue(a.Children[c], i, b.Children[c], k) {
				return false
			}
		}
		return true
	case types.PhysList:
		return sameList(a, i, b, k)
	case types.PhysBool:
		return vector.Bool(a, i) == vector.Bool(b, k)
	case types.PhysInt8:
		return vector.Value[int8](a, i) == vector.Value[int8](b, k)
	case types.PhysInt16:
		return vector.Value[int16](a, i) == vector.Value[int16](b, k)
	case types.PhysInt32, types.PhysFloat32:
		return vector.Value[int32](a, i) == vector.Value[int32](b, k)
	}
	if a.Type.Kind == types.Decimal {
		return vector.DecimalAt(a, i) == vector.DecimalAt(b, k)
	}
	return vector.Value[int64](a, i) == vector.Value[int64](b, k)
}

func sameList(a *vector.Column, i int, b *vector.Column, k int) bool {
	from, other := a.Offsets[i], b.Offsets[k]
	n := a.Offsets[i+1] - from
	if n != b.Offsets[k+1]-other {
		return false
	}
	for e := range n {
		for c := range a.Children {
			if !sameValue(a.Children[c], int(from+e), b.Children[c], int(other+e)) {
				return false
			}
		}
	}
	return true
}
