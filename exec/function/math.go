package function

import (
	"math"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var (
	_ = doubleFunction("SQRT", "The square root; NaN below zero.", math.Sqrt, "SQRT(4)", "2.0")
	_ = doubleFunction("EXP", "E to the power of the argument.", math.Exp, "EXP(0)", "1.0")
	_ = doubleFunction("LN", "The natural logarithm; NaN below zero.", math.Log, "LN(1)", "0.0")
	_ = doubleFunction("LOG10", "The logarithm to base 10; NaN below zero.", math.Log10, "LOG10(100)", "2.0")
	_ = doubleFunction("LOG2", "The logarithm to base 2; NaN below zero.", math.Log2, "LOG2(8)", "3.0")
	_ = doubleFunction("SIN", "The sine of an angle in radians.", math.Sin, "SIN(0)", "0.0")
	_ = doubleFunction("COS", "The cosine of an angle in radians.", math.Cos, "COS(0)", "1.0")
	_ = doubleFunction("TAN", "The tangent of an angle in radians.", math.Tan, "TAN(0)", "0.0")
	_ = doubleFunction("COT", "The cotangent of an angle in radians.", cot, "COT(0)", "Infinity")
	_ = doubleFunction("ASIN", "The arc sine in radians; NaN outside -1 to 1.", math.Asin, "ASIN(0)", "0.0")
	_ = doubleFunction("ACOS", "The arc cosine in radians; NaN outside -1 to 1.", math.Acos, "ACOS(1)", "0.0")
	_ = doubleFunction("ATAN", "The arc tangent in radians.", math.Atan, "ATAN(0)", "0.0")
	_ = doubleFunction("SINH", "The hyperbolic sine.", math.Sinh, "SINH(0)", "0.0")
	_ = doubleFunction("COSH", "The hyperbolic cosine.", math.Cosh, "COSH(0)", "1.0")
	_ = doubleFunction("TANH", "The hyperbolic tangent.", math.Tanh, "TANH(0)", "0.0")
	_ = doubleFunction("DEGREES", "Radians as degrees.", degrees, "DEGREES(0)", "0.0")
	_ = doubleFunction("RADIANS", "Degrees as radians.", radians, "RADIANS(0)", "0.0")

	_ = doubleFunction2("ATAN2", "The angle in radians of the point with the given y and x.", math.Atan2,
		"ATAN2(0, 1)", "0.0")
	_ = doubleFunction2("POWER", "The first argument to the power of the second.", power, "POWER(2, 10)",
		"1024.0")

	_ = doubleConstant("PI", "The number pi.", math.Pi, "3.141592653589793")
	_ = doubleConstant("E", "The base of the natural logarithm.", math.E, "2.718281828459045")
)

var _ = scalar(Scalar{
	Name: "LOG", Forms: []string{"LOG(<NUMERIC>)", "LOG(<NUMERIC>, <NUMERIC>)"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) == 1 {
			return doubleType(1)(args)
		}
		return doubleType(2)(args)
	},
	Bind: func(b Binding) (Kernel, error) {
		if len(b.Args) == 1 {
			return doubleKernel(math.Log), nil
		}
		return doubleKernel2(func(base, x float64) float64 { return math.Log(x) / math.Log(base) }), nil
	},
	Doc: Doc{"math",
		"The natural logarithm, or with two arguments the logarithm of the second to the base of the first.",
		"LOG(2, 8)", "3.0"},
})

// doubleType wants n numbers as DOUBLE.
func doubleType(n int) func(args []Arg) (Signature, error) {
	return func(args []Arg) (Signature, error) {
		sig := Signature{Result: types.Of(types.Double).WithNull(false)}
		if len(args) != n {
			return sig, Mismatch()
		}
		for _, a := range args {
			if !a.Type.Kind.IsNumeric() && a.Type.Kind != types.Null {
				return sig, Mismatch()
			}
			sig.Args = append(sig.Args, types.Of(types.Double).WithNull(a.Type.Nullable()))
			if a.Type.Nullable() {
				sig.Result.NotNull = false
			}
		}
		return sig, nil
	}
}

func doubleFunction(name, text string, f func(float64) float64, example, value string) *Scalar {
	return scalar(Scalar{
		Name: name, Forms: []string{name + "(<NUMERIC>)"}, Type: doubleType(1),
		Bind: func(b Binding) (Kernel, error) { return doubleKernel(f), nil },
		Doc:  Doc{"math", text, example, value},
	})
}

func doubleFunction2(name, text string, f func(x, y float64) float64, example, value string) *Scalar {
	return scalar(Scalar{
		Name: name, Forms: []string{name + "(<NUMERIC>, <NUMERIC>)"}, Type: doubleType(2),
		Bind: func(b Binding) (Kernel, error) { return doubleKernel2(f), nil },
		Doc:  Doc{"math", text, example, value},
	})
}

func doubleConstant(name, text string, v float64, value string) *Scalar {
	return scalar(Scalar{
		Name: name, Forms: []string{name + "()"}, Type: doubleType(0),
		Bind: func(b Binding) (Kernel, error) {
			return func(c *Call) { kernel.Repeat(vector.Alloc[float64](c.Out), v) }, nil
		},
		Doc: Doc{"math", text, name + "()", value},
	})
}

// The functions here cost tens of nanoseconds each, so that a call per row does not matter.

func doubleKernel(f func(float64) float64) Kernel {
	return func(c *Call) {
		out, a, step := vector.Alloc[float64](c.Out), vector.Values[float64](c.Args[0]), c.Args[0].Step()
		for i := range out {
			out[i] = f(a[i*step])
		}
	}
}

func doubleKernel2(f func(x, y float64) float64) Kernel {
	return func(c *Call) {
		out := vector.Alloc[float64](c.Out)
		a, sa := vector.Values[float64](c.Args[0]), c.Args[0].Step()
		b, sb := vector.Values[float64](c.Args[1]), c.Args[1].Step()
		for i := range out {
			out[i] = f(a[i*sa], b[i*sb])
		}
	}
}

func cot(x float64) float64     { return 1 / math.Tan(x) }
func degrees(x float64) float64 { return x * (180 / math.Pi) }
func radians(x float64) float64 { return x / 180 * math.Pi }

// power differs from math.Pow where Java's does: NaN stays NaN, and 1 to an infinite power is NaN.
func power(x, y float64) float64 {
	if math.IsNaN(y) || math.IsInf(y, 0) && math.Abs(x) == 1 {
		return math.NaN()
	}
	return math.Pow(x, y)
}
