package op_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// BenchmarkValuesOfOneKey is aggregates that keep the values of a group, of one key with 50,000 rows, each of which is then
// replaced: the time is that of all.
func BenchmarkValuesOfOneKey(b *testing.B) {
	const rows, size = 50_000, 1000
	long := types.Of(types.BigInt)
	r := rand.New(rand.NewPCG(1, 1))
	var list []*vector.Batch
	now := r.Perm(rows)
	add := func(values []int64, kinds []vector.RowKind) {
		list = append(list, &vector.Batch{Len: len(values), Kinds: kinds,
			Cols: []*vector.Column{vector.OfSlice(long, make([]int64, len(values))), vector.OfSlice(long, values)}})
	}
	for from := 0; from < rows; from += size {
		var v []int64
		for i := range size {
			v = append(v, int64(now[from+i]))
		}
		add(v, nil)
	}
	order := r.Perm(rows)
	for from := 0; from < rows; from += size / 2 {
		var v []int64
		var kinds []vector.RowKind
		for i := range size / 2 {
			at := order[from+i]
			v, kinds = append(v, int64(now[at]), int64(now[at]+rows)), append(kinds, vector.UpdateBefore, vector.UpdateAfter)
		}
		add(v, kinds)
	}
	c := columnsOf([]types.Type{long, long})
	for _, name := range []string{"LAST_VALUE", "ARRAY_AGG", "COLLECT"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			calls := []op.AggregateCall{aggregateOf(b, name, c[1])}
			spec := &op.GroupAggregate{Keys: c[:1], Aggs: calls, Names: namesOf(2), Retracts: true}
			for range b.N {
				o := spec.New()
				must(b, o.Open(&op.Context{MaxRows: 2048, Env: &function.Env{Zone: time.UTC}}))
				for _, x := range list {
					must(b, o.Process(0, x, &sink{}))
				}
			}
		})
	}
}
