package script

import (
	"context"
	"strings"
	"testing"
	"time"
)

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
