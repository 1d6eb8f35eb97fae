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

// TestDistinctIntegersAsTexts: a set of integers gives what the set of their texts gives, however they are spread.
func TestDistinctIntegersAsTexts(t *testing.T) {
	list := []types.Type{types.Of(types.Int), types.Of(types.BigInt), types.Of(types.Int), types.String(), types.Of(types.BigInt)}
	c := columnsOf(list)
	var ints, texts []op.AggregateCall
	for _, f := range []expr.Expr{nil, lessThan(c[4], 30), lessThan(c[4], 60), lessThan(c[4], 0)} {
		for _, name := range []string{"COUNT", "SUM", "COLLECT"} {
			for k, col := range []expr.Expr{c[1], c[2], c[3]} {
				if name == "SUM" && k == 2 {
					continue
				}
				a := aggregateOf(t, name, col)
				a.Distinct, a.Filter = true, f
				if k == 2 {
					texts = append(texts, a)
				} else {
					ints = append(ints, a)
				}
			}
		}
	}
	spreads := map[string]func(r *rand.Rand, i int) int64{
		"near":   func(r *rand.Rand, i int) int64 { return int64(i)/4 + r.Int64N(20) - 50 },
		"sparse": func(r *rand.Rand, _ int) int64 { return r.Int64N(2000) * 100_000 },
		"both":   func(r *rand.Rand, i int) int64 { return int64(i&1)*(1<<29) + int64(i)/8 + r.Int64N(9) },
	}
	for name, next := range spreads {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			var rows strings.Builder
			for i := range atMost(1500, 250) {
				v := fmt.Sprint(next(r, i))
				if r.IntN(20) == 0 {
					v = `\N`
				}
				fmt.Fprintf(&rows, "%d %s %s %s %d\n", r.IntN(4), v, v, v, r.IntN(90))
			}
			replay := func(aggs []op.AggregateCall, size int) string {
				spec := &op.GroupAggregate{Keys: c[:1], Aggs: aggs, Names: namesOf(1 + len(aggs))}
				got, err := optest.Replay(t, spec, optest.Parse(t, list, rows.String()), size, optest.Mixed)
				must(t, err)
				return optest.Fold(t, got)
			}
			counts := func(aggs []op.AggregateCall) []op.AggregateCall {
				var out []op.AggregateCall
				for _, a := range aggs {
					if a.Fn.Name == "COUNT" {
						out = append(out, a)
					}
				}
				return out
			}
			want := replay(counts(texts), 1024)
			var twice []op.AggregateCall
			for k, a := range counts(ints) {
				if k%2 == 0 {
					twice = append(twice, a)
				}
			}
			for _, size := range []int{7, 1024} {
				if got := replay(twice, size); got != want {
					t.Fatalf("batches of %d: got\n%s\nwant\n%s", size, got, want)
				}
			}
			var mixed, doubled []op.AggregateCall
			for k, a := range counts(texts) {
				mixed, doubled = append(mixed, twice[k], a), append(doubled, a, a)
			}
			if got, want := replay(mixed, 1), replay(doubled, 1024); got != want {
				t.Fatalf("integers beside texts: got\n%s\nwant\n%s", got, want)
			}
			few := strings.Join(strings.SplitAfter(rows.String(), "\n")[:atMost(200, 80)], "")
			spec := &op.GroupAggregate{Keys: c[:1], Aggs: texts[:1], Names: namesOf(2)}
			of, err := optest.Replay(t, spec, optest.Parse(t, list, few), 1024, optest.Flat)
			must(t, err)
			spec = &op.GroupAggregate{Keys: c[:1], Aggs: ints[:1], Names: namesOf(2)}
			optest.Run(t, optest.Case{Spec: spec, Types: list, In: few, Out: optest.Fold(t, of), Folds: true})
			if one, all := replay(ints, 100), replay(ints, 1024); one != all {
				t.Fatalf("batches of 100: got\n%s\nin one\n%s", one, all)
			}
		})
	}
}
