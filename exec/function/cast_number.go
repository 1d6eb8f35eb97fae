package function

import (
	"math"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// castNumber converts between integers and floats.
func castNumber(from types.Type) func(c *conversion) {
	switch from.Physical() {
	case types.PhysInt8:
		return castInteger[int8]
	case types.PhysInt16:
		return castInteger[int16]
	case types.PhysInt32:
		return castInteger[int32]
	case types.PhysInt64:
		return castInteger[int64]
	case types.PhysFloat32:
		return castFloat[float32]
	}
	return castFloat[float64]
}

func castInteger[A kernel.Integer](c *conversion) {
	a := vector.Values[A](c.in)
	switch c.to.Physical() {
	case types.PhysInt8:
		kernel.Convert(vector.Alloc[int8](c.out), a)
	case types.PhysInt16:
		kernel.Convert(vector.Alloc[int16](c.out), a)
	case types.PhysInt32:
		kernel.Convert(vector.Alloc[int32](c.out), a)
	case types.PhysInt64:
		kernel.Convert(vector.Alloc[int64](c.out), a)
	case types.PhysFloat32:
		kernel.Convert(vector.Alloc[float32](c.out), a)
	case types.PhysFloat64:
		kernel.Convert(vector.Alloc[float64](c.out), a)
	}
}

// castFloat saturates at INT and BIGINT; the narrower integers are cut off an INT, as in Java.
func castFloat[A ~float32 | ~float64](c *conversion) {
	a := vector.Values[A](c.in)
	switch c.to.Physical() {
	case types.PhysInt8:
		kernel.Convert(vector.Alloc[int8](c.out), floatsAsInts(c, a))
	case types.PhysInt16:
		kernel.Convert(vector.Alloc[int16](c.out), floatsAsInts(c, a))
	case types.PhysInt32:
		kernel.Saturate(vector.Alloc[int32](c.out), a, math.MinInt32, math.MaxInt32)
	case types.PhysInt64:
		kernel.Saturate(vector.Alloc[int64](c.out), a, math.MinInt64, math.MaxInt64)
	case types.PhysFloat32:
		kernel.Convert(vector.Alloc[float32](c.out), a)
	case types.PhysFloat64:
		kernel.Convert(vector.Alloc[float64](c.out), a)
	}
}

func floatsAsInts[A ~float32 | ~float64](c *conversion, a []A) []int64 {
	t := c.tickBuffer()
	kernel.Saturate(t, a, math.MinInt32, math.MaxInt32)
	return t
}

// tickBuffer is scratch memory of one int64 per row.
func (c *conversion) tickBuffer() []int64 {
	if cap(c.ticks) < c.n {
		c.ticks = make([]int64, c.n+c.n/2)
	}
	return c.ticks[:c.n]
}

// castToBoolean is true for every number but zero.
func castToBoolean(from types.Type) func(c *conversion) {
	switch from.Physical() {
	case types.PhysInt8:
		return castNonZero[int8]
	case types.PhysInt16:
		return castNonZero[int16]
	case types.PhysInt32:
		return castNonZero[int32]
	case types.PhysFloat32:
		return castNonZero[float32]
	case types.PhysFloat64:
		return castNonZero[float64]
	}
	return func(c *conversion) {
		if !c.in.Wide {
			castNonZero[int64](c)
			return
		}
		out := vector.AllocBits(c.out)
		clear(out)
		for i, v := range vector.Values[vector.Int128](c.in) {
			if v.Sign() != 0 {
				kernel.SetBit(out, i)
			}
		}
	}
}

func castNonZero[A kernel.Number](c *conversion) {
	kernel.NonZero(vector.AllocBits(c.out), vector.Values[A](c.in))
}

// booleanToNumber is 1 for TRUE and 0 for FALSE.
func (c *conversion) booleanToNumber() {
	bits := vector.Bits(c.in)
	switch c.to.Physical() {
	case types.PhysInt8:
		kernel.OfBits(vector.Alloc[int8](c.out), bits, 1)
	case types.PhysInt16:
		kernel.OfBits(vector.Alloc[int16](c.out), bits, 1)
	case types.PhysInt32:
		kernel.OfBits(vector.Alloc[int32](c.out), bits, 1)
	case types.PhysInt64:
		kernel.OfBits(vector.Alloc[int64](c.out), bits, 1)
	case types.PhysFloat32:
		kernel.OfBits(vector.Alloc[float32](c.out), bits, 1)
	case types.PhysFloat64:
		kernel.OfBits(vector.Alloc[float64](c.out), bits, 1)
	}
}
