package op_test

import (
	"strings"
	"testing"

	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
)

// TestVariantsKept: values of VARIANT that an aggregation, and the rows of a rank, keep come back from a snapshot as they were.
func TestVariantsKept(t *testing.T) {
	list := []types.Type{types.String(), types.Of(types.BigInt), types.Of(types.Variant)}
	c := columnsOf(list)
	aggs := []op.AggregateCall{aggregateOf(t, "FIRST_VALUE", c[2]), aggregateOf(t, "LAST_VALUE", c[2]), aggregateOf(t, "ARRAY_AGG", c[2])}
	in := optest.Parse(t, list, strings.Join([]string{
		`a 1 {"k":[1,2.5,"a_text_of_more_than_twelve_bytes"],"n":null}`, `b 2 "x"`, `a 3 \N`, `a 2 null`, `b 1 [true,{"k":{}}]`,
		`-D a 3 \N`, `c 1 1`, `-D b 2 "x"`, `a 5 {"k":"another_text_of_more_than_twelve_bytes"}`, `c 2 -0.5`, ``}, "\n"))
	for name, spec := range map[string]op.Spec{
		"aggregate": &op.GroupAggregate{Keys: c[:1], Aggs: aggs, Names: namesOf(1 + len(aggs)), Retracts: true},
		"rank": &op.Rank{Partition: c[:1], Order: []op.SortKey{{Expr: c[1], Desc: true}}, From: 1, To: 2, Function: "ROW_NUMBER",
			Types: list, Names: namesOf(3), Time: -1, Retracts: true},
	} {
		want, err := optest.Replay(t, spec, in, 1, optest.Flat)
		must(t, err)
		want = optest.Fold(t, want)
		if !strings.Contains(want, `{"k":"another_text_of_more_than_twelve_bytes"}`) || !strings.Contains(want, `[true,{"k":{}}]`) {
			t.Errorf("%s: %s", name, want)
		}
		for every := 1; every <= 3; every++ {
			got, err := optest.Restarted(t, spec, in, every)
			must(t, err)
			if got = optest.Fold(t, got); got != want {
				t.Errorf("%s, restarted each %d: got\n%swant\n%s", name, every, got, want)
			}
		}
	}
}
