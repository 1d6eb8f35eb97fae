package function

import (
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// jsonLength is the longest text of a JSON aggregate, as Flink declares it; longer ones are not cut.
const jsonLength = 2000

var _ = aggregate(Aggregate{
	Name: "JSON_ARRAYAGG", Forms: []string{"JSON_ARRAYAGG(<ANY> [{NULL | ABSENT} ON NULL])"}, Defined: true,
	Type: func(args []Arg) (Signature, error) {
		if len(args) != 1 || args[0].Type.Kind == types.Null {
			return Signature{}, Mismatch()
		}
		return Signature{Args: []types.Type{args[0].Type}, Result: types.VarcharOf(jsonLength).WithNull(false)}, jsonPartTypes(args)
	},
	New: func(b AggregateBinding) Accumulator { return &jsonValues{list: newList(b, true), result: b.Result} },
	Doc: Doc{"aggregate", "The values as a JSON array in the order in which they came; NULLs are left out unless NULL ON NULL is said.",
		"JSON_ARRAYAGG(x) OF (2), (1)", "[2,1]"},
})

// jsonValues is JSON_ARRAYAGG. What is left out does not come to it.
type jsonValues struct {
	*list
	result  types.Type
	made    twoBuilders
	elem    *vector.Builder
	value   vector.Column
	scratch []byte
}

func (a *jsonValues) Value(groups []int32, out *vector.Column) {
	b := a.made.next(a.result)
	if a.elem == nil {
		a.elem = vector.NewBuilder(a.typ)
	}
	for _, g := range groups {
		a.elem.Reset()
		a.all(g, func(v []byte) { unpackTo(a.elem, v) })
		a.elem.Finish(&a.value)
		text := append(b.Begin(), '[')
		for i := range a.value.Len {
			if i > 0 {
				text = append(text, ',')
			}
			text = appendJSON(text, &a.value, i, &a.scratch)
		}
		b.End(append(text, ']'))
	}
	b.Finish(out)
}

var _ = aggregate(Aggregate{
	Name: "JSON_OBJECTAGG", Forms: []string{"JSON_OBJECTAGG([KEY] <CHARACTER> VALUE <ANY> [{NULL | ABSENT} ON NULL])"}, Defined: true,
	Rows: true, Finish: jsonObjectFrom,
	Type: func(args []Arg) (Signature, error) {
		if len(args) != 2 || !args[0].Type.Kind.IsText() || args[1].Type.Kind == types.Null {
			return Signature{}, Mismatch()
		}
		return Signature{Args: []types.Type{args[0].Type, args[1].Type}, Result: pairsOf(args[0].Type, args[1].Type)}, jsonPartTypes(args)
	},
	New: func(b AggregateBinding) Accumulator { return &rowsOf{list: newList(b, true), result: b.Result} },
	Doc: Doc{"aggregate", "A JSON object of keys and values in the order in which they came. A NULL value is written null, or left out with " +
		"ABSENT ON NULL; a key that comes twice fails the job.", "JSON_OBJECTAGG(KEY x VALUE y) OF ('a', 1), ('b', 2)", `{"a":1,"b":2}`},
})

// pairsOf is the ARRAY that the rows of two arguments are kept as.
func pairsOf(a, b types.Type) types.Type {
	row := types.RowOf(types.Field{Name: "EXPR$0", Type: a}, types.Field{Name: "EXPR$1", Type: b}).WithNull(false)
	return types.ArrayOf(row).WithNull(false)
}

// rowsOf gives the values as an ARRAY, an empty one where there are none.
type rowsOf struct {
	*list
	result types.Type
	made   twoBuilders
}

func (a *rowsOf) Value(groups []int32, out *vector.Column) {
	b := a.made.next(a.result)
	for _, g := range groups {
		a.all(g, func(v []byte) { unpackTo(b.Child(0), v) })
		b.AppendList()
	}
	b.Finish(out)
}

// jsonObjectFrom writes the rows of JSON_OBJECTAGG.
var jsonObjectFrom = &Scalar{
	Name: "JSON OBJECT OF", Special: true, Fails: true,
	Type: func(args []Arg) (Signature, error) {
		return Signature{Args: []types.Type{args[0].Type}, Result: types.VarcharOf(jsonLength).WithNull(args[0].Type.Nullable())}, nil
	},
	Bind: func(b Binding) (Kernel, error) {
		var scratch []byte
		seen := map[string]bool{}
		return building(b.Result, func(c *Call, out *vector.Builder, i int) {
			e := elementsOf(c.Args[0], i)
			keys, values := e.list.Children[0].Children[0], e.list.Children[0].Children[1]
			clear(seen)
			text := append(out.Begin(), '{')
			for k := e.from; k < e.to; k++ {
				if keys.Null(k) {
					c.Fail(i, failure("JSON_OBJECTAGG: a key is NULL"))
					continue
				}
				at, n := keys.At(k)
				key := vector.Text(at, n)
				if seen[string(key)] {
					c.FailWith(i, func() error { return failure("JSON_OBJECTAGG: the key '" + string(key) + "' comes twice") })
				}
				seen[string(key)] = true
				if k > e.from {
					text = append(text, ',')
				}
				text = append(appendQuoted(text, key), ':')
				text = appendJSON(text, values, k, &scratch)
			}
			out.End(append(text, '}'))
		}), nil
	},
}
