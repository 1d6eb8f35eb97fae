package tests

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"testing"
	"time"

	"streamsql/cmd/streamsql/bench"
	"streamsql/connectors"
	"streamsql/planner"
	"streamsql/queries"
)

var soak = flag.Bool("soak", false, "run every setting of the sameness matrix over every input")

// exchanged are the queries whose keys meet behind an exchange.
var exchanged = []string{"q12e", "q15", "q16", "q17"}

// ways are the settings of exchanges that must not change an answer: batch size, parallelism, segment size,
// exclusive buffers, transport.
func ways() []map[string]string {
	var out []map[string]string
	for _, batch := range []int{1, 3, 1024} {
		out = append(out, map[string]string{"streamsql.batch-size": fmt.Sprint(batch)})
		for _, parallelism := range []int{2, 4} {
			for _, segment := range []string{"256 b", "32 kb"} {
				for _, exclusive := range []int{0, 1, 2} {
					for _, transport := range []string{"local", "tcp"} {
						out = append(out, map[string]string{"streamsql.batch-size": fmt.Sprint(batch),
							"parallelism.default": fmt.Sprint(parallelism), "taskmanager.memory.segment-size": segment,
							"taskmanager.network.memory.buffers-per-channel": fmt.Sprint(exclusive), "streamsql.transport": transport})
					}
				}
			}
		}
	}
	return out
}

// TestSameness: however rows travel between tasks, the answer is the golden. It takes a third of the matrix over
// the small input, and a seventh with -short; `make soak` takes everything.
func TestSameness(t *testing.T) {
	list, over, step := ways(), inputs[:1], 3
	switch {
	case *soak:
		over, step = inputs, 1
	case testing.Short():
		step = 7
	}
	for n, q := range exchanged {
		if !slices.Contains(queries.List(), q) {
			continue
		}
		for _, in := range over {
			t.Run(q+"/"+in.name, func(t *testing.T) {
				t.Parallel()
				for i, way := range list {
					if i%step == n%step {
						same(t, q, in.options, way)
					}
				}
			})
		}
	}
}

// same runs a query one way and compares it with its golden.
func same(t *testing.T, q string, options, way map[string]string) {
	t.Helper()
	s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
	for k, v := range way {
		if w, err := s.Set(k, v); err != nil || w != "" {
			t.Fatal(k, v, w, err)
		}
	}
	run, _ := bench.Measure(t.Context(), s, bench.Config{Query: q, Options: maps.Clone(options), Verify: true,
		Out: io.Discard, Err: io.Discard})
	if run.Error != "" || run.Verified == nil || !*run.Verified {
		t.Errorf("%v: %s %s %s", way, run.Error, run.Digest, run.Note)
	}
}
