package network

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"streamsql/exec/types"
)

// TestLateRows: a watermark cut in before late rows reaches their channels alone, in front of the row and behind what was
// sent before, on the path of few channels and of many with a stage.
func TestLateRows(t *testing.T) {
	for _, channels := range []int{2, 40} {
		e := transports["local"](t, testOptions())
		w, err := e.out.Writer(WriterSpec{Partition: "p", Types: longType, Channels: channels, Partitioner: RoundFrom(0)})
		if err != nil {
			t.Fatal(err)
		}
		var c []*consumer
		for i := range 2 {
			c = append(c, newConsumer(t, e.in, GateSpec{Name: "g", Types: longType, Sources: []Source{{"p", i, ""}}, MaxRows: 10}))
		}
		v := make([]int64, channels)
		for round := range int64(4) {
			for i := range v {
				v[i] = round*100 + int64(i)
			}
			if round == 2 {
				w.Cut(77, 1)
			}
			if round == 3 {
				w.Cut(99)
			}
			if err := w.Send(longs(v...)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		want := []string{"[0 100 200] w99 [300]", "[1 101] w77 [201] w99 [301]"}
		for i := range c {
			var got []string
			for {
				x, err := c[i].gate.Next()
				if err != nil {
					t.Fatal(err)
				}
				if x.Kind == None {
					break
				}
				if x.Kind == Watermark {
					got = append(got, fmt.Sprint("w", x.Watermark))
					continue
				}
				var rows []int64
				for k := range x.Batch.Len {
					rows = append(rows, rowValue(x.Batch, k))
				}
				got = append(got, fmt.Sprint(rows))
			}
			if s := strings.Join(got, " "); s != want[i] {
				t.Errorf("%d channels, channel %d: %s, want %s", channels, i, s, want[i])
			}
		}
		for i := range c {
			c[i].gate.Close()
		}
		e.close(t)
	}
}

// TestLateRowsAtRandom sends random batches with late rows over many channels, with flushes between: in each channel
// rows come in order, each late one right behind its watermark.
func TestLateRowsAtRandom(t *testing.T) {
	for _, segment := range []int{256, 4096, 32 << 10} {
		o := testOptions()
		o.SegmentSize = optionSize(segment)
		e := transports["local"](t, o)
		const channels = 30
		w, err := e.out.Writer(WriterSpec{Partition: "p", Types: longType, Channels: channels, Partitioner: Hash([]int{0}, 128)})
		if err != nil {
			t.Fatal(err)
		}
		var gates []*lateGate
		for i := range channels {
			c := newConsumer(t, e.in, GateSpec{Name: "g", Types: longType, Sources: []Source{{"p", i, ""}}, MaxRows: 100})
			gates = append(gates, &lateGate{consumer: c, row: -1, at: -1})
		}
		var late sync.Map // row to watermark
		sent := make(chan int64)
		go func() { sent <- sendLate(t, w, &late) }()
		for ended := 0; ended < channels; {
			ended = 0
			for _, g := range gates {
				if err := g.read(&late); err != nil {
					t.Fatal(err)
				}
				if g.ended {
					ended++
				}
			}
			runtime.Gosched()
		}
		rows := int64(0)
		for _, g := range gates {
			rows += g.rows
			g.gate.Close()
		}
		if n := <-sent; rows != n {
			t.Errorf("%d of %d rows", rows, n)
		}
		e.close(t)
	}
}

// sendLate sends rows that count up; a watermark before a late row says how many batches' rows stood before it.
func sendLate(t *testing.T, w *Writer, late *sync.Map) int64 {
	r := rand.New(rand.NewPCG(8, 8))
	next := int64(0)
	for range 300 {
		v := make([]int64, 1+r.IntN(60))
		var rows []int32
		for i := range v {
			if v[i] = next + int64(i); r.IntN(10) == 0 {
				rows = append(rows, int32(i))
				late.Store(v[i], next)
			}
		}
		if len(rows) > 0 {
			w.Cut(types.EventTime(next), rows...)
		}
		if err := w.Send(longs(v...)); err != nil {
			t.Error(err)
		}
		if next += int64(len(v)); r.IntN(20) == 0 {
			if err := w.Flush(); err != nil {
				t.Error(err)
			}
		}
	}
	if err := w.End(); err != nil {
		t.Error(err)
	}
	return next
}

type lateGate struct {
	*consumer
	row, at, rows int64
	ended         bool
}

func (g *lateGate) read(late *sync.Map) error {
	for !g.ended {
		x, err := g.gate.Next()
		if err != nil || x.Kind == None {
			return err
		}
		g.ended = x.Kind == End
		if x.Kind == Watermark {
			g.at = int64(x.Watermark)
		}
		if x.Kind != Rows {
			continue
		}
		for i := range x.Batch.Len {
			v := rowValue(x.Batch, i)
			at, isLate := late.Load(v)
			if v <= g.row || v < g.at || isLate && at != g.at {
				return fmt.Errorf("row %d after %d and watermark %d, want %v", v, g.row, g.at, at)
			}
			g.row = v
			g.rows++
		}
	}
	return nil
}

// TestBeside: a full buffer lets rows of a slower edge to the same consumer leave, without a timeout.
func TestBeside(t *testing.T) {
	o := testOptions()
	o.BufferTimeout = -1
	e := transports["local"](t, o)
	defer e.close(t)
	var writers []*Writer
	var gates []*consumer
	for _, name := range []string{"fast", "slow"} {
		w, err := e.out.Writer(WriterSpec{Partition: name, Types: longType, Channels: 2, Partitioner: RoundFrom(0)})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		writers = append(writers, w)
		c := newConsumer(t, e.in, GateSpec{Name: name, Types: longType, Sources: []Source{{name, 1, ""}}, MaxRows: 1000})
		defer c.gate.Close()
		gates = append(gates, c)
	}
	writers[0].Beside(writers[1])
	kinds := func() string {
		var s string
		for _, c := range gates {
			x, err := c.gate.Next()
			if err != nil {
				t.Fatal(err)
			}
			s += x.Kind.String() + " "
		}
		return s
	}
	if err := writers[1].Send(longs(1, 2)); err != nil {
		t.Fatal(err)
	}
	if got := kinds(); got != "none none " {
		t.Errorf("at once: %s", got)
	}
	if err := writers[0].Send(longs(make([]int64, 2*int(o.SegmentSize)/8)...)); err != nil {
		t.Fatal(err)
	}
	if got := kinds(); got != "rows rows " {
		t.Errorf("behind a full buffer: %s", got)
	}
}
