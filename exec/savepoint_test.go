package exec_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"streamsql/exec"
	"streamsql/exec/checkpoint"
	"streamsql/exec/graph"
)

// slow is a job that is at work for longer than it takes to stop it.
func slow(l *ledger, opens *atomic.Int32) *graph.Graph {
	g := counted(l, opens)
	g.Stages[0].Nodes[0].Source.Source = numbers{n: rowsEach, pause: 5 * time.Millisecond, opens: opens}
	return g
}

// stopped runs a job for a while and stops it with a savepoint below dir.
func stopped(t *testing.T, g *graph.Graph, o exec.Checkpointing, dir string, drain bool) string {
	t.Helper()
	j, err := exec.Start(t.Context(), g, exec.Options{Checkpoints: &o, MaxRows: 8})
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond)
	path, err := j.StopWithSavepoint(t.Context(), dir, drain)
	if err != nil {
		t.Fatal(err)
	}
	stats, err := j.Wait()
	if err != nil || stats.Checkpoints.Savepoint != path || filepath.Dir(path) != dir {
		t.Fatalf("%v, savepoint %s, %s", err, stats.Checkpoints.Savepoint, path)
	}
	return path
}

// TestSavepoint stops a job with savepoints, whose checkpoints go with each start, and goes
// on: every row is committed once. From the first savepoint a job may be started twice.
func TestSavepoint(t *testing.T) {
	for _, interval := range []time.Duration{0, 2 * time.Millisecond} {
		l, opens, dir := newLedger(), &atomic.Int32{}, t.TempDir()
		var paths []string
		from := ""
		for range 3 {
			o := exec.Checkpointing{Dir: filepath.Join(t.TempDir(), "chk"), Interval: interval, Savepoint: from, Name: "insert-1",
				Transient: true}
			from = stopped(t, slow(l, opens), o, dir, false)
			paths = append(paths, from)
			if _, err := os.Stat(o.Dir); err == nil {
				t.Errorf("%s is still there", o.Dir)
			}
		}
		m, err := checkpoint.ReadSavepoint(checkpoint.Disk{}, from)
		if err != nil || m.Name != "insert-1" || m.Finished || len(m.Committables) > 0 {
			t.Fatalf("%v, %+v", err, m)
		}
		o := exec.Checkpointing{Dir: t.TempDir(), Savepoint: from}
		if _, err := exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o, MaxRows: 8}); err != nil {
			t.Fatal(err)
		}
		if err := l.exact(); err != nil {
			t.Fatal(err)
		}
		var occupied *checkpoint.Occupied
		if _, err := exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o}); !errors.As(err, &occupied) {
			t.Errorf("a directory with checkpoints: %v", err)
		}
		again := newLedger()
		o = exec.Checkpointing{Dir: t.TempDir(), Savepoint: paths[0]}
		if _, err := exec.Run(t.Context(), counted(again, opens), exec.Options{Checkpoints: &o, MaxRows: 8}); err != nil {
			t.Fatal(err)
		}
		if n := len(again.rows); n == 0 || n >= 2*rowsEach {
			t.Errorf("%d rows after the first savepoint", n)
		}
	}
}

// TestSavepointAndCheckpoints: the checkpoint that a savepoint is of is kept, and goes on where it does.
func TestSavepointAndCheckpoints(t *testing.T) {
	l, opens := newLedger(), &atomic.Int32{}
	o := exec.Checkpointing{Dir: t.TempDir(), Interval: time.Millisecond, Restore: true}
	stopped(t, slow(l, opens), o, t.TempDir(), false)
	if _, err := exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o, MaxRows: 8}); err != nil {
		t.Fatal(err)
	}
	if err := l.exact(); err != nil {
		t.Error(err)
	}
}

// TestSavepointDrained: the rows read are committed, and nothing is left to run.
func TestSavepointDrained(t *testing.T) {
	l, opens := newLedger(), &atomic.Int32{}
	path := stopped(t, slow(l, opens), exec.Checkpointing{Dir: t.TempDir(), Interval: time.Millisecond}, t.TempDir(), true)
	n := len(l.rows)
	if n == 0 || n >= 2*rowsEach {
		t.Errorf("%d rows", n)
	}
	was := opens.Load()
	o := exec.Checkpointing{Dir: t.TempDir(), Savepoint: path}
	_, err := exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o})
	if err != nil || opens.Load() != was || len(l.rows) != n {
		t.Errorf("%v: %d opens, %d rows", err, opens.Load()-was, len(l.rows))
	}
}

// TestSavepointFails: a savepoint that cannot be written lets the job go on.
func TestSavepointFails(t *testing.T) {
	l, opens, file := newLedger(), &atomic.Int32{}, filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	o := exec.Options{Checkpoints: &exec.Checkpointing{Dir: t.TempDir()}, MaxRows: 8}
	j, err := exec.Start(t.Context(), counted(l, opens), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.StopWithSavepoint(t.Context(), file, false); err == nil || !strings.Contains(err.Error(), "savepoint") ||
		!strings.Contains(err.Error(), "chk-1 in") {
		t.Error(err)
	}
	if _, err := j.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := l.exact(); err != nil {
		t.Error(err)
	}
	if _, err := j.StopWithSavepoint(t.Context(), file, false); !errors.Is(err, exec.ErrEnded) {
		t.Errorf("a job that has ended was stopped: %v", err)
	}
}

// TestSavepointAtEveryCall lets every call of the file system fail while a savepoint is made and read.
func TestSavepointAtEveryCall(t *testing.T) {
	step := steps(3)
	for at := int32(1); at < 70; at += step {
		l, opens, dir, saved := newLedger(), &atomic.Int32{}, t.TempDir(), t.TempDir()
		o := exec.Checkpointing{Dir: dir, FS: failing{calls: &atomic.Int32{}, at: at}, Restore: true,
			Interval: 20 * time.Millisecond, Tolerable: 1}
		path := ""
		j, err := exec.Start(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o, MaxRows: 8})
		if err == nil {
			var failed error
			if path, failed = j.StopWithSavepoint(context.Background(), saved, false); failed != nil {
				left, _ := filepath.Glob(filepath.Join(saved, "*", "chk-*"))
				if len(left) > 0 && !errors.Is(failed, errDisk) {
					t.Errorf("call %d: %v left %v", at, failed, left)
				}
			}
			_, err = j.Wait()
		}
		if err != nil && !errors.Is(err, errDisk) {
			t.Fatalf("call %d: %v", at, err)
		}
		o.FS = nil
		if path != "" {
			o = exec.Checkpointing{Dir: t.TempDir(), Savepoint: path, FS: failing{calls: &atomic.Int32{}, at: at}, Tolerable: 1}
			if _, err = exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o, MaxRows: 8}); err != nil {
				if !errors.Is(err, errDisk) {
					t.Fatalf("call %d of the restore: %v", at, err)
				}
				names, _ := filepath.Glob(filepath.Join(o.Dir, "chk-*"))
				if o.FS = nil; len(names) > 0 {
					o.Restore, o.Savepoint = true, ""
				}
			}
		}
		if path == "" && err != nil || path != "" && err != nil {
			if _, err := exec.Run(t.Context(), counted(l, opens), exec.Options{Checkpoints: &o, MaxRows: 8}); err != nil {
				t.Fatalf("start after call %d: %v", at, err)
			}
		}
		if err := l.exact(); err != nil {
			t.Fatalf("call %d: %v", at, err)
		}
	}
}
