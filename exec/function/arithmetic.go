package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// The operators of arithmetic. On two numbers they are declared here; dates, times and intervals have their
// own rules behind temporalOperator.

var _ = scalar(Scalar{
	Name: "+", Special: true, Forms: []string{"<NUMERIC> + <NUMERIC>", "<TEMPORAL> + <INTERVAL>"},
	Type: arithmeticType("+"), Bind: arithmeticBind("+"),
	Doc: Doc{"arithmetic", "Sum. Integers wrap; a DECIMAL that does not fit is NULL.", "1 + 2.5", "3.5"},
})

var _ = scalar(Scalar{
	Name: "-", Special: true, Forms: []string{"<NUMERIC> - <NUMERIC>", "<TEMPORAL> - <INTERVAL>"},
	Type: arithmeticType("-"), Bind: arithmeticBind("-"),
	Doc: Doc{"arithmetic", "Difference. Integers wrap; a DECIMAL that does not fit is NULL.", "1 - 2.5",
		"-1.5"},
})

var _ = scalar(Scalar{
	Name: "*", Special: true, Forms: []string{"<NUMERIC> * <NUMERIC>", "<INTERVAL> * <NUMERIC>"},
	Type: arithmeticType("*"), Bind: arithmeticBind("*"),
	Doc: Doc{"arithmetic", "Product. Integers wrap; a DECIMAL that does not fit is NULL.", "3 * 0.5", "1.5"},
})

var _ = scalar(Scalar{
	Name: "/", Special: true, Forms: []string{"<NUMERIC> / <NUMERIC>"}, Fails: true,
	Type: arithmeticType("/"), Bind: arithmeticBind("/"),
	Doc: Doc{"arithmetic",
		"Quotient. Integers are cut toward zero; division by zero fails for integers and DECIMAL " +
			"and gives Infinity or NaN for FLOAT and DOUBLE.", "7 / 2", "3"},
})

var _ = scalar(Scalar{
	Name: "%", Special: true, Forms: []string{"<EXACT_NUMERIC> % <EXACT_NUMERIC>"}, Fails: true,
	Type: arithmeticType("%"), Bind: arithmeticBind("%"),
	Doc: Doc{"arithmetic", "Remainder with the sign of the dividend; the type is that of the divisor.",
		"-7 % 2", "-1"},
})

var _ = scalar(Scalar{
	Name: "MOD", Forms: []string{"MOD(<EXACT_NUMERIC>, <EXACT_NUMERIC>)"}, Fails: true,
	Type: arithmeticType("%"), Bind: arithmeticBind("%"),
	Doc: Doc{"arithmetic", "Remainder with the sign of the dividend; the type is that of the divisor.",
		"MOD(9, 5)", "4"},
})

func arithmeticType(op string) func(args []Arg) (Signature, error) {
	return func(args []Arg) (Signature, error) {
		if len(args) != 2 {
			return Signature{}, Mismatch()
		}
		if sig, _, ok := temporalOperator(op, args); ok {
			return sig, nil
		}
		a, b := args[0].Type, args[1].Type
		if a.Kind == types.Null {
			a = b.WithNull(true)
		}
		if b.Kind == types.Null {
			b = a.WithNull(true)
		}
		if !a.Kind.IsNumeric() || !b.Kind.IsNumeric() || (op == "%" && (a.Kind.IsApprox() || b.Kind.IsApprox())) {
			return Signature{}, Mismatch()
		}
		return numberSignature(op, a, b), nil
	}
}

func numberSignature(op string, a, b types.Type) Signature {
	nullable := a.Nullable() || b.Nullable()
	if !a.Kind.IsApprox() && !b.Kind.IsApprox() && (a.Kind == types.Decimal || b.Kind == types.Decimal) {
		r, capped := decimalResult(op, a.AsDecimal(), b.AsDecimal())
		return Signature{Args: []types.Type{unscaledType(a), unscaledType(b)},
			Result: r.WithNull(nullable || capped)}
	}
	t, _ := types.Common(a, b)
	r := t
	if op == "%" {
		r = b
	}
	return Signature{
		Args:   []types.Type{t.WithNull(a.Nullable()), t.WithNull(b.Nullable())},
		Result: r.WithNull(nullable),
	}
}

// unscaledType is what a kernel of DECIMALs reads an exact argument as: every integer as BIGINT, whose
// values are those of DECIMAL(19, 0).
func unscaledType(t types.Type) types.Type {
	if t.Kind == types.Decimal {
		return t
	}
	return types.Of(types.BigInt).WithNull(t.Nullable())
}

func arithmeticBind(op string) func(b Binding) (Kernel, error) {
	return func(b Binding) (Kernel, error) {
		if _, bind, ok := temporalOperator(op, b.Args); ok {
			return bind(b)
		}
		if b.Result.Kind == types.Decimal {
			return decimalKernel(op, b), nil
		}
		switch b.Args[0].Type.Kind {
		case types.TinyInt:
			return integerKernel[int8](op, b.Args[0].Type.Kind, b.Result.Kind), nil
		case types.SmallInt:
			return integerKernel[int16](op, b.Args[0].Type.Kind, b.Result.Kind), nil
		case types.Int:
			return integerKernel[int32](op, b.Args[0].Type.Kind, b.Result.Kind), nil
		case types.BigInt:
			return integerKernel[int64](op, b.Args[0].Type.Kind, b.Result.Kind), nil
		case types.Float:
			return floatKernel[float32](op), nil
		}
		return floatKernel[float64](op), nil
	}
}

