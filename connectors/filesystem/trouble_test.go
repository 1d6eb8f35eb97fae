package filesystem

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"streamsql/exec/types"
)

// TestRemovedPartition: a partition that is removed is made again for rows that come later. Where a file was in it that
// is still written no checkpoint completes, so that the rows come once more from the last one.
func TestRemovedPartition(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "k")
	remove := func(folder string) {
		if err := os.RemoveAll(filepath.Join(dir, folder)); err != nil {
			t.Fatal(err)
		}
	}
	for name, opts := range map[string]map[string]string{
		"open":   {"sink.rolling-policy.file-size": "8b"},
		"parked": {"sink.rolling-policy.file-size": "8b", "sink.open-files": "1"},
		"bulk":   {"format": "parquet"},
	} {
		remove("")
		s := newStream(t, dir, opts)
		s.write("x:12345678", "y:12345678")
		s.checkpoint()
		remove("dt=x")
		s.write("x:234567890")
		s.checkpoint()
		if got := rowsOf(t, partitioned, []int{0}, s.policy, 10); got != "x 234567890\ny 12345678\n" {
			t.Errorf("%s: made again: %q", name, got)
		}
		s.write("y:3")
		s.checkpoint()
		s.write("x:3", "y:4")
		remove("dt=x")
		_, wait, err := s.w.Prepare(s.epoch + 1)
		if err == nil {
			err = wait()
		}
		if err == nil || !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), filepath.Join(dir, "dt=x")) {
			t.Errorf("%s: removed while it was written: %v", name, err)
		}
		s.crash("job1")
		s.write("x:34567890", "y:34567890")
		if err := s.w.Advance(types.MaxTime); err != nil {
			t.Fatal(err)
		}
		s.checkpoint()
		if got := rowsOf(t, partitioned, []int{0}, s.policy, 10); got != "x 34567890\ny 12345678\ny 3\ny 34567890\n" || s.left() > 0 {
			t.Errorf("%s: gone on: %q, %d hidden", name, got, s.left())
		}
	}
}

// TestFullDevice: the error names the file and what is needed; what was committed stays, and with room the job goes on.
func TestFullDevice(t *testing.T) {
	for _, format := range []string{"csv", "parquet"} {
		s := newStream(t, filepath.Join(t.TempDir(), "k"), map[string]string{"format": format, "sink.rolling-policy.file-size": "1b"})
		s.write("x:1")
		s.checkpoint()
		full := true
		s.sink.disk.before = func(op, path string) error {
			if full && op == "write" {
				return &os.PathError{Op: op, Path: path, Err: syscall.ENOSPC}
			}
			return nil
		}
		s.w.sink = s.sink
		s.open("job1")
		row := "x:" + strings.Repeat("2", 1000)
		err := s.w.Write(textBatch([]string{row}))
		if err == nil {
			_, _, err = s.w.Prepare(s.epoch + 1)
		}
		if err == nil || !strings.Contains(err.Error(), "no space left on device") || !strings.Contains(err.Error(), s.w.root) ||
			!strings.Contains(err.Error(), "are to be written there") {
			t.Errorf("%s: %v", format, err)
		}
		if got := rowsOf(t, partitioned, []int{0}, s.policy, 10); got != "x 1\n" {
			t.Errorf("%s: committed: %q", format, got)
		}
		full = false
		s.crash("job1")
		s.write(row)
		s.checkpoint()
		if got := rowsOf(t, partitioned, []int{0}, s.policy, 10); got != "x 1\nx "+row[2:]+"\n" || s.left() > 0 {
			t.Errorf("%s: gone on: %d bytes, %d hidden", format, len(got), s.left())
		}
	}
}

// TestForbidden: where nothing may be written the error says where, before the first checkpoint.
func TestForbidden(t *testing.T) {
	for _, op := range []string{"mkdir", "open"} {
		s := newStream(t, filepath.Join(t.TempDir(), "k"), nil)
		s.sink.disk.before = func(o, path string) error {
			if o == op {
				return &os.PathError{Op: op, Path: path, Err: syscall.EACCES}
			}
			return nil
		}
		s.open("job1")
		err := s.w.Write(textBatch([]string{"x:1"}))
		want := fmt.Sprintf("filesystem: create a file: %s %s", op, s.w.root)
		if !errors.Is(err, os.ErrPermission) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v; want %s…", err, want)
		}
	}
}
