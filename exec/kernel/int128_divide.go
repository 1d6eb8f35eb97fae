package kernel

import "math/bits"

// Mul wraps.
func (v Int128) Mul(w Int128) Int128 {
	hi, lo := bits.Mul64(v.Lo, w.Lo)
	hi += uint64(v.Hi)*w.Lo + v.Lo*uint64(w.Hi)
	return Int128{lo, int64(hi)}
}

// QuoRem divides toward zero; the remainder has the sign of v. w must not be zero.
func (v Int128) QuoRem(w Int128) (q, r Int128) {
	a, b := v.Abs(), w.Abs()
	q, r = quoRemMagnitude(a, b)
	if (v.Hi < 0) != (w.Hi < 0) {
		q = q.Neg()
	}
	if v.Hi < 0 {
		r = r.Neg()
	}
	return q, r
}

// quoRemMagnitude divides unsigned numbers.
func quoRemMagnitude(a, b Int128) (q, r Int128) {
	ah, bh := uint64(a.Hi), uint64(b.Hi)
	if bh == 0 {
		qh, rest := ah/b.Lo, ah%b.Lo
		ql, rl := bits.Div64(rest, a.Lo, b.Lo)
		return Int128{ql, int64(qh)}, Int128{rl, 0}
	}
	// The quotient fits 64 bits. Half of a over the upper half of b, both shifted up until b's top bit is
	// set, estimates it with an error of at most one once one is taken off.
	n := uint(bits.LeadingZeros64(bh))
	top := bh<<n | b.Lo>>(64-n)
	est, _ := bits.Div64(ah>>1, ah<<63|a.Lo>>1, top)
	est >>= 63 - n
	if est != 0 {
		est--
	}
	q = Int128{est, 0}
	r = a.Sub(q.Mul(b))
	if !lessMagnitude(r, b) {
		q.Lo++
		r = r.Sub(b)
	}
	return q, r
}

func lessMagnitude(a, b Int128) bool {
	return uint64(a.Hi) < uint64(b.Hi) || (a.Hi == b.Hi && a.Lo < b.Lo)
}

// QuoHalfUp divides and rounds to the nearest, halves away from zero. w must not be zero.
func (v Int128) QuoHalfUp(w Int128) Int128 {
	q, r := v.QuoRem(w)
	r, w2 := r.Abs(), w.Abs()
	if !lessMagnitude(r, w2.Sub(r)) {
		if (v.Hi < 0) != (w.Hi < 0) {
			return q.Sub(Int128{1, 0})
		}
		return q.Add(Int128{1, 0})
	}
	return q
}
