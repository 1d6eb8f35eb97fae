package kernel

// The loops over Int128. An operand of a single value stands for every row. They are used where the
// types' precisions promise that every step fits 127 bits.

// WidenInt64 writes the values of a as Int128.
func WidenInt64(out []Int128, a []int64) {
	a = a[:len(out)]
	for i, v := range a {
		out[i] = Int128{uint64(v), v >> 63}
	}
}

// MulWide writes a * b.
func MulWide(out, a, b []Int128) {
	sa, sb := stepOf(len(a)), stepOf(len(b))
	for i := range out {
		out[i] = a[i*sa].Mul(b[i*sb])
	}
}

// AddWide writes a*fa + b*fb.
func AddWide(out, a []Int128, fa Int128, b []Int128, fb Int128) {
	sa, sb := stepOf(len(a)), stepOf(len(b))
	for i := range out {
		out[i] = a[i*sa].Mul(fa).Add(b[i*sb].Mul(fb))
	}
}

// DivWide writes a*f / b rounded half up. A zero divisor gives 0 and is reported.
func DivWide(out, a []Int128, f Int128, b []Int128) (zero bool) {
	sa, sb := stepOf(len(a)), stepOf(len(b))
	for i := range out {
		d := b[i*sb]
		if d == (Int128{}) {
			zero = true
			out[i] = d
			continue
		}
		out[i] = a[i*sa].Mul(f).QuoHalfUp(d)
	}
	return zero
}

// ModWide writes (a*fa) % (b*fb). A zero divisor gives 0 and is reported.
func ModWide(out, a []Int128, fa Int128, b []Int128, fb Int128) (zero bool) {
	sa, sb := stepOf(len(a)), stepOf(len(b))
	for i := range out {
		d := b[i*sb].Mul(fb)
		if d == (Int128{}) {
			zero = true
			out[i] = d
			continue
		}
		_, out[i] = a[i*sa].Mul(fa).QuoRem(d)
	}
	return zero
}
