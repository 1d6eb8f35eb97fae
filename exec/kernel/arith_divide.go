package kernel

import "math/bits"

// Integer division truncates toward zero and the remainder has the sign of the dividend. A divisor of
// zero gives an arbitrary quotient; the loops over divisors report whether they met one.

// DivVV writes a / b.
func DivVV[T Integer](out, a, b []T) (zero bool) {
	a, b = a[:len(out)], b[:len(out)]
	var z uint64
	for i, d := range b {
		e := bit(d == 0)
		z |= e
		out[i] = a[i] / (d | T(e))
	}
	return z != 0
}

// DivVC writes a / k; k is not zero.
func DivVC[T Integer](out, a []T, k T) {
	a = a[:len(out)]
	if k > 1 && uint64(k)>>32 == 0 && divSmall(out, a, uint64(k)) {
		return
	}
	for i := range out {
		out[i] = a[i] / k
	}
}

// divSmall divides by multiplication, which is exact for dividends and divisors of 32 bits, and tells
// whether all dividends were such.
func divSmall[T Integer](out, a []T, k uint64) bool {
	a = a[:len(out)]
	inverse := ^uint64(0)/k + 1
	var all uint64
	for i := range out {
		v := uint64(int64(a[i]))
		all |= v
		q, _ := bits.Mul64(inverse, v)
		out[i] = T(q)
	}
	return all>>32 == 0
}

// DivCV writes k / b.
func DivCV[T Integer](out []T, k T, b []T) (zero bool) {
	b = b[:len(out)]
	var z uint64
	for i, d := range b {
		e := bit(d == 0)
		z |= e
		out[i] = k / (d | T(e))
	}
	return z != 0
}

// ModVV writes a % b.
func ModVV[T Integer](out, a, b []T) (zero bool) {
	a, b = a[:len(out)], b[:len(out)]
	var z uint64
	for i, d := range b {
		e := bit(d == 0)
		z |= e
		out[i] = a[i] % (d | T(e))
	}
	return z != 0
}

// ModVC writes a % k; k is not zero.
func ModVC[T Integer](out, a []T, k T) {
	a = a[:len(out)]
	if k > 0 && uint64(k)>>32 == 0 && modSmall(out, a, uint64(k)) {
		return
	}
	for i := range out {
		out[i] = a[i] % k
	}
}

// modSmall is divSmall for remainders: the fraction of the quotient times the divisor.
func modSmall[T Integer](out, a []T, k uint64) bool {
	a = a[:len(out)]
	inverse := ^uint64(0)/k + 1
	var all uint64
	for i := range out {
		v := uint64(int64(a[i]))
		all |= v
		r, _ := bits.Mul64(inverse*v, k)
		out[i] = T(r)
	}
	return all>>32 == 0
}

// ModCV writes k % b.
func ModCV[T Integer](out []T, k T, b []T) (zero bool) {
	b = b[:len(out)]
	var z uint64
	for i, d := range b {
		e := bit(d == 0)
		z |= e
		out[i] = k % (d | T(e))
	}
	return z != 0
}

// Convert writes the values of a as another number type, as Go converts them.
func Convert[T, S Number](out []T, a []S) {
	a = a[:len(out)]
	for i := range out {
		out[i] = T(a[i])
	}
}
