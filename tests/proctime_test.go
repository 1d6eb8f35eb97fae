package tests

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"streamsql/cmd/streamsql/render"
	"streamsql/cmd/streamsql/script"
	"streamsql/connectors"
	"streamsql/planner"
)

// levels counts rows in windows by the clock, and what these give in windows by the clock again.
const levels = `CREATE TEMPORARY TABLE src (n BIGINT, p AS PROCTIME()) WITH ('connector' = 'datagen', 'rows-per-second' = '20000',
  'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '5000');
CREATE TEMPORARY VIEW lower AS SELECT MOD(n, 10) AS k, window_time AS p, COUNT(*) AS c, SUM(n) AS s
  FROM TABLE(TUMBLE(TABLE src, DESCRIPTOR(p), INTERVAL '0.02' SECOND)) GROUP BY MOD(n, 10), window_start, window_end, window_time;
CREATE TEMPORARY VIEW higher AS SELECT window_end, SUM(c) AS c, SUM(s) AS s
  FROM TABLE(TUMBLE(TABLE lower, DESCRIPTOR(p), INTERVAL '0.05' SECOND)) GROUP BY window_start, window_end;
SELECT SUM(c), SUM(s), COUNT(DISTINCT window_end) = COUNT(*) FROM higher;
`

// TestProctimeLevels: each row counts once, however late it comes to a window by the clock, and no window is given
// twice.
func TestProctimeLevels(t *testing.T) {
	for _, parallelism := range []string{"1", "2", "3"} {
		s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
		for k, v := range map[string]string{"parallelism.default": parallelism, "streamsql.proctime.drain": "true",
			"execution.buffer-timeout": "30 ms"} {
			if _, err := s.Set(k, v); err != nil {
				t.Fatal(err)
			}
		}
		var out bytes.Buffer
		r := script.Runner{Session: s, Out: &out, Err: io.Discard, Result: render.Options{Format: "csv"}}
		if err := r.Run(t.Context(), levels, ""); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(out.String()); !strings.HasSuffix(got, "5000,12502500,TRUE") && !strings.HasSuffix(got, "5000,12502500,true") {
			t.Errorf("parallelism %s: %s", parallelism, got)
		}
	}
}
