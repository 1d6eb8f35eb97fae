package exec_test

import (
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"streamsql/exec"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// tally is an operator that passes rows on and counts them for its user.
type tally struct{ n int64 }

func (tally) String() string   { return "Tally" }
func (tally) New() op.Operator { return &tally{} }

func (o *tally) Open(*op.Context) error { return nil }

func (o *tally) Process(_ int, b *vector.Batch, out op.Output) error {
	o.n += int64(b.Len)
	return out.Emit(b)
}

func (o *tally) Advance(t types.EventTime, _ op.Output) (types.EventTime, error) { return t, nil }
func (o *tally) Close() error                                                    { return nil }
func (o *tally) Counters() []op.Counter                                          { return []op.Counter{{Name: "rows", Value: o.n}} }

// TestCounts: what operators count is of all starts of a job, at whatever parallelism.
func TestCounts(t *testing.T) {
	l, opens, dir := newLedger(), &atomic.Int32{}, t.TempDir()
	from := ""
	for i, n := range []int{2, 1, 3, 2} {
		src := numbers{n: 400, parts: 4, pause: 100 * time.Microsecond, opens: opens}
		g := &graph.Graph{Stages: []*graph.Stage{{Name: "all", Parallelism: n, MaxParallelism: 128, Nodes: []graph.Node{
			{Source: &graph.Source{Table: "t", Source: src}},
			{Op: tally{}, Inputs: []int{0}},
			{Sink: &graph.Sink{Table: "out", Sink: l}, Inputs: []int{1}}}}}}
		o := exec.Checkpointing{Dir: t.TempDir(), Savepoint: from}
		if i < 3 {
			from = stopped(t, g, o, dir, false)
			continue
		}
		stats, err := exec.Run(t.Context(), g, exec.Options{Checkpoints: &o, MaxRows: 8})
		if err != nil {
			t.Fatal(err)
		}
		if noted := stats.Nodes[1].Noted; len(noted) != 1 || noted[0].Value != 1600 || stats.Nodes[1].RowsIn >= 1600 {
			t.Errorf("%v, %d rows in the last start", noted, stats.Nodes[1].RowsIn)
		}
	}
}

// TestCheckpointSettings: checkpoints keep their distance, and as many are left as are to be kept.
func TestCheckpointSettings(t *testing.T) {
	run := func(o exec.Checkpointing) (exec.Stats, int) {
		l, opens := newLedger(), &atomic.Int32{}
		o.Dir = t.TempDir()
		stats, err := exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o, MaxRows: 8})
		if err != nil {
			t.Fatal(err)
		}
		names, err := os.ReadDir(o.Dir)
		if err != nil {
			t.Fatal(err)
		}
		left := 0
		for _, n := range names {
			if strings.HasPrefix(n.Name(), "chk-") {
				left++
			}
		}
		return stats, left
	}
	if stats, left := run(exec.Checkpointing{Interval: time.Millisecond, Retain: 3}); stats.Checkpoints.Completed < 4 || left != 3 {
		t.Errorf("%d checkpoints, %d left", stats.Checkpoints.Completed, left)
	}
	if stats, left := run(exec.Checkpointing{}); stats.Checkpoints.Completed != 1 || left != 1 {
		t.Errorf("no interval: %d checkpoints, %d left", stats.Checkpoints.Completed, left)
	}
	stats, _ := run(exec.Checkpointing{Interval: time.Millisecond, MinPause: time.Hour})
	if stats.Checkpoints.Completed > 2 {
		t.Errorf("a pause of an hour: %d checkpoints", stats.Checkpoints.Completed)
	}
	stats, _ = run(exec.Checkpointing{Interval: 15 * time.Millisecond})
	if most := int(stats.Wall/(15*time.Millisecond)) + 1; stats.Checkpoints.Completed > most {
		t.Errorf("%d checkpoints in %v", stats.Checkpoints.Completed, stats.Wall)
	}
}
