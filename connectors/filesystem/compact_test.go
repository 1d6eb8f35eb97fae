package filesystem

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"streamsql/exec/types"
)

// TestCompaction: the files of a checkpoint become as few as fit, in the order of their names, and those of several
// checkpoints stay apart.
func TestCompaction(t *testing.T) {
	for _, format := range []string{"csv", "parquet"} {
		dir := filepath.Join(t.TempDir(), "k")
		s := newStream(t, dir, map[string]string{"format": format, "auto-compaction": "true", "sink.rolling-policy.file-size": "1b",
			"compaction.file-size": "1mb", "sink.partition-commit.policy.kind": "success-file"})
		for range 2 {
			for _, r := range []string{"x:1", "y:2", "x:3", "x:4"} {
				s.write(r)
			}
			s.checkpoint()
		}
		names, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
		var counters []string
		for _, n := range names {
			if name, ok := strings.CutPrefix(filepath.Base(n), "compacted-part-"); ok {
				counters = append(counters, filepath.Base(filepath.Dir(n))+name[strings.LastIndexByte(name, '-'):])
			}
		}
		slices.Sort(counters)
		if want := []string{"dt=x-0", "dt=x-4", "dt=y-1", "dt=y-5"}; !slices.Equal(counters, want) || len(names) != 6 || s.left() > 0 {
			t.Errorf("%s: the files are %v, want %v; %d hidden", format, names, want, s.left())
		}
		if got := rowsOf(t, partitioned, []int{0}, s.policy, 10); got != "x 1\nx 1\nx 3\nx 3\nx 4\nx 4\ny 2\ny 2\n" {
			t.Errorf("%s: %q", format, got)
		}
	}
}

// TestCompactedSizes: a file is never larger than asked for, unless one that it is made of is.
func TestCompactedSizes(t *testing.T) {
	s := newStream(t, filepath.Join(t.TempDir(), "k"), map[string]string{"auto-compaction": "true", "sink.rolling-policy.file-size": "1b",
		"compaction.file-size": "9b"})
	for _, r := range []string{"x:123", "x:12", "x:1", "x:123456789012", "x:1", "x:2"} {
		s.write(r)
	}
	s.checkpoint()
	s.want("compacted", "dt=x: 1,2; dt=x: 123,12,1; dt=x: 123456789012")
}

// TestCompactedAgain: a commit that is repeated makes nothing new, wherever the first one ended.
func TestCompactedAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "k")
	s := newStream(t, dir, map[string]string{"auto-compaction": "true", "sink.rolling-policy.file-size": "1b", "compaction.file-size": "1kb"})
	for _, r := range []string{"x:1", "x:2", "x:3"} {
		s.write(r)
	}
	s.prepare()
	parts, _ := filepath.Glob(filepath.Join(dir, "dt=x", ".part-*"))
	kept := map[string][]byte{}
	for _, p := range parts {
		kept[p], _ = os.ReadFile(p)
	}
	s.commit()
	s.want("once", "dt=x: 1,2,3")
	for _, p := range parts[1:] { // as if it had ended before it removed them
		if err := os.WriteFile(p, kept[p], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "dt=x", ".compacted-part-1-0-0.inprogress.job1"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.crash("job1")
	s.want("twice", "dt=x: 1,2,3")
	if s.left() > 0 {
		t.Errorf("%d hidden files are left", s.left())
	}
}

// TestCompactionRefusesOtherFiles: what was cut meanwhile does not become part of a file.
func TestCompactionRefusesOtherFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "k")
	s := newStream(t, dir, map[string]string{"auto-compaction": "true", "sink.rolling-policy.file-size": "1b",
		"compaction.file-size": "1kb"})
	s.write("x:1")
	s.write("x:2")
	s.prepare()
	parts, _ := filepath.Glob(filepath.Join(dir, "dt=x", ".part-*"))
	if err := os.Truncate(parts[0], 1); err != nil {
		t.Fatal(err)
	}
	err := (committer{s.sink, nil}).Commit(1, s.last, types.MinTime)
	if err == nil || !strings.Contains(err.Error(), "has 1 bytes, but 2 were written") {
		t.Error(err)
	}
}
