package kernel

// Saturate writes floats as integers, cut toward zero: what is too large becomes the nearest bound lo or
// hi, NaN becomes 0.
func Saturate[B ~int32 | ~int64, A ~float32 | ~float64](out []B, a []A, lo, hi B) {
	a = a[:len(out)]
	// The bounds as floats: hi rounds up to a power of two, the first value that does not fit.
	low, high := A(lo), A(hi)
	for i := range out {
		switch v := a[i]; {
		case v >= high:
			out[i] = hi
		case v > low:
			out[i] = B(v)
		case v <= low:
			out[i] = lo
		default:
			out[i] = 0
		}
	}
}

// NonZero writes a bit for each number that is not zero; NaN is not.
func NonZero[A Number](out []uint64, a []A) {
	out = out[:Words(len(a))]
	for w := range out {
		part := a[w<<6 : min(len(a), w<<6+64)]
		var x uint64
		for j, v := range part {
			if v != 0 {
				x |= 1 << uint(j)
			}
		}
		out[w] = x
	}
}

// OfBits writes k where a bit is set and 0 elsewhere.
func OfBits[A Number](out []A, bits []uint64, k A) {
	for i := range out {
		out[i] = 0
		if Bit(bits, i) {
			out[i] = k
		}
	}
}

// Within tells whether every |v| is below limit, which is positive.
func Within(v []int64, limit int64) bool {
	limit--
	for _, x := range v {
		if x > limit || x < -limit {
			return false
		}
	}
	return true
}

// QuoHalfUp writes v / div rounded half away from zero; div is positive.
func QuoHalfUp(out, v []int64, div int64) {
	v = v[:len(out)]
	half := div / 2
	even := div&1 == 0
	for i := range out {
		x := v[i]
		q := x / div
		r := x - q*div
		s := r >> 63
		if r = r ^ s - s; r > half || (even && r == half) {
			q += s | 1
		}
		out[i] = q
	}
}

// Quotient writes v / div cut toward zero, in any integer width.
func Quotient[B Integer](out []B, v []int64, div int64) {
	v = v[:len(out)]
	for i := range out {
		out[i] = B(v[i] / div)
	}
}

// float64 powers of ten, exact up to 10^22.
var pow10Float = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// FloatOfDecimal writes v × 10^-scale and tells whether all are exactly rounded: they are when every v is
// below 2^53 and the scale at most 22.
func FloatOfDecimal(out []float64, v []int64, scale int) bool {
	if scale >= len(pow10Float) || !Within(v, 1<<53) {
		return false
	}
	v = v[:len(out)]
	p := pow10Float[scale]
	for i := range out {
		out[i] = float64(v[i]) / p
	}
	return true
}

// RescaleTicks writes times in another unit: multiplied by mul, then divided by div rounding down, then
// cut down to a multiple of cut.
func RescaleTicks(out, t []int64, mul, div, cut int64) {
	t = t[:len(out)]
	switch {
	case cut > 1:
		for i := range out {
			x := FloorDiv(t[i]*mul, div)
			out[i] = x - FloorMod(x, cut)
		}
	case div > 1:
		for i := range out {
			out[i] = FloorDiv(t[i], div)
		}
	default:
		for i := range out {
			out[i] = t[i] * mul
		}
	}
}

// ClockOfTicks writes the milliseconds of the day of times in ticks, cut to a multiple of cut.
func ClockOfTicks(out []int32, t []int64, perDay, perMilli int64, cut int32) {
	t = t[:len(out)]
	for i := range out {
		ms := int32(FloorMod(t[i], perDay) / perMilli)
		out[i] = ms - ms%cut
	}
}
