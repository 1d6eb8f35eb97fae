package exec_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"streamsql/exec"
	"streamsql/exec/checkpoint"
	"streamsql/exec/connector"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// numbers is a source that can go back: each split gives 0 to n-1, in batches of 8 with a pause.
type numbers struct {
	n     int
	parts int // splits, at any parallelism; 0 is one for each subtask
	keys  int // that the numbers are taken modulo; 0 leaves them
	pause time.Duration
	opens *atomic.Int32
}

func (s numbers) Push(connector.Request) connector.Accepted { return connector.Accepted{} }
func (s numbers) Bounded() bool                             { return true }

func (s numbers) Splits(n int) ([]connector.Split, error) {
	if s.parts > 0 {
		n = s.parts
	}
	out := make([]connector.Split, n)
	for i := range out {
		out[i].ID = fmt.Sprint(i)
	}
	return out, nil
}

func (s numbers) Open(_ *connector.Context, splits []connector.Split) (connector.Reader, error) {
	s.opens.Add(1)
	r := &numbersReader{numbers: s, at: make([]int, len(splits))}
	for i, split := range splits {
		if p := split.Position; len(p) > 0 {
			if _, err := fmt.Sscan(string(p), &r.at[i]); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

type numbersReader struct {
	numbers
	at   []int
	turn int
}

func (r *numbersReader) Next() (connector.Read, error) {
	i := -1
	for k := range r.at {
		if p := (r.turn + k) % len(r.at); r.at[p] < r.n {
			i = p
			break
		}
	}
	if i < 0 {
		return connector.Read{Status: connector.End}, nil
	}
	r.turn = i + 1
	n := min(8, r.n-r.at[i])
	time.Sleep(r.pause)
	values := make([]int64, n)
	for k := range values {
		values[k] = int64(r.at[i] + k)
		if r.keys > 0 {
			values[k] %= int64(r.keys)
		}
	}
	r.at[i] += n
	c := &vector.Column{}
	vector.SetSlice(c, bigint, values)
	return connector.Read{Batch: &vector.Batch{Len: n, Cols: []*vector.Column{c}}, Split: i}, nil
}

func (r *numbersReader) Position(i int) ([]byte, error) { return fmt.Append(nil, r.at[i]), nil }
func (r *numbersReader) Close() error                   { return nil }

// ledger is a sink that counts what was committed. It outlives the jobs that write to it.
type ledger struct {
	mu    sync.Mutex
	made  int
	seen  map[string]bool // committables
	rows  map[string]int
	stall atomic.Int32 // how many more prepared epochs take long to become durable
	deaf  atomic.Int32 // how many more commits fail
	lose  atomic.Int32 // which epoch to come is lost: its rows cannot be prepared
}

func newLedger() *ledger { return &ledger{seen: map[string]bool{}, rows: map[string]int{}} }

func (l *ledger) Changelog() bool                         { return true }
func (l *ledger) Committer() (connector.Committer, error) { return l, nil }

func (l *ledger) Open(*connector.Context) (connector.Writer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.made++
	return &ledgerWriter{l: l, id: l.made}, nil
}

func (l *ledger) Commit(_ int64, all [][]byte, _ types.EventTime) error {
	if l.deaf.Add(-1) >= 0 {
		return errDisk
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range all {
		if l.seen[string(c)] {
			continue
		}
		l.seen[string(c)] = true
		_, rows, _ := strings.Cut(string(c), ":")
		for _, f := range strings.Fields(rows) {
			if row, gone := strings.CutPrefix(f, "-"); gone {
				l.rows[row]--
			} else {
				l.rows[f]++
			}
		}
	}
	return nil
}

type ledgerWriter struct {
	l         *ledger
	id, round int
	rows      bytes.Buffer
}

func (w *ledgerWriter) Write(b *vector.Batch) error {
	for i := range b.Len {
		sign := " "
		if !b.Kind(i).Adds() {
			sign = " -"
		}
		for _, c := range b.Cols {
			fmt.Fprintf(&w.rows, "%s%d", sign, vector.Value[int64](c, i))
			sign = "="
		}
	}
	return nil
}

func (w *ledgerWriter) Advance(types.EventTime) error { return nil }

func (w *ledgerWriter) Prepare(int64) ([][]byte, func() error, error) {
	w.round++
	c := fmt.Appendf(nil, "%d.%d:%s", w.id, w.round, w.rows.String())
	w.rows.Reset()
	if w.l.lose.Add(-1) == 0 {
		return nil, nil, errDisk
	}
	return [][]byte{c}, func() error {
		if w.l.stall.Add(-1) >= 0 {
			time.Sleep(100 * time.Millisecond)
		}
		return nil
	}, nil
}

func (w *ledgerWriter) Abort() error { return errors.New("what a checkpoint may name was aborted") }
func (w *ledgerWriter) Close() error { return nil }

// total is an operator that emits the number of rows that came before each, over all lives of the job.
type total struct{ c *op.Context }

func (total) String() string   { return "Total" }
func (total) New() op.Operator { return &total{} }

func (o *total) Open(c *op.Context) error {
	o.c = c
	return nil
}

func (o *total) Process(_ int, b *vector.Batch, out op.Output) error {
	store := o.c.Store(total{})
	n := store.Time("rows", 0)
	values := make([]int64, b.Len)
	for i := range values {
		values[i] = n + int64(i)
	}
	store.SetTime("rows", n+int64(b.Len))
	c := &vector.Column{}
	vector.SetSlice(c, bigint, values)
	return out.Emit(&vector.Batch{Len: b.Len, Cols: []*vector.Column{c}})
}

func (o *total) Advance(t types.EventTime, _ op.Output) (types.EventTime, error) { return t, nil }
func (o *total) Close() error                                                    { return nil }

const rowsEach = 800

// counted is a job of two sources whose rows come together in one subtask, which numbers them.
func counted(l *ledger, opens *atomic.Int32) *graph.Graph {
	return &graph.Graph{Stages: []*graph.Stage{
		{Name: "from", Parallelism: 2, Nodes: []graph.Node{
			{Source: &graph.Source{Table: "t", Source: numbers{n: rowsEach, pause: 100 * time.Microsecond, opens: opens}}}}},
		{Name: "to", Parallelism: 1, Nodes: []graph.Node{
			{Op: total{}, Inputs: []int{graph.FromEdge}},
			{Sink: &graph.Sink{Table: "out", Sink: l}, Inputs: []int{0}}},
			In: []graph.Edge{{Partitioning: graph.Global, Types: []types.Type{bigint}}}},
	}}
}

// exact tells whether every number was committed once.
func (l *ledger) exact() error {
	for v := range int64(2 * rowsEach) {
		if l.rows[fmt.Sprint(v)] != 1 {
			return fmt.Errorf("row %d was committed %d times", v, l.rows[fmt.Sprint(v)])
		}
	}
	if len(l.rows) != 2*rowsEach {
		return fmt.Errorf("%d rows were committed", len(l.rows))
	}
	return nil
}

// failing is a disk whose n-th call fails, and all later ones too if it dies.
type failing struct {
	checkpoint.Disk
	calls *atomic.Int32
	at    int32
	dies  bool
}

var errDisk = errors.New("disk on fire")

func (f failing) step() error {
	if n := f.calls.Add(1); n == f.at || f.dies && n > f.at {
		return errDisk
	}
	return nil
}

func (f failing) ReadDir(name string) ([]string, error) {
	if err := f.step(); err != nil {
		return nil, err
	}
	return f.Disk.ReadDir(name)
}

func (f failing) Create(name string) (checkpoint.File, error) {
	if err := f.step(); err != nil {
		return nil, err
	}
	file, err := f.Disk.Create(name)
	return failingFile{file, f}, err
}

func (f failing) Rename(from, to string) error {
	if err := f.step(); err != nil {
		return err
	}
	return f.Disk.Rename(from, to)
}

func (f failing) Remove(name string) error {
	if err := f.step(); err != nil {
		return err
	}
	return f.Disk.Remove(name)
}

func (f failing) SyncDir(name string) error {
	if err := f.step(); err != nil {
		return err
	}
	return f.Disk.SyncDir(name)
}

type failingFile struct {
	checkpoint.File
	f failing
}

func (f failingFile) Sync() error {
	if err := f.f.step(); err != nil {
		return err
	}
	return f.File.Sync()
}

// TestCheckpointsFail lets calls of the file system fail in turn, alone or with all after it: the job
// goes on with the next checkpoint, or fails and is started again, maybe with a failure in that start too, and every
// row is committed once.
func TestCheckpointsFail(t *testing.T) {
	for _, dies := range []bool{false, true} {
		step := steps(4)
		for at := int32(1); ; at += step {
			l, dir, opens := newLedger(), t.TempDir(), &atomic.Int32{}
			o := exec.Checkpointing{Dir: dir, FS: failing{calls: &atomic.Int32{}, at: at, dies: dies}, Restore: true,
				Interval: 2 * time.Millisecond, Tolerable: 1}
			_, err := exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o, MaxRows: 8, Stderr: io.Discard})
			if err != nil && !errors.Is(err, errDisk) {
				t.Fatalf("call %d: %v", at, err)
			}
			met := o.FS.(failing).calls.Load() >= at
			if err != nil && dies {
				o.FS = failing{calls: &atomic.Int32{}, at: 1 + at%20} // the next start has its own bad luck
				_, err = exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o, MaxRows: 8, Stderr: io.Discard})
				if err != nil && !errors.Is(err, errDisk) {
					t.Fatalf("start after call %d: %v", at, err)
				}
			}
			if err != nil {
				o.FS = nil
				if _, err := exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o, MaxRows: 8}); err != nil {
					t.Fatalf("start after call %d: %v", at, err)
				}
			}
			if err := l.exact(); err != nil {
				t.Fatalf("call %d (%v): %v", at, err, err)
			}
			if !met || at > 60 && !*soak {
				break
			}
		}
	}
}

