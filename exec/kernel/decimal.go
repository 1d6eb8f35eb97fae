package kernel

import "math/bits"

// A DECIMAL's value is an integer, the unscaled value, times a power of ten that its type tells. The loops
// over int64 are the narrow form and report whether every result fits; when one does not, the batch is
// computed again over Int128.

// Pow10 holds the powers of ten that fit an int64.
var Pow10 = [19]int64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
}

// Pow10Wide is ten to the power of n, n from 0 to 38.
func Pow10Wide(n int) Int128 {
	if n < len(Pow10) {
		return Int128Of(Pow10[n])
	}
	v := Int128Of(Pow10[18])
	for n -= 18; n > 18; n -= 18 {
		v = v.Mul(Int128Of(Pow10[18]))
	}
	return v.Mul(Int128Of(Pow10[n]))
}

// magnitude is v without its sign for the purpose of counting bits: it has as many as |v|, or one less
// for negative powers of two.
func magnitude(v int64) uint64 { return uint64(v ^ v>>63) }

// fits tells whether products of numbers of so many bits are int64, with room for one sum.
func fits(a, b uint64) bool { return bits.Len64(a)+bits.Len64(b) <= 61 }

// MulDecimalVV writes a * b.
func MulDecimalVV(out, a, b []int64) (ok bool) {
	a, b = a[:len(out)], b[:len(out)]
	var ma, mb uint64
	for i := range out {
		x, y := a[i], b[i]
		ma |= magnitude(x)
		mb |= magnitude(y)
		out[i] = x * y
	}
	return fits(ma, mb)
}

// MulDecimalVC writes a * k.
func MulDecimalVC(out, a []int64, k int64) (ok bool) {
	a = a[:len(out)]
	var m, n uint64
	i := 0
	// Two rows a turn: the check then hides behind the products.
	for ; i < len(out)-1; i += 2 {
		x, y := a[i], a[i+1]
		m |= magnitude(x)
		n |= magnitude(y)
		out[i], out[i+1] = x*k, y*k
	}
	if i < len(out) {
		m |= magnitude(a[i])
		out[i] = a[i] * k
	}
	return fits(m|n, magnitude(k))
}

// AddDecimalVV writes a*fa + b*fb, where the factors bring both to one scale and a negative one subtracts.
func AddDecimalVV(out, a []int64, fa int64, b []int64, fb int64) (ok bool) {
	a, b = a[:len(out)], b[:len(out)]
	var ma, mb uint64
	for i := range out {
		x, y := a[i], b[i]
		ma |= magnitude(x)
		mb |= magnitude(y)
		out[i] = x*fa + y*fb
	}
	return fits(ma, magnitude(fa)) && fits(mb, magnitude(fb))
}

// AddDecimalVC writes a*fa + k*fk.
func AddDecimalVC(out, a []int64, fa, k, fk int64) (ok bool) {
	if !fits(magnitude(k), magnitude(fk)) {
		return false
	}
	a = a[:len(out)]
	k *= fk
	var m uint64
	for i := range out {
		x := a[i]
		m |= magnitude(x)
		out[i] = x*fa + k
	}
	return fits(m, magnitude(fa))
}

// DivDecimal writes a*f / b rounded half up; an operand of a single value stands for every row. A zero
// divisor gives 0 and is reported.
func DivDecimal(out, a []int64, f int64, b []int64) (ok, zero bool) {
	sa, sb := stepOf(len(a)), stepOf(len(b))
	var m uint64
	for i := range a {
		m |= magnitude(a[i])
	}
	if !fits(m, magnitude(f)) {
		return false, false
	}
	for i := range out {
		d := b[i*sb]
		if d == 0 {
			zero = true
			out[i] = 0
			continue
		}
		n := a[i*sa] * f
		q := n / d
		r := n - q*d
		if r < 0 {
			r = -r
		}
		// Twice the rest may overflow an int64 but not a uint64.
		if e := uint64(d^d>>63) + uint64(d)>>63; uint64(r)*2 >= e {
			q += 1 | (n^d)>>63
		}
		out[i] = q
	}
	return true, zero
}

// ModDecimal writes (a*fa) % (b*fb); an operand of a single value stands for every row. A zero divisor
// gives 0 and is reported.
func ModDecimal(out, a []int64, fa int64, b []int64, fb int64) (ok, zero bool) {
	sa, sb := stepOf(len(a)), stepOf(len(b))
	var ma, mb uint64
	for i := range a {
		ma |= magnitude(a[i])
	}
	for i := range b {
		mb |= magnitude(b[i])
	}
	if !fits(ma, magnitude(fa)) || !fits(mb, magnitude(fb)) {
		return false, false
	}
	for i := range out {
		d := b[i*sb] * fb
		if d == 0 {
			zero = true
			out[i] = 0
			continue
		}
		out[i] = a[i*sa] * fa % d
	}
	return true, zero
}
