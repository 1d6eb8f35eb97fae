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
		for i := range out {
			var v float64
			v, buf = roundDigits(float64(a[i*sa]), int(d[i*sd]), cut, buf)
			out[i] = T(v)
		}
	}
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
