package function

import (
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Packs tells that values of a composite type are equal where their packed forms are, but for floating-point numbers
// inside, of which -0.0 and 0.0 are equal and lie apart.
func Packs(t types.Type) bool {
	if !t.Kind.IsComposite() {
		return false
	}
	for _, f := range t.Fields {
		if f.Type.Kind.IsComposite() && !Packs(f.Type) || f.Type.Kind == types.Null || f.Type.Kind == types.Variant {
			return false
		}
	}
	return true
}

// Exact tells that a composite type holds no floating-point numbers.
func Exact(t types.Type) bool {
	for _, f := range t.Fields {
		if f.Type.Kind == types.Float || f.Type.Kind == types.Double || !Exact(f.Type) {
			return false
		}
	}
	return true
}

// Pack is the packed form of a composite value, by which rows can be grouped and joined. Plans call it; statements have
// no name for it.
var Pack = &Scalar{
	Name: "PACK", Special: true,
	Type: func(args []Arg) (Signature, error) {
		t := args[0].Type
		return Signature{Args: []types.Type{t}, Result: types.Bytes().WithNull(t.Nullable())}, nil
	},
	Bind: func(Binding) (Kernel, error) {
		var text []byte
		var p keyPacker
		return func(c *Call) {
			w := vector.NewText(c.Out)
			for i := range c.Out.Len {
				if c.Wanted(i) {
					text = p.append(text[:0], c.Args[0], i)
					w.Put(i, text)
				}
			}
			w.Finish()
		}, nil
	},
}

// Unpacked is the value of a type that Pack made a text of.
func Unpacked(t types.Type) *Scalar {
	return &Scalar{
		Name: "UNPACK", Special: true,
		Type: func(args []Arg) (Signature, error) {
			return Signature{Args: []types.Type{args[0].Type}, Result: t.WithNull(args[0].Type.Nullable())}, nil
		},
		Bind: func(b Binding) (Kernel, error) {
			return building(b.Result, func(c *Call, out *vector.Builder, i int) { unpackTo(out, vector.Text(c.Args[0], i)) }), nil
		},
	}
}
