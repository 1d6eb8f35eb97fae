package kernel

// AddTicks writes a + b*scale, where b counts units of scale ticks and sign is 1 or -1. It tells whether a
// sum left int64; the caller then looks for the lanes with AddTick. A constant operand is a slice of one.
func AddTicks(out, a, b []int64, scale, sign int64) (over bool) {
	limit := int64(1<<63-1) / scale
	scale *= sign
	var bad int64
	switch {
	case len(b) == 1 && len(out) != 1:
		d := b[0] * scale
		if b[0] > limit || b[0] < -limit {
			return true
		}
		a = a[:len(out)]
		for i := range out {
			s := a[i] + d
			bad |= (a[i] ^ s) & (d ^ s)
			out[i] = s
		}
	case len(a) == 1 && len(out) != 1:
		x := a[0]
		b = b[:len(out)]
		for i := range out {
			d := b[i] * scale
			s := x + d
			bad |= (x^s)&(d^s) | (limit - b[i]) | (limit + b[i])
			out[i] = s
		}
	default:
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			d := b[i] * scale
			s := a[i] + d
			bad |= (a[i]^s)&(d^s) | (limit - b[i]) | (limit + b[i])
			out[i] = s
		}
	}
	return bad < 0
}

// AddTick is a + b*scale; ok is false when it is no int64.
func AddTick(a, b, scale int64) (sum int64, ok bool) {
	d := MulInt64(b, scale).Add(Int128Of(a))
	return d.Int64(), d.Fits()
}

// MoveMonths is a time in ticks moved by months; a day past the end of the month becomes its last.
func MoveMonths(t, months, perDay int64) (moved int64, ok bool) {
	day, rest := SplitDay(t, perDay)
	return AddTick(rest, AddMonths(day, months), perDay)
}