// TestLastCheckpointFails: the last checkpoint is tried again for as long as failures are tolerated, with longer and
// longer pauses.
func TestLastCheckpointFails(t *testing.T) {
	l, opens := newLedger(), &atomic.Int32{}
	o := exec.Checkpointing{Dir: t.TempDir(), FS: failing{calls: &atomic.Int32{}, at: 9, dies: true}, Tolerable: 1000}
	j, err := exec.Start(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o, Stderr: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	for time.Sleep(300 * time.Millisecond); j.Stats().Checkpoints.Failed < 2; {
		time.Sleep(10 * time.Millisecond) // a slow machine
	}
	j.Cancel(context.Canceled)
	stats, err := j.Wait()
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if n := stats.Checkpoints.Failed; n > 6 {
		t.Errorf("%d tries in %v", n, stats.Wall)
	}
}

// TestCheckpointTimeout: what was prepared for a checkpoint that took too long goes with the next one.
func TestCheckpointTimeout(t *testing.T) {
	l, opens := newLedger(), &atomic.Int32{}
	l.stall.Store(3)
	var warnings bytes.Buffer
	o := exec.Checkpointing{Dir: t.TempDir(), Interval: time.Millisecond, Timeout: 30 * time.Millisecond, Tolerable: 50}
	stats, err := exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o, Stderr: &warnings})
	if err != nil {
		t.Fatal(err)
	}
	if c := stats.Checkpoints; c.Failed < 1 || c.Completed < 1 || c.Longest < c.Pause || c.Pause == 0 {
		t.Errorf("counts: %+v", c)
	}
	if err := l.exact(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(warnings.String(), "warning: checkpoint chk-1 failed: it took longer than 'execution.checkpointing.timeout', 30ms") {
		t.Errorf("warnings: %s", &warnings)
	}
	l = newLedger()
	l.stall.Store(1000)
	o.Dir, o.Tolerable = t.TempDir(), 0
	_, err = exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o})
	if err == nil || !strings.HasPrefix(err.Error(), "checkpoint chk-1 failed: it took longer") {
		t.Errorf("none tolerated: %v", err)
	}
}

