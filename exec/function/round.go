package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "ROUND", Forms: []string{"ROUND(<NUMERIC>)", "ROUND(<NUMERIC>, <INTEGER>)"},
	Type: roundingType, Bind: roundBind(false),
	Doc: Doc{"math",
		"Rounds to a number of digits behind the point (0 by default; negative ones stand before it), halves " +
			"away from zero. FLOAT and DOUBLE are rounded as they print.", "ROUND(2.55, 1)", "2.6"},
})

var _ = scalar(Scalar{
	Name: "TRUNCATE", Forms: []string{"TRUNCATE(<NUMERIC>)", "TRUNCATE(<NUMERIC>, <INTEGER>)"},
	Type: roundingType, Bind: roundBind(true),
	Doc: Doc{"math",
		"Cuts to a number of digits behind the point (0 by default; negative ones stand before it).",
		"TRUNCATE(2.55, 1)", "2.5"},
})

func roundingType(args []Arg) (Signature, error) {
	if len(args) == 0 || len(args) > 2 || !args[0].Type.Kind.IsNumeric() {
		return Signature{}, Mismatch()
	}
	t := args[0].Type
	sig := Signature{Args: []types.Type{t}, Result: t}
	digits, known := 0, true
	if len(args) == 2 {
		d := args[1]
		if (!d.Type.Kind.IsInteger() || d.Type.Kind == types.BigInt) && d.Type.Kind != types.Null {
			return Signature{}, Mismatch()
		}
		sig.Args = append(sig.Args, types.Of(types.Int).WithNull(d.Type.Nullable()))
		sig.Result.NotNull = t.NotNull && d.Type.NotNull
		digits, known = constInt(d)
	}
	if t.Kind == types.Decimal && known {
		sig.Result = roundedType(t, digits).WithNull(sig.Result.Nullable())
	}
	return sig, nil
}

// roundedType is the DECIMAL that t has when rounded to so many digits: one more in front for the carry.
func roundedType(t types.Type, digits int) types.Type {
	if digits >= t.Scale {
		return t
	}
	s := max(digits, 0)
	return types.DecimalOf(min(types.MaxDecimal, 1+t.Precision-t.Scale+s), s)
}

// constInt reads an integer that is known at planning.
func constInt(a Arg) (v int, known bool) {
	if a.Const == nil || a.IsNull() {
		return 0, false
	}
	switch a.Type.Kind {
	case types.TinyInt:
		return int(vector.Values[int8](a.Const)[0]), true
	case types.SmallInt:
		return int(vector.Values[int16](a.Const)[0]), true
	case types.Int:
		return int(vector.Values[int32](a.Const)[0]), true
	case types.BigInt:
		return int(vector.Values[int64](a.Const)[0]), true
	}
	return 0, false
}

var zeroDigits = []int32{0}

// digitsArg is the second argument as values and step; 0 when it was left out.
func digitsArg(c *Call) ([]int32, int) {
	if len(c.Args) == 1 {
		return zeroDigits, 0
	}
	return vector.Values[int32](c.Args[1]), c.Args[1].Step()
}

func roundBind(cut bool) func(b Binding) (Kernel, error) {
	return func(b Binding) (Kernel, error) {
		switch t := b.Args[0].Type; t.Kind {
		case types.TinyInt:
			return roundInteger[int8](cut), nil
		case types.SmallInt:
			return roundInteger[int16](cut), nil
		case types.Int:
			return roundInteger[int32](cut), nil
		case types.BigInt:
			return roundInteger[int64](cut), nil
		case types.Float:
			return roundFloat[float32](cut), nil
		case types.Double:
			return roundFloat[float64](cut), nil
		default:
			return roundDecimal(cut, t.Scale, b.Result), nil
		}
	}
}

// roundInteger changes something only for a negative number of digits; results wrap.
func roundInteger[T kernel.Integer](cut bool) Kernel {
	return func(c *Call) {
		out, a, sa := vector.Alloc[T](c.Out), vector.Values[T](c.Args[0]), c.Args[0].Step()
		d, sd := digitsArg(c)
		for i := range out {
			v := a[i*sa]
			if k := int(d[i*sd]); k < 0 {
				v = T(roundUnscaled(kernel.Int128Of(int64(v)), 0, k, 0, cut).Int64())
			}
			out[i] = v
		}
	}
}

// roundUnscaled rounds or cuts v of scale s to k digits and gives it at the scale r, which is s, or k where
// that is between 0 and s, or 0.
func roundUnscaled(v vector.Int128, s, k, r int, cut bool) vector.Int128 {
	if r < s {
		k = min(k, r)
	}
	drop := s - k
	switch {
	case drop <= 0:
		return v
	case drop > types.MaxDecimal:
		return vector.Int128{}
	case cut:
		v, _ = v.QuoRem(kernel.Pow10Wide(drop))
	default:
		v = v.QuoHalfUp(kernel.Pow10Wide(drop))
	}
	return v.Mul(kernel.Pow10Wide(r - k))
}

func roundDecimal(cut bool, s int, result types.Type) Kernel {
	var scratch []vector.Int128
	limit := kernel.Pow10Wide(result.Precision)
	return func(c *Call) {
		x := c.Args[0]
		d, sd := digitsArg(c)
		if !x.Wide && sd == 0 && roundNarrow(c, s, int(d[0]), result.Scale, cut) {
			return
		}
		a, sa := vector.Wide128(x, &scratch), x.Step()
		out := vector.AllocWide(c.Out)
		for i := range out {
			out[i] = roundUnscaled(a[i*sa], s, int(d[i*sd]), result.Scale, cut)
			if out[i].Abs().Cmp(limit) >= 0 {
				c.Out.SetNull(i)
			}
		}
	}
}

// roundNarrow is the loop for digits behind the point over int64. It returns false when the power of ten
// does not fit, or when zeros must be put back, for which there may be no room.
func roundNarrow(c *Call, s, k, r int, cut bool) bool {
	k = min(k, s)
	drop := s - k
	if drop >= len(kernel.Pow10) || r != k {
		return false
	}
	out, a, step := vector.Alloc[int64](c.Out), vector.Values[int64](c.Args[0]), c.Args[0].Step()
	div := kernel.Pow10[drop]
	half := div / 2
	for i := range out {
		v := a[i*step]
		q, rest := v/div, v%div
		if !cut && drop > 0 {
			if rest >= half {
				q++
			} else if rest <= -half {
				q--
			}
		}
		out[i] = q
	}
	return true
}
