package script

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestUnreadSources: a source ends that only full LIMITs read, wherever these stand, and the others go on to their own end.
func TestUnreadSources(t *testing.T) {
	for _, settings := range []string{"parallelism.default=1", "parallelism.default=2"} {
		r, out, errs := newRunner()
		set(t, r, settings)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		err := r.Run(ctx, `CREATE TABLE counts (n BIGINT, m BIGINT, PRIMARY KEY (n) NOT ENFORCED) WITH ('connector' = 'print');
			CREATE TABLE few (a BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '5000', 'fields.a.kind' = 'sequence',
				'fields.a.start' = '1', 'fields.a.end' = '5000');
			INSERT INTO counts SELECT COUNT(*), SUM(n) FROM (SELECT 1 AS n FROM nexmark.bid LIMIT 1000);
			SELECT COUNT(*) FROM (SELECT DISTINCT auction FROM nexmark.bid LIMIT 10) AS x, (SELECT a FROM few LIMIT 7) AS y;
			INSERT INTO counts SELECT COUNT(*), SUM(n) FROM (
				(SELECT 1 AS n FROM nexmark.bid LIMIT 3) UNION ALL SELECT 100 FROM few)`, "")
		cancel()
		if err != nil {
			t.Fatalf("%s: %v\n%s", settings, err, errs)
		}
		for _, last := range []string{"[1000, 1000]", "70", "[5003, 500003]"} {
			if !strings.Contains(out.String(), last) {
				t.Errorf("%s: no %s in\n%s", settings, last, out)
			}
		}
	}
}

// TestFullLimit: a job whose sinks are all behind a full LIMIT ends, though its input has no end, and its sources stop; with checkpoints
// too, and at any parallelism.
func TestFullLimit(t *testing.T) {
	for _, settings := range []string{"parallelism.default=1", "parallelism.default=2", "execution.checkpointing.interval=50 ms"} {
		r, out, errs := newRunner()
		set(t, r, strings.Split(settings, ",")...)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		err := r.Run(ctx, `CREATE TABLE p (a BIGINT) WITH ('connector' = 'print');
			INSERT INTO p SELECT auction FROM nexmark.bid LIMIT 3 OFFSET 2;
			SELECT bidder FROM nexmark.bid LIMIT 2`, "")
		cancel()
		if err != nil {
			t.Fatalf("%s: %v\n%s", settings, err, errs)
		}
		if n := strings.Count(out.String(), "+I["); n != 3 {
			t.Errorf("%s: %d rows are printed:\n%s", settings, n, out)
		}
	}
}
