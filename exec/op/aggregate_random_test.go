package op_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
)

// changesOf makes rows and a changelog that leaves them.
func changesOf(r *rand.Rand) (left, log string) {
	var rows []string
	var b strings.Builder
	for range 400 {
		if len(rows) > 0 && r.IntN(5) < 2 {
			i := r.IntN(len(rows))
			b.WriteString("-D " + rows[i])
			rows = append(rows[:i], rows[i+1:]...)
			continue
		}
		row := fmt.Sprintf("%s %d %s %d.%02d %s\n", []string{"a", "b", "a_key_of_more_than_twelve_bytes", `\N`}[r.IntN(4)], r.IntN(3),
			[]string{`\N`, "1", "2", "3", "4"}[r.IntN(5)], r.IntN(5), r.IntN(100), []string{`\N`, "x", "a_text_of_more_than_twelve_bytes_1",
				"a_text_of_more_than_twelve_bytes_2", `\e`}[r.IntN(5)])
		rows = append(rows, row)
		b.WriteString(row)
	}
	return strings.Join(rows, ""), b.String()
}

var changeTypes = []types.Type{types.String(), types.Of(types.SmallInt), types.Of(types.BigInt), types.DecimalOf(10, 2), types.String()}

// TestLocalAggregateAgainstRows: a changelog that is folded in two phases leaves what the rows that are left give.
func TestLocalAggregateAgainstRows(t *testing.T) {
	c := columnsOf(changeTypes)
	least := aggregateOf(t, "MIN", c[3])
	least.Filter = lessThan(c[2], 3)
	aggs := []op.AggregateCall{aggregateOf(t, "COUNT"), aggregateOf(t, "MIN", c[2]), aggregateOf(t, "MAX", c[3]), aggregateOf(t, "MIN", c[4]),
		aggregateOf(t, "MAX", c[4]), aggregateOf(t, "SUM", c[2]), least, aggregateOf(t, "MAX", c[1])}
	if !op.Splits(aggs, true) {
		t.Fatal("no two phases")
	}
	for _, seed := range seeds(t, 4) {
		left, log := changesOf(rand.New(rand.NewPCG(seed, 9)))
		for _, keys := range [][]expr.Expr{c[:1], c[:2], nil} {
			names := namesOf(len(keys) + len(aggs))
			spec := &op.GroupAggregate{Keys: keys, Aggs: aggs, Names: names}
			want, err := optest.Replay(t, spec, optest.Parse(t, changeTypes, left), 1024, optest.Flat)
			must(t, err)
			want = optest.Fold(t, want)
			for _, size := range []int{1, 7, 1024} {
				local := &op.LocalAggregate{Keys: keys, Aggs: aggs, Names: names, Retracts: true}
				partials, err := optest.Replay(t, local, optest.Parse(t, changeTypes, log), size, optest.Mixed)
				must(t, err)
				final := &op.GroupAggregate{Keys: keys, Aggs: aggs, Names: names, Phase: op.Final, Retracts: true}
				got, err := optest.Replay(t, final, optest.Parse(t, local.Types(), partials), size, optest.Mixed)
				if got = optest.Fold(t, got); err != nil || got != want {
					t.Fatalf("seed %d, %d keys, batches of %d: got\n%s%v\nwant\n%s", seed, len(keys), size, got, err, want)
				}
			}
		}
	}
}

// TestGroupAggregateAgainstRows: what a changelog of insertions and deletions leaves is what the rows that are
// left give by themselves.
func TestGroupAggregateAgainstRows(t *testing.T) {
	list := changeTypes
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
	for _, seed := range seeds(t, 6) {
		left, log := changesOf(rand.New(rand.NewPCG(seed, 1)))
		for _, keys := range [][]expr.Expr{c[:1], c[:2], nil} {
			spec := &op.GroupAggregate{Keys: keys, Aggs: aggs, Names: namesOf(len(keys) + len(aggs))}
			want, err := optest.Replay(t, spec, optest.Parse(t, list, left), 1024, optest.Flat)
			must(t, err)
			want = optest.Fold(t, want)
			spec.Retracts = true
			for _, spec.MiniBatch = range []op.MiniBatch{{}, {Latency: time.Second}, {Latency: time.Second, Rows: 50}} {
				for _, size := range []int{1, 7, 64, 1024} {
					if spec.MiniBatch.Latency > 0 && size != 7 && size != 64 {
						continue
					}
					got, err := optest.Replay(t, spec, optest.Parse(t, list, log), size, optest.Mixed)
					if got = optest.Fold(t, got); err != nil || got != want {
						t.Fatalf("seed %d, %d keys, batches of %d%s: got\n%s%v\nwant\n%s", seed, len(keys), size, spec, got, err, want)
					}
				}
			}
			got, err := optest.Restarted(t, spec, optest.Parse(t, list, log), 7)
			if got = optest.Fold(t, got); err != nil || got != want {
				t.Fatalf("seed %d, %d keys, mini-batches with restarts: got\n%s%v\nwant\n%s", seed, len(keys), got, err, want)
			}
		}
	}
}
