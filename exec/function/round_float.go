package function

import (
	"math"
	"strconv"

	"streamsql/exec/vector"
)

// roundFloat rounds the decimal digits with which a number prints, as Flink does by way of BigDecimal:
// ROUND(1.005, 2) is 1.01 although the nearest double is below it. NaN and the infinities stay.
func roundFloat[T float32 | float64](cut bool) Kernel {
	var buf []byte
	return func(c *Call) {
		out, a, sa := vector.Alloc[T](c.Out), vector.Values[T](c.Args[0]), c.Args[0].Step()
		d, sd := digitsArg(c)
		if sd == 0 && len(d) > 0 && d[0] == 0 {
			roundWhole(out, a, sa, cut)
			return
		}
		if sd == 0 && len(d) > 0 && d[0] > 0 && d[0] < exactPowers && !cut {
			buf = roundPlaces(out, a, sa, int(d[0]), buf)
			return
		}
		for i := range out {
			v, k := float64(a[i*sa]), int(d[i*sd])
			rounded, sure := roundScaled(v, k, cut)
			if !sure {
				rounded, buf = roundDigits(v, k, cut, buf)
			}
			out[i] = T(rounded)
		}
	}
}

// roundWhole rounds to whole numbers. The digits of a number stand on the same side of a half as the number, and of a whole
// one, since both are doubles themselves, of which no other prints that way. Adding 0 makes 0 of -0.
func roundWhole[T float32 | float64](out, a []T, step int, cut bool) {
	if cut {
		for i := range out {
			out[i] = T(math.Trunc(float64(a[i*step])) + 0)
		}
		return
	}
	for i := range out {
		out[i] = T(math.Round(float64(a[i*step])) + 0)
	}
}

// roundPlaces rounds to k places behind the point: roundScaled for all rows, and the digits where that is not sure.
func roundPlaces[T float32 | float64](out, a []T, step, k int, buf []byte) []byte {
	power := pow10Exact[k]
	for i := range out {
		v := float64(a[i*step])
		x := math.Abs(v) * power
		n := float64(int64(x + 0.5))
		off := math.Abs(x - n)
		// False for NaN too, and for numbers so large that nothing is known of their fractions. A half is one where scaling is
		// exact: no digits but the number's own stand so near to it.
		if off < 0.5-x*scaledError || off == 0.5 && x < widestScaled && math.FMA(math.Abs(v), power, -x) == 0 {
			out[i] = T(math.Copysign(n/power, v) + 0)
			continue
		}
		v, buf = roundDigits(v, k, false, buf)
		out[i] = T(v)
	}
	return buf
}

const (
	// exactPowers is the number of powers of ten from 1 on that are doubles.
	exactPowers = 23
	// widestScaled bounds the scaled numbers of which a fraction is known.
	widestScaled = 1 << 49
	// scaledError bounds, as a part of it, how far the scaled number is from its scaled digits: half a unit in the last
	// place between the number and its digits, half for scaling, and as much again for safety.
	scaledError = 0x1p-51
)

var pow10Exact = [exactPowers]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// roundScaled is roundDigits by arithmetic: the number times a power of ten, made whole, over that power. sure is false
// where the digits may stand on the other side of what decides, or the arithmetic is not exact.
func roundScaled(v float64, k int, cut bool) (rounded float64, sure bool) {
	if k <= -exactPowers || k >= exactPowers {
		return 0, false
	}
	x := math.Abs(v)
	if k >= 0 {
		x *= pow10Exact[k]
	} else {
		x /= pow10Exact[-k]
	}
	if !(x < widestScaled) {
		return 0, false
	}
	n := int64(x)
	part, off := x-float64(n), x*scaledError
	if cut {
		sure = part > off && part < 1-off
	} else {
		sure = math.Abs(part-0.5) > off
		n += int64(part + 0.5)
	}
	// A whole number and a power that are doubles make a quotient, or a product, that is the nearest double.
	if rounded = float64(n); k >= 0 {
		rounded /= pow10Exact[k]
	} else {
		rounded *= pow10Exact[-k]
	}
	return math.Copysign(rounded, v) + 0, sure
}

// roundDigits rounds or cuts v to k digits behind the point, using and returning buf.
func roundDigits(v float64, k int, cut bool, buf []byte) (float64, []byte) {
	if math.IsNaN(v) || math.IsInf(v, 0) || v == 0 {
		return v + 0, buf
	}
	// d.ddddde±x: the digits, of which keep remain.
	buf = strconv.AppendFloat(buf[:0], v, 'e', -1, 64)
	exp := len(buf) - 1
	for buf[exp] != 'e' {
		exp--
	}
	x, _ := strconv.Atoi(string(buf[exp+1:]))
	first := 0
	if buf[0] == '-' {
		first = 1
	}
	keep := x + 1 + k
	digits := max(exp-first-1, 1)
	if keep >= digits {
		return v, buf
	}
	sign := math.Copysign(1, v)
	up := keep >= 0 && !cut && digitAt(buf[first:], keep) >= '5'
	if keep <= 0 {
		if up {
			return sign * math.Pow(10, float64(-k)), buf
		}
		return 0, buf
	}
	return parseKept(buf, first, keep, x, up), buf
}

// digitAt is the n-th digit of d.ddd.
func digitAt(b []byte, n int) byte {
	if n == 0 {
		return b[0]
	}
	return b[n+1]
}

// parseKept reads the first keep digits, plus one in the last place when up is set, as a number of
// exponent x.
func parseKept(buf []byte, first, keep, x int, up bool) float64 {
	var m uint64
	for n := range keep {
		m = m*10 + uint64(digitAt(buf[first:], n)-'0')
	}
	if up {
		m++
	}
	var text [48]byte
	b := append(text[:0], buf[:first]...)
	b = strconv.AppendUint(b, m, 10)
	b = append(b, 'e')
	b = strconv.AppendInt(b, int64(x+1-keep), 10)
	v, _ := strconv.ParseFloat(string(b), 64)
	return v
}
