package op_test

import (
	"testing"

	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
)

// unnested takes the second column apart.
func unnested(list types.Type, ordinality, outer bool) (*op.Unnest, []types.Type) {
	in := []types.Type{types.Of(types.Int), list}
	s := &op.Unnest{Expr: columnsOf(in)[1], Ordinality: ordinality, Outer: outer, Width: 2, Types: in}
	s.Types = append(s.Types[:2:2], list.Elem())
	if ordinality {
		s.Types = append(s.Types, types.Of(types.Int))
	}
	s.Names = namesOf(len(s.Types))
	return s, in
}

func TestUnnestArray(t *testing.T) {
	in := "1 [3,NULL,5]\n 2 []\n +U 3 \\N\n -U 4 [7,7]\n -D 5 [1]\n"
	for _, c := range []struct {
		ordinality, outer bool
		out               string
	}{
		{false, false, "1 [3,NULL,5] 3\n 1 [3,NULL,5] \\N\n 1 [3,NULL,5] 5\n -U 4 [7,7] 7\n -U 4 [7,7] 7\n -D 5 [1] 1\n"},
		{true, true, "1 [3,NULL,5] 3 1\n 1 [3,NULL,5] \\N 2\n 1 [3,NULL,5] 5 3\n 2 [] \\N \\N\n +U 3 \\N \\N \\N\n" +
			"-U 4 [7,7] 7 1\n -U 4 [7,7] 7 2\n -D 5 [1] 1 1\n"},
	} {
		s, list := unnested(types.ArrayOf(types.Of(types.BigInt)), c.ordinality, c.outer)
		optest.Run(t, optest.Case{Spec: s, Types: list, In: in, Out: c.out})
	}
}

// TestUnnestRows: a ROW that is NULL is no element, and one of NULLs is.
func TestUnnestRows(t *testing.T) {
	row := types.RowOf(types.Field{Name: "x", Type: types.Of(types.Int)})
	s, list := unnested(types.ArrayOf(row), true, true)
	optest.Run(t, optest.Case{Spec: s, Types: list, In: "1 [(1),NULL,(NULL)]\n 2 [NULL]\n",
		Out: "1 [(1),NULL,(NULL)] (1) 1\n 1 [(1),NULL,(NULL)] (NULL) 3\n 2 [NULL] \\N \\N\n"})
}