// TestCancelledAndFinished stops a job in its midst again and again; when it is finished a start runs nothing.
func TestCancelledAndFinished(t *testing.T) {
	l, opens := newLedger(), &atomic.Int32{}
	o := exec.Checkpointing{Dir: t.TempDir(), Restore: true, Interval: time.Millisecond}
	stop := errors.New("stop")
	lives := 0
	for ; ; lives++ {
		j, err := exec.Start(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o, MaxRows: 8})
		if err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(12*time.Millisecond, func() { j.Cancel(stop) })
		_, err = j.Wait()
		timer.Stop()
		if err == nil {
			break
		}
		if !errors.Is(err, stop) || lives > 500 {
			t.Fatalf("life %d: %v", lives, err)
		}
	}
	if err := l.exact(); err != nil || lives == 0 {
		t.Errorf("%d lives: %v", lives, err)
	}
	was := opens.Load()
	if _, err := exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o}); err != nil || opens.Load() != was {
		t.Errorf("a finished job: %v, %d sources were opened", err, opens.Load()-was)
	}
	if err := l.exact(); err != nil {
		t.Error(err)
	}
	o.Restore = false
	var occupied *checkpoint.Occupied
	if _, err := exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o}); !errors.As(err, &occupied) {
		t.Errorf("without restoring: %v", err)
	}
}

// TestCommitFails: what a complete checkpoint names is committed by the next start.
func TestCommitFails(t *testing.T) {
	l, opens := newLedger(), &atomic.Int32{}
	l.deaf.Store(1)
	o := exec.Checkpointing{Dir: t.TempDir(), Restore: true, Interval: 5 * time.Millisecond, Tolerable: 5}
	_, err := exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o})
	if !errors.Is(err, errDisk) {
		t.Fatal(err)
	}
	if _, err := exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o}); err != nil {
		t.Fatal(err)
	}
	if err := l.exact(); err != nil {
		t.Error(err)
	}
}

// TestPrepareFails: rows that a writer could not prepare are in no checkpoint, and come once more.
func TestPrepareFails(t *testing.T) {
	for lost := range int32(6) {
		l, opens := newLedger(), &atomic.Int32{}
		l.lose.Store(lost + 1)
		o := exec.Checkpointing{Dir: t.TempDir(), Restore: true, Interval: 2 * time.Millisecond}
		_, err := exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o})
		if err == nil && lost > 0 {
			t.Logf("on a machine as busy as this one the job ends in fewer than %d epochs", lost+1)
			break
		}
		var at *exec.Failure
		if !errors.Is(err, errDisk) || !errors.As(err, &at) || at.Operator == "" {
			t.Fatalf("%d: %v", lost, err)
		}
		if _, err := exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o}); err != nil {
			t.Fatal(err)
		}
		if err := l.exact(); err != nil {
			t.Errorf("%d: %v", lost, err)
		}
	}
}
