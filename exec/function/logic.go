package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "NOT", Special: true, Forms: []string{"NOT <BOOLEAN>"},
	Type: func(args []Arg) (Signature, error) {
		sig, err := truthType(args)
		sig.Result = sig.Result.WithNull(len(args) == 1 && args[0].Type.Nullable())
		return sig, err
	},
	Bind: func(b Binding) (Kernel, error) {
		return func(c *Call) {
			out, x := vector.AllocBits(c.Out), c.Args[0]
			kernel.CompareBits(out, kernel.EQ, vector.Bits(x), x.Step() == 0, []uint64{0}, true, c.Out.Len)
		}, nil
	},
	Doc: Doc{"logic", "TRUE for FALSE and the other way round; NULL for NULL.", "NOT 1 = 2", "TRUE"},
})

var (
	_ = truth("IS TRUE", "TRUE when the argument is TRUE; never NULL.", true, false, false)
	_ = truth("IS NOT TRUE", "TRUE when the argument is FALSE or NULL; never NULL.", false, true, true)
	_ = truth("IS FALSE", "TRUE when the argument is FALSE; never NULL.", false, true, false)
	_ = truth("IS NOT FALSE", "TRUE when the argument is TRUE or NULL; never NULL.", true, false, true)
)

// truth declares a test of a truth value by what it gives for TRUE, FALSE and NULL.
func truth(name, text string, onTrue, onFalse, onNull bool) *Scalar {
	value := map[bool]string{true: "TRUE", false: "FALSE"}[onTrue]
	return scalar(Scalar{
		Name: name, Special: true, Nulls: Custom, Forms: []string{"<BOOLEAN> " + name},
		Type: truthType,
		Bind: func(b Binding) (Kernel, error) {
			return func(c *Call) {
				out, x := vector.AllocBits(c.Out), c.Args[0]
				null := x.IsConstNull()
				for w := range out {
					valid := validWord(x, w)
					var v uint64
					if !null {
						v = boolWord(x, w)
					}
					out[w] = v&valid&all(onTrue) | ^v&valid&all(onFalse) | ^valid&all(onNull)
				}
				if len(out) > 0 {
					out[len(out)-1] &= kernel.TailMask(c.Out.Len)
				}
			}, nil
		},
		Doc: Doc{"logic", text, "(1 = 1) " + name, value},
	})
}

func truthType(args []Arg) (Signature, error) {
	if len(args) != 1 || (args[0].Type.Kind != types.Boolean && args[0].Type.Kind != types.Null) {
		return Signature{}, Mismatch()
	}
	want := types.Of(types.Boolean).WithNull(args[0].Type.Nullable())
	return Signature{Args: []types.Type{want}, Result: types.Of(types.Boolean).WithNull(false)}, nil
}

// boolWord reads word w of a BOOLEAN column; a constant repeats.
func boolWord(c *vector.Column, w int) uint64 {
	if c.Enc == vector.Constant {
		return -(vector.Bits(c)[0] & 1)
	}
	return vector.Bits(c)[w]
}

func all(on bool) uint64 {
	if on {
		return ^uint64(0)
	}
	return 0
}
