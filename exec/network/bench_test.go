package network

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// discard takes everything from a writer's channels at once.
type discard struct{ rows int }

func (d *discard) ready(c *outChannel) {
	for {
		x, ok := c.poll(true)
		if !ok {
			return
		}
		if x.buffer != nil {
			d.rows += x.buffer.rows
			x.buffer.recycle()
		}
	}
}

func (d *discard) failed(*outChannel, error) {}

// wideTypes is a row such as a bid.
var wideTypes = []types.Type{types.Of(types.BigInt), types.Of(types.BigInt), types.Of(types.BigInt), types.String(), types.String(),
	types.TimestampOf(3)}

func benchBatch(ts []types.Type, n int) *vector.Batch {
	r := rand.New(rand.NewPCG(1, 1))
	b := &vector.Batch{Len: n}
	for _, t := range ts {
		v := vector.NewBuilder(t)
		for range n {
			if t.Kind == types.Varchar {
				v.AppendString(fmt.Sprintf("https://www.example.com/item/%d", r.IntN(1000)))
			} else {
				v.AppendInt(r.Int64N(1e9))
			}
		}
		c := &vector.Column{}
		v.Finish(c)
		b.Cols = append(b.Cols, c)
	}
	return b
}

func benchWriter(t testing.TB, ts []types.Type, channels int, p Partitioner) (w *Writer, end func()) {
	o := DefaultOptions()
	e, err := NewEnvironment(Setup{Options: o})
	if err != nil {
		t.Fatal(err)
	}
	if w, err = e.Writer(WriterSpec{Partition: "p", Types: ts, Channels: channels, Partitioner: p}); err != nil {
		t.Fatal(err)
	}
	d := &discard{}
	for i := range channels {
		if err := w.attach(i, d, func(*outChannel) {}); err != nil {
			t.Fatal(err)
		}
	}
	return w, func() {
		w.Close()
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func BenchmarkSend(b *testing.B) {
	for _, c := range []struct {
		name     string
		types    []types.Type
		channels int
		p        func() Partitioner
		late     int // one row in
	}{
		{"longs/forward", longType, 1, Forward, 0},
		{"longs/hash/2", longType, 2, func() Partitioner { return Hash([]int{0}, 128) }, 0},
		{"longs/hash/1000", longType, 1000, func() Partitioner { return Hash([]int{0}, 2048) }, 0},
		{"longs/rebalance/1000", longType, 1000, Rebalance, 0},
		{"longs/rebalance/1000/late", longType, 1000, Rebalance, 10},
		{"bids/forward", wideTypes, 1, Forward, 0},
		{"bids/hash/2", wideTypes, 2, func() Partitioner { return Hash([]int{0}, 128) }, 0},
		{"bids/hash/64", wideTypes, 64, func() Partitioner { return Hash([]int{0}, 128) }, 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			w, end := benchWriter(b, c.types, c.channels, c.p())
			defer end()
			batch := benchBatch(c.types, 1024)
			piece := &vector.Batch{Len: max(c.late, 1), Cols: []*vector.Column{{}}}
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				if c.late == 0 {
					if err := w.Send(batch); err != nil {
						b.Fatal(err)
					}
					continue
				}
				for from := 0; from+c.late <= batch.Len; from += c.late {
					vector.Slice(piece.Cols[0], batch.Cols[0], from, c.late)
					w.Cut(types.EventTime(n*1024+from), 0)
					if err := w.Send(piece); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*1024), "ns/row")
		})
	}
}

// TestSendAllocates: writing and reading make nothing per row, nor per batch once memory has grown.
func TestSendAllocates(t *testing.T) {
	for _, channels := range []int{1, 4, 100} {
		for _, ts := range [][]types.Type{longType, wideTypes} {
			w, end := benchWriter(t, ts, channels, Hash([]int{0}, 128))
			batch := benchBatch(ts, 1024)
			for range 50 {
				if err := w.Send(batch); err != nil {
					t.Fatal(err)
				}
			}
			if n := testing.AllocsPerRun(100, func() { _ = w.Send(batch) }); n > 1 {
				t.Errorf("%d columns, %d channels: %v allocations for a batch", len(ts), channels, n)
			}
			end()
		}
	}
}

// BenchmarkHop is one hop between two tasks in process: a writer and a gate of one channel.
func BenchmarkHop(b *testing.B) {
	for name, ts := range map[string][]types.Type{"longs": longType, "bids": wideTypes} {
		b.Run(name, func(b *testing.B) {
			e, err := NewEnvironment(Setup{Options: DefaultOptions()})
			if err != nil {
				b.Fatal(err)
			}
			w, err := e.Writer(WriterSpec{Partition: "p", Types: ts, Channels: 1, Partitioner: Forward()})
			if err != nil {
				b.Fatal(err)
			}
			wake, signal := waker()
			g, err := e.Gate(GateSpec{Name: "g", Types: ts, Sources: []Source{{"p", 0, ""}}, MaxRows: 1024, Wake: signal})
			if err != nil {
				b.Fatal(err)
			}
			done := make(chan int)
			go func() {
				rows := 0
				for {
					x, err := g.Next()
					switch {
					case err != nil:
						b.Error(err)
						x.Kind = End
					case x.Kind == None:
						<-wake
					case x.Kind == Rows:
						rows += x.Batch.Len
					}
					if x.Kind == End {
						done <- rows
						return
					}
				}
			}()
			batch := benchBatch(ts, 1024)
			b.ReportAllocs()
			for b.Loop() {
				if err := w.Send(batch); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*1024), "ns/row")
			if err := w.End(); err != nil {
				b.Fatal(err)
			}
			if rows := <-done; rows != b.N*1024 {
				b.Errorf("%d of %d rows", rows, b.N*1024)
			}
			g.Close()
			if err := e.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
