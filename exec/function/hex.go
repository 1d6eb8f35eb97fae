package function

import (
	"encoding/hex"
	"strconv"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "BIN", Forms: []string{"BIN(<INTEGER>)"}, Type: integerToText, Bind: func(b Binding) (Kernel, error) {
		return integerDigits(func(b []byte, v uint64) []byte { return strconv.AppendUint(b, v, 2) }), nil
	},
	Doc: Doc{"math", "The binary digits of an integer; negative ones as 64 bits.", "BIN(4)", "100"},
})

var _ = scalar(Scalar{
	Name: "HEX", Forms: []string{"HEX(<INTEGER>)", "HEX(<STRING>)"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) == 1 && args[0].Type.Kind.IsText() {
			return Signature{Args: []types.Type{args[0].Type},
				Result: types.String().WithNull(args[0].Type.Nullable())}, nil
		}
		return integerToText(args)
	},
	Bind: func(b Binding) (Kernel, error) {
		if b.Args[0].Type.Kind.IsText() {
			return hexText, nil
		}
		return integerDigits(func(b []byte, v uint64) []byte {
			from := len(b)
			return upperHex(strconv.AppendUint(b, v, 16), from)
		}), nil
	},
	Doc: Doc{"math",
		"The hexadecimal digits of an integer, negative ones as 64 bits, or of the bytes of a text.", "HEX(255)", "FF"},
})

var _ = scalar(Scalar{
	Name: "UNHEX", Forms: []string{"UNHEX(<STRING>)"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) != 1 || !(args[0].Type.Kind.IsText() || args[0].Type.Kind == types.Null) {
			return Signature{}, Mismatch()
		}
		return Signature{Args: []types.Type{asText(args[0].Type)}, Result: types.Bytes()}, nil
	},
	Bind: func(b Binding) (Kernel, error) { return unhex, nil },
	Doc: Doc{"math",
		"The bytes that hexadecimal digits stand for; an odd first digit is dropped and its byte is zero. NULL " +
			"when another character occurs.", "UNHEX('6162')", "ab"},
})

// asText gives a bare NULL the type STRING.
func asText(t types.Type) types.Type {
	if t.Kind == types.Null {
		return types.String()
	}
	return t
}

func integerToText(args []Arg) (Signature, error) {
	if len(args) != 1 || !(args[0].Type.Kind.IsInteger() || args[0].Type.Kind == types.Null) {
		return Signature{}, Mismatch()
	}
	nullable := args[0].Type.Nullable()
	return Signature{
		Args:   []types.Type{types.Of(types.BigInt).WithNull(nullable)},
		Result: types.String().WithNull(nullable),
	}, nil
}

func integerDigits(digits func(b []byte, v uint64) []byte) Kernel {
	return func(c *Call) {
		a, step := vector.Values[int64](c.Args[0]), c.Args[0].Step()
		w := vector.NewText(c.Out)
		for i := range c.Out.Len {
			w.End(i, digits(w.Begin(), uint64(a[i*step])))
		}
		w.Finish()
	}
}

func upperHex(b []byte, from int) []byte {
	for i, ch := range b[from:] {
		if ch >= 'a' {
			b[from+i] = ch - 'a' + 'A'
		}
	}
	return b
}

func hexText(c *Call) {
	x := c.Args[0]
	a, step := vector.Values[vector.View](x), x.Step()
	w := vector.NewText(c.Out)
	for i := range c.Out.Len {
		b := w.Begin()
		from := len(b)
		w.End(i, upperHex(hex.AppendEncode(b, a[i*step].Bytes(x.Bufs)), from))
	}
	w.Finish()
}

func unhex(c *Call) {
	x := c.Args[0]
	a, step := vector.Values[vector.View](x), x.Step()
	w := vector.NewText(c.Out)
	for i := range c.Out.Len {
		t, b := a[i*step].Bytes(x.Bufs), w.Begin()
		from := len(b)
		if len(t)%2 != 0 {
			b, t = append(b, 0), t[1:]
		}
		b, err := hex.AppendDecode(b, t)
		if err != nil {
			b = b[:from]
			c.Out.SetNull(i)
		}
		w.End(i, b)
	}
	w.Finish()
}
