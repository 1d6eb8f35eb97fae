package kernel

import (
	"encoding/binary"
	"math/big"
	"math/bits"
)

// Int128 is a signed 128-bit integer in two's complement, laid out as Arrow's decimal128.
type Int128 struct {
	Lo uint64
	Hi int64
}

// Int128Of widens v.
func Int128Of(v int64) Int128 { return Int128{uint64(v), v >> 63} }

// Fits tells whether v is an int64.
func (v Int128) Fits() bool { return v.Hi == int64(v.Lo)>>63 }

// Int64 is the low half as a signed number; it is the value when Fits holds.
func (v Int128) Int64() int64 { return int64(v.Lo) }

// Add wraps.
func (v Int128) Add(w Int128) Int128 {
	lo, c := bits.Add64(v.Lo, w.Lo, 0)
	hi, _ := bits.Add64(uint64(v.Hi), uint64(w.Hi), c)
	return Int128{lo, int64(hi)}
}

// Neg wraps at the smallest value.
func (v Int128) Neg() Int128 {
	lo, b := bits.Sub64(0, v.Lo, 0)
	hi, _ := bits.Sub64(0, uint64(v.Hi), b)
	return Int128{lo, int64(hi)}
}

// Sub wraps.
func (v Int128) Sub(w Int128) Int128 {
	lo, b := bits.Sub64(v.Lo, w.Lo, 0)
	hi, _ := bits.Sub64(uint64(v.Hi), uint64(w.Hi), b)
	return Int128{lo, int64(hi)}
}

// Sign is -1, 0 or 1.
func (v Int128) Sign() int {
	switch {
	case v.Hi < 0:
		return -1
	case v.Hi == 0 && v.Lo == 0:
		return 0
	}
	return 1
}

// Abs is the magnitude.
func (v Int128) Abs() Int128 {
	if v.Hi < 0 {
		return v.Neg()
	}
	return v
}

// BitLen is the number of bits of the magnitude.
func (v Int128) BitLen() int {
	a := v.Abs()
	if a.Hi != 0 {
		return 64 + bits.Len64(uint64(a.Hi))
	}
	return bits.Len64(a.Lo)
}

// Cmp orders.
func (v Int128) Cmp(w Int128) int {
	switch {
	case v.Hi < w.Hi:
		return -1
	case v.Hi > w.Hi:
		return 1
	case v.Lo < w.Lo:
		return -1
	case v.Lo > w.Lo:
		return 1
	}
	return 0
}

// MulInt64 multiplies two int64 into 128 bits, which always fits.
func MulInt64(a, b int64) Int128 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	h := int64(hi)
	if a < 0 {
		h -= b
	}
	if b < 0 {
		h -= a
	}
	return Int128{lo, h}
}

// Big converts to a big integer.
func (v Int128) Big() *big.Int {
	a := v.Abs()
	b := new(big.Int).SetUint64(uint64(a.Hi))
	b.Lsh(b, 64).Or(b, new(big.Int).SetUint64(a.Lo))
	if v.Hi < 0 {
		b.Neg(b)
	}
	return b
}

// Int128OfBig converts from a big integer; ok is false when it does not fit.
func Int128OfBig(b *big.Int) (v Int128, ok bool) {
	if b.BitLen() > 127 {
		return v, false
	}
	var w [16]byte
	b.FillBytes(w[:])
	v = Int128{binary.BigEndian.Uint64(w[8:]), int64(binary.BigEndian.Uint64(w[:8]))}
	if b.Sign() < 0 {
		v = v.Neg()
	}
	return v, true
}

// Float64 rounds to the nearest double.
func (v Int128) Float64() float64 {
	if v.Fits() {
		return float64(v.Int64())
	}
	f, _ := new(big.Float).SetInt(v.Big()).Float64()
	return f
}
