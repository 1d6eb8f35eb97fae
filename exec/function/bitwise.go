package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var (
	_ = bitwise("BITAND", "The bits that both integers have.", bitAnd, "BITAND(12, 10)", "8")
	_ = bitwise("BITOR", "The bits that one of two integers has.", bitOr, "BITOR(12, 10)", "14")
	_ = bitwise("BITXOR", "The bits that just one of two integers has.", bitXor, "BITXOR(12, 10)", "6")
)

type bitOperation uint8

const (
	bitAnd bitOperation = iota
	bitOr
	bitXor
)

var _ = scalar(Scalar{
	Name: "BITNOT", Forms: []string{"BITNOT(<INTEGER>)"}, Extension: true, Type: bitwiseType(1),
	Bind: func(b Binding) (Kernel, error) {
		return forInteger(b.Result.Kind, bitNot[int8], bitNot[int16], bitNot[int32], bitNot[int64]), nil
	},
	Doc: Doc{"math", "The integer with each bit turned over.", "BITNOT(5)", "-6"},
})

func bitwise(name, text string, op bitOperation, example, value string) *Scalar {
	return scalar(Scalar{
		Name: name, Forms: []string{name + "(<INTEGER>, <INTEGER>)"}, Extension: true, Type: bitwiseType(2),
		Bind: func(b Binding) (Kernel, error) {
			return forInteger(b.Result.Kind, bitPairs[int8](op), bitPairs[int16](op), bitPairs[int32](op), bitPairs[int64](op)), nil
		},
		Doc: Doc{"math", text + " They are taken in the wider type of the two.", example, value},
	})
}

// bitwiseType wants n integers, in the widest type among them.
func bitwiseType(n int) func(args []Arg) (Signature, error) {
	return func(args []Arg) (Signature, error) {
		if len(args) != n {
			return Signature{}, Mismatch()
		}
		for _, a := range args {
			if !a.Type.Kind.IsInteger() && a.Type.Kind != types.Null {
				return Signature{}, Mismatch()
			}
		}
		t, err := commonOf(args)
		if err != nil {
			return Signature{}, err
		}
		sig := Signature{Result: t.WithNull(anyNullable(args))}
		for _, a := range args {
			sig.Args = append(sig.Args, t.WithNull(a.Type.Nullable()))
		}
		return sig, nil
	}
}

func forInteger(k types.Kind, tiny, small, regular, big Kernel) Kernel {
	switch k {
	case types.TinyInt:
		return tiny
	case types.SmallInt:
		return small
	case types.Int:
		return regular
	}
	return big
}

func bitPairs[T kernel.Integer](op bitOperation) Kernel {
	return func(c *Call) {
		out, a, b := vector.Alloc[T](c.Out), vector.Values[T](c.Args[0]), vector.Values[T](c.Args[1])
		sa, sb := c.Args[0].Step(), c.Args[1].Step()
		switch op {
		case bitAnd:
			for i := range out {
				out[i] = a[i*sa] & b[i*sb]
			}
		case bitOr:
			for i := range out {
				out[i] = a[i*sa] | b[i*sb]
			}
		case bitXor:
			for i := range out {
				out[i] = a[i*sa] ^ b[i*sb]
			}
		}
	}
}

func bitNot[T kernel.Integer](c *Call) {
	out, a, step := vector.Alloc[T](c.Out), vector.Values[T](c.Args[0]), c.Args[0].Step()
	for i := range out {
		out[i] = ^a[i*step]
	}
}
