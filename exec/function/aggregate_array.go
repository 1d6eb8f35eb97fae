package function

import (
	"encoding/binary"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = aggregate(Aggregate{
	Name: "ARRAY_AGG", Forms: []string{"ARRAY_AGG(<ANY>)"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) != 1 {
			return Signature{}, Mismatch()
		}
		return Signature{Args: []types.Type{args[0].Type}, Result: types.ArrayOf(args[0].Type)}, nil
	},
	New: func(b AggregateBinding) Accumulator {
		return &arrayOf{list: newList(b, !b.IgnoreNulls), result: b.Result}
	},
	Doc: Doc{"aggregate", "The values as an ARRAY in the order in which they came, NULLs included unless IGNORE NULLS is said; " +
		"NULL without any.", "ARRAY_AGG(x) OF (2), (1), (2)", "[2, 1, 2]"},
})

// arrayOf is ARRAY_AGG.
type arrayOf struct {
	*list
	result types.Type
	made   twoBuilders
}

func (a *arrayOf) Value(groups []int32, out *vector.Column) {
	b := a.made.next(a.result)
	for _, g := range groups {
		if a.head.At(g) == 0 {
			b.AppendNull()
			continue
		}
		a.all(g, func(v []byte) { unpackTo(b.Child(0), v) })
		b.AppendList()
	}
	b.Finish(out)
}

var _ = aggregate(Aggregate{
	Name: "COLLECT", Forms: []string{"COLLECT(<ANY>)"}, Defined: true,
	Type: comparing(func(args []Arg) (Signature, error) {
		if len(args) != 1 {
			return Signature{}, Mismatch()
		}
		return Signature{Args: []types.Type{args[0].Type}, Result: types.MultisetOf(args[0].Type).WithNull(false)}, nil
	}),
	New: func(b AggregateBinding) Accumulator { return &multisetOf{list: newList(b, false), result: b.Result} },
	Doc: Doc{"aggregate", "The values that are not NULL as a MULTISET.", "COLLECT(x) OF (2), (1), (2)", "{1=1, 2=2}"},
})

// multisetOf is COLLECT.
type multisetOf struct {
	*list
	result types.Type
	made   twoBuilders
	// values are those of the group in work, spare is room for as many.
	values, spare []packedValue
}

func (m *multisetOf) Value(groups []int32, out *vector.Column) {
	b := m.made.next(m.result)
	for _, g := range groups {
		m.order(g)
		for i := 0; i < len(m.values); {
			v := m.value(m.values[i].item)
			n := i + 1
			for n < len(m.values) && m.values[n].first == m.values[i].first && string(m.value(m.values[n].item)) == string(v) {
				n++
			}
			unpackTo(b.Child(0), v)
			b.Child(1).AppendInt(int64(n - i))
			i = n
		}
		b.AppendList()
	}
	b.Finish(out)
}

// order brings the items of a group into the order of their bytes, so that equal multisets are equal columns.
func (m *multisetOf) order(g int32) {
	m.values = m.values[:0]
	for v := m.head.At(g); v != 0; v = m.next.At(v - 1) {
		m.values = append(m.values, packedValue{firstBytes(m.value(v - 1)), v - 1})
	}
	m.values, m.spare = orderPacked(m.values, m.spare, m.value)
}

var _ = aggregate(Aggregate{
	Name: "LISTAGG", Forms: []string{"LISTAGG(<CHARACTER>)", "LISTAGG(<CHARACTER>, <CHARACTER>)"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) < 1 || len(args) > 2 {
			return Signature{}, Mismatch()
		}
		for _, a := range args {
			if !a.Type.Kind.IsText() {
				return Signature{}, Mismatch()
			}
		}
		sig := Signature{Args: []types.Type{args[0].Type}, Result: types.String().WithNull(args[0].Type.Nullable())}
		if len(args) == 2 {
			if args[1].Const == nil {
				return sig, Refuse("the separator of LISTAGG must be a literal")
			}
			sig.Args = append(sig.Args, args[1].Type)
		}
		return sig, nil
	},
	New: func(b AggregateBinding) Accumulator {
		j := &joined{list: newList(b, false), result: b.Result, separator: []byte(",")}
		if len(b.Args) == 2 && !b.Args[1].IsNull() {
			j.separator = append([]byte{}, vector.Text(b.Args[1].Const, 0)...)
		}
		return j
	},
	Doc: Doc{"aggregate", "The texts that are not NULL, in the order in which they came, with a separator between them: a comma " +
		"unless another literal is given.", "LISTAGG(x, '|') OF ('b'), ('a')", "b|a"},
})

// joined is LISTAGG.
type joined struct {
	*list
	result    types.Type
	separator []byte
	made      twoBuilders
}

func (j *joined) Value(groups []int32, out *vector.Column) {
	b := j.made.next(j.result)
	for _, g := range groups {
		if j.head.At(g) == 0 {
			b.AppendNull()
			continue
		}
		text := b.Begin()
		for v := j.head.At(g); v != 0; v = j.next.At(v - 1) {
			if v != j.head.At(g) {
				text = append(text, j.separator...)
			}
			text = append(text, packedText(j.value(v-1))...)
		}
		b.End(text)
	}
	b.Finish(out)
}

// packedText is the text of an packed value.
func packedText(b []byte) []byte {
	n, k := binary.Uvarint(b[1:])
	return b[1+k:][:n]
}

var _ = aggregate(Aggregate{
	Name: "FIRST_VALUE", Forms: []string{"FIRST_VALUE(<ANY>)"}, Type: oneOf, New: newOneOf(true),
	Doc: Doc{"aggregate", "The value that came first, of those that are not NULL.", "FIRST_VALUE(x) OF (NULL), (2), (1)", "2"},
})

var _ = aggregate(Aggregate{
	Name: "LAST_VALUE", Forms: []string{"LAST_VALUE(<ANY>)"}, Type: oneOf, New: newOneOf(false),
	Doc: Doc{"aggregate", "The value that came last, of those that are not NULL.", "LAST_VALUE(x) OF (2), (1), (NULL)", "1"},
})

func oneOf(args []Arg) (Signature, error) {
	if len(args) != 1 {
		return Signature{}, Mismatch()
	}
	return Signature{Args: []types.Type{args[0].Type}, Result: args[0].Type}, nil
}

func newOneOf(first bool) func(b AggregateBinding) Accumulator {
	return func(b AggregateBinding) Accumulator {
		if b.Retracts {
			return &endOfList{list: newList(b, false), result: b.Result, first: first}
		}
		return &oneValue{values: state.NewTexts(b.State), result: b.Result, first: first}
	}
}

// endOfList is FIRST_VALUE or LAST_VALUE of values that may be taken back.
type endOfList struct {
	*list
	result types.Type
	first  bool
	made   twoBuilders
}

func (e *endOfList) Value(groups []int32, out *vector.Column) {
	b := e.made.next(e.result.WithNull(true))
	for _, g := range groups {
		v := e.tail.At(g)
		if e.first {
			v = e.head.At(g)
		}
		if v == 0 {
			b.AppendNull()
		} else {
			unpackTo(b, e.value(v-1))
		}
	}
	b.Finish(out)
	out.Type = e.result
}
