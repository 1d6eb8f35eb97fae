package text

import (
	"math"
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

// AppendFloat writes a FLOAT as Java's Float.toString: the shortest digits that read back, scientific
// from 1.0E7 and below 1.0E-3.
func AppendFloat(dst []byte, v float32) []byte { return appendJava(dst, float64(v), 32) }

// AppendDouble writes a DOUBLE as Java's Double.toString.
func AppendDouble(dst []byte, v float64) []byte {
	if out, ok := appendShort(dst, v); ok {
		return out
	}
	return appendJava(dst, v, 64)
}

// appendShort writes a DOUBLE of up to four digits behind the point that Java writes without an exponent. No two numbers of
// so few digits are the same DOUBLE, so that one that reads back as v is the shortest that does.
func appendShort(dst []byte, v float64) ([]byte, bool) {
	abs := math.Abs(v)
	if !(abs >= 1e-3 && abs < 1e7) {
		return dst, false
	}
	n := int64(abs*1e4 + 0.5)
	if float64(n)/1e4 != abs {
		return dst, false
	}
	if v < 0 {
		dst = append(dst, '-')
	}
	dst = AppendInt(dst, n/1e4)
	frac := n % 1e4
	dst = append(dst, '.', byte('0'+frac/1000), byte('0'+frac/100%10), byte('0'+frac/10%10), byte('0'+frac%10))
	for dst[len(dst)-1] == '0' && dst[len(dst)-2] != '.' {
		dst = dst[:len(dst)-1]
	}
	return dst, true
}

func appendJava(dst []byte, v float64, size int) []byte {
	switch {
	case v != v:
		return append(dst, "NaN"...)
	case v == 0 || v-v != 0: // zeros and infinities
		return appendSpecial(dst, v)
	}
	var buf [32]byte
	e := strconv.AppendFloat(buf[:0], v, 'e', -1, size)
	if e[0] == '-' {
		dst = append(dst, '-')
		e = e[1:]
	}
	if e[1] == 'e' {
		// Java wants two digits at least, the closest ones: the smallest double is 4.9E-324.
		var two [32]byte
		t := strconv.AppendFloat(two[:0], v, 'e', 1, size)
		if back, err := strconv.ParseFloat(string(t), size); err == nil && back == v {
			e = append(buf[:0], t...)
			if e[0] == '-' {
				e = e[1:]
			}
		}
	}
	digits, exp := splitExponent(e)
	for len(digits) > 1 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	if exp >= -3 && exp < 7 {
		return appendFixed(dst, digits, exp)
	}
	dst = append(dst, digits[0], '.')
	if len(digits) == 1 {
		dst = append(dst, '0')
	}
	dst = append(dst, digits[1:]...)
	dst = append(dst, 'E')
	return strconv.AppendInt(dst, int64(exp), 10)
}

func appendSpecial(dst []byte, v float64) []byte {
	switch {
	case v > 0:
		return append(dst, "Infinity"...)
	case v < 0:
		return append(dst, "-Infinity"...)
	case 1/v < 0:
		return append(dst, "-0.0"...)
	}
	return append(dst, "0.0"...)
}

// splitExponent takes `d.ddde±xx` apart, in place: the digits without the point, and the exponent.
func splitExponent(e []byte) (digits []byte, exp int) {
	at := len(e) - 1
	for e[at] != 'e' {
		at--
	}
	for _, c := range e[at+2:] {
		exp = exp*10 + int(c-'0')
	}
	if e[at+1] == '-' {
		exp = -exp
	}
	if at == 1 {
		return e[:1], exp
	}
	e[1] = e[0]
	return e[1:at], exp
}

// appendFixed writes digits × 10^exp, digits having one place before the point, without an exponent.
func appendFixed(dst, digits []byte, exp int) []byte {
	if exp < 0 {
		dst = append(dst, "0."...)
		for ; exp < -1; exp++ {
			dst = append(dst, '0')
		}
		return append(dst, digits...)
	}
	for len(digits) <= exp {
		digits = append(digits, '0')
	}
	dst = append(dst, digits[:exp+1]...)
	dst = append(dst, '.')
	if len(digits) == exp+1 {
		return append(dst, '0')
	}
	return append(dst, digits[exp+1:]...)
}
