package tests

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"streamsql/exec"
	"streamsql/exec/connector"
	"streamsql/exec/graph"
	"streamsql/exec/text"
	"streamsql/exec/vector"
	"streamsql/planner"
)

// plans writes random queries of the columns x and y, out of everything that makes or takes changes. Now and then one
// stands in two places.
type plans struct {
	*rand.Rand
	made []string
}

func (p *plans) query(depth int) string {
	if n := len(p.made); n > 0 && p.IntN(4) == 0 {
		return p.made[p.IntN(n)]
	}
	q := p.fresh(depth)
	p.made = append(p.made, q)
	return q
}

func (p *plans) fresh(depth int) string {
	if depth == 0 {
		return []string{"SELECT auction AS x, MOD(price, 5) AS y FROM b", "SELECT MOD(bidder, 7) AS x, MOD(auction, 9) AS y FROM b WHERE price > 5000000"}[p.IntN(2)]
	}
	in := "(" + p.query(depth-1) + ")"
	k := p.IntN(5)
	switch p.IntN(16) {
	case 0:
		return fmt.Sprintf("SELECT x, y FROM %s WHERE x > %d", in, k)
	case 1:
		return fmt.Sprintf("SELECT x, y FROM %s WHERE y < %d", in, 3+k)
	case 2:
		return "SELECT y AS x, x AS y FROM " + in
	case 3:
		return "SELECT x, COUNT(*) AS y FROM " + in + " GROUP BY x"
	case 4:
		return "SELECT MOD(y, 4) AS x, " + []string{"MAX(x)", "SUM(y)", "COUNT(DISTINCT x)", "MIN(y)"}[p.IntN(4)] + " AS y FROM " + in + " GROUP BY MOD(y, 4)"
	case 5:
		// Of no rows batch mode counts 0, and nothing comes of a stream.
		return "SELECT CAST(0 AS BIGINT) AS x, COUNT(*) AS y FROM (SELECT * FROM " + in + " UNION ALL SELECT auction, price FROM b)"
	case 6:
		return "SELECT DISTINCT x, y FROM " + in
	case 7:
		return "SELECT * FROM " + in + " UNION ALL SELECT * FROM (" + p.query(depth-1) + ")"
	case 8:
		return "SELECT l.x, r.y FROM (SELECT DISTINCT x, y FROM " + in + ") l " + []string{"", "LEFT ", "FULL "}[p.IntN(3)] +
			"JOIN (SELECT x, COUNT(*) AS y FROM (" + p.query(depth-1) + ") GROUP BY x) r ON l.x = r.x"
	case 9:
		return "SELECT x, y FROM " + in + " WHERE x " + []string{"", "NOT "}[p.IntN(2)] + "IN (SELECT x FROM (" + p.query(depth-1) + ") WHERE x IS NOT NULL)"
	case 10:
		return "SELECT x, y FROM " + in + []string{" INTERSECT ", " EXCEPT "}[p.IntN(2)] +
			"SELECT x, y FROM (" + p.query(depth-1) + ")"
	case 11:
		return "SELECT x, SUM(y) AS y FROM " + in + " GROUP BY GROUPING SETS ((x), (x, y), ())"
	case 12:
		return "SELECT l.x, l.y FROM " + in + " l WHERE " + []string{"", "NOT "}[p.IntN(2)] + "EXISTS (SELECT 1 FROM (" +
			p.query(depth-1) + ") r WHERE r.y = l.x)"
	case 13:
		return fmt.Sprintf("SELECT * FROM (SELECT x, y FROM %s ORDER BY x DESC, y LIMIT %d)", in, 2+k)
	case 14:
		return "SELECT x, COUNT(DISTINCT y) FILTER (WHERE y > 2) AS y FROM " + in + " GROUP BY x HAVING COUNT(*) > 1"
	}
	rank := []string{"ROW_NUMBER", "RANK", "DENSE_RANK"}[p.IntN(3)]
	place := ""
	if rank != "ROW_NUMBER" && p.IntN(2) == 0 {
		place = " + n - 1"
	}
	return fmt.Sprintf("SELECT x, y%s AS y FROM (SELECT x, y, %s() OVER (PARTITION BY x ORDER BY y DESC) AS n FROM %s) WHERE n <= %d",
		place, rank, in, 1+k/2)
}

var randomPlans = flag.Int("plans", 12, "random plans whose changelogs are checked")

