package function

import (
	"slices"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// appendElements appends the elements of row i to the builder of elements.
type appendElements func(c *Call, elems *vector.Builder, i int)

// arrayFunction declares a function whose first argument and result are ARRAYs.
func arrayFunction(s Scalar, f appendElements) *Scalar {
	return arrayFunctionOf(s, func() appendElements { return f })
}

// arrayFunctionOf is arrayFunction for one that keeps memory between rows: bind makes it.
func arrayFunctionOf(s Scalar, bind func() appendElements) *Scalar {
	s.Doc.Group = "collection"
	s.Bind = func(b Binding) (Kernel, error) {
		f := bind()
		return building(b.Result, func(c *Call, out *vector.Builder, i int) {
			if c.Args[0].Null(i) {
				out.AppendNull()
				return
			}
			f(c, out.Child(0), i)
			out.AppendList()
		}), nil
	}
	return scalar(s)
}

// appendRange appends elements from..to.
func appendRange(b *vector.Builder, elems *vector.Column, from, to int) {
	for k := from; k < to; k++ {
		b.AppendValue(elems, k)
	}
}

// arrayOnly wants one ARRAY and keeps its type.
func arrayOnly(args []Arg) (Signature, error) {
	if len(args) != 1 || args[0].Type.Kind != types.Array {
		return Signature{}, Mismatch()
	}
	return Signature{Args: []types.Type{args[0].Type}, Result: args[0].Type}, nil
}

// arrayAndElement wants an ARRAY and a value; the result's elements are of their common type.
func arrayAndElement(args []Arg) (Signature, error) {
	if len(args) != 2 || args[0].Type.Kind != types.Array {
		return Signature{}, Mismatch()
	}
	t, ok := types.Common(args[0].Type.Elem(), args[1].Type)
	if !ok {
		return Signature{}, Mismatch()
	}
	list := types.ArrayOf(t).WithNull(args[0].Type.Nullable())
	return Signature{Args: []types.Type{list, t.WithNull(args[1].Type.Nullable())}, Result: list}, nil
}

// arrays wants at least n ARRAYs of a common type, at most n too unless n is 1.
func arrays(n int) func(args []Arg) (Signature, error) {
	return func(args []Arg) (Signature, error) {
		if len(args) < n || (n > 1 && len(args) != n) {
			return Signature{}, Mismatch()
		}
		for _, a := range args {
			if a.Type.Kind != types.Array {
				return Signature{}, Mismatch()
			}
		}
		t, err := commonOf(args)
		return Signature{Args: wantAll(args, t), Result: t}, err
	}
}

var _ = arrayFunction(Scalar{
	Name: "ARRAY_DISTINCT", Forms: []string{"ARRAY_DISTINCT(<ARRAY>)"}, Type: comparing(arrayOnly),
	Doc: Doc{"", "The elements without repetitions, in order of their first occurrence.",
		"ARRAY_DISTINCT(ARRAY[1, 2, 1])", "[1, 2]"},
}, func(c *Call, b *vector.Builder, i int) {
	e := elementsOf(c.Args[0], i)
	appendDistinct(b, e, func(int) bool { return true })
})

// appendDistinct appends the elements that keep allows and that did not occur before in e.
func appendDistinct(b *vector.Builder, e elements, keep func(k int) bool) {
	elems := e.list.Children[0]
	for k := e.from; k < e.to; k++ {
		if findValue(elems, e.from, k, elems, k) < 0 && keep(k) {
			b.AppendValue(elems, k)
		}
	}
}

var _ = arrayFunction(Scalar{
	Name: "ARRAY_REVERSE", Forms: []string{"ARRAY_REVERSE(<ARRAY>)"}, Type: arrayOnly,
	Doc: Doc{"", "The elements in the opposite order.", "ARRAY_REVERSE(ARRAY[1, 2, 3])", "[3, 2, 1]"},
}, func(c *Call, b *vector.Builder, i int) {
	e := elementsOf(c.Args[0], i)
	for k := e.to - 1; k >= e.from; k-- {
		b.AppendValue(e.list.Children[0], k)
	}
})

var _ = arrayFunction(Scalar{
	Name: "ARRAY_REMOVE", Nulls: Custom, Forms: []string{"ARRAY_REMOVE(<ARRAY>, <ELEMENT>)"},
	Type: func(args []Arg) (Signature, error) {
		sig, err := needleType(args)
		if err == nil {
			sig.Result = args[0].Type
		}
		return sig, err
	},
	Doc: Doc{"", "The elements that do not equal a value; NULL removes NULLs.",
		"ARRAY_REMOVE(ARRAY[1, 2, 1], 1)", "[2]"},
}, func(c *Call, b *vector.Builder, i int) {
	e := elementsOf(c.Args[0], i)
	for k := e.from; k < e.to; k++ {
		if !sameValue(e.list.Children[0], k, c.Args[1], i) {
			b.AppendValue(e.list.Children[0], k)
		}
	}
})

var _ = arrayFunction(Scalar{
	Name: "ARRAY_APPEND", Nulls: Custom, Forms: []string{"ARRAY_APPEND(<ARRAY>, <ELEMENT>)"},
	Type: arrayAndElement,
	Doc: Doc{"", "The ARRAY with a value behind its elements. NULL only when the ARRAY is.",
		"ARRAY_APPEND(ARRAY[1], 2)", "[1, 2]"},
}, func(c *Call, b *vector.Builder, i int) {
	e := elementsOf(c.Args[0], i)
	appendRange(b, e.list.Children[0], e.from, e.to)
	b.AppendValue(c.Args[1], i)
})

var _ = arrayFunction(Scalar{
	Name: "ARRAY_PREPEND", Nulls: Custom, Forms: []string{"ARRAY_PREPEND(<ARRAY>, <ELEMENT>)"},
	Type: arrayAndElement,
	Doc: Doc{"", "The ARRAY with a value before its elements. NULL only when the ARRAY is.",
		"ARRAY_PREPEND(ARRAY[1], 2)", "[2, 1]"},
}, func(c *Call, b *vector.Builder, i int) {
	e := elementsOf(c.Args[0], i)
	b.AppendValue(c.Args[1], i)
	appendRange(b, e.list.Children[0], e.from, e.to)
})

var _ = arrayFunction(Scalar{
	Name: "ARRAY_CONCAT", Forms: []string{"ARRAY_CONCAT(<ARRAY>, ...)"}, Type: arrays(1),
	Doc: Doc{"", "The elements of all arguments, one after the other.", "ARRAY_CONCAT(ARRAY[1], ARRAY[2, 1])",
		"[1, 2, 1]"},
}, func(c *Call, b *vector.Builder, i int) {
	for _, x := range c.Args {
		e := elementsOf(x, i)
		appendRange(b, e.list.Children[0], e.from, e.to)
	}
})

var _ = arrayFunction(Scalar{
	Name: "ARRAY_UNION", Forms: []string{"ARRAY_UNION(<ARRAY>, <ARRAY>)"}, Type: comparing(arrays(2)),
	Doc: Doc{"", "The elements of either ARRAY, each once.", "ARRAY_UNION(ARRAY[1, 2], ARRAY[2, 3])",
		"[1, 2, 3]"},
}, func(c *Call, b *vector.Builder, i int) {
	x, y := elementsOf(c.Args[0], i), elementsOf(c.Args[1], i)
	appendDistinct(b, x, func(int) bool { return true })
	appendDistinct(b, y, func(k int) bool { return x.find(y.list.Children[0], k) < 0 })
})

var _ = arrayFunction(Scalar{
	Name: "ARRAY_INTERSECT", Forms: []string{"ARRAY_INTERSECT(<ARRAY>, <ARRAY>)"}, Type: comparing(arrays(2)),
	Doc: Doc{"", "The elements that both ARRAYs hold, each once.",
		"ARRAY_INTERSECT(ARRAY[1, 2], ARRAY[2, 3])", "[2]"},
}, func(c *Call, b *vector.Builder, i int) {
	x, y := elementsOf(c.Args[0], i), elementsOf(c.Args[1], i)
	appendDistinct(b, x, func(k int) bool { return y.find(x.list.Children[0], k) >= 0 })
})

var _ = arrayFunction(Scalar{
	Name: "ARRAY_EXCEPT", Forms: []string{"ARRAY_EXCEPT(<ARRAY>, <ARRAY>)"}, Type: comparing(arrays(2)),
	Doc: Doc{"", "The elements of the first ARRAY that the second does not hold, each once.",
		"ARRAY_EXCEPT(ARRAY[1, 2], ARRAY[2])", "[1]"},
}, func(c *Call, b *vector.Builder, i int) {
	x, y := elementsOf(c.Args[0], i), elementsOf(c.Args[1], i)
	appendDistinct(b, x, func(k int) bool { return y.find(x.list.Children[0], k) < 0 })
})

var _ = arrayFunction(Scalar{
	Name: "ARRAY_SLICE", Forms: []string{"ARRAY_SLICE(<ARRAY>, <INTEGER>)",
		"ARRAY_SLICE(<ARRAY>, <INTEGER>, <INTEGER>)"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) < 2 || len(args) > 3 || args[0].Type.Kind != types.Array {
			return Signature{}, Mismatch()
		}
		sig := Signature{Args: []types.Type{args[0].Type}, Result: args[0].Type}
		for _, a := range args[1:] {
			if !a.Type.Kind.IsInteger() {
				return Signature{}, Mismatch()
			}
			sig.Args = append(sig.Args, types.Of(types.Int).WithNull(a.Type.Nullable()))
			sig.Result.NotNull = sig.Result.NotNull && a.Type.NotNull
		}
		return sig, nil
	},
	Doc: Doc{"",
		"The elements from a first to a last position, counted from 1, from the end when negative; the last is that of " +
			"the ARRAY by default.", "ARRAY_SLICE(ARRAY[1, 2, 3], -2)", "[2, 3]"},
}, func(c *Call, b *vector.Builder, i int) {
	e := elementsOf(c.Args[0], i)
	from, to := slicePosition(vector.Value[int32](c.Args[1], i), e.len()), e.len()-1
	if len(c.Args) == 3 {
		to = slicePosition(vector.Value[int32](c.Args[2], i), e.len())
	}
	appendRange(b, e.list.Children[0], e.from+max(from, 0), e.from+min(to+1, e.len()))
})

