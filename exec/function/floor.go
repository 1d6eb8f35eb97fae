package function

import (
	"math"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "FLOOR", Forms: []string{"FLOOR(<NUMERIC>)", "FLOOR(<TEMPORAL> TO <UNIT>)"},
	Type: floorType, Bind: floorBind(false),
	Doc: Doc{"math", "The largest integral number that is not larger, in the type of the argument.",
		"FLOOR(-2.5)", "-3"},
})

var _ = scalar(Scalar{
	Name: "CEIL", Aliases: []string{"CEILING"}, Forms: []string{"CEIL(<NUMERIC>)",
		"CEIL(<TEMPORAL> TO <UNIT>)"},
	Type: floorType, Bind: floorBind(true),
	Doc: Doc{"math", "The smallest integral number that is not smaller, in the type of the argument.",
		"CEIL(2.1)", "3"},
})

// floorType keeps integers and floats; DECIMAL(p, s) becomes DECIMAL(p, 0).
func floorType(args []Arg) (Signature, error) {
	if len(args) != 1 || !args[0].Type.Kind.IsNumeric() {
		return Signature{}, Mismatch()
	}
	r := args[0].Type
	r.Scale = 0
	return Signature{Args: []types.Type{args[0].Type}, Result: r}, nil
}

func floorBind(up bool) func(b Binding) (Kernel, error) {
	return func(b Binding) (Kernel, error) {
		switch t := b.Args[0].Type; t.Kind {
		case types.TinyInt:
			return copyKernel[int8], nil
		case types.SmallInt:
			return copyKernel[int16], nil
		case types.Int:
			return copyKernel[int32], nil
		case types.BigInt:
			return copyKernel[int64], nil
		case types.Float:
			return floorFloat[float32](up), nil
		case types.Double:
			return floorFloat[float64](up), nil
		default:
			return floorDecimal(up, t.Scale), nil
		}
	}
}

// copyKernel is the identity.
func copyKernel[T any](c *Call) {
	mapInto(func(out, a []T) { copy(out, a) }, vector.Alloc[T](c.Out), c.Args[0])
}

func floorFloat[T float32 | float64](up bool) Kernel {
	loop := func(out, a []T) {
		a = a[:len(out)]
		for i := range out {
			out[i] = T(math.Floor(float64(a[i])))
		}
	}
	if up {
		loop = func(out, a []T) {
			a = a[:len(out)]
			for i := range out {
				out[i] = T(math.Ceil(float64(a[i])))
			}
		}
	}
	return func(c *Call) { mapInto(loop, vector.Alloc[T](c.Out), c.Args[0]) }
}

func floorDecimal(up bool, scale int) Kernel {
	step128 := vector.Int128{Lo: 1}
	f := kernel.Pow10Wide(scale)
	return func(c *Call) {
		x := c.Args[0]
		step := x.Step()
		if !x.Wide && scale < len(kernel.Pow10) {
			out, a, f := vector.Alloc[int64](c.Out), vector.Values[int64](x), kernel.Pow10[scale]
			for i := range out {
				v := a[i*step]
				q := v / f
				if r := v - q*f; up && r > 0 {
					q++
				} else if !up && r < 0 {
					q--
				}
				out[i] = q
			}
			return
		}
		out := vector.AllocWide(c.Out)
		for i := range out {
			q, r := vector.DecimalAt(x, i).QuoRem(f)
			if s := r.Sign(); up && s > 0 {
				q = q.Add(step128)
			} else if !up && s < 0 {
				q = q.Sub(step128)
			}
			out[i] = q
		}
	}
}
