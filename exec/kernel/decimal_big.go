package kernel

import "math/big"

// BigDecimal computes single DECIMAL operations whose steps may exceed 128 bits, reusing its memory. The
// zero value is ready.
type BigDecimal struct {
	x, y, z, r, pow big.Int
	exp             int
	ready           bool
}

// set makes b the value of v.
func (d *BigDecimal) set(b *big.Int, v Int128) {
	a := v.Abs()
	b.SetUint64(uint64(a.Hi))
	b.Lsh(b, 64)
	b.Or(b, d.r.SetUint64(a.Lo))
	if v.Hi < 0 {
		b.Neg(b)
	}
}

// power returns ten to the power of e.
func (d *BigDecimal) power(e int) *big.Int {
	if !d.ready || d.exp != e {
		d.pow.Exp(big.NewInt(10), big.NewInt(int64(e)), nil)
		d.exp, d.ready = e, true
	}
	return &d.pow
}

// scale multiplies b by ten to the power of e, or divides and rounds half up where e is negative.
func (d *BigDecimal) scale(b *big.Int, e int) {
	switch {
	case e > 0:
		b.Mul(b, d.power(e))
	case e < 0:
		d.quoHalfUp(b, d.power(-e))
	}
}

// quoHalfUp divides b by w and rounds to the nearest, halves away from zero.
func (d *BigDecimal) quoHalfUp(b, w *big.Int) {
	sign := int64(b.Sign() * w.Sign())
	b.QuoRem(b, w, &d.r)
	d.r.Lsh(&d.r, 1)
	if d.r.CmpAbs(w) >= 0 {
		b.Add(b, d.r.SetInt64(sign))
	}
}

// result takes the value out; ok is false when it has more than p digits.
func (d *BigDecimal) result(p int) (v Int128, ok bool) {
	v, ok = Int128OfBig(&d.z)
	if !ok {
		return v, false
	}
	return v, lessMagnitude(v.Abs(), Pow10Wide(p))
}

// room tells whether v times ten to the power of e, from 0 to 38, stays below 2^125.
func room(v Int128, e int) bool {
	return e >= 0 && e <= 38 && v.BitLen()+Pow10Wide(e).BitLen() <= 125
}

// settle rounds v half up by the power of ten e and tells whether it has at most p digits.
func settle(v Int128, e, p int) (Int128, bool) {
	if e > 0 {
		v = v.QuoHalfUp(Pow10Wide(e))
	}
	return v, lessMagnitude(v.Abs(), Pow10Wide(p))
}

// Add is a + b, or a - b when minus is set, rounded to the scale s; ok is false when it has more than p
// digits.
func (d *BigDecimal) Add(a Int128, as int, b Int128, bs int, minus bool, p, s int) (v Int128, ok bool) {
	m := max(as, bs)
	if minus {
		b = b.Neg()
	}
	if room(a, m-as) && room(b, m-bs) && m >= s {
		return settle(a.Mul(Pow10Wide(m-as)).Add(b.Mul(Pow10Wide(m-bs))), m-s, p)
	}
	d.set(&d.z, a)
	d.scale(&d.z, m-as)
	d.set(&d.y, b)
	d.scale(&d.y, m-bs)
	d.z.Add(&d.z, &d.y)
	d.scale(&d.z, s-m)
	return d.result(p)
}

// Mul is a * b rounded to the scale s.
func (d *BigDecimal) Mul(a Int128, as int, b Int128, bs, p, s int) (v Int128, ok bool) {
	if e := as + bs - s; e >= 0 && e <= 38 && a.BitLen()+b.BitLen() <= 126 {
		return settle(a.Mul(b), e, p)
	}
	d.set(&d.x, a)
	d.set(&d.y, b)
	d.z.Mul(&d.x, &d.y)
	d.scale(&d.z, s-as-bs)
	return d.result(p)
}

// Div is a / b rounded to the scale s; b is not zero.
func (d *BigDecimal) Div(a Int128, as int, b Int128, bs, p, s int) (v Int128, ok bool) {
	if e := s + bs - as; room(a, e) {
		return settle(a.Mul(Pow10Wide(e)).QuoHalfUp(b), 0, p)
	}
	d.set(&d.z, a)
	d.set(&d.y, b)
	if e := s + bs - as; e >= 0 {
		d.scale(&d.z, e)
	} else {
		d.scale(&d.y, -e)
	}
	d.quoHalfUp(&d.z, &d.y)
	return d.result(p)
}

// Mod is the rest of a / b with the sign of a, at the larger of the scales and then at s; b is not zero.
func (d *BigDecimal) Mod(a Int128, as int, b Int128, bs, p, s int) (v Int128, ok bool) {
	m := max(as, bs)
	d.set(&d.z, a)
	d.scale(&d.z, m-as)
	d.set(&d.y, b)
	d.scale(&d.y, m-bs)
	d.z.Rem(&d.z, &d.y)
	d.scale(&d.z, s-m)
	return d.result(p)
}

// Rescale brings a from one scale to another, rounding half up.
func (d *BigDecimal) Rescale(a Int128, from, to, p int) (v Int128, ok bool) {
	d.set(&d.z, a)
	d.scale(&d.z, to-from)
	return d.result(p)
}

// Cmp orders a and b of different scales.
func (d *BigDecimal) Cmp(a Int128, as int, b Int128, bs int) int {
	m := max(as, bs)
	d.set(&d.x, a)
	d.scale(&d.x, m-as)
	d.set(&d.y, b)
	d.scale(&d.y, m-bs)
	return d.x.Cmp(&d.y)
}
