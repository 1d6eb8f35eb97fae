package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = scalar(Scalar{
	Name: "ITEM", Special: true, Forms: []string{"<ARRAY>[<INTEGER>]", "<MAP>[<KEY>]", "<ROW>[<NAME>]",
		"<VARIANT>[<INTEGER or CHARACTER>]"},
	Type: itemType,
	Bind: func(b Binding) (Kernel, error) {
		switch t := b.Args[0].Type; t.Kind {
		case types.Array:
			return building(b.Result, arrayItem), nil
		case types.Map:
			return building(b.Result, mapItem), nil
		default:
			field, err := fieldOf(t, b.Args[1])
			return building(b.Result, func(c *Call, out *vector.Builder, i int) {
				row, k := c.Args[0].At(i)
				out.AppendValue(row.Children[field], k)
			}), err
		}
	},
	Doc: Doc{"collection",
		"The element of an ARRAY at a position from 1, the value of a MAP's key or a field of a ROW; NULL when " +
			"there is none. Of a VARIANT, which is JSON, an element of its array or a member of its object, as a VARIANT; " +
			"one that is no array, or no object, fails the job.", "ARRAY['a', 'b'][2]", "b"},
})

func itemType(args []Arg) (Signature, error) {
	if len(args) != 2 {
		return Signature{}, Mismatch()
	}
	t, key := args[0].Type, args[1]
	switch t.Kind {
	case types.Array:
		if !key.Type.Kind.IsInteger() {
			return Signature{}, Mismatch()
		}
		if i, known := constInt(key); known && i < 1 {
			return Signature{}, Refuse("the index of an array starts at 1 but was %d", i)
		}
		want := types.Of(types.BigInt).WithNull(key.Type.Nullable())
		return Signature{Args: []types.Type{t, want}, Result: t.Elem().WithNull(true)}, nil
	case types.Map:
		want, err := elementType(t.Key(), key.Type)
		return Signature{Args: []types.Type{t, want}, Result: t.Elem().WithNull(true)}, err
	case types.Row:
		k, err := fieldOf(t, key)
		if err != nil {
			return Signature{}, err
		}
		return Signature{Args: []types.Type{t, key.Type}, Result: t.Fields[k].Type.WithNull(true)}, nil
	}
	return Signature{}, Mismatch()
}

// elementType is the type that a value is cast to for comparing it with elements of type e: e itself,
// where that loses no more than digits.
func elementType(e, v types.Type) (types.Type, error) {
	if err := uncompared(e, v); err != nil {
		return v, err
	}
	if sameShape(e, v) {
		return v, nil
	}
	t, ok := types.Common(e, v)
	if !ok || t.Kind != e.Kind || (!t.Same(e) && !e.Kind.IsNumeric()) {
		return t, Mismatch()
	}
	return e.WithNull(v.Nullable()), nil
}

// fieldOf finds the field that a literal names or counts from 1.
func fieldOf(t types.Type, key Arg) (int, error) {
	if i, known := constInt(key); known && i >= 1 && i <= len(t.Fields) {
		return i - 1, nil
	}
	if key.Const != nil && key.Type.Kind.IsText() && !key.IsNull() {
		name := string(vector.Text(key.Const, 0))
		if i := t.Field(name); i >= 0 {
			return i, nil
		}
		return 0, Refuse("unknown field '%s' of %s", name, t)
	}
	return 0, Refuse("a field of a ROW is named by a literal")
}

func arrayItem(c *Call, out *vector.Builder, i int) {
	e := elementsOf(c.Args[0], i)
	k := vector.Value[int64](c.Args[1], i)
	if k < 1 || k > int64(e.len()) {
		out.AppendNull()
		return
	}
	out.AppendValue(e.list.Children[0], e.from+int(k)-1)
}

func mapItem(c *Call, out *vector.Builder, i int) {
	e := elementsOf(c.Args[0], i)
	if k := e.find(c.Args[1], i); k >= 0 {
		out.AppendValue(e.list.Children[1], k)
		return
	}
	out.AppendNull()
}

