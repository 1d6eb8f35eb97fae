package function

import (
	"strconv"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "ROW", Special: true, Nulls: Custom, Forms: []string{"ROW(<ANY>, ...)"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) == 0 {
			return Signature{}, Mismatch()
		}
		var sig Signature
		var fields []types.Field
		for i, a := range args {
			switch a.Type.Kind {
			case types.Null:
				return Signature{}, Refuse("a field of ROW needs a type: CAST(NULL AS …)")
			case types.Symbol:
				return Signature{}, Mismatch()
			}
			sig.Args = append(sig.Args, a.Type)
			fields = append(fields, types.Field{Name: "EXPR$" + strconv.Itoa(i), Type: a.Type})
		}
		sig.Result = types.RowOf(fields...).WithNull(false)
		return sig, nil
	},
	Bind: func(b Binding) (Kernel, error) { return makeRow, nil },
	Doc: Doc{"collection", "A ROW of the arguments, whose fields are named EXPR$0, EXPR$1, …", "ROW(1, 'a')",
		"(1, a)"},
})

// makeRow shows the arguments as fields, without a copy.
func makeRow(c *Call) {
	for i, own := range c.Out.OwnChildren(len(c.Args)) {
		own.Alias(c.Args[i])
		own.Len = c.Out.Len
	}
}

var _ = scalar(Scalar{
	Name: "ARRAY", Special: true, Nulls: Custom, Forms: []string{"ARRAY[<ANY>, ...]"},
	Type: func(args []Arg) (Signature, error) {
		t, err := commonOf(args)
		if err != nil {
			return Signature{}, err
		}
		return Signature{Args: wantAll(args, t), Result: types.ArrayOf(t).WithNull(false)}, nil
	},
	Bind: func(b Binding) (Kernel, error) {
		return building(b.Result, func(c *Call, out *vector.Builder, i int) {
			for _, x := range c.Args {
				out.Child(0).AppendValue(x, i)
			}
			out.AppendList()
		}), nil
	},
	Doc: Doc{"collection", "An ARRAY of the arguments, which need a common type.", "ARRAY[1, 2]", "[1, 2]"},
})

var _ = scalar(Scalar{
	Name: "MAP", Special: true, Nulls: Custom, Forms: []string{"MAP[<KEY>, <VALUE>, ...]"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) < 2 || len(args)%2 != 0 {
			return Signature{}, Refuse("MAP requires an even number of arguments and at least 2")
		}
		var keys, values []Arg
		for i := 0; i < len(args); i += 2 {
			keys, values = append(keys, args[i]), append(values, args[i+1])
		}
		k, err := commonOf(keys)
		if err != nil {
			return Signature{}, err
		}
		v, err := commonOf(values)
		if err != nil {
			return Signature{}, err
		}
		sig := Signature{Result: types.MapOf(k, v).WithNull(false)}
		for i := range keys {
			sig.Args = append(sig.Args, wantAll(keys[i:i+1], k)[0], wantAll(values[i:i+1], v)[0])
		}
		return sig, nil
	},
	Bind: func(b Binding) (Kernel, error) {
		return building(b.Result, func(c *Call, out *vector.Builder, i int) {
			for k := 0; k < len(c.Args); k += 2 {
				if !laterKey(c.Args, k, i) {
					out.Child(0).AppendValue(c.Args[k], i)
					out.Child(1).AppendValue(c.Args[k+1], i)
				}
			}
			out.AppendList()
		}), nil
	},
	Doc: Doc{"collection", "A MAP of keys and values in turn. The last of equal keys counts.", "MAP['a', 1]",
		"{a=1}"},
})

// laterKey tells whether a key behind argument k equals it in row i.
func laterKey(args []*vector.Column, k, i int) bool {
	for j := k + 2; j < len(args); j += 2 {
		if sameValue(args[k], i, args[j], i) {
			return true
		}
	}
	return false
}

