// Package logic holds the engine against itself and against plain answers: random queries over random tables, split
// into parts that must come to the whole, computed again row by row, and run in every way that must not matter.
package logic

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"streamsql/connectors"
	"streamsql/exec"
	"streamsql/exec/connector"
	"streamsql/exec/graph"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner"
	"streamsql/planner/syntax"
)

var (
	soak    = flag.Bool("soak", false, "go on for the time of -for")
	seed    = flag.Uint64("seed", uint64(time.Now().UnixNano()), "of what is chosen at random")
	soakFor = flag.Duration("for", 5*time.Minute, "with -soak: how long each test goes on")
)

// rounds calls f with the randomness of each of n rounds, of fewer with -short, or of as many as -soak has time for.
// -args -seed brings the round that failed back as the first one.
func rounds(t *testing.T, n int, f func(t *testing.T, r *rand.Rand)) {
	t.Helper()
	if testing.Short() {
		n /= 5
	}
	began, k := time.Now(), 0
	for ; k < n || *soak && time.Since(began) < *soakFor; k++ {
		f(t, rand.New(rand.NewPCG(*seed+uint64(k), 8)))
		if t.Failed() {
			t.Fatalf("-args -seed %d", *seed+uint64(k))
		}
	}
	t.Logf("%d rounds, -args -seed %d", k, *seed)
}

// way is how a query is run.
type way struct {
	batch       bool
	size        int
	parallelism int
	churn       bool
	off         string // rules
}

// plainWay is what others are held against: bounded, in batches of no special size.
var plainWay = way{batch: true, size: 1024, parallelism: 1}

// streams are the ways of a stream.
func streams(r *rand.Rand) []way {
	var out []way
	for _, size := range []int{1, 3, 1024} {
		for _, parallelism := range []int{1, 2} {
			out = append(out, way{size: size, parallelism: parallelism, churn: r.IntN(2) == 0})
		}
	}
	return out
}

func session(t *testing.T, seed uint64, w way, tables ...*table) *planner.Session {
	t.Helper()
	s := planner.New(planner.Options{Connectors: append(connectors.All(), memory(seed, tables...)), Now: time.Now})
	settings := map[string]string{"streamsql.batch-size": fmt.Sprint(w.size), "parallelism.default": fmt.Sprint(w.parallelism),
		"streamsql.rules.off": w.off}
	if w.batch {
		settings["execution.runtime-mode"] = "batch"
	}
	for k, v := range settings {
		if _, err := s.Set(k, v); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range tables {
		if _, err := s.Prepare(x.declare(w.churn)); err != nil {
			t.Fatalf("%v\n%s", err, x.declare(w.churn))
		}
		if !x.versioned {
			continue
		}
		const view = "CREATE VIEW versions AS SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY rt DESC) AS n FROM v) WHERE n = 1"
		if _, err := s.Prepare(view); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// answer runs a query and returns the rows that are left, sorted, their cells divided by tabs.
func answer(s *planner.Session, sql string) (rows []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	res, err := s.Prepare(sql)
	if err != nil {
		return nil, err
	}
	if res.Graph == nil {
		return nil, nil
	}
	f := &fold{n: map[string]int{}}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	_, err = exec.Run(ctx, res.Graph, exec.Options{Env: s.Env(), MaxRows: s.Settings().BatchSize, Stdout: io.Discard, Stderr: io.Discard,
		Writer: func(*graph.Sink, *connector.Context) (connector.Writer, error) { return f, nil }})
	for line, n := range f.n {
		if n < 0 && err == nil {
			err = fmt.Errorf("%q was taken back and never given", line)
		}
		for range n {
			rows = append(rows, line)
		}
	}
	slices.Sort(rows)
	return rows, err
}

// told is an error, drawn into its statement, or with the stack of a panic.
func told(err error, sql string) string {
	var e *syntax.Error
	if errors.As(err, &e) {
		return e.Render(sql, "")
	}
	var f *exec.Failure
	if errors.As(err, &f) && f.Stack != nil {
		return fmt.Sprintf("%v\n%s\n%s", err, sql, f.Stack)
	}
	return err.Error() + "\n" + sql
}

// fold is the table that a changelog makes.
type fold struct {
	connector.Uncommitted
	mu   sync.Mutex
	n    map[string]int
	line []byte
}

func (f *fold) Write(b *vector.Batch) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range b.Len {
		f.line = f.line[:0]
		for k, c := range b.Cols {
			if k > 0 {
				f.line = append(f.line, '\t')
			}
			f.line = text.AppendCell(f.line, c, i)
		}
		if b.Kind(i).Adds() {
			f.n[string(f.line)]++
		} else {
			f.n[string(f.line)]--
		}
	}
	return nil
}

// cell writes a value as results are written.
func cell(t types.Type, v any) string {
	if v == nil {
		return `\N`
	}
	switch t.Kind {
	case types.Date:
		return time.Unix(v.(int64)*86400, 0).UTC().Format("2006-01-02")
	case types.Timestamp:
		return time.UnixMilli(v.(int64)).UTC().Format("2006-01-02 15:04:05.000")
	case types.Decimal:
		return fixed(v.(*big.Int), t.Scale)
	case types.Double:
		return strconv.FormatFloat(v.(float64), 'g', -1, 64)
	case types.Varchar:
		s := strings.NewReplacer(`\`, `\\`).Replace(v.(string))
		if s == "" {
			return `\e`
		}
		if strings.HasPrefix(s, " ") {
			s = `\s` + s[1:]
		}
		if strings.HasSuffix(s, " ") {
			s = s[:len(s)-1] + `\s`
		}
		return s
	}
	return fmt.Sprint(v)
}

// fixed writes an unscaled DECIMAL.
func fixed(v *big.Int, scale int) string {
	if scale == 0 {
		return v.String()
	}
	s := fmt.Sprintf("%0*s", scale+1, new(big.Int).Abs(v).String())
	s = s[:len(s)-scale] + "." + s[len(s)-scale:]
	if v.Sign() < 0 {
		return "-" + s
	}
	return s
}

// lines writes rows as answer does.
func lines(cols []column, rows []row) []string {
	out := make([]string, len(rows))
	for i, x := range rows {
		cells := make([]string, len(cols))
		for k, c := range cols {
			cells[k] = cell(c.t, x[k])
		}
		out[i] = strings.Join(cells, "\t")
	}
	slices.Sort(out)
	return out
}

// differ says how rows differ from those wanted, or nothing.
func differ(got, want []string) string {
	if slices.Equal(got, want) {
		return ""
	}
	return fmt.Sprintf("%d rows, want %d\ntoo much %.500q\nmissing  %.500q", len(got), len(want), without(got, want), without(want, got))
}

// without takes rows away, as often as they are in b.
func without(a, b []string) (out []string) {
	n := map[string]int{}
	for _, x := range b {
		n[x]++
	}
	for _, x := range a {
		if n[x]--; n[x] < 0 {
			out = append(out, x)
		}
	}
	return out
}
