package op_test

import (
	"runtime"
	"testing"
	"time"

	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// auctions makes batches of id, category and description like those of Nexmark, each of the ids before the bids
// of one batch.
func auctions(batches, rows int) []*vector.Batch {
	out := make([]*vector.Batch, batches)
	next := int64(1000)
	for k := range out {
		n := max(1, rows*6/92)
		id, category := make([]int64, n), make([]int64, n)
		text := &vector.Column{}
		text.Reset(types.String(), n)
		w := vector.NewText(text)
		for i := range id {
			id[i], category[i] = next, 10+next%5
			next++
			w.PutString(i, "a description that is of about the length of those that the benchmark has, which is one hundred bytes")
		}
		w.Finish()
		big := types.Of(types.BigInt)
		out[k] = &vector.Batch{Len: n, Cols: []*vector.Column{vector.OfSlice(big, id), vector.OfSlice(big, category), text}}
	}
	return out
}

// BenchmarkJoin joins bids with their auctions, as q20 does: the time is that of a bid.
func BenchmarkJoin(b *testing.B) {
	const batches, rows = 500, 1840
	left, right := bids(batches, rows), auctions(batches, rows)
	big := types.Of(types.BigInt)
	list := [2][]types.Type{{big, big, big, types.String()}, {big, big, types.String()}}
	for name, retracts := range map[string]bool{"append-only": false, "retracting": true} {
		b.Run(name, func(b *testing.B) {
			spec := equiJoin(op.InnerJoin, list[0], list[1])
			spec.Retracts = [2]bool{retracts, retracts}
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			used := cpu()
			b.ResetTimer()
			b.ReportAllocs()
			for range b.N {
				o := spec.New()
				must(b, o.Open(&op.Context{MaxRows: 2048, Env: &function.Env{Zone: time.UTC}}))
				out := &sink{}
				for i := range left {
					must(b, o.Process(1, right[i], out))
					must(b, o.Process(0, left[i], out))
				}
			}
			b.ReportMetric(float64(cpu()-used)/float64(b.N*batches*rows), "cpu-ns/row")
		})
	}
}
