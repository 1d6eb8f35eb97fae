package op_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
)

// TestSplitDistinct: what aggregations with DISTINCT give in three phases is what they give in one, and the sets of
// the second phase survive restarts.
func TestSplitDistinct(t *testing.T) {
	list := []types.Type{types.String(), types.Of(types.BigInt), types.String(), types.DecimalOf(10, 2), types.Of(types.Int)}
	c := columnsOf(list)
	distinct := func(name string, e, filter expr.Expr) op.AggregateCall {
		a := aggregateOf(t, name, e)
		a.Distinct, a.Filter = true, filter
		return a
	}
	plain := aggregateOf(t, "SUM", c[3])
	plain.Filter = lessThan(c[1], 20)
	aggs := []op.AggregateCall{aggregateOf(t, "COUNT"), distinct("COUNT", c[1], nil), distinct("COUNT", c[1], lessThan(c[1], 10)),
		plain, distinct("COUNT", c[2], lessThan(c[1], 30)), distinct("SUM", c[4], nil), distinct("MIN", c[2], nil), aggregateOf(t, "MAX", c[1])}
	for _, seed := range seeds(t, 2) {
		r := rand.New(rand.NewPCG(seed, 5))
		var rows strings.Builder
		for range 300 {
			cell := func(text string) string {
				if r.IntN(12) == 0 {
					return `\N`
				}
				return text
			}
			fmt.Fprintf(&rows, "%s %s %s %s %s\n", cell("k"+fmt.Sprint(r.IntN(3))), cell(fmt.Sprint(r.IntN(40))),
				cell(fmt.Sprintf("a_text_of_more_than_twelve_bytes_%d", r.IntN(30))), cell(fmt.Sprintf("%d.50", r.IntN(9))),
				cell(fmt.Sprint(r.IntN(50))))
		}
		for _, keys := range [][]expr.Expr{c[:1], nil} {
			names := namesOf(len(keys) + len(aggs))
			single := &op.GroupAggregate{Keys: keys, Aggs: aggs, Names: names}
			want, err := optest.Replay(t, single, optest.Parse(t, list, rows.String()), 1024, optest.Flat)
			must(t, err)
			for _, size := range []int{1, 40, 1024} {
				local := &op.DistinctLocalAggregate{Keys: keys, Aggs: aggs, Names: names, Buckets: 4}
				values, err := optest.Replay(t, local, optest.Parse(t, list, rows.String()), size, optest.Mixed)
				must(t, err)
				second := &op.IncrementalAggregate{Keys: keys, Aggs: aggs, Names: names}
				partials, err := optest.Replay(t, second, optest.Parse(t, local.Types(), values), size, optest.Mixed)
				must(t, err)
				final := &op.GroupAggregate{Keys: keys, Aggs: aggs, Names: names, Phase: op.Final}
				fold := func(partials string) string {
					got, err := optest.Replay(t, final, optest.Parse(t, second.Types(), partials), size, optest.Mixed)
					must(t, err)
					return optest.Fold(t, got)
				}
				if got := fold(partials); got != optest.Fold(t, want) {
					t.Fatalf("seed %d, %d keys, batches of %d: got\n%s\nwant\n%s", seed, len(keys), size, got, optest.Fold(t, want))
				}
				if size == 1 {
					continue
				}
				restarted, err := optest.Restarted(t, second, optest.Parse(t, local.Types(), values), size)
				must(t, err)
				if got := fold(restarted); got != optest.Fold(t, want) {
					t.Fatalf("seed %d, %d keys, restarted after batches of %d: got\n%s\nwant\n%s", seed, len(keys), size, got, optest.Fold(t, want))
				}
			}
		}
	}
}
