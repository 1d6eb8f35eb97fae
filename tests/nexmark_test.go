package tests

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/cmd/streamsql/bench"
	"streamsql/cmd/streamsql/script"
	"streamsql/connectors"
	"streamsql/exec/connector"
	"streamsql/exec/graph"
	"streamsql/exec/vector"
	"streamsql/planner"
	"streamsql/planner/rules"
	"streamsql/queries"
)

// inputs are the golden inputs.
var inputs = bench.Inputs()

// cell is one setting of the sameness matrix.
type cell struct {
	batch, parallelism int
	pushDown           bool
}

func (c cell) String() string {
	return fmt.Sprintf("batch=%d/parallelism=%d/pushdown=%v", c.batch, c.parallelism, c.pushDown)
}

// matrix is every cell, the plainest first. The first one that is run also compares the SHA-256 of the sorted rows.
func matrix() []cell {
	var out []cell
	for _, batch := range []int{1024, 1, 3, 4096} {
		for _, parallelism := range []int{1, 2, 4} {
			for _, push := range []bool{true, false} {
				out = append(out, cell{batch, parallelism, push})
			}
		}
	}
	return out
}

// TestNexmarkGoldens runs every query over every golden input: the answers are the goldens', with push-down and without,
// and at some settings more, which the seed chooses; `make soak` takes all. With -short it is one cell per query and input.
func TestNexmarkGoldens(t *testing.T) {
	cells, r := matrix(), seeded(t, 8)
	for _, q := range bench.Judged() {
		for _, in := range inputs {
			if testing.Short() && in.Name == "100k" {
				continue // of the two inputs of that size the one with more ties and windows is enough for the -race pass
			}
			first, more := r.IntN(2), 1
			if in.Name == "2k" {
				more = 3
			}
			chosen := append(slices.Clone(cells[:2]), choose(r, cells[2:], more)...)
			switch {
			case *soak:
				chosen = cells
			case testing.Short():
				chosen = cells[first : first+1]
			}
			t.Run(q+"/"+in.Name, func(t *testing.T) {
				t.Parallel()
				for i, c := range chosen {
					if c.parallelism == 1 && (!c.pushDown || !bench.Arrives(q, in.Name)) || bench.Settled(q, in.Name) {
						verify(t, q, in.Name, in.Options, c, i > 0)
					}
				}
			})
		}
	}
}

// choose picks some cells. The smallest batches are slow, and few of them are enough.
func choose(r *rand.Rand, cells []cell, n int) (out []cell) {
	for _, at := range r.Perm(len(cells)) {
		if len(out) < n && (cells[at].batch > 3 || r.IntN(8) == 0) {
			out = append(out, cells[at])
		}
	}
	return out
}

func verify(t *testing.T, q, input string, options map[string]string, c cell, light bool) {
	t.Helper()
	s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
	for k, v := range map[string]string{"streamsql.batch-size": fmt.Sprint(c.batch), "parallelism.default": fmt.Sprint(c.parallelism),
		"streamsql.pushdown": fmt.Sprint(c.pushDown)} {
		if w, err := s.Set(k, v); err != nil || w != "" {
			t.Fatal(k, v, w, err)
		}
	}
	run, _ := bench.Measure(context.Background(), s, bench.Config{Query: q, Options: maps.Clone(options), Verify: true, Light: light,
		Out: io.Discard, Err: io.Discard})
	switch {
	case run.Error != "":
		t.Errorf("%v: %s", c, run.Error)
	case run.Verified == nil:
		t.Errorf("%v: nothing to compare with: %s", c, run.Note)
	case !*run.Verified:
		t.Errorf("%v over %s: got %s, %s", c, input, run.Digest, run.Note)
	}
}

// TestNexmarkRules: switching a rewrite rule off changes no answer. A query whose plan is the same without it is not run again.
func TestNexmarkRules(t *testing.T) {
	tried, ran := sampled(t, 9, 10), 0
	for _, q := range bench.Judged() {
		if bench.Arrives(q, inputs[0].Name) {
			continue // q6beam is alike
		}
		with := explained(t, q, "")
		for _, rule := range ruleNames() {
			if explained(t, q, rule) == with || !tried() {
				continue
			}
			ran++
			s := without(t, rule)
			run, _ := bench.Measure(context.Background(), s, bench.Config{Query: q, Options: inputs[0].Options, Verify: true,
				Out: io.Discard, Err: io.Discard})
			if run.Error != "" || run.Verified == nil || !*run.Verified {
				t.Errorf("%s without %s: %s %s %s", q, rule, run.Error, run.Digest, run.Note)
			}
		}
	}
	if t.Logf("%d pairs of a query and a rule that changes its plan", ran); ran == 0 {
		t.Error("no rule changes a plan")
	}
}