// loops are the three shapes of a binary operator.
type loops[T any] struct {
	vv func(out, a, b []T)
	vc func(out, a []T, k T)
	cv func(out []T, k T, b []T)
}

// run picks the loop by the arguments' encodings.
func (l loops[T]) run(out []T, x, y *vector.Column) {
	a, b := vector.Values[T](x), vector.Values[T](y)
	switch {
	case len(out) == 0:
	case x.Enc == vector.Constant && y.Enc == vector.Constant:
		l.vc(out[:1], a, b[0])
		kernel.Repeat(out[1:], out[0])
	case y.Enc == vector.Constant:
		l.vc(out, a, b[0])
	case x.Enc == vector.Constant:
		l.cv(out, a[0], b)
	default:
		l.vv(out, a, b)
	}
}

func addLoops[T kernel.Number]() loops[T] {
	return loops[T]{kernel.AddVV[T], kernel.AddVC[T], func(out []T, k T, b []T) { kernel.AddVC(out, b, k) }}
}

func subLoops[T kernel.Number]() loops[T] {
	return loops[T]{kernel.SubVV[T], func(out, a []T, k T) { kernel.AddVC(out, a, -k) }, kernel.SubCV[T]}
}

func mulLoops[T kernel.Number]() loops[T] {
	return loops[T]{kernel.MulVV[T], kernel.MulVC[T], func(out []T, k T, b []T) { kernel.MulVC(out, b, k) }}
}

func numberLoops[T kernel.Number](op string) loops[T] {
	switch op {
	case "+":
		return addLoops[T]()
	case "-":
		return subLoops[T]()
	}
	return mulLoops[T]()
}

func floatKernel[T float32 | float64](op string) Kernel {
	l := loops[T]{kernel.DivFloatVV[T], kernel.DivFloatVC[T], kernel.DivFloatCV[T]}
	if op != "/" {
		l = numberLoops[T](op)
	}
	return func(c *Call) { l.run(vector.Alloc[T](c.Out), c.Args[0], c.Args[1]) }
}

// integerKernel computes in T, the wider type of the arguments; only a remainder's result may be of
// another kind, the divisor's, in which it always fits.
func integerKernel[T kernel.Integer](op string, arg, result types.Kind) Kernel {
	if op != "/" && op != "%" {
		l := numberLoops[T](op)
		return func(c *Call) { l.run(vector.Alloc[T](c.Out), c.Args[0], c.Args[1]) }
	}
	zero := false
	l := loops[T]{
		func(out, a, b []T) { zero = kernel.DivVV(out, a, b) },
		divideConst[T](&zero, kernel.DivVC[T]),
		func(out []T, k T, b []T) { zero = kernel.DivCV(out, k, b) },
	}
	if op == "%" {
		l = loops[T]{
			func(out, a, b []T) { zero = kernel.ModVV(out, a, b) },
			divideConst[T](&zero, kernel.ModVC[T]),
			func(out []T, k T, b []T) { zero = kernel.ModCV(out, k, b) },
		}
	}
	return remainderInto(arg, result, func(c *Call, out []T) {
		zero = false
		l.run(out, c.Args[0], c.Args[1])
		if zero {
			failZero(c, vector.Values[T](c.Args[1]), c.Args[1].Step())
		}
	})
}

func divideConst[T kernel.Integer](zero *bool, f func(out, a []T, k T)) func(out, a []T, k T) {
	return func(out, a []T, k T) {
		if *zero = k == 0; *zero {
			clear(out)
			return
		}
		f(out, a, k)
	}
}

// failZero fails the lanes whose divisor is zero.
func failZero[T comparable](c *Call, b []T, step int) {
	var zero T
	for i := range c.Out.Len {
		if b[i*step] == zero {
			c.Fail(i, errDivision)
		}
	}
}

// remainderInto runs f over the result itself when it is of T's width and converts from scratch otherwise.
func remainderInto[T kernel.Integer](arg, result types.Kind, f func(c *Call, out []T)) Kernel {
	var scratch []T
	temp := func(c *Call) []T {
		if cap(scratch) < c.Out.Len {
			scratch = make([]T, c.Out.Len)
		}
		out := scratch[:c.Out.Len]
		f(c, out)
		return out
	}
	if arg == result {
		return func(c *Call) { f(c, vector.Alloc[T](c.Out)) }
	}
	switch result {
	case types.TinyInt:
		return func(c *Call) { kernel.Convert(vector.Alloc[int8](c.Out), temp(c)) }
	case types.SmallInt:
		return func(c *Call) { kernel.Convert(vector.Alloc[int16](c.Out), temp(c)) }
	case types.Int:
		return func(c *Call) { kernel.Convert(vector.Alloc[int32](c.Out), temp(c)) }
	}
	return func(c *Call) { kernel.Convert(vector.Alloc[int64](c.Out), temp(c)) }
}
