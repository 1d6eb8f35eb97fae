package exec_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"streamsql/exec"
	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var bigint = types.Of(types.BigInt)

// counting is a source of one split per subtask: BIGINTs from 0, n per split, or without an end.
type counting struct {
	n      int
	wait   bool // never has a row
	marked bool
	fail   func(at int) error
	stall  int // rows after which none come, when above 0
	back   int // row from which on ten rows are given again, when above 0
}

func (s counting) Push(connector.Request) connector.Accepted { return connector.Accepted{} }

func (s counting) Bounded() bool { return s.n >= 0 }

func (s counting) Splits(n int) ([]connector.Split, error) {
	return make([]connector.Split, n), nil
}

func (s counting) Open(c *connector.Context, splits []connector.Split) (connector.Reader, error) {
	if len(splits) != 1 {
		return nil, errors.New("one split per subtask")
	}
	return &countingReader{counting: s, max: c.MaxRows, wake: make(chan struct{})}, nil
}

type countingReader struct {
	counting
	max, at int
	wake    chan struct{}
	vals    []int64
	col     vector.Column
	b       vector.Batch
}

func (r *countingReader) Next() (connector.Read, error) {
	if r.fail != nil {
		if err := r.fail(r.at); err != nil {
			return connector.Read{}, err
		}
	}
	n := r.max
	if r.stall > 0 && r.at == r.stall {
		return connector.Read{Status: connector.Wait, Wake: r.wake}, nil
	}
	if r.n >= 0 {
		n = min(n, r.n-r.at)
	}
	switch {
	case r.wait:
		return connector.Read{Status: connector.Wait, Wake: r.wake}, nil
	case n == 0:
		return connector.Read{Status: connector.End}, nil
	}
	if r.vals == nil {
		r.vals = make([]int64, r.max)
	}
	for i := range n {
		r.vals[i] = int64(r.at + i)
	}
	if r.back > 0 && r.at == r.back {
		for i := range n {
			r.vals[i] -= 10
		}
	}
	r.at += n
	vector.SetSlice(&r.col, bigint, r.vals[:n])
	if r.b.Cols == nil {
		r.b.Cols = []*vector.Column{&r.col}
	}
	r.b.Len = n
	return connector.Read{Status: connector.Rows, Batch: &r.b, Watermark: types.EventTime(r.at - 1)}, nil
}

func (r *countingReader) Position(int) ([]byte, error) { return nil, nil }

func (r *countingReader) Close() error { return nil }

// collector is the sink of a query.
type collector struct {
	mu     sync.Mutex
	rows   []int64
	marks  []types.EventTime
	ends   []string
	commit [][]byte
}

type collecting struct {
	c *collector
}

func (w collecting) Write(b *vector.Batch) error {
	w.c.mu.Lock()
	defer w.c.mu.Unlock()
	for i := range b.Len {
		w.c.rows = append(w.c.rows, vector.Value[int64](b.Cols[0], i))
	}
	return nil
}

func (w collecting) Advance(t types.EventTime) error {
	w.c.mu.Lock()
	defer w.c.mu.Unlock()
	w.c.marks = append(w.c.marks, t)
	return nil
}

func (w collecting) Prepare(int64) ([][]byte, func() error, error) {
	return [][]byte{[]byte("x")}, func() error { return nil }, nil
}

func (w collecting) end(how string) error {
	w.c.mu.Lock()
	defer w.c.mu.Unlock()
	w.c.ends = append(w.c.ends, how)
	return nil
}

func (w collecting) Abort() error { return w.end("abort") }

func (w collecting) Close() error { return w.end("close") }

func (c *collector) Commit(_ int64, committables [][]byte, _ types.EventTime) error {
	c.commit = committables
	return nil
}

func (c *collector) Changelog() bool { return true }

func (c *collector) Open(*connector.Context) (connector.Writer, error) { return collecting{c}, nil }

func (c *collector) Committer() (connector.Committer, error) { return c, nil }

// chain is a graph of sources united, operators after them, and the sink.
func chain(parallelism int, c *collector, sources []counting, specs ...op.Spec) *graph.Graph {
	s := &graph.Stage{Name: "test", Parallelism: parallelism}
	var in []int
	for i, src := range sources {
		s.Nodes = append(s.Nodes, graph.Node{Source: &graph.Source{Table: "t", Source: src, Watermark: src.marked}})
		in = append(in, i)
	}
	for _, spec := range specs {
		s.Nodes = append(s.Nodes, graph.Node{Op: spec, Inputs: in})
		in = []int{len(s.Nodes) - 1}
	}
	s.Nodes = append(s.Nodes, graph.Node{Sink: &graph.Sink{Table: "out", Sink: c}, Inputs: in})
	return &graph.Graph{Stages: []*graph.Stage{s}}
}

// bad is an operator that fails, or panics, from its third batch on.
type bad struct {
	panics bool
	n      int
}

func (b bad) String() string          { return "Bad(a)" }
func (b bad) New() op.Operator        { return &b }
func (b *bad) Open(*op.Context) error { return nil }
func (b *bad) Process(_ int, batch *vector.Batch, out op.Output) error {
	if b.n++; b.n == 3 {
		if b.panics {
			panic("the sky fell")
		}
		return errors.New("no such row")
	}
	return out.Emit(batch)
}
func (b *bad) Advance(t types.EventTime, _ op.Output) (types.EventTime, error) { return t, nil }
func (b *bad) Close() error                                                    { return nil }