// without is a session without a rewrite rule.
func without(t *testing.T, rule string) *planner.Session {
	t.Helper()
	s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
	if _, err := s.Set("streamsql.rules.off", rule); err != nil {
		t.Fatal(err)
	}
	return s
}

// explained is the plan of a query without a rule.
func explained(t *testing.T, q, rule string) string {
	t.Helper()
	text, err := queries.Text(q)
	if err != nil {
		t.Fatal(err)
	}
	vars := queries.Variables()
	var out bytes.Buffer
	run := &script.Runner{Session: without(t, rule), Out: &out, Err: io.Discard,
		Lookup: func(name string) (string, bool) { v, ok := vars[name]; return v, ok }}
	text = strings.ReplaceAll(queries.DDL()+text, "\nINSERT INTO", "\nEXPLAIN INSERT INTO")
	if err := run.Run(t.Context(), text, ""); err != nil {
		t.Fatalf("%s without %q: %v", q, rule, err)
	}
	return out.String()
}

// TestEventRandomness: with rng=event the answers do not depend on parallelism, batches or push-down.
func TestEventRandomness(t *testing.T) {
	tried := sampled(t, 10, 4)
	for _, q := range bench.Judged() {
		if !tried() {
			continue
		}
		want := ""
		for _, c := range []cell{{1024, 1, false}, {1024, 1, true}, {3, 2, true}, {4096, 4, false}} {
			if c.parallelism > 1 && !bench.Settled(q, "10k") || bench.Arrives(q, "10k") {
				continue
			}
			s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
			for k, v := range map[string]string{"streamsql.batch-size": fmt.Sprint(c.batch), "parallelism.default": fmt.Sprint(c.parallelism),
				"streamsql.pushdown": fmt.Sprint(c.pushDown)} {
				if _, err := s.Set(k, v); err != nil {
					t.Fatal(err)
				}
			}
			run, d := bench.Measure(context.Background(), s, bench.Config{Query: q, Digest: true,
				Options: map[string]string{"events.num": "10000", "rng": "event"}, Out: io.Discard, Err: io.Discard})
			switch {
			case d == nil:
				t.Fatalf("%s at %v: %s", q, c, run.Error)
			case want == "":
				want = d.String()
			case want != d.String():
				t.Errorf("%s at %v: %s, want %s", q, c, d, want)
			}
		}
	}
}

func ruleNames() []string {
	var out []string
	for _, r := range rules.Docs() {
		out = append(out, r[0])
	}
	return out
}

// TestProctime: whatever the clock, q12 counts each bid once, in windows of 10 seconds.
func TestProctime(t *testing.T) {
	s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
	if _, err := s.Set("streamsql.proctime.drain", "true"); err != nil {
		t.Fatal(err)
	}
	w := &windowCounts{counts: map[int64]int64{}, seen: map[[2]int64]bool{}}
	run, _ := bench.Measure(context.Background(), s, bench.Config{Query: "q12", Options: map[string]string{"events.num": "50000"},
		Out: io.Discard, Err: io.Discard, Writer: func(*graph.Sink, *connector.Context) (connector.Writer, error) { return w, nil }})
	var sum int64
	for _, n := range w.counts {
		sum += n
	}
	if run.Error != "" || w.bad != "" || sum != 46000 {
		t.Errorf("%d bids counted, want 46000; %s %s", sum, run.Error, w.bad)
	}
}

// windowCounts checks the rows of q12.
type windowCounts struct {
	cells
	counts map[int64]int64
	seen   map[[2]int64]bool
	bad    string
}

func (w *windowCounts) Write(b *vector.Batch) error {
	for i := range b.Len {
		var v [4]int64
		for k, c := range b.Cols {
			v[k] = vector.Value[int64](c, i)
		}
		key := [2]int64{v[0], v[2]}
		if v[3]-v[2] != 10_000 || v[2]%10_000 != 0 || w.seen[key] || b.Kind(i) != vector.Insert {
			w.bad = fmt.Sprint("a wrong row: ", v)
		}
		w.seen[key] = true
		w.counts[v[0]] += v[1]
	}
	return nil
}
