package exec_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"streamsql/exec"
	"streamsql/exec/graph"
	"streamsql/exec/network"
	"streamsql/exec/op"
	"streamsql/exec/option"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// tag is an operator that puts its rows, and the subtask that they came to, into a log.
type tag struct {
	log  *tagged
	slow time.Duration
}

// tagged is what the instances of tag saw; each is a subtask.
type tagged struct {
	mu   sync.Mutex
	seen []*tagOperator
}

type tagOperator struct {
	tag
	rows  []int64
	marks []types.EventTime
	// late are the rows that came at or behind the watermark.
	late int
}

func (s tag) String() string { return "Tag" }

func (s tag) New() op.Operator {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	o := &tagOperator{tag: s}
	s.log.seen = append(s.log.seen, o)
	return o
}

func (o *tagOperator) Open(*op.Context) error { return nil }
func (o *tagOperator) Close() error           { return nil }

func (o *tagOperator) Process(_ int, b *vector.Batch, out op.Output) error {
	time.Sleep(o.slow)
	at := types.MinTime
	if n := len(o.marks); n > 0 {
		at = o.marks[n-1]
	}
	for i := range b.Len {
		v := vector.Value[int64](b.Cols[0], i)
		o.rows = append(o.rows, v)
		if types.EventTime(v) <= at {
			o.late++
		}
	}
	return out.Emit(b)
}

func (o *tagOperator) Advance(t types.EventTime, _ op.Output) (types.EventTime, error) {
	o.marks = append(o.marks, t)
	return t, nil
}

// exchanged is a graph of a stage with a source and one with Tag and the sink, joined by an edge.
func exchanged(senders, receivers int, p graph.Partitioning, src counting, o op.Spec, c *collector) *graph.Graph {
	return &graph.Graph{Stages: []*graph.Stage{
		{Name: "from", Parallelism: senders, Nodes: []graph.Node{
			{Source: &graph.Source{Table: "t", Source: src, Watermark: src.marked}}}},
		{Name: "to", Parallelism: receivers, Nodes: []graph.Node{
			{Op: o, Inputs: []int{graph.FromEdge}},
			{Sink: &graph.Sink{Table: "out", Sink: c}, Inputs: []int{0}}},
			In: []graph.Edge{{Partitioning: p, Keys: []int{0}, Types: []types.Type{bigint}, Rowtimes: []int{0}}}},
	}}
}

// shapes runs a test over all transports and several sizes of buffers.
func shapes(t *testing.T, test func(t *testing.T, x graph.Exchange)) {
	before := runtime.NumGoroutine()
	for _, transport := range []graph.Transport{graph.Local, graph.TCP, graph.TLS} {
		for _, segment := range []option.Size{256, 32 << 10} {
			for _, exclusive := range []int{0, 2} {
				t.Run(fmt.Sprintf("transport %d, segments of %d, exclusive %d", transport, segment, exclusive), func(t *testing.T) {
					o := network.DefaultOptions()
					o.SegmentSize, o.Exclusive, o.BufferTimeout = segment, exclusive, 2*time.Millisecond
					test(t, graph.Exchange{Options: &o, Transport: transport})
				})
			}
		}
	}
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	buf := make([]byte, 1<<16)
	t.Errorf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
}

// TestExchange: every row comes once for each receiver that is due, the rows of a channel in order, the
// watermark is the least of the senders and ends at MaxTime.
func TestExchange(t *testing.T) {
	shapes(t, func(t *testing.T, x graph.Exchange) {
		for _, p := range []graph.Partitioning{graph.Forward, graph.Hash, graph.Rebalance, graph.Rescale, graph.Broadcast, graph.Global} {
			for _, n := range [][2]int{{1, 1}, {2, 2}, {3, 2}, {1, 4}, {4, 1}} {
				if p == graph.Forward && n[0] != n[1] {
					continue
				}
				exchangeRows(t, x, p, n[0], n[1])
			}
		}
	})
}

