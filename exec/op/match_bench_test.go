package op_test

import (
	"testing"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// BenchmarkMatch is a batch of 1000 rows, which fall into some partitions, or into one.
func BenchmarkMatch(b *testing.B) {
	const n = 1000
	list := []types.Type{bigint, bigint, types.TimestampOf(3)}
	for _, c := range []struct {
		name string
		keys int
		skip op.MatchSkip
	}{{"500 partitions", 500, op.SkipPastLastRow}, {"20 partitions", 20, op.SkipPastLastRow}, {"20 partitions, every row", 20, op.SkipToNextRow},
		{"one partition", 1, op.SkipPastLastRow}} {
		b.Run(c.name, func(b *testing.B) {
			keys, numbers, times := make([]int64, n), make([]int64, n), make([]int64, n)
			for i := range numbers {
				keys[i], numbers[i], times[i] = int64(i%c.keys), int64(i*7919%n), int64(i)
			}
			batch := &vector.Batch{Len: n, Cols: []*vector.Column{vector.OfSlice(bigint, keys), vector.OfSlice(bigint, numbers),
				vector.OfSlice(list[2], times)}}
			p := dips(b, c.skip, 0)
			p.Within = 200
			spec := p.spec(op.OverProctime)
			spec.Types, spec.Partition = list, []expr.Expr{col(0, bigint)}
			o := spec.New()
			if err := o.Open(&op.Context{MaxRows: n, Env: &function.Env{}}); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				for i := range times {
					times[i] += n
				}
				if err := o.Process(0, batch, nowhere{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
}