func TestPipelines(t *testing.T) {
	for _, n := range []int{1, 2, 4} {
		var c collector
		stats, err := exec.Run(t.Context(), chain(n, &c, []counting{{n: 1000}}, op.Union{}), exec.Options{MaxRows: 64})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(c.rows)
		if len(c.rows) != 1000*n || c.rows[0] != 0 || c.rows[len(c.rows)-1] != 999 {
			t.Errorf("parallelism %d: %d rows", n, len(c.rows))
		}
		if len(c.commit) != n || len(c.ends) != n || c.ends[0] != "close" {
			t.Errorf("parallelism %d: committed %q, ended %q", n, c.commit, c.ends)
		}
		u := stats.Nodes[1]
		if u.RowsIn != int64(1000*n) || u.RowsOut != u.RowsIn || u.Batches != int64(16*n) || u.Watermark != types.MaxTime {
			t.Errorf("parallelism %d: counters %+v", n, u)
		}
	}
}

func TestFailureNamesOperator(t *testing.T) {
	for _, panics := range []bool{false, true} {
		var c collector
		g := chain(2, &c, []counting{{n: -1}}, op.Union{}, bad{panics: panics}, op.Union{})
		_, err := exec.Run(t.Context(), g, exec.Options{MaxRows: 8})
		var f *exec.Failure
		if !errors.As(err, &f) || f.Operator != "Bad(a)" || !strings.HasPrefix(err.Error(), "Bad(a): ") {
			t.Fatalf("panics %t: %v", panics, err)
		}
		if panics != (strings.Contains(string(f.Stack), "exec_test.(*bad).Process")) {
			t.Errorf("panics %t: stack %s", panics, f.Stack)
		}
		if len(c.ends) != 2 || c.ends[0] != "abort" || c.ends[1] != "abort" || c.commit != nil {
			t.Errorf("panics %t: ended %q, committed %q", panics, c.ends, c.commit)
		}
	}
	src := counting{n: 10, fail: func(at int) error {
		if at > 0 {
			return errors.New("disk on fire")
		}
		return nil
	}}
	_, err := exec.Run(t.Context(), chain(1, &collector{}, []counting{src}), exec.Options{MaxRows: 8})
	if err == nil || err.Error() != "Source: t: disk on fire" {
		t.Errorf("source: %v", err)
	}
}

func TestCancel(t *testing.T) {
	before := runtime.NumGoroutine()
	for name, sources := range map[string][]counting{
		"running": {{n: -1}}, "waiting": {{wait: true}}, "one of two": {{n: 10}, {wait: true}},
		"both wait": {{wait: true}, {wait: true}},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		j, err := exec.Start(ctx, chain(2, &collector{}, sources, op.Union{}), exec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := j.Stats()
		for began := time.Now(); name == "running" && s.Nodes[1].Busy == 0 && time.Since(began) < 10*time.Second; s = j.Stats() {
			time.Sleep(10 * time.Millisecond)
		}
		if name == "running" && (s.Nodes[0].RowsOut == 0 || s.Nodes[1].Busy == 0) {
			t.Errorf("no counters while running: %+v", s)
		}
		time.Sleep(20 * time.Millisecond)
		from := time.Now()
		cancel()
		if _, err := j.Wait(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if d := time.Since(from); d > time.Second {
			t.Errorf("%s: took %v to end", name, d)
		}
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

// TestTurns: sources without watermarks take turns, those with are read in order of time.
func TestTurns(t *testing.T) {
	for _, marked := range []bool{false, true} {
		var c collector
		g := chain(1, &c, []counting{{n: 60, marked: marked}, {n: 90, marked: marked}}, op.Union{})
		if _, err := exec.Run(t.Context(), g, exec.Options{MaxRows: 10}); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < 120; i += 20 {
			if c.rows[i] != int64(i/2) || c.rows[i+10] != int64(i/2) {
				t.Fatalf("marked %t: order of reading: %v", marked, c.rows)
			}
		}
		want := []types.EventTime{types.MaxTime}
		if marked {
			want = []types.EventTime{9, 19, 29, 39, 49, 59, 69, 79, 89, types.MaxTime}
		}
		if !slices.Equal(c.marks, want) {
			t.Errorf("marked %t: watermarks %v, want %v", marked, c.marks, want)
		}
	}
}

// BenchmarkChain is the cost of the machine itself per batch of 1,024 rows, source included.
func BenchmarkChain(b *testing.B) {
	a := &expr.Column{Index: 0, Name: "a", T: bigint}
	calc := &op.Calc{Exprs: []expr.Expr{a}, Names: []string{"a"}}
	for _, c := range []struct {
		name  string
		specs []op.Spec
	}{{"source-sink", nil}, {"source-calc-sink", []op.Spec{calc}}, {"source-4calc-sink", []op.Spec{calc, calc, calc, calc}}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			g := chain(1, nil, []counting{{n: b.N * 1024}}, c.specs...)
			g.Stages[0].Nodes[len(g.Stages[0].Nodes)-1].Sink.Sink = drop{}
			if _, err := exec.Run(b.Context(), g, exec.Options{}); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// drop is a sink that keeps nothing.
type drop struct{ connector.Uncommitted }

func (drop) Changelog() bool                                   { return true }
func (drop) Open(*connector.Context) (connector.Writer, error) { return drop{}, nil }
func (drop) Committer() (connector.Committer, error)           { return nil, nil }
func (drop) Write(*vector.Batch) error                         { return nil }
