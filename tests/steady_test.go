package tests

import (
	"context"
	"io"
	"runtime"
	"strconv"
	"testing"
	"time"

	"streamsql/cmd/streamsql/bench"
	"streamsql/connectors"
	"streamsql/planner"
)

// rowByRow are the queries that keep no state.
var rowByRow = []string{"q0", "q1", "q2", "q14", "q21", "q22"}

// TestSteadyState: once a query that keeps no state runs, a batch costs less than three allocations. Keyed queries
// allocate pages as their state grows. The state of q16 grows with its
// input: a batch of it fills some pages of 16 KiB, and a page is an allocation.
func TestSteadyState(t *testing.T) {
	const short, long = 400_000, 1_200_000
	for _, q := range rowByRow {
		mallocs(t, q, short) // what is made once per process
		few, many := mallocs(t, q, short), mallocs(t, q, long)
		batches := float64(long-short) / 1024
		limit := 3.0
		if q == "q16" {
			limit = 8
		}
		if per := float64(int64(many)-int64(few)) / batches; per >= limit {
			t.Errorf("%s: %.2f allocations per batch", q, per)
		} else {
			t.Logf("%s: %.3f allocations per batch", q, per)
		}
	}
}

// mallocs runs a query over whole events into its blackhole and counts allocations.
func mallocs(t *testing.T, q string, events int) uint64 {
	t.Helper()
	s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
	if _, err := s.Set("streamsql.pushdown", "false"); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run, _ := bench.Measure(context.Background(), s, bench.Config{Query: q, Options: map[string]string{"events.num": strconv.Itoa(events)},
		Out: io.Discard, Err: io.Discard})
	runtime.ReadMemStats(&after)
	if run.Error != "" {
		t.Fatal(run.Error)
	}
	return after.Mallocs - before.Mallocs
}