var _ = scalar(Scalar{
	Name: "CARDINALITY", Forms: []string{"CARDINALITY(<ARRAY>)", "CARDINALITY(<MAP>)",
		"CARDINALITY(<MULTISET>)"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) != 1 || !args[0].Type.Kind.IsComposite() || args[0].Type.Kind == types.Row {
			return Signature{}, Mismatch()
		}
		result := types.Of(types.Int).WithNull(args[0].Type.Nullable())
		return Signature{Args: []types.Type{args[0].Type}, Result: result}, nil
	},
	Bind: func(b Binding) (Kernel, error) {
		return func(c *Call) {
			out, offsets, step := vector.Alloc[int32](c.Out), c.Args[0].Offsets, c.Args[0].Step()
			for i := range out {
				out[i] = offsets[i*step+1] - offsets[i*step]
			}
		}, nil
	},
	Doc: Doc{"collection", "The number of elements.", "CARDINALITY(ARRAY[1, 2])", "2"},
})

var _ = scalar(Scalar{
	Name: "ELEMENT", Fails: true, Forms: []string{"ELEMENT(<ARRAY>)"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) != 1 || args[0].Type.Kind != types.Array {
			return Signature{}, Mismatch()
		}
		return Signature{Args: []types.Type{args[0].Type}, Result: args[0].Type.Elem().WithNull(true)}, nil
	},
	Bind: func(b Binding) (Kernel, error) {
		return building(b.Result, func(c *Call, out *vector.Builder, i int) {
			e := elementsOf(c.Args[0], i)
			if e.len() == 1 {
				out.AppendValue(e.list.Children[0], e.from)
				return
			}
			if e.len() > 1 {
				c.Fail(i, failure("array has more than one element"))
			}
			out.AppendNull()
		}), nil
	},
	Doc: Doc{"collection", "The only element of an ARRAY, NULL of an empty one; more than one fail.",
		"ELEMENT(ARRAY[7])", "7"},
})

var _ = scalar(Scalar{
	Name: "ARRAY_CONTAINS", Nulls: Custom, Forms: []string{"ARRAY_CONTAINS(<ARRAY>, <ELEMENT>)"},
	Type: func(args []Arg) (Signature, error) {
		sig, err := needleType(args)
		sig.Result = types.Of(types.Boolean)
		if err == nil {
			sig.Result = sig.Result.WithNull(args[0].Type.Nullable())
		}
		return sig, err
	},
	Bind: func(b Binding) (Kernel, error) {
		return func(c *Call) {
			bits := vector.AllocBits(c.Out)
			clear(bits)
			for i := range c.Out.Len {
				if c.Args[0].Null(i) {
					c.Out.SetNull(i)
				} else if elementsOf(c.Args[0], i).find(c.Args[1], i) >= 0 {
					kernel.SetBit(bits, i)
				}
			}
		}, nil
	},
	Doc: Doc{"collection", "Whether an ARRAY holds a value; NULL looks for a NULL element.",
		"ARRAY_CONTAINS(ARRAY[1, 2], 2)", "TRUE"},
})

var _ = scalar(Scalar{
	Name: "ARRAY_POSITION", Forms: []string{"ARRAY_POSITION(<ARRAY>, <ELEMENT>)"},
	Type: func(args []Arg) (Signature, error) {
		sig, err := needleType(args)
		sig.Result = types.Of(types.Int)
		if err == nil {
			sig.Result = sig.Result.WithNull(args[0].Type.Nullable() || args[1].Type.Nullable())
		}
		return sig, err
	},
	Bind: func(b Binding) (Kernel, error) {
		return func(c *Call) {
			out := vector.Alloc[int32](c.Out)
			for i := range out {
				out[i] = 0
				if !c.Wanted(i) {
					continue
				}
				e := elementsOf(c.Args[0], i)
				if k := e.find(c.Args[1], i); k >= 0 {
					out[i] = int32(k - e.from + 1)
				}
			}
		}, nil
	},
	Doc: Doc{"collection",
		"The position of the first element that equals a value, counted from 1; 0 when there is none.",
		"ARRAY_POSITION(ARRAY['a', 'b'], 'b')", "2"},
})

