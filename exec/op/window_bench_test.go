package op_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// BenchmarkWindowAggregate counts bids by auction; one row is a tenth of a millisecond of event time. What a row
// costs must not depend on how many windows it is in.
func BenchmarkWindowAggregate(b *testing.B) {
	auction, _, _, _ := bidColumns()
	for _, w := range []op.Window{{Kind: op.Tumble, Size: 10_000}, {Kind: op.Hop, Size: 10_000, Step: 2_000},
		{Kind: op.Hop, Size: 10_000, Step: 500}, {Kind: op.Cumulate, Size: 10_000, Step: 2_000},
		{Kind: op.Session, Size: 10_000}, {Kind: op.Session, Size: 100}} {
		b.Run(fmt.Sprint(w), func(b *testing.B) {
			list := bids(500, 1840)
			for k, x := range list {
				times := make([]int64, x.Len)
				for i := range times {
					times[i] = int64(k*1840+i) / 10
				}
				x.Cols = append(x.Cols, vector.OfSlice(types.TimestampOf(3).WithNull(false), times))
			}
			spec := &op.WindowAggregate{Window: w, Time: 4, Keys: []expr.Expr{auction}, Aggs: []op.AggregateCall{aggregateOf(b, "COUNT")},
				Columns: []op.WindowColumn{op.WindowEnd}, Names: namesOf(3)}
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			used := cpu()
			b.ResetTimer()
			for range b.N {
				o, out := spec.New(), &sink{}
				must(b, o.Open(&op.Context{MaxRows: 2048, Env: &function.Env{Zone: time.UTC}}))
				for k, x := range list {
					must(b, o.Process(0, x, out))
					_, err := o.Advance(types.EventTime(int64(k+1)*184-1), out)
					must(b, err)
				}
			}
			b.ReportMetric(float64(cpu()-used)/float64(b.N*500*1840), "cpu-ns/row")
		})
	}
}
