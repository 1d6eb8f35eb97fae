package function

import (
	"fmt"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// mapOnly wants one MAP; result tells the result's type.
func mapOnly(result func(t types.Type) types.Type) func(args []Arg) (Signature, error) {
	return func(args []Arg) (Signature, error) {
		if len(args) != 1 || args[0].Type.Kind != types.Map {
			return Signature{}, Mismatch()
		}
		t := args[0].Type
		return Signature{Args: []types.Type{t}, Result: result(t).WithNull(t.Nullable())}, nil
	}
}

var _ = scalar(Scalar{
	Name: "MAP_KEYS", Forms: []string{"MAP_KEYS(<MAP>)"},
	Type: mapOnly(func(t types.Type) types.Type { return types.ArrayOf(t.Key()) }),
	Bind: func(b Binding) (Kernel, error) { return mapChild(b, 0), nil },
	Doc:  Doc{"collection", "The keys of a MAP.", "MAP_KEYS(MAP['a', 1])", "[a]"},
})

var _ = scalar(Scalar{
	Name: "MAP_VALUES", Forms: []string{"MAP_VALUES(<MAP>)"},
	Type: mapOnly(func(t types.Type) types.Type { return types.ArrayOf(t.Elem()) }),
	Bind: func(b Binding) (Kernel, error) { return mapChild(b, 1), nil },
	Doc:  Doc{"collection", "The values of a MAP, in the order of MAP_KEYS.", "MAP_VALUES(MAP['a', 1])", "[1]"},
})

func mapChild(b Binding, child int) Kernel {
	return building(b.Result, func(c *Call, out *vector.Builder, i int) {
		e := elementsOf(c.Args[0], i)
		appendRange(out.Child(0), e.list.Children[child], e.from, e.to)
		out.AppendList()
	})
}

var _ = scalar(Scalar{
	Name: "MAP_ENTRIES", Forms: []string{"MAP_ENTRIES(<MAP>)"},
	Type: mapOnly(func(t types.Type) types.Type {
		entry := types.RowOf(types.Field{Name: "key", Type: t.Key()}, types.Field{Name: "value",
			Type: t.Elem()})
		return types.ArrayOf(entry.WithNull(false))
	}),
	Bind: func(b Binding) (Kernel, error) {
		return building(b.Result, func(c *Call, out *vector.Builder, i int) {
			e := elementsOf(c.Args[0], i)
			entry := out.Child(0)
			for k := e.from; k < e.to; k++ {
				entry.Child(0).AppendValue(e.list.Children[0], k)
				entry.Child(1).AppendValue(e.list.Children[1], k)
				entry.AppendRow()
			}
			out.AppendList()
		}), nil
	},
	Doc: Doc{"collection", "The entries of a MAP as ROWs of key and value.", "MAP_ENTRIES(MAP['a', 1])",
		"[(a, 1)]"},
})

var _ = scalar(Scalar{
	Name: "MAP_UNION", Forms: []string{"MAP_UNION(<MAP>, ...)"},
	Type: func(args []Arg) (Signature, error) {
		for _, a := range args {
			if a.Type.Kind != types.Map {
				return Signature{}, Mismatch()
			}
		}
		t, err := commonOf(args)
		return Signature{Args: wantAll(args, t), Result: t}, err
	},
	Bind: func(b Binding) (Kernel, error) {
		return building(b.Result, func(c *Call, out *vector.Builder, i int) {
			for n, x := range c.Args {
				e := elementsOf(x, i)
				for k := e.from; k < e.to; k++ {
					appendLatest(c.Args, n, k, e, i, out)
				}
			}
			out.AppendList()
		}), nil
	},
	Doc: Doc{"collection", "The entries of all MAPs; of equal keys the value of the last counts.",
		"MAP_UNION(MAP['a', 1], MAP['a', 2])", "{a=2}"},
})

// appendLatest appends entry k of MAP n with its latest value, unless an earlier MAP held the key.
func appendLatest(args []*vector.Column, n, k int, e elements, i int, out *vector.Builder) {
	keys := e.list.Children[0]
	for _, x := range args[:n] {
		if elementsOf(x, i).find(keys, k) >= 0 {
			return
		}
	}
	value, at := e.list.Children[1], k
	for _, x := range args[n+1:] {
		later := elementsOf(x, i)
		if j := later.find(keys, k); j >= 0 {
			value, at = later.list.Children[1], j
		}
	}
	out.Child(0).AppendValue(keys, k)
	out.Child(1).AppendValue(value, at)
}

var _ = scalar(Scalar{
	Name: "MAP_FROM_ARRAYS", Fails: true, Forms: []string{"MAP_FROM_ARRAYS(<ARRAY>, <ARRAY>)"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) != 2 || args[0].Type.Kind != types.Array || args[1].Type.Kind != types.Array {
			return Signature{}, Mismatch()
		}
		k, v := args[0].Type, args[1].Type
		result := types.MapOf(k.Elem(), v.Elem()).WithNull(k.Nullable() || v.Nullable())
		return Signature{Args: []types.Type{k, v}, Result: result}, nil
	},
	Bind: func(b Binding) (Kernel, error) {
		return building(b.Result, func(c *Call, out *vector.Builder, i int) {
			keys, values := elementsOf(c.Args[0], i), elementsOf(c.Args[1], i)
			if keys.len() != values.len() {
				c.FailWith(i, func() error {
					return fmt.Errorf("MAP_FROM_ARRAYS: %d keys for %d values", keys.len(), values.len())
				})
				out.AppendNull()
				return
			}
			elems := keys.list.Children[0]
			for k := range keys.len() {
				if findValue(elems, keys.from+k+1, keys.to, elems, keys.from+k) < 0 {
					out.Child(0).AppendValue(elems, keys.from+k)
					out.Child(1).AppendValue(values.list.Children[0], values.from+k)
				}
			}
			out.AppendList()
		}), nil
	},
	Doc: Doc{"collection",
		"A MAP of keys and values from two ARRAYs of one length; the last of equal keys counts.",
		"MAP_FROM_ARRAYS(ARRAY['a'], ARRAY[1])", "{a=1}"},
})
