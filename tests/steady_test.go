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

// TestSteadyState: once a query that keeps no state runs, a batch costs less than three allocations.
func TestSteadyState(t *testing.T) {
	for _, q := range rowByRow {
		steady(t, q, 400_000, 3)
	}
}

// keyed are queries that keep state, and how many allocations a batch of theirs may cost. A page of state is one: what grows
// with its input fills some with each batch, and a window that opens is some tables with their columns.
var keyed = []struct {
	query string
	limit float64
}{
	{"q3", 1.5}, {"q4", 2}, {"q5", 35}, {"q6", 4}, {"q7", 3}, {"q8", 8}, {"q9", 4}, {"q11", 4}, {"q12e", 3}, {"q13", 0.5}, {"q15", 1},
	{"q16", 8}, {"q17", 2}, {"q18", 4}, {"q19", 8}, {"q20", 10},
}

// TestSteadyTables: joins, ranks, OVER, windows and sessions work in used memory: what a batch costs beside pages is less
// than an allocation for a thousand rows or for a window.
func TestSteadyTables(t *testing.T) {
	if testing.Short() {
		t.Skip("runs sixteen queries over half a million events each")
	}
	for _, c := range keyed {
		steady(t, c.query, 100_000, c.limit)
	}
}

// steady counts the allocations of a query per batch between a run over few events and one over three times as many.
func steady(t *testing.T, q string, events int, limit float64) {
	t.Helper()
	mallocs(t, q, events) // what is made once per process
	few, many := mallocs(t, q, events), mallocs(t, q, 3*events)
	batches := float64(2*events) / 1024
	if per := float64(int64(many)-int64(few)) / batches; per >= limit {
		t.Errorf("%s: %.2f allocations per batch, at most %v", q, per, limit)
	} else {
		t.Logf("%s: %.3f allocations per batch", q, per)
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
