package filesystem

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/types"
)

// overwritten writes rows into a table in place of what it held; the fail-th change of the file system from the commit
// on fails.
func overwritten(t *testing.T, dir string, fail int, rows ...string) (*stream, error) {
	t.Helper()
	s := newStream(t, dir, map[string]string{"sink.partition-commit.policy.kind": "success-file"})
	s.sink.Overwrite()
	w, err := s.sink.Open(&connector.Context{Parallelism: 1})
	if err != nil {
		t.Fatal(err)
	}
	s.w = w.(*writer)
	s.write(rows...)
	committables, wait, err := s.w.Prepare(1)
	if err == nil {
		err = wait()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.sink.disk.before = func(string, string) error {
		if fail--; fail == 0 {
			return errDisk
		}
		return nil
	}
	return s, committer{s.sink, time.Now}.Commit(1, committables, types.MaxTime)
}

// TestOverwrite: partitions that rows come for hold those alone, marks included; the others stay.
func TestOverwrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "k")
	if _, err := overwritten(t, dir, 0, "x:1", "x:2", "y:1"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "dt=y", "more"), []byte("m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := overwritten(t, dir, 0, "y:2", "z:1")
	if err != nil {
		t.Fatal(err)
	}
	s.want("the end", "dt=x _SUCCESS; dt=x: 1,2; dt=y _SUCCESS; dt=y: 2; dt=z _SUCCESS; dt=z: 1")
	if s.left() > 0 {
		t.Errorf("%d hidden files are left", s.left())
	}
	if _, err := s.sink.Open(&connector.Context{Job: "job1"}); err == nil || !strings.Contains(err.Error(), "not supported: INSERT OVERWRITE") {
		t.Errorf("with checkpoints: %v", err)
	}
}

// TestOverwriteFails: when a change of the file system fails a partition is as it was, or new, and never both.
func TestOverwriteFails(t *testing.T) {
	for fail := 1; ; fail++ {
		dir := filepath.Join(t.TempDir(), "k")
		if _, err := overwritten(t, dir, 0, "x:old"); err != nil {
			t.Fatal(err)
		}
		_, err := overwritten(t, dir, fail, "x:new")
		if err == nil {
			break
		}
		if !errors.Is(err, errDisk) {
			t.Fatal(err)
		}
		got := rowsOf(t, partitioned, []int{0}, map[string]string{"path": dir, "format": "csv"}, 10)
		if got != "x old\n" && got != "x new\n" {
			t.Errorf("call %d: %q", fail, got)
		}
	}
}
