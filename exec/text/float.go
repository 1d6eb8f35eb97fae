package text

import (
	"bytes"
	"math"
	"strconv"
)

// AppendFloat writes a FLOAT as Java's Float.toString: the shortest digits that read back, scientific
// from 1.0E7 and below 1.0E-3.
func AppendFloat(dst []byte, v float32) []byte {
	if abs := math.Abs(float64(v)); abs >= 1e-3 && abs < 1e7 {
		if n, places, ok := shortest(abs); ok {
			return appendPlaces(dst, v < 0, n, places)
		}
	}
	return appendJava(dst, float64(v), 32)
}

// shortest is a FLOAT from 1e-3 up to 1e7 as n / 10^places of the fewest digits, the nearest of those. It leaves out
// powers of two, whose neighbours are not equally far, and what is too near a bound or a tie to tell in DOUBLE.
func shortest(abs float64) (n int64, places int, ok bool) {
	const fraction, margin = 1<<52 - 1, 1e-9
	word := math.Float64bits(abs)
	if word&fraction == 0 {
		return 0, 0, false
	}
	half := math.Float64frombits(word&^fraction - 24<<52) // of the distance to the next FLOAT
	places = placesOf(abs, 6)
	for range 4 {
		x := abs * powers[places]
		n = int64(x + 0.5)
		off, most := math.Abs(x-float64(n)), half*powers[places]
		switch {
		case off < most*(1-margin):
			return n, places, off < 0.5-margin
		case off < most*(1+margin):
			return 0, 0, false
		}
		places++
	}
	return 0, 0, false
}

// AppendDouble writes a DOUBLE as Java's Double.toString.
func AppendDouble(dst []byte, v float64) []byte {
	abs := math.Abs(v)
	if abs >= 1e-3 && abs < 1e7 {
		if out, ok := appendShort(dst, v, abs, 4); ok {
			return out
		}
		if out, ok := appendShort(dst, v, abs, placesOf(abs, 15)); ok {
			return out
		}
	}
	return appendJava(dst, v, 64)
}

// powers are those of ten that a DOUBLE has exactly and an int64 holds.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// placesOf is how many digits stand behind the point of a number from 1e-3 up to 1e7 that has so many in all. One below 1
// has more of them for the zeros that it begins with, as long as they fit.
func placesOf(abs float64, digits int) int {
	switch {
	case abs < 1e-2:
		return min(digits+2, len(powers)-1)
	case abs < 1e-1:
		return min(digits+1, len(powers)-1)
	case abs < 1:
		return digits
	}
	for _, p := range powers[1:] {
		digits--
		if abs < p {
			break
		}
	}
	return max(digits, 0)
}

// appendShort writes a DOUBLE of so many digits behind the point, of at most 15 in all, that Java writes without an exponent.
// No two numbers of so few digits are the same DOUBLE, so that one that reads back as v is the shortest that does.
func appendShort(dst []byte, v, abs float64, places int) ([]byte, bool) {
	n := int64(abs*powers[places] + 0.5)
	if float64(n)/powers[places] != abs {
		return dst, false
	}
	return appendPlaces(dst, v < 0, n, places), true
}

// appendPlaces writes n / 10^places, without the zeros at its end but for one behind the point.
func appendPlaces(dst []byte, negative bool, n int64, places int) []byte {
	if negative {
		dst = append(dst, '-')
	}
	one := int64(powers[places])
	whole := n / one
	frac := uint64(n - whole*one)
	dst = append(AppendInt(dst, whole), '.')
	if frac == 0 {
		return append(dst, '0')
	}
	for frac%100 == 0 {
		frac, places = frac/100, places-2
	}
	if frac%10 == 0 {
		frac, places = frac/10, places-1
	}
	at := len(dst)
	dst = append(dst, "000000000000000"[:places]...)
	for i := len(dst) - 1; frac > 0 && i >= at; i-- {
		dst[i] = byte('0' + frac%10)
		frac /= 10
	}
	return dst
}

func appendJava(dst []byte, v float64, size int) []byte {
	switch {
	case v != v:
		return append(dst, "NaN"...)
	case v == 0 || v-v != 0: // zeros and infinities
		return appendSpecial(dst, v)
	}
	if abs := math.Abs(v); abs >= 1e-3 && abs < 1e7 {
		return appendPlain(dst, v, size)
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

// appendPlain writes a number that has no exponent: at least one digit stands behind the point.
func appendPlain(dst []byte, v float64, size int) []byte {
	at := len(dst)
	dst = strconv.AppendFloat(dst, v, 'f', -1, size)
	if bytes.IndexByte(dst[at:], '.') < 0 {
		dst = append(dst, ".0"...)
	}
	return dst
}
