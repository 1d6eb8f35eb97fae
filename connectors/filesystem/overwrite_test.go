package filesystem

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// dynamic is a PARTITION without values.
var dynamic = []*vector.Column{nil}

// overwritten writes rows into a table in place of what it held; the fail-th change of the file system from the commit
// on fails.
func overwritten(t *testing.T, dir string, fail int, static []*vector.Column, rows ...string) (*stream, error) {
	t.Helper()
	s := newStream(t, dir, map[string]string{"sink.partition-commit.policy.kind": "success-file"})
	if err := s.sink.Overwrite(static); err != nil {
		t.Fatal(err)
	}
	if err := s.w.Close(); err != nil {
		t.Fatal(err)
	}
	w, err := s.sink.Open(&connector.Context{Parallelism: 1})
	if err != nil {
		t.Fatal(err)
	}
	s.w = w.(*writer)
	if len(rows) > 0 {
		s.write(rows...)
	}
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
	err = committer{s.sink, time.Now}.Commit(1, committables, types.MaxTime)
	return s, errors.Join(err, w.Close())
}

// TestOverwrite: partitions that rows come for hold those alone, marks included; the others stay.
func TestOverwrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "k")
	if _, err := overwritten(t, dir, 0, dynamic, "x:1", "x:2", "y:1"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "dt=y", "more"), []byte("m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := overwritten(t, dir, 0, dynamic, "y:2", "z:1")
	if err != nil {
		t.Fatal(err)
	}
	s.want("the end", "dt=x _SUCCESS; dt=x: 1,2; dt=y _SUCCESS; dt=y: 2; dt=z _SUCCESS; dt=z: 1")
	if s.left() > 0 {
		t.Errorf("%d hidden files are left", s.left())
	}
}

// TestOverwriteFails: when a change of the file system fails a partition is as it was, or new, and never both.
func TestOverwriteFails(t *testing.T) {
	for fail := 1; ; fail++ {
		dir := filepath.Join(t.TempDir(), "k")
		if _, err := overwritten(t, dir, 0, dynamic, "x:old"); err != nil {
			t.Fatal(err)
		}
		_, err := overwritten(t, dir, fail, dynamic, "x:new")
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

// TestOverwriteEmpty: the partition that the statement names is empty when no rows come, and so is a table without
// partitions. What is left open stays.
func TestOverwriteEmpty(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "k")
	if _, err := overwritten(t, dir, 0, dynamic, "x:1", "y:1"); err != nil {
		t.Fatal(err)
	}
	s, err := overwritten(t, dir, 0, dynamic)
	if err != nil {
		t.Fatal(err)
	}
	s.want("nothing for any", "dt=x _SUCCESS; dt=x: 1; dt=y _SUCCESS; dt=y: 1")
	if s, err = overwritten(t, dir, 0, []*vector.Column{vector.ConstText(str, "x", 1)}); err != nil {
		t.Fatal(err)
	}
	s.want("nothing for x", "dt=x _SUCCESS; dt=y _SUCCESS; dt=y: 1")
	if s, err = overwritten(t, dir, 0, []*vector.Column{vector.ConstText(str, "a/b", 1)}); err != nil {
		t.Fatal(err)
	}
	s.want("nothing for a new one", "dt=a%2Fb _SUCCESS; dt=x _SUCCESS; dt=y _SUCCESS; dt=y: 1")

	whole := filepath.Join(t.TempDir(), "w")
	for i, want := range []string{"1\n", ""} {
		sink := openSink(t, partitioned[1:], nil, map[string]string{"path": whole, "format": "csv"}).(*sink)
		if err := sink.Overwrite(nil); err != nil {
			t.Fatal(err)
		}
		w, err := sink.Open(&connector.Context{Parallelism: 1})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			b := textBatch([]string{"x:1"})
			if err := w.Write(&vector.Batch{Len: 1, Cols: b.Cols[1:]}); err != nil {
				t.Fatal(err)
			}
		}
		c, wait, err := w.Prepare(1)
		if err == nil {
			err = wait()
		}
		if err == nil {
			err = committer{sink, time.Now}.Commit(1, c, types.MaxTime)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := content(t, whole); got != want {
			t.Errorf("run %d: the table holds %q, want %q", i, got, want)
		}
	}
}

// TestOverwriteWithCheckpoints: nothing is replaced before the last commit, then everything is, once; what another
// process left goes.
func TestOverwriteWithCheckpoints(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "k")
	if _, err := overwritten(t, dir, 0, dynamic, "x:old", "y:old", "z:old"); err != nil {
		t.Fatal(err)
	}
	s := &stream{t: t, policy: map[string]string{"path": dir, "format": "csv", "sink.partition-commit.policy.kind": "success-file",
		"sink.rolling-policy.file-size": "4b"}, clock: time.UnixMilli(1e12), watermark: types.MinTime}
	begin := func() {
		s.sink = openSink(t, partitioned, []int{0}, s.policy).(*sink)
		if err := s.sink.Overwrite(dynamic); err != nil {
			t.Fatal(err)
		}
		s.commit()
		if err := s.sink.Clean("job1"); err != nil {
			t.Fatal(err)
		}
		s.open("job1")
	}
	begin()
	const before = "dt=x _SUCCESS; dt=x: old; dt=y _SUCCESS; dt=y: old; dt=z _SUCCESS; dt=z: old"
	s.write("x:1", "x:2", "x:3")
	s.checkpoint()
	s.want("one", before)
	s.write("y:1", "x:lost")
	begin()
	for _, d := range []string{".new-part-1-0-0.inprogress.job1", ".old-part-1-0-0.inprogress.job1", ".new-part-1-0-0.inprogress.job2"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	begin()
	s.write("y:1", "x:4")
	s.checkpoint()
	s.want("two", before)
	begin()
	if err := s.w.Advance(types.MaxTime); err != nil {
		t.Fatal(err)
	}
	s.prepare()
	s.want("prepared", before)
	s.commit()
	const after = "dt=x _SUCCESS; dt=x: 1,2,3; dt=x: 4; dt=y _SUCCESS; dt=y: 1; dt=z _SUCCESS; dt=z: old"
	s.want("the end", after)
	begin()
	s.want("once more", after)
	if s.left() != 1 {
		t.Errorf("%d hidden files, want the other job's", s.left())
	}
}