// commonOf is the common type of all arguments, which must not all be a bare NULL.
func commonOf(args []Arg) (types.Type, error) {
	if len(args) == 0 {
		return types.Type{}, Mismatch()
	}
	t := args[0].Type
	for _, a := range args[1:] {
		u, ok := types.Common(t, a.Type)
		if !ok {
			return t, Refuse("parameters must be of the same type, got %s and %s", t, a.Type)
		}
		t = u
	}
	switch t.Kind {
	case types.Null:
		return t, Refuse("parameters must not all be NULL")
	case types.Symbol:
		return t, Mismatch()
	}
	return t, nil
}

// wantAll asks for t in the nullability of each argument.
func wantAll(args []Arg, t types.Type) []types.Type {
	out := make([]types.Type, len(args))
	for i, a := range args {
		out[i] = t.WithNull(a.Type.Nullable())
	}
	return out
}

// building makes a kernel that appends one row at a time. f appends exactly one row; rows that are not
// wanted become NULL.
func building(result types.Type, f func(c *Call, out *vector.Builder, i int)) Kernel {
	b := vector.NewBuilder(result)
	return func(c *Call) {
		b.Reset()
		for i := range c.Out.Len {
			if c.Wanted(i) {
				f(c, b, i)
			} else {
				b.AppendNull()
			}
		}
		b.Finish(c.Out)
	}
}

// elements is one row of an ARRAY, MAP or MULTISET: the elements from..to of its children.
type elements struct {
	list     *vector.Column
	from, to int
}

func elementsOf(c *vector.Column, i int) elements {
	list, k := c.At(i)
	return elements{list, int(list.Offsets[k]), int(list.Offsets[k+1])}
}

func (e elements) len() int { return e.to - e.from }

// find returns the first element of child 0 that is the same as row i of c, or -1. NULL finds NULL.
func (e elements) find(c *vector.Column, i int) int {
	return findValue(e.list.Children[0], e.from, e.to, c, i)
}

// sameShape tells two types whose values compare as they are: equal but for lengths, scales, names and
// nullability.
func sameShape(a, b types.Type) bool {
	switch {
	case a.Kind.IsText():
		return b.Kind.IsText()
	case a.Kind.IsBinary():
		return b.Kind.IsBinary()
	case a.Kind != b.Kind || len(a.Fields) != len(b.Fields):
		return false
	case a.Kind.IsTimestamp():
		return a.Precision == b.Precision
	}
	for i := range a.Fields {
		if !sameShape(a.Fields[i].Type, b.Fields[i].Type) {
			return false
		}
	}
	return true
}

var _ = scalar(Scalar{
	Name: "MULTISET", Special: true, Extension: true, Nulls: Custom, Forms: []string{"MULTISET[<ANY>, ...]"},
	Type: comparing(func(args []Arg) (Signature, error) {
		t, err := commonOf(args)
		if err != nil {
			return Signature{}, err
		}
		return Signature{Args: wantAll(args, t), Result: types.MultisetOf(t).WithNull(false)}, nil
	}),
	Bind: func(b Binding) (Kernel, error) {
		return building(b.Result, func(c *Call, out *vector.Builder, i int) {
			for k, x := range c.Args {
				if !sameAsEarlier(c.Args, k, i) {
					out.Child(0).AppendValue(x, i)
					out.Child(1).AppendInt(int64(countSame(c.Args, k, i)))
				}
			}
			out.AppendList()
		}), nil
	},
	Doc: Doc{"collection",
		"A MULTISET of the arguments, which need a common type: each value with the number of times it occurs.",
		"MULTISET['a', 'a']", "{\"a\"=2}"},
})

// sameAsEarlier tells whether an argument before k equals it in row i.
func sameAsEarlier(args []*vector.Column, k, i int) bool {
	for _, x := range args[:k] {
		if sameValue(x, i, args[k], i) {
			return true
		}
	}
	return false
}

// countSame counts the arguments from k on that equal it in row i.
func countSame(args []*vector.Column, k, i int) int {
	n := 0
	for _, x := range args[k:] {
		n += int(b2i(sameValue(x, i, args[k], i)))
	}
	return n
}