// TestRandomChangelogs: whatever operators stand on each other, every prefix of the changelog is well formed, and what it
// comes to is what batch mode gives, with subplans shared or not, in one stage or several, in batches of any size. A sink
// with a primary key ends with a row of the query for each of its keys.
func TestRandomChangelogs(t *testing.T) {
	tried := sampled(t, 12, 4)
	for seed := range *randomPlans {
		if !tried() {
			continue
		}
		p := &plans{Rand: rand.New(rand.NewPCG(uint64(seed), 3))}
		q := p.query(3)
		batch := sharingSession(t, map[string]string{"execution.runtime-mode": "batch"})
		o := execute(batch, q)
		if o.err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, o.err, q)
		}
		slices.Sort(o.rows)
		for i, size := range []string{"1", "7", "1024"} {
			s := sharingSession(t, map[string]string{"streamsql.batch-size": size, "parallelism.default": fmt.Sprint(1 + (seed+i)%2),
				"streamsql.rules.off": []string{"", "share-subplans"}[(seed+i)/2%2]})
			if got := ledgerOf(t, s, q).rows(); !slices.Equal(got, o.rows) {
				t.Errorf("seed %d, batches of %s: %d rows, want %d\n%s\ngot  %.300q\nwant %.300q", seed, size, len(got), len(o.rows), q, got, o.rows)
			}
			checkUpserts(t, s, q, o.rows)
		}
		if t.Failed() {
			t.Fatalf("seed %d: %s", seed, q)
		}
	}
}

// checkUpserts writes to sinks by keys that may or may not be the query's. NULLs have no place in a key.
func checkUpserts(t *testing.T, s *planner.Session, q string, rows []string) {
	t.Helper()
	rows = slices.DeleteFunc(slices.Clone(rows), func(r string) bool { return strings.Contains(r, `\N`) })
	q = "SELECT * FROM (" + q + ") WHERE x IS NOT NULL AND y IS NOT NULL"
	byX, byBoth := ledgerOf(t, s, "INSERT INTO byX "+q), ledgerOf(t, s, "INSERT INTO byBoth "+q)
	if want := slices.Compact(slices.Clone(rows)); !slices.Equal(slices.Sorted(maps.Values(byBoth.last(2))), want) {
		t.Errorf("by x and y: got %.300q, want %.300q", byBoth.last(2), want)
	}
	keys := map[string]bool{}
	for _, r := range rows {
		x, _, _ := strings.Cut(r, "\t")
		keys[x] = true
	}
	got := byX.last(1)
	if len(got) != len(keys) {
		t.Errorf("by x: %d rows, want %d", len(got), len(keys))
	}
	for _, r := range got {
		if !slices.Contains(rows, r) {
			t.Errorf("by x: %q is no row of the query", r)
		}
	}
}

// ledgerOf runs a query or an INSERT.
func ledgerOf(t *testing.T, s *planner.Session, sql string) *ledger {
	t.Helper()
	res, err := s.Prepare(sql)
	if err != nil {
		t.Fatalf("%v\n%s", err, sql)
	}
	all := &ledger{}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	stats, err := exec.Run(ctx, res.Graph, exec.Options{Env: s.Env(), MaxRows: s.Settings().BatchSize,
		Stdout: io.Discard, Stderr: io.Discard,
		Writer: func(*graph.Sink, *connector.Context) (connector.Writer, error) {
			return &entries{all: all, whole: res.Query, n: map[string]int{}, encode: text.AppendCell}, nil
		}})
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, sql, res.Graph)
	}
	for _, n := range stats.Nodes {
		for _, c := range n.Noted {
			if c.Value > 0 {
				t.Errorf("%s of %s: %d\n%s", c.Name, n.Name, c.Value, sql)
			}
		}
	}
	return all
}

// ledger is a changelog, in the order in which its rows came from each subtask.
type ledger struct {
	mu    sync.Mutex
	kinds []vector.RowKind
	lines []string
}

// rows is the table that the changelog makes.
func (l *ledger) rows() []string {
	n := map[string]int{}
	for i, line := range l.lines {
		if l.kinds[i].Adds() {
			n[line]++
		} else {
			n[line]--
		}
	}
	var out []string
	for line, k := range n {
		for range k {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}

// last is what a table by the first columns holds, to which -U says the same as -D.
func (l *ledger) last(columns int) map[string]string {
	out := map[string]string{}
	for i, line := range l.lines {
		key := strings.Join(strings.Split(line, "\t")[:columns], "\t")
		if l.kinds[i].Adds() {
			out[key] = line
		} else {
			delete(out, key)
		}
	}
	return out
}

// entries writes what one subtask gives into the ledger. What is taken back must be there, when -U are not left out.
type entries struct {
	cells
	all    *ledger
	whole  bool
	n      map[string]int
	encode func(dst []byte, c *vector.Column, i int) []byte
}

func (w *entries) Write(b *vector.Batch) error {
	w.all.mu.Lock()
	defer w.all.mu.Unlock()
	for i := range b.Len {
		w.line = w.line[:0]
		for k, c := range b.Cols {
			if k > 0 {
				w.line = append(w.line, '\t')
			}
			w.line = w.encode(w.line, c, i)
		}
		line := string(w.line)
		w.all.kinds, w.all.lines = append(w.all.kinds, b.Kind(i)), append(w.all.lines, line)
		if b.Kind(i).Adds() {
			w.n[line]++
		} else if w.n[line]--; w.n[line] < 0 && w.whole {
			return fmt.Errorf("%s of %q, which is not there", b.Kind(i), line)
		}
	}
	return nil
}