func exchangeRows(t *testing.T, x graph.Exchange, p graph.Partitioning, senders, receivers int) {
	t.Helper()
	const rows = 700
	var c collector
	var log tagged
	g := exchanged(senders, receivers, p, counting{n: rows, marked: true}, tag{log: &log}, &c)
	g.Exchange = x
	stats, err := exec.Run(t.Context(), g, exec.Options{MaxRows: 64})
	if err != nil {
		t.Fatalf("%v %d:%d: %v", p, senders, receivers, err)
	}
	copies := senders
	if p == graph.Broadcast {
		copies *= receivers
	}
	slices.Sort(c.rows)
	for i, v := range c.rows {
		if v != int64(i/copies) {
			t.Fatalf("%v %d:%d: row %d is %d", p, senders, receivers, i, v)
		}
	}
	if len(c.rows) != rows*copies || len(c.commit) != receivers {
		t.Fatalf("%v %d:%d: %d rows of %d, %d commits", p, senders, receivers, len(c.rows), rows*copies, len(c.commit))
	}
	owner := map[int64]int{}
	for i, o := range log.seen {
		last := o.marks[len(o.marks)-1]
		if last != types.MaxTime || !slices.IsSorted(o.marks) || (senders == 1 && p != graph.Global && len(o.marks) < 4) {
			t.Errorf("%v %d:%d: watermarks %v", p, senders, receivers, o.marks)
		}
		if senders == 1 && !slices.IsSorted(o.rows) {
			t.Errorf("%v: out of order: %v", p, o.rows)
		}
		if o.late > 0 {
			t.Errorf("%v %d:%d: %d rows are late", p, senders, receivers, o.late)
		}
		for _, v := range o.rows {
			if was, ok := owner[v]; p == graph.Hash && ok && was != i {
				t.Fatalf("hash: key %d at two receivers", v)
			}
			owner[v] = i
		}
		if p == graph.Rebalance && len(o.rows) < rows*senders/receivers-senders {
			t.Errorf("rebalance %d:%d: %d rows at one receiver", senders, receivers, len(o.rows))
		}
	}
	e := stats.Edges[0]
	if e.RowsIn != int64(rows*senders) || e.RowsOut != int64(rows*copies) || len(e.Outputs) != senders || len(e.Inputs) != receivers {
		t.Errorf("%v %d:%d: counters %+v", p, senders, receivers, e)
	}
}

