package op_test

import (
	"math/rand/v2"
	"runtime"
	"syscall"
	"testing"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// bids makes batches of auction, bidder, price, day like those of Nexmark: ids near a moving front.
func bids(batches, rows int) []*vector.Batch {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]*vector.Batch, batches)
	for k := range out {
		auction, bidder, price := make([]int64, rows), make([]int64, rows), make([]int64, rows)
		for i := range auction {
			front := int64(k*rows+i) * 6 / 92
			auction[i] = 1000 + max(0, front-r.Int64N(100))
			if r.IntN(2) == 0 {
				auction[i] = 1000 + front/100*100
			}
			bidder[i] = 1000 + max(0, front/3-r.Int64N(1000))
			price[i] = 100 << r.IntN(20)
		}
		day := &vector.Column{}
		day.Reset(types.String(), rows)
		w := vector.NewText(day)
		for i := range rows {
			w.PutString(i, "2024-01-01")
		}
		w.Finish()
		big := types.Of(types.BigInt)
		cols := []*vector.Column{vector.OfSlice(big, auction), vector.OfSlice(big, bidder), vector.OfSlice(big, price), day}
		out[k] = &vector.Batch{Len: rows, Cols: cols}
	}
	return out
}

type sink struct{ rows int }

func (s *sink) Emit(b *vector.Batch) error {
	s.rows += b.Len
	return nil
}

func (s *sink) Advance(types.EventTime) error { return nil }

// run reports the time per input row.
func run(b *testing.B, spec op.Spec) {
	list := bids(500, 1840)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	used := cpu()
	b.ResetTimer()
	b.ReportAllocs()
	for range b.N {
		o := spec.New()
		must(b, o.Open(&op.Context{MaxRows: 2048, Env: &function.Env{Zone: time.UTC}}))
		out := &sink{}
		for _, x := range list {
			must(b, o.Process(0, x, out))
		}
	}
	b.ReportMetric(float64(cpu()-used)/float64(b.N*500*1840), "cpu-ns/row")
}

func bidColumns() (auction, bidder, price, day expr.Expr) {
	c := columnsOf([]types.Type{types.Of(types.BigInt), types.Of(types.BigInt), types.Of(types.BigInt), types.String()})
	return c[0], c[1], c[2], c[3]
}

func between(e expr.Expr, from, to int64) expr.Expr {
	return expr.And(&expr.Call{Fn: function.Must("NOT"), List: []expr.Expr{lessThan(e, from)}, T: types.Of(types.Boolean), Pos: -1}, lessThan(e, to))
}

func ranks(t testing.TB, c op.AggregateCall, price expr.Expr) []op.AggregateCall {
	out := []op.AggregateCall{c, c, c, c}
	out[1].Filter = lessThan(price, 10_000)
	out[2].Filter = between(price, 10_000, 1_000_000)
	out[3].Filter = between(price, 1_000_000, 1<<60)
	return out
}

func BenchmarkGroupAggregate(b *testing.B) {
	auction, bidder, price, day := bidColumns()
	count := ranks(b, aggregateOf(b, "COUNT"), price)
	distinct := func(e expr.Expr) []op.AggregateCall {
		c := aggregateOf(b, "COUNT", e)
		c.Distinct = true
		return ranks(b, c, price)
	}
	b.Run("count by auction", func(b *testing.B) {
		run(b, &op.GroupAggregate{Keys: []expr.Expr{auction}, Aggs: count[:1], Names: namesOf(2)})
	})
	b.Run("q17", func(b *testing.B) {
		aggs := append(append([]op.AggregateCall{}, count...), aggregateOf(b, "MIN", price), aggregateOf(b, "MAX", price),
			aggregateOf(b, "AVG", price), aggregateOf(b, "SUM", price))
		run(b, &op.GroupAggregate{Keys: []expr.Expr{auction, day}, Aggs: aggs, Names: namesOf(10)})
	})
	b.Run("q15", func(b *testing.B) {
		aggs := append(append(append([]op.AggregateCall{}, count...), distinct(bidder)...), distinct(auction)...)
		run(b, &op.GroupAggregate{Keys: []expr.Expr{day}, Aggs: aggs, Names: namesOf(13)})
	})
	b.Run("q16", func(b *testing.B) {
		channel := &expr.Call{Fn: function.Must("%"), List: []expr.Expr{bidder, expr.NewConst(vector.ConstOf(types.Of(types.BigInt), int64(1000), 1), "1000")},
			T: types.Of(types.BigInt), Pos: -1}
		aggs := append(append(append([]op.AggregateCall{}, count...), distinct(bidder)...), distinct(auction)...)
		run(b, &op.GroupAggregate{Keys: []expr.Expr{channel, day}, Aggs: aggs, Names: namesOf(14)})
	})
}

// cpu is the time that the thread has run: machines that run tests do other work too.
func cpu() int64 {
	var u syscall.Rusage
	const thread = 1
	if err := syscall.Getrusage(thread, &u); err != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
