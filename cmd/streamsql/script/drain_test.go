package script

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestDrain: an open window fires when its job is drained, and stays open when it is only stopped.
func TestDrain(t *testing.T) {
	for _, drain := range []string{" WITH DRAIN", ""} {
		dir := t.TempDir()
		r, _, errs := newRunner()
		script := `SET 'execution.checkpointing.savepoint-dir' = '` + dir + `/saved'; SET 'table.dml-sync' = 'false';
			CREATE TABLE n (a BIGINT, t AS TO_TIMESTAMP_LTZ(a, 3), WATERMARK FOR t AS t) WITH ('connector' = 'datagen',
				'rows-per-second' = '500', 'fields.a.kind' = 'sequence', 'fields.a.start' = '1', 'fields.a.end' = '3000000');
			CREATE TABLE o (c BIGINT) WITH ('connector' = 'filesystem', 'path' = '` + dir + `/out', 'format' = 'csv');
			INSERT INTO o SELECT COUNT(*) FROM TABLE(TUMBLE(TABLE n, DESCRIPTOR(t), INTERVAL '1' DAY)) GROUP BY window_start, window_end`
		if err := r.Run(t.Context(), script, "t.sql"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
		r.out.Lock()
		id := jobID.FindStringSubmatch(errs.String())[1]
		r.out.Unlock()
		if err := r.Run(t.Context(), "STOP JOB '"+id+"' WITH SAVEPOINT"+drain, ""); err != nil {
			t.Fatal(err)
		}
		rows := 0
		names, _ := filepath.Glob(filepath.Join(dir, "out", "part-*"))
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			rows += strings.Count(string(b), "\n")
		}
		if want := strings.Count(drain, "DRAIN"); rows != want {
			t.Errorf("%q: %d rows, want %d", drain, rows, want)
		}
	}
}
