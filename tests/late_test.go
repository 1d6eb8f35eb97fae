package tests

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/cmd/streamsql/render"
	"streamsql/cmd/streamsql/script"
	"streamsql/connectors"
	"streamsql/planner"
)

// TestLateRows: which rows come too late for their windows does not depend on how many subtasks there are behind the one
// that reads them, nor on whether rows are folded on the way there.
func TestLateRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	var rows strings.Builder
	for i := range 20_000 {
		at := max(0, i*3+[]int{0, 0, 0, -2500, -7000, 500}[r.IntN(6)])
		key := r.IntN(50)
		if i%8000 > 5000 {
			key = i // next to nothing to fold
		}
		fmt.Fprintf(&rows, "%d,2024-01-01 00:%02d:%02d.%03d,%d\n", key, at/60_000, at/1000%60, at%1000, r.IntN(100))
	}
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(path, []byte(rows.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	table := fmt.Sprintf(`CREATE TABLE t (k BIGINT, ts TIMESTAMP(3), v BIGINT, WATERMARK FOR ts AS ts - INTERVAL '1' SECOND)
		WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv');`, path)
	tried := sampled(t, 19, 3)
	for _, window := range []string{"TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '3' SECOND)",
		"HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' SECOND, INTERVAL '4' SECOND)",
		"CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' SECOND, INTERVAL '3' SECOND)"} {
		if !tried() {
			continue
		}
		query := "SELECT k, window_start, window_end, COUNT(*), SUM(v), MAX(v) FROM TABLE(" + window + ") GROUP BY k, window_start, window_end"
		want, late := "", ""
		for _, set := range [][2]string{{"1", ""}, {"2", "local-aggregation"}, {"2", ""}, {"3", ""}} {
			s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
			for _, x := range [][2]string{{"parallelism.default", set[0]}, {"streamsql.optimizations.off", set[1]}, {"streamsql.batch-size", "500"}} {
				if x[1] == "" {
					continue
				}
				if _, err := s.Set(x[0], x[1]); err != nil {
					t.Fatal(err)
				}
			}
			var out, notes bytes.Buffer
			run := script.Runner{Session: s, Out: &out, Err: &notes, Result: render.Options{Format: "csv"}}
			if err := run.Run(t.Context(), table+query, ""); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(out.String(), "\n")
			slices.Sort(lines)
			got, first := strings.Join(lines, "\n"), strings.SplitN(notes.String(), "\n", 2)[0]
			if want == "" {
				want, late = got, first
			}
			if got != want || first != late || !strings.Contains(late, "late rows dropped") {
				t.Errorf("%s, parallelism %s without %q: %d lines, not %d; %s, not %s", window, set[0], set[1], strings.Count(got, "\n"),
					strings.Count(want, "\n"), first, late)
			}
		}
	}
}