// TestBackpressure: a slow receiver makes the sender wait, most of it before a batch, and what is under way is
// bounded.
func TestBackpressure(t *testing.T) {
	shapes(t, func(t *testing.T, x graph.Exchange) {
		var c collector
		var log tagged
		g := exchanged(1, 2, graph.Rebalance, counting{n: -1}, tag{log: &log, slow: 2 * time.Millisecond}, &c)
		g.Exchange = x
		ctx, cancel := context.WithCancel(t.Context())
		j, err := exec.Start(ctx, g, exec.Options{MaxRows: 64})
		if err != nil {
			t.Fatal(err)
		}
		s := j.Stats()
		held := func() bool { // most of the time, and long enough for the counters of all tasks to be told
			b, of := s.Bottleneck(), s.Tasks[0]
			return of.Soft+of.Hard > 100*time.Millisecond && b != nil && b.Stage == 1
		}
		for begun := time.Now(); !held() && time.Since(begun) < 10*time.Second; s = j.Stats() {
			time.Sleep(10 * time.Millisecond)
		}
		if of := s.Tasks[0]; of.Soft+of.Hard < 100*time.Millisecond {
			t.Errorf("not held up: %+v", of)
		}
		if b := s.Bottleneck(); b == nil || b.Stage != 1 {
			t.Errorf("bottleneck %+v in %+v", b, s.Tasks)
		}
		e := s.Edges[0] // its ends count at once, tasks now and then
		under := (e.Outputs[0].Rows - e.Inputs[0].Rows - e.Inputs[1].Rows) * 8
		if most := x.Options.InFlight(2) + 4*64*8; under > most {
			t.Errorf("%d bytes under way, at most %d expected", under, most)
		}
		cancel()
		if _, err := j.Wait(); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// TestExchangeCancel: a job ends within a second wherever its tasks stand.
func TestExchangeCancel(t *testing.T) {
	shapes(t, func(t *testing.T, x graph.Exchange) {
		for name, src := range map[string]counting{"running": {n: -1}, "waiting": {wait: true}, "one ends": {n: 3}} {
			var log tagged
			slow := time.Duration(0)
			if name == "one ends" {
				slow = 300 * time.Millisecond
			}
			g := exchanged(2, 2, graph.Hash, src, tag{log: &log, slow: slow}, &collector{})
			g.Exchange = x
			ctx, cancel := context.WithCancel(t.Context())
			j, err := exec.Start(ctx, g, exec.Options{})
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(30 * time.Millisecond)
			from := time.Now()
			cancel()
			if _, err := j.Wait(); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
			if d := time.Since(from); d > time.Second {
				t.Errorf("%s: took %v to end", name, d)
			}
		}
	})
}

// TestExchangeFailure: the failure of one task is the job's, not what it makes others suffer.
func TestExchangeFailure(t *testing.T) {
	shapes(t, func(t *testing.T, x graph.Exchange) {
		for _, panics := range []bool{false, true} {
			c := &collector{}
			g := exchanged(2, 2, graph.Hash, counting{n: -1}, bad{panics: panics}, c)
			g.Exchange = x
			_, err := exec.Run(t.Context(), g, exec.Options{MaxRows: 8})
			var f *exec.Failure
			if !errors.As(err, &f) || f.Operator != "Bad(a)" || f.Stage != 1 || panics != (len(f.Stack) > 0) {
				t.Errorf("panics %t: %v", panics, err)
			}
			if len(c.ends) == 0 || slices.Contains(c.ends, "close") {
				t.Errorf("ended %q", c.ends)
			}
		}
	})
}

// TestWatermarkInterval: at most one watermark an interval crosses an edge, a held one leaves when it is due
// without further input, and rows behind a held one do not overtake it.
func TestWatermarkInterval(t *testing.T) {
	var log tagged
	src := counting{n: 4000, marked: true}
	g := exchanged(1, 1, graph.Forward, src, tag{log: &log}, &collector{})
	g.Exchange.Interval = time.Hour
	if _, err := exec.Run(t.Context(), g, exec.Options{MaxRows: 10}); err != nil {
		t.Fatal(err)
	}
	if marks := log.seen[0].marks; len(marks) != 2 || marks[0] != 9 || marks[1] != types.MaxTime {
		t.Errorf("watermarks %v, want the first and the last", marks)
	}

	log = tagged{}
	g = exchanged(1, 1, graph.Forward, counting{n: 100_000, marked: true}, tag{log: &log}, &collector{})
	g.Exchange.Interval = time.Hour
	if _, err := exec.Run(t.Context(), g, exec.Options{MaxRows: 1000}); err != nil {
		t.Fatal(err)
	}
	if n := len(log.seen[0].marks); n < 11 || n > 14 {
		t.Errorf("%d watermarks, want one for 8 to 9 thousand rows", n)
	}

	log = tagged{}
	src = counting{n: -1, marked: true, stall: 100}
	g = exchanged(1, 1, graph.Forward, src, tag{log: &log}, &collector{})
	o := network.DefaultOptions()
	o.BufferTimeout = time.Millisecond
	g.Exchange = graph.Exchange{Interval: 40 * time.Millisecond, Options: &o}
	j, err := exec.Start(t.Context(), g, exec.Options{MaxRows: 10})
	if err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(5 * time.Second)
	for j.Stats().Nodes[1].Watermark != 99 && time.Now().Before(deadline) {
		time.Sleep(5 * time.Millisecond)
	}
	j.Cancel(context.Canceled)
	if _, err := j.Wait(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if marks := log.seen[0].marks; len(marks) > 3 || marks[len(marks)-1] != 99 {
		t.Errorf("watermarks %v, want 9 and 99", marks)
	}

	log = tagged{}
	src = counting{n: 100, marked: true, back: 40}
	g = exchanged(1, 1, graph.Forward, src, tag{log: &log}, &collector{})
	g.Exchange.Interval = time.Hour
	if _, err := exec.Run(t.Context(), g, exec.Options{MaxRows: 10}); err != nil {
		t.Fatal(err)
	}
	if late := log.seen[0].late; late != 10 {
		t.Errorf("%d rows were late behind the edge, 10 before it", late)
	}
}

// TestIdleSource: a source without rows does not hold the watermark for ever.
func TestIdleSource(t *testing.T) {
	var log tagged
	g := exchanged(1, 1, graph.Forward, counting{n: -1, marked: true, stall: 100}, tag{log: &log}, &collector{})
	silent := &graph.Stage{Name: "silent", Parallelism: 1, Nodes: []graph.Node{
		{Source: &graph.Source{Table: "s", Source: counting{wait: true}, Watermark: true}}}}
	to := g.Stages[1]
	g.Stages = []*graph.Stage{g.Stages[0], silent, to}
	to.In = append(to.In, graph.Edge{From: 1, Input: 1, Types: []types.Type{bigint}})
	to.Nodes[0].Inputs = []int{graph.FromEdge, graph.FromEdge}
	j, err := exec.Start(t.Context(), g, exec.Options{MaxRows: 10, IdleTimeout: 30 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(5 * time.Second)
	for j.Stats().Nodes[2].Watermark != 99 && time.Now().Before(deadline) {
		time.Sleep(5 * time.Millisecond)
	}
	if at := j.Stats().Nodes[2].Watermark; at != 99 {
		t.Errorf("the watermark is at %d", at)
	}
	j.Cancel(context.Canceled)
	if _, err := j.Wait(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestShortage: a job whose buffers do not fit is refused at once, with the setting to raise.
func TestShortage(t *testing.T) {
	g := exchanged(4, 4, graph.Hash, counting{n: 1}, op.Union{}, &collector{})
	o := network.DefaultOptions()
	o.Memory = 10 * o.SegmentSize
	g.Exchange.Options = &o
	_, err := exec.Run(t.Context(), g, exec.Options{})
	if err == nil || !strings.Contains(err.Error(), "the job needs 20, but only 10 of 10") ||
		!strings.Contains(err.Error(), "'taskmanager.memory.network.max' to at least '655360 b'") {
		t.Errorf("got %v", err)
	}
	g.Stages[1].MaxParallelism = 3
	if _, err = exec.Run(t.Context(), g, exec.Options{}); err == nil || !strings.Contains(err.Error(), "'pipeline.max-parallelism' is 3") {
		t.Errorf("got %v", err)
	}
}
