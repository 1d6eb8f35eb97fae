package exec_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"streamsql/exec"
	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/exec/types"
)

// grouped is a job of GROUP BY in n subtasks: 50 keys, each 120 times.
func grouped(l *ledger, opens *atomic.Int32, n int) *graph.Graph {
	src := numbers{n: 1500, parts: 4, keys: 50, pause: 500 * time.Microsecond, opens: opens}
	return &graph.Graph{Stages: []*graph.Stage{
		{Name: "from", Parallelism: min(n, src.parts), Nodes: []graph.Node{{Source: &graph.Source{Table: "t", Source: src}}}},
		{Name: "to", Parallelism: n, Nodes: []graph.Node{
			{Op: &op.GroupAggregate{Keys: []expr.Expr{&expr.Column{Name: "k", T: bigint}}, Names: []string{"k", "n"},
				Aggs: []op.AggregateCall{{Fn: function.MustAggregate("COUNT"), T: bigint.WithNull(false)}}}, Inputs: []int{graph.FromEdge}},
			{Sink: &graph.Sink{Table: "out", Sink: l}, Inputs: []int{0}}},
			In: []graph.Edge{{Partitioning: graph.Hash, Keys: []int{0}, Types: []types.Type{bigint}}}},
	}}
}

// TestRescale stops a job of GROUP BY and goes on at other parallelisms: the final table is what it would have
// been. From 86 subtasks on there are more key groups by default, and where nobody chose a number that of the checkpoint
// holds.
func TestRescale(t *testing.T) {
	for _, degrees := range [][]int{{1, 2, 4, 1}, {3, 2, 3}, {4, 1, 2}, {86, 3, 200, 1}, {1, 100, 2}} {
		l, opens, stop := newLedger(), &atomic.Int32{}, errors.New("stop")
		o := exec.Checkpointing{Dir: t.TempDir(), Restore: true, Interval: 2 * time.Millisecond}
		for i, n := range degrees {
			j, err := exec.Start(t.Context(), grouped(l, opens, n), exec.Options{Checkpoints: &o, MaxRows: 64})
			if err != nil {
				t.Fatal(err)
			}
			last := i == len(degrees)-1
			if !last {
				for time.Sleep(30 * time.Millisecond); j.Stats().Checkpoints.Completed == 0; {
					time.Sleep(time.Millisecond) // many subtasks take long to begin
				}
				j.Cancel(stop)
			}
			if _, err := j.Wait(); last && err != nil || !last && !errors.Is(err, stop) {
				t.Fatalf("%v: at %d: %v", degrees, n, err)
			}
		}
		n := 0
		for row, times := range l.rows {
			if n += times; times != 0 && (times != 1 || !strings.HasSuffix(row, "=120")) {
				t.Errorf("%v: %d times %s", degrees, times, row)
			}
		}
		if n != 50 {
			t.Errorf("%v: %d rows of 50", degrees, n)
		}
	}
}

// TestKeyGroupsOfCheckpoint: a job goes on with the key groups of its checkpoint unless another number was chosen, and
// with no more subtasks than there are key groups.
func TestKeyGroupsOfCheckpoint(t *testing.T) {
	l, opens := newLedger(), &atomic.Int32{}
	o := exec.Checkpointing{Dir: t.TempDir(), Interval: time.Millisecond}
	saved := stopped(t, grouped(l, opens, 2), o, t.TempDir(), false)
	for _, c := range []struct {
		parallelism, chosen int
		want                string
	}{
		{129, 0, "has 128 key groups ('pipeline.max-parallelism'), which cannot be divided among 129 subtasks: lower 'parallelism.default' to 128"},
		{2, 256, "was made with 'pipeline.max-parallelism' = 128, it is now 256: it cannot change; unset, it is what the checkpoint has"},
		{100, 128, ""},
		{128, 0, ""},
	} {
		g := grouped(l, opens, c.parallelism)
		g.Stages[1].MaxParallelism = c.chosen
		_, err := exec.Run(t.Context(), g, exec.Options{Checkpoints: &exec.Checkpointing{Dir: t.TempDir(), Savepoint: saved}, MaxRows: 64})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("parallelism %d, %d chosen: %v", c.parallelism, c.chosen, err)
		}
	}
}
