package op_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
)

// TestLongLists: of many values of a key the first equal one is taken back, whether the list has just grown long, is long
// or was emptied, and after a restart.
func TestLongLists(t *testing.T) {
	list := []types.Type{types.String(), types.String()}
	c := columnsOf(list)
	aggs := []op.AggregateCall{aggregateOf(t, "LAST_VALUE", c[1]), aggregateOf(t, "FIRST_VALUE", c[1]), aggregateOf(t, "ARRAY_AGG", c[1]),
		aggregateOf(t, "LISTAGG", c[1]), aggregateOf(t, "COLLECT", c[1])}
	spec := &op.GroupAggregate{Keys: c[:1], Aggs: aggs, Names: namesOf(1 + len(aggs))}
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 5))
		var rows []string
		var log strings.Builder
		takes := 1 // of four
		for i := range 900 {
			switch {
			case len(rows) > 350:
				takes = 3
			case len(rows) < 5:
				takes = 1
			}
			if i > 5 && r.IntN(4) < takes {
				at := r.IntN(len(rows))
				row := rows[at]
				first := slices.Index(rows, row)
				rows = slices.Delete(rows, first, first+1)
				log.WriteString("-D " + row)
				continue
			}
			row := fmt.Sprintf("%s a_value_of_more_than_twelve_bytes_%d\n", []string{"a", "a", "a", "b"}[r.IntN(4)], r.IntN(120))
			rows = append(rows, row)
			log.WriteString(row)
		}
		spec.Retracts = false
		want, err := optest.Replay(t, spec, optest.Parse(t, list, strings.Join(rows, "")), 1024, optest.Flat)
		must(t, err)
		want = optest.Fold(t, want)
		spec.Retracts = true
		in := optest.Parse(t, list, log.String())
		for _, size := range []int{5, 300} {
			got, err := optest.Replay(t, spec, in, size, optest.Mixed)
			if got = optest.Fold(t, got); err != nil || got != want {
				t.Fatalf("seed %d, batches of %d: got\n%s%v\nwant\n%s", seed, size, got, err, want)
			}
		}
		got, err := optest.Restarted(t, spec, in, 90)
		if got = optest.Fold(t, got); err != nil || got != want {
			t.Fatalf("seed %d, restarted: got\n%s%v\nwant\n%s", seed, got, err, want)
		}
	}
}