// slicePosition turns a position into an index, which may lie outside.
func slicePosition(p int32, n int) int {
	switch {
	case p > 0:
		return int(p) - 1
	case p < 0:
		return n + int(p)
	}
	return 0
}

var _ = arrayFunctionOf(Scalar{
	Name: "ARRAY_SORT",
	Forms: []string{"ARRAY_SORT(<ARRAY>)", "ARRAY_SORT(<ARRAY>, <BOOLEAN>)",
		"ARRAY_SORT(<ARRAY>, <BOOLEAN>, <BOOLEAN>)"},
	Type: comparing(func(args []Arg) (Signature, error) {
		if len(args) < 1 || len(args) > 3 || args[0].Type.Kind != types.Array || args[0].Type.Elem().Kind.IsComposite() {
			return Signature{}, Mismatch()
		}
		sig := Signature{Args: []types.Type{args[0].Type}, Result: args[0].Type}
		for _, a := range args[1:] {
			if a.Type.Kind != types.Boolean {
				return Signature{}, Mismatch()
			}
			sig.Args = append(sig.Args, a.Type)
			sig.Result.NotNull = sig.Result.NotNull && a.Type.NotNull
		}
		return sig, nil
	}),
	Doc: Doc{"",
		"The elements in order: ascending unless the second argument is FALSE. NULLs stand first when ascending and " +
			"last otherwise, unless the third argument says where.", "ARRAY_SORT(ARRAY[3, 1, 2])", "[1, 2, 3]"},
}, func() appendElements {
	var order []int
	return func(c *Call, b *vector.Builder, i int) { order = sortElements(c, b, i, order[:0]) }
})

// sortElements returns order, its scratch.
func sortElements(c *Call, b *vector.Builder, i int, order []int) []int {
	e := elementsOf(c.Args[0], i)
	elems := e.list.Children[0]
	ascending := len(c.Args) < 2 || vector.Bool(c.Args[1], i)
	nullsFirst := ascending
	if len(c.Args) == 3 {
		nullsFirst = vector.Bool(c.Args[2], i)
	}
	nulls := 0
	for k := e.from; k < e.to; k++ {
		if elems.Null(k) {
			nulls++
		} else {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(p, q int) int {
		if ascending {
			return orderElements(elems, p, q)
		}
		return orderElements(elems, q, p)
	})
	for range nulls * int(b2i(nullsFirst)) {
		b.AppendNull()
	}
	for _, k := range order {
		b.AppendValue(elems, k)
	}
	for range nulls * int(b2i(!nullsFirst)) {
		b.AppendNull()
	}
	return order
}
