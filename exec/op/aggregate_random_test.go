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

// TestGroupAggregateAgainstRows: what a changelog of insertions and deletions leaves is what the rows that are
// left give by themselves.
func TestGroupAggregateAgainstRows(t *testing.T) {
	list := []types.Type{types.String(), types.Of(types.SmallInt), types.Of(types.BigInt), types.DecimalOf(10, 2), types.String()}
	c := columnsOf(list)
	distinct := func(e expr.Expr, filter expr.Expr) op.AggregateCall {
		a := aggregateOf(t, "COUNT", e)
		a.Distinct, a.Filter = true, filter
		return a
	}
	total := aggregateOf(t, "SUM", c[2])
	total.Distinct = true
	aggs := []op.AggregateCall{aggregateOf(t, "COUNT"), aggregateOf(t, "COUNT", c[2]), aggregateOf(t, "SUM", c[3]), aggregateOf(t, "AVG", c[2]),
		aggregateOf(t, "MIN", c[2]), aggregateOf(t, "MAX", c[3]), aggregateOf(t, "MIN", c[4]), aggregateOf(t, "MAX", c[4]), total,
		distinct(c[2], nil), distinct(c[2], lessThan(c[2], 3)), distinct(c[4], nil), aggregateOf(t, "COLLECT", c[1])}
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 1))
		var left []string
		var log strings.Builder
		for range 400 {
			if len(left) > 0 && r.IntN(5) < 2 {
				i := r.IntN(len(left))
				log.WriteString("-D " + left[i])
				left = append(left[:i], left[i+1:]...)
				continue
			}
			row := fmt.Sprintf("%s %d %s %d.%02d %s\n", []string{"a", "b", "a_key_of_more_than_twelve_bytes", `\N`}[r.IntN(4)], r.IntN(3),
				[]string{`\N`, "1", "2", "3", "4"}[r.IntN(5)], r.IntN(5), r.IntN(100), []string{`\N`, "x", "a_text_of_more_than_twelve_bytes_1",
					"a_text_of_more_than_twelve_bytes_2", `\e`}[r.IntN(5)])
			left = append(left, row)
			log.WriteString(row)
		}
		for _, keys := range [][]expr.Expr{c[:1], c[:2], nil} {
			spec := &op.GroupAggregate{Keys: keys, Aggs: aggs, Names: namesOf(len(keys) + len(aggs))}
			want, err := optest.Replay(t, spec, optest.Parse(t, list, strings.Join(left, "")), 1024, optest.Flat)
			must(t, err)
			want = optest.Fold(t, want)
			spec.Retracts = true
			for _, size := range []int{1, 7, 64, 1024} {
				got, err := optest.Replay(t, spec, optest.Parse(t, list, log.String()), size, optest.Mixed)
				if got = optest.Fold(t, got); err != nil || got != want {
					t.Fatalf("seed %d, %d keys, batches of %d: got\n%s%v\nwant\n%s", seed, len(keys), size, got, err, want)
				}
			}
		}
	}
}
