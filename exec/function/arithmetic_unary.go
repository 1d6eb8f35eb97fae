package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "NEGATE", Special: true, Forms: []string{"-<NUMERIC>", "-<INTERVAL>"},
	Type: unaryType(true), Bind: unaryBind(negation),
	Doc: Doc{"arithmetic", "The opposite number. The smallest integer stays itself.", "-(1 + 2)", "-3"},
})

var _ = scalar(Scalar{
	Name: "ABS", Forms: []string{"ABS(<NUMERIC>)", "ABS(<INTERVAL>)"},
	Type: unaryType(true), Bind: unaryBind(absolute),
	Doc: Doc{"arithmetic", "The absolute value. The smallest integer stays itself.", "ABS(-1.5)", "1.5"},
})

var _ = scalar(Scalar{
	Name: "SIGN", Forms: []string{"SIGN(<NUMERIC>)"},
	Type: unaryType(false), Bind: unaryBind(signum),
	Doc: Doc{"arithmetic", "-1, 0 or 1, in the type of the argument.", "SIGN(-1.5)", "-1.0"},
})

// unaryType keeps the type of the only argument, a number or, where allowed, an interval.
func unaryType(intervals bool) func(args []Arg) (Signature, error) {
	return func(args []Arg) (Signature, error) {
		if len(args) != 1 || !(args[0].Type.Kind.IsNumeric() || intervals && args[0].Type.Kind.IsInterval()) {
			return Signature{}, Mismatch()
		}
		return Signature{Args: []types.Type{args[0].Type}, Result: args[0].Type}, nil
	}
}

// unary names one of the functions below.
type unary uint8

const (
	negation unary = iota
	absolute
	signum
)

func unaryBind(f unary) func(b Binding) (Kernel, error) {
	return func(b Binding) (Kernel, error) {
		t := b.Args[0].Type
		switch t.Physical() {
		case types.PhysInt8:
			return unaryKernel[int8](f), nil
		case types.PhysInt16:
			return unaryKernel[int16](f), nil
		case types.PhysInt32:
			return unaryKernel[int32](f), nil
		case types.PhysFloat32:
			return unaryKernel[float32](f), nil
		case types.PhysFloat64:
			return unaryKernel[float64](f), nil
		}
		narrow := unaryKernel[int64](f)
		if t.Kind != types.Decimal {
			return narrow, nil
		}
		if f == signum {
			one := kernel.Pow10Wide(t.Scale)
			return func(c *Call) { decimalSign(c, one) }, nil
		}
		return func(c *Call) {
			if !c.Args[0].Wide {
				narrow(c)
				return
			}
			out, a, step := vector.AllocWide(c.Out), vector.Values[vector.Int128](c.Args[0]), c.Args[0].Step()
			for i := range out {
				if v := a[i*step]; f == negation || v.Hi < 0 {
					out[i] = v.Neg()
				} else {
					out[i] = v
				}
			}
		}, nil
	}
}

func unaryKernel[T kernel.Number](f unary) Kernel {
	loop := [...]func(out, a []T){kernel.Neg[T], kernel.Abs[T], kernel.Sign[T]}[f]
	return func(c *Call) { mapInto(loop, vector.Alloc[T](c.Out), c.Args[0]) }
}

// mapInto runs a loop of one operand over a flat or constant column.
func mapInto[T, S any](loop func(out []T, a []S), out []T, x *vector.Column) {
	a := vector.Values[S](x)
	switch {
	case len(out) == 0:
	case x.Enc == vector.Constant:
		loop(out[:1], a)
		kernel.Repeat(out[1:], out[0])
	default:
		loop(out, a)
	}
}

// decimalSign writes -1, 0 or 1 in the argument's scale, which may need the wide form.
func decimalSign(c *Call, one vector.Int128) {
	x := c.Args[0]
	step := x.Step()
	sign := func(i int) int {
		if x.Wide {
			return vector.Values[vector.Int128](x)[i*step].Sign()
		}
		return kernel.Int128Of(vector.Values[int64](x)[i*step]).Sign()
	}
	if !one.Fits() {
		out := vector.AllocWide(c.Out)
		for i := range out {
			out[i] = kernel.Int128Of(int64(sign(i))).Mul(one)
		}
		return
	}
	out := vector.Alloc[int64](c.Out)
	for i := range out {
		out[i] = int64(sign(i)) * one.Int64()
	}
}
