package function

import (
	"errors"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var errNullKey = errors.New("MAP_FROM_ENTRIES: a key is NULL")

var _ = scalar(Scalar{
	Name: "MAP_FROM_ENTRIES", Fails: true, Extension: true, Forms: []string{"MAP_FROM_ENTRIES(<ARRAY of ROW of two>)"},
	Type: func(args []Arg) (Signature, error) {
		if len(args) != 1 || args[0].Type.Kind != types.Array {
			return Signature{}, Mismatch()
		}
		t := args[0].Type
		entry := t.Elem()
		if entry.Kind != types.Row || len(entry.Fields) != 2 {
			return Signature{}, Mismatch()
		}
		result := types.MapOf(entry.Fields[0].Type, entry.Fields[1].Type)
		return Signature{Args: []types.Type{t}, Result: result.WithNull(t.Nullable() || entry.Nullable())}, nil
	},
	Bind: func(b Binding) (Kernel, error) { return building(b.Result, mapFromEntries), nil },
	Doc: Doc{"collection", "A MAP of the entries that ROWs of a key and a value are; of equal keys the last counts. NULL where a ROW" +
		" is; a key that is NULL fails.", "MAP_FROM_ENTRIES(ARRAY[ROW('a', 1), ROW('b', 2)])", "{a=1, b=2}"},
})

func mapFromEntries(c *Call, out *vector.Builder, i int) {
	e := elementsOf(c.Args[0], i)
	rows := e.list.Children[0]
	for k := e.from; k < e.to; k++ {
		if rows.Null(k) {
			out.AppendNull()
			return
		}
		if row, at := rows.At(k); row.Children[0].Null(at) {
			c.Fail(i, errNullKey)
			out.AppendNull()
			return
		}
	}
	for k := e.from; k < e.to; k++ {
		row, at := rows.At(k)
		if !keyFollows(rows, k, e.to) {
			out.Child(0).AppendValue(row.Children[0], at)
			out.Child(1).AppendValue(row.Children[1], at)
		}
	}
	out.AppendList()
}

// keyFollows tells whether an entry between k and to has the key of entry k.
func keyFollows(rows *vector.Column, k, to int) bool {
	row, at := rows.At(k)
	for j := k + 1; j < to; j++ {
		if other, n := rows.At(j); sameValue(row.Children[0], at, other.Children[0], n) {
			return true
		}
	}
	return false
}
