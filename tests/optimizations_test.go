package tests

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"streamsql/cmd/streamsql/bench"
	"streamsql/connectors"
	"streamsql/planner"
	"streamsql/planner/physical"
)

// TestNexmarkOptimizations: the queries that operators optimize have the same answers without.
func TestNexmarkOptimizations(t *testing.T) {
	tried := sampled(t, 18, 3)
	for _, o := range physical.Optimizations {
		for _, q := range []string{"q4", "q5", "q7", "q8", "q9k", "q12e", "q15", "q16", "q17", "q18k", "q19k"} {
			for _, parallelism := range []int{1, 2} {
				if !tried() {
					continue
				}
				s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
				for k, v := range map[string]string{"streamsql.optimizations.off": o[0], "parallelism.default": fmt.Sprint(parallelism)} {
					if _, err := s.Set(k, v); err != nil {
						t.Fatal(err)
					}
				}
				run, _ := bench.Measure(context.Background(), s, bench.Config{Query: q, Options: inputs[0].Options, Verify: true,
					Out: io.Discard, Err: io.Discard})
				if run.Error != "" || run.Verified == nil || !*run.Verified {
					t.Errorf("%s without %s, %d subtasks: %s %s %s", q, o[0], parallelism, run.Error, run.Digest, run.Note)
				}
			}
		}
	}
}
