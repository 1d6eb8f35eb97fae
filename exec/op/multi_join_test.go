package op_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
)

// TestMultiJoin: rows of three inputs with equal keys come together once each, whatever comes first.
func TestMultiJoin(t *testing.T) {
	lists := [][]types.Type{
		{types.Of(types.BigInt), types.String()},
		{types.String(), types.Of(types.BigInt), types.ArrayOf(types.Of(types.Int))},
		{types.Of(types.BigInt), types.Of(types.Int)},
	}
	spec := &op.MultiJoin{Keys: [][]expr.Expr{columnsOf(lists[0])[:1], columnsOf(lists[1])[1:2], columnsOf(lists[2])[:1]},
		Output: []int{1, 2, 4, 5, 6}, Types: lists, Names: namesOf(5)}
	for _, seed := range seeds(t, 3) {
		r := rand.New(rand.NewPCG(seed, 11))
		var rows [3][][]string
		var log strings.Builder
		for i := range 60 {
			key := fmt.Sprint(r.IntN(4))
			if r.IntN(8) == 0 {
				key = `\N`
			}
			in := r.IntN(3)
			row := [][]string{{key, fmt.Sprintf("a_text_of_some_length_%d", i)}, {fmt.Sprintf("t%d", i), key, fmt.Sprintf("[%d]", i)},
				{key, fmt.Sprint(i)}}[in]
			rows[in] = append(rows[in], row)
			fmt.Fprintf(&log, "%d: %s\n", in, strings.Join(row, " "))
		}
		var want []string
		for _, a := range rows[0] {
			for _, b := range rows[1] {
				for _, c := range rows[2] {
					if a[0] == b[1] && a[0] == c[0] && a[0] != `\N` {
						want = append(want, strings.Join([]string{a[1], b[0], b[2], c[0], c[1]}, " "))
					}
				}
			}
		}
		slices.Sort(want)
		optest.Run(t, optest.Case{Spec: spec, Inputs: lists, In: log.String(), Out: strings.Join(want, "\n") + "\n", Folds: true})
	}
}
