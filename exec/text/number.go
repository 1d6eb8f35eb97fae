package text

import (
	"math/bits"
	"strconv"

	"streamsql/exec/kernel"
)

// AppendBool writes TRUE or FALSE, as CAST does.
func AppendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, "TRUE"...)
	}
	return append(dst, "FALSE"...)
}

// AppendInt writes an integer.
func AppendInt(dst []byte, v int64) []byte { return strconv.AppendInt(dst, v, 10) }

// AppendDecimal64 writes unscaled × 10^-scale with all digits of the scale.
func AppendDecimal64(dst []byte, unscaled int64, scale int) []byte {
	u := uint64(unscaled)
	if unscaled < 0 {
		dst = append(dst, '-')
		u = -u
	}
	if scale == 0 {
		return strconv.AppendUint(dst, u, 10)
	}
	var d [20]byte
	return appendPoint(dst, strconv.AppendUint(d[:0], u, 10), scale)
}

// AppendDecimal writes a wide unscaled × 10^-scale with all digits of the scale.
func AppendDecimal(dst []byte, unscaled kernel.Int128, scale int) []byte {
	if unscaled.Fits() {
		return AppendDecimal64(dst, unscaled.Int64(), scale)
	}
	if unscaled.Hi < 0 {
		dst = append(dst, '-')
		unscaled = unscaled.Neg()
	}
	var d [40]byte
	digits := appendDigits(d[:0], uint64(unscaled.Hi), unscaled.Lo)
	if scale == 0 {
		return append(dst, digits...)
	}
	return appendPoint(dst, digits, scale)
}

// appendPoint writes digits with a decimal point before the last scale of them.
func appendPoint(dst, digits []byte, scale int) []byte {
	n := len(digits) - scale
	if n > 0 {
		dst = append(dst, digits[:n]...)
		dst = append(dst, '.')
		return append(dst, digits[n:]...)
	}
	dst = append(dst, "0."...)
	for ; n < 0; n++ {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}

// appendDigits writes an unsigned 128-bit number below 2^127.
func appendDigits(dst []byte, hi, lo uint64) []byte {
	const e19 = 1e19
	if hi == 0 {
		return strconv.AppendUint(dst, lo, 10)
	}
	// hi < 2^63 < e19, so that the quotient fits one word and has at most 20 digits.
	q, low := bits.Div64(hi, lo, e19)
	return appendPadded(strconv.AppendUint(dst, q, 10), low, 19)
}

// appendPadded writes exactly n digits of v.
func appendPadded(dst []byte, v uint64, n int) []byte {
	at := len(dst)
	for range n {
		dst = append(dst, '0')
	}
	for i := at + n - 1; i >= at; i-- {
		dst[i] = byte('0' + v%10)
		v /= 10
	}
	return dst
}