// needleType wants an ARRAY and a value to look for among its elements.
func needleType(args []Arg) (Signature, error) {
	if len(args) != 2 || args[0].Type.Kind != types.Array {
		return Signature{}, Mismatch()
	}
	want, err := elementType(args[0].Type.Elem(), args[1].Type)
	return Signature{Args: []types.Type{args[0].Type, want}}, err
}

var (
	_ = arrayExtreme("ARRAY_MAX", "The largest element; NULLs do not count.", 1, "ARRAY_MAX(ARRAY[1, 3, 2])",
		"3")
	_ = arrayExtreme("ARRAY_MIN", "The smallest element; NULLs do not count.", -1,
		"ARRAY_MIN(ARRAY[3, 1, 2])", "1")
)

func arrayExtreme(name, text string, sign int, example, value string) *Scalar {
	return scalar(Scalar{
		Name: name, Forms: []string{name + "(<ARRAY>)"},
		Type: comparing(func(args []Arg) (Signature, error) {
			if len(args) != 1 || args[0].Type.Kind != types.Array || args[0].Type.Elem().Kind.IsComposite() {
				return Signature{}, Mismatch()
			}
			return Signature{Args: []types.Type{args[0].Type}, Result: args[0].Type.Elem().WithNull(true)}, nil
		}),
		Bind: func(b Binding) (Kernel, error) {
			return building(b.Result, func(c *Call, out *vector.Builder, i int) {
				e, best := elementsOf(c.Args[0], i), -1
				elems := e.list.Children[0]
				for k := e.from; k < e.to; k++ {
					if !elems.Null(k) && (best < 0 || orderElements(elems, k, best) == sign) {
						best = k
					}
				}
				if best < 0 {
					out.AppendNull()
					return
				}
				out.AppendValue(elems, best)
			}), nil
		},
		Doc: Doc{"collection", text + " NULL of an empty ARRAY.", example, value},
	})
}

// orderElements orders two elements that are not NULL.
func orderElements(c *vector.Column, i, j int) int {
	x, i := c.At(i)
	y, j := c.At(j)
	return orderValue(x, i, y, j)
}

var _ = scalar(Scalar{
	Name: "ARRAY_JOIN", Forms: []string{"ARRAY_JOIN(<ARRAY>, <STRING>)",
		"ARRAY_JOIN(<ARRAY>, <STRING>, <STRING>)"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) < 2 || len(args) > 3 || args[0].Type.Kind != types.Array || !args[0].Type.Elem().Kind.IsText() {
			return Signature{}, Mismatch()
		}
		sig := Signature{Result: types.String().WithNull(false)}
		for i, a := range args {
			if i > 0 && !a.Type.Kind.IsText() {
				return Signature{}, Mismatch()
			}
			sig.Args = append(sig.Args, a.Type)
			sig.Result.NotNull = sig.Result.NotNull && a.Type.NotNull
		}
		return sig, nil
	},
	Bind: func(b Binding) (Kernel, error) {
		return func(c *Call) {
			w := vector.NewText(c.Out)
			for i := range c.Out.Len {
				if c.Wanted(i) {
					w.End(i, joinElements(w.Begin(), c.Args, i))
				}
			}
			w.Finish()
		}, nil
	},
	Doc: Doc{"collection",
		"The texts of an ARRAY with a delimiter between them. NULLs are left out unless a third argument " +
			"stands for them.", "ARRAY_JOIN(ARRAY['a', 'b'], ',')", "a,b"},
})

func joinElements(b []byte, args []*vector.Column, i int) []byte {
	e := elementsOf(args[0], i)
	elems, first := e.list.Children[0], true
	for k := e.from; k < e.to; k++ {
		var text []byte
		switch {
		case !elems.Null(k):
			text = vector.Text(elems, k)
		case len(args) < 3:
			continue
		default:
			text = vector.Text(args[2], i)
		}
		if !first {
			b = append(b, vector.Text(args[1], i)...)
		}
		b, first = append(b, text...), false
	}
	return b
}
