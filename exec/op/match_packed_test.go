package op_test

import (
	"slices"
	"testing"

	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
)

// TestMatchReadsPacked: measures over columns that are kept as one text, several of one column among them, each have the
// values of their own rows.
func TestMatchReadsPacked(t *testing.T) {
	numbers, texts := types.ArrayOf(bigint), types.ArrayOf(types.String())
	list := append(slices.Clone(matchTypes), numbers, texts)
	p := dips(t, op.SkipPastLastRow, 0)
	reads := len(p.Reads)
	for _, v := range []int{0, 2} {
		p.Reads = append(p.Reads, op.MatchRead{Variable: v, Column: 3, T: numbers}, op.MatchRead{Variable: v, Column: 4, T: texts})
	}
	var types []types.Type
	for _, r := range p.Reads {
		types = append(types, r.T)
	}
	p.Calls, p.measures = nil, columnsOf(types)[reads:]
	spec := p.spec(op.OverRowtime)
	spec.Types = list
	optest.Run(t, optest.Case{Spec: spec, Types: list,
		In:  seconds("a 5 @1 [1,2] [first_of_the_long_texts]\na 6 @2 [3] [x]\na 4 @3 [4] [last_of_the_long_texts,y]\n^9000\n"),
		Out: `a [1,2] ["first_of_the_long_texts"] [4] ["last_of_the_long_texts","y"]` + "\n^9000\n"})
}
