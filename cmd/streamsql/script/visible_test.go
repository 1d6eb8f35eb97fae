package script

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// endlessJob is a job without end that writes files.
func endlessJob(dir string) string {
	return `CREATE TABLE n (a BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '500');
		CREATE TABLE o (a BIGINT) WITH ('connector' = 'filesystem', 'path' = '` + dir + `', 'format' = 'csv');
		SET 'table.dml-sync' = 'false'; INSERT INTO o SELECT a FROM n`
}

// TestVisible: a job without end shows its files at checkpoints that nobody has asked to be kept, and leaves none that
// are hidden.
func TestVisible(t *testing.T) {
	r, _, errs := newRunner()
	dir := t.TempDir()
	if err := r.Run(t.Context(), "SET 'execution.checkpointing.interval' = '20 ms';"+endlessJob(dir), "t.sql"); err != nil {
		t.Fatal(err)
	}
	files := func(pattern string) int {
		names, _ := filepath.Glob(filepath.Join(dir, pattern))
		return len(names)
	}
	for deadline := time.Now().Add(20 * time.Second); files("part-*") < 2; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no files became visible")
		}
	}
	r.out.Lock()
	id := jobID.FindStringSubmatch(errs.String())[1]
	r.out.Unlock()
	if err := r.Run(t.Context(), "STOP JOB '"+id+"'", ""); err != nil {
		t.Fatal(err)
	}
	if err := r.Wait(); err != nil {
		t.Fatal(err)
	}
	if n := files(".*"); n > 0 {
		t.Errorf("%d hidden files are left", n)
	}
}

// TestVisibleNotice: without a setting there is an interval, and a notice of it.
func TestVisibleNotice(t *testing.T) {
	for before, want := range map[string]bool{"": true, "SET 'execution.checkpointing.interval' = '1 min';": false,
		"SET 'execution.checkpointing.dir' = 'DIR/chk';": true} {
		r, _, errs := newRunner()
		dir := t.TempDir()
		if err := r.Run(t.Context(), strings.ReplaceAll(before, "DIR", dir)+endlessJob(filepath.Join(dir, "o")), "t.sql"); err != nil {
			t.Fatal(err)
		}
		r.out.Lock()
		told := strings.Contains(errs.String(), "notice: what insert-1 writes becomes visible at checkpoints, every 10s: "+
			"'execution.checkpointing.interval' is not set")
		id := jobID.FindStringSubmatch(errs.String())[1]
		r.out.Unlock()
		if told != want {
			t.Errorf("%s: %s", before, errs)
		}
		if err := r.Run(t.Context(), "STOP JOB '"+id+"'", ""); err != nil {
			t.Fatal(err)
		}
		if err := r.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}
