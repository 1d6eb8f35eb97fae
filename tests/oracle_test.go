package tests

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"streamsql/cmd/streamsql/bench"
	"streamsql/connectors"
	"streamsql/connectors/filesystem"
	"streamsql/exec/connector"
	"streamsql/exec/graph"
	"streamsql/exec/option"
	"streamsql/exec/text"
	"streamsql/nexmark"
	"streamsql/planner"
	"streamsql/tests/oracle"
)

// reading are the connectors, of which Nexmark's reads events from a file.
func reading(path string) []connector.Definition {
	all := connectors.All()
	at := slices.IndexFunc(all, func(d connector.Definition) bool { return d.Name == nexmark.Definition.Name })
	all[at].Source = func(t *connector.Table) (connector.Source, error) {
		file := *t
		file.Options = filesystem.Definition.Options()
		err := option.Decode(file.Options, map[string]string{"path": path, "format": "json"})
		if err != nil {
			return nil, err
		}
		return filesystem.Definition.Source(&file)
	}
	return all
}

// answered runs a query over events, in the order in which they stand, and returns the final table. Every prefix of the
// changelog must be well formed.
func answered(t *testing.T, query string, events []oracle.Event, settings map[string]string) []string {
	t.Helper()
	var lines []byte
	for i := range events {
		lines = events[i].AppendJSON(lines)
	}
	path := filepath.Join(t.TempDir(), "events.json")
	if err := os.WriteFile(path, lines, 0o600); err != nil {
		t.Fatal(err)
	}
	s := planner.New(planner.Options{Connectors: reading(path), Now: time.Now})
	s.KeepUpdateBefore()
	for k, v := range settings {
		if w, err := s.Set(k, v); err != nil || w != "" {
			t.Fatal(k, v, w, err)
		}
	}
	all := &ledger{}
	run, _ := bench.Measure(t.Context(), s, bench.Config{Query: query, Out: io.Discard, Err: io.Discard,
		Writer: func(*graph.Sink, *connector.Context) (connector.Writer, error) {
			return &entries{all: all, whole: true, n: map[string]int{}, encode: text.AppendGolden}, nil
		}})
	if run.Error != "" {
		t.Fatalf("%s, %v: %s", query, settings, run.Error)
	}
	return all.rows()
}

// oracles are the queries that the oracle knows, or those of them that have one answer whatever the order of arrival.
func oracles(settled bool) []string {
	return slices.DeleteFunc(bench.Judged(), func(q string) bool {
		return !oracle.Knows(q) || settled && !bench.Settled(q, "")
	})
}

// compare tells the first rows that differ.
func compare(t *testing.T, what string, got, want []string) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	extra := slices.DeleteFunc(slices.Clone(got), func(r string) bool { _, ok := slices.BinarySearch(want, r); return ok })
	missing := slices.DeleteFunc(slices.Clone(want), func(r string) bool { _, ok := slices.BinarySearch(got, r); return ok })
	t.Errorf("%s: %d rows, want %d\ntoo much %.400q\nmissing  %.400q", what, len(got), len(want), extra, missing)
}

// generatedLike are configurations that the goldens do not have.
func generatedLike(r *rand.Rand) (nexmark.Config, int) {
	c := nexmark.Default()
	c.Seed = r.Uint64N(1 << 40)
	c.Rate = []int64{1, 7, 100, 10_000}[r.IntN(4)]
	c.Persons, c.Auctions, c.Bids = 1+r.Int64N(3), 1+r.Int64N(6), 10+r.Int64N(40)
	return c, 1 + r.IntN(3000)
}

// tied tells that two bids were made at one time, so that only their arrival says which was first.
func tied(events []oracle.Event) bool {
	seen := map[int64]bool{}
	for i := range events {
		if e := &events[i]; e.Kind == nexmark.Bid {
			if seen[e.Time] {
				return true
			}
			seen[e.Time] = true
		}
	}
	return false
}

// TestOracle: every query says what the plain answer to it is, over generated events of other seeds, sizes and rates
// than the goldens', and over events that the generator never makes.
func TestOracle(t *testing.T) {
	r, rounds := seeded(t, 7), 2
	switch {
	case *soak:
		rounds = 30
	case testing.Short():
		rounds = 1
	}
	for round := range rounds {
		c, n := generatedLike(r)
		generated, err := oracle.Generated(c, n)
		if err != nil {
			t.Fatal(err)
		}
		wild := oracle.Wild(r, 20+r.IntN(400))
		for _, q := range oracles(false) {
			way := map[string]string{"streamsql.batch-size": []string{"1", "3", "50", "1024"}[r.IntN(4)]}
			if !bench.Arrives(q, "") || !tied(generated) {
				compare(t, fmt.Sprintf("%s, round %d, %d events of seed %d and rate %v, %v", q, round, n, c.Seed, c.Rate, way),
					answered(t, q, generated, way), oracle.Answer(q, generated))
			}
			if !bench.Arrives(q, "") || !tied(wild) {
				compare(t, fmt.Sprintf("%s, round %d, %d wild events, %v", q, round, len(wild), way), answered(t, q, wild, way),
					oracle.Answer(q, wild))
			}
		}
	}
}

// lateness is what the table's watermark lets pass, in milliseconds.
const lateness = 4000

// TestPermuted: any order of rows that the watermark lets pass gives one final table, with any number of subtasks. Every
// prefix of its changelog is well formed.
func TestPermuted(t *testing.T) {
	r, rounds := seeded(t, 9), 1
	tried := sampled(t, 14, 2)
	if *soak {
		rounds = 30
	}
	for round := range rounds {
		c, n := generatedLike(r)
		generated, err := oracle.Generated(c, n)
		if err != nil {
			t.Fatal(err)
		}
		for name, events := range map[string][]oracle.Event{"generated": generated, "wild": oracle.Wild(r, 20+r.IntN(300))} {
			permuted := oracle.Permuted(r, events, lateness-1)
			for _, q := range oracles(true) {
				if !tried() {
					continue
				}
				way := map[string]string{"streamsql.batch-size": []string{"1", "7", "1024"}[r.IntN(3)],
					"parallelism.default": []string{"1", "2", "3"}[r.IntN(3)]}
				compare(t, fmt.Sprintf("%s, round %d, %s: %d events of seed %d and rate %v, %v", q, round, name, len(events),
					c.Seed, c.Rate, way), answered(t, q, permuted, way), oracle.Answer(q, events))
			}
		}
	}
}
