package kernel

// Arithmetic wraps on integers and follows IEEE 754 on floats. The three operand shapes have a loop each:
// AddVV adds columns, AddVC a column and a constant, SubCV a constant minus a column.

// AddVV writes a + b.
func AddVV[T Number](out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = a[i] + b[i]
	}
}

// AddVC writes a + k.
func AddVC[T Number](out, a []T, k T) {
	a = a[:len(out)]
	for i := range out {
		out[i] = a[i] + k
	}
}

// SubVV writes a - b.
func SubVV[T Number](out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = a[i] - b[i]
	}
}

// SubCV writes k - b.
func SubCV[T Number](out []T, k T, b []T) {
	b = b[:len(out)]
	for i := range out {
		out[i] = k - b[i]
	}
}

// MulVV writes a * b.
func MulVV[T Number](out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = a[i] * b[i]
	}
}

// MulVC writes a * k.
func MulVC[T Number](out, a []T, k T) {
	a = a[:len(out)]
	for i := range out {
		out[i] = a[i] * k
	}
}

// Neg writes -a.
func Neg[T Number](out, a []T) {
	a = a[:len(out)]
	for i := range out {
		out[i] = -a[i]
	}
}

// Abs writes |a|; the smallest integer stays itself.
func Abs[T Number](out, a []T) {
	a = a[:len(out)]
	for i, v := range a {
		if v <= 0 {
			v = 0 - v
		}
		out[i] = v
	}
}

// Sign writes -1, 0 or 1, and NaN for NaN.
func Sign[T Number](out, a []T) {
	a = a[:len(out)]
	for i, v := range a {
		switch {
		case v > 0:
			v = 1
		case v < 0:
			v = -1
		}
		out[i] = v
	}
}

// DivFloatVV writes a / b.
func DivFloatVV[T ~float32 | ~float64](out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = a[i] / b[i]
	}
}

// DivFloatVC writes a / k.
func DivFloatVC[T ~float32 | ~float64](out, a []T, k T) {
	a = a[:len(out)]
	for i := range out {
		out[i] = a[i] / k
	}
}

// DivFloatCV writes k / b.
func DivFloatCV[T ~float32 | ~float64](out []T, k T, b []T) {
	b = b[:len(out)]
	for i := range out {
		out[i] = k / b[i]
	}
}
