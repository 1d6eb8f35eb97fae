package tests

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/connectors"
	"streamsql/exec"
	"streamsql/exec/connector"
	"streamsql/exec/graph"
	"streamsql/planner"
)

// sharedQueries read something twice.
var sharedQueries = []string{
	`SELECT auction, COUNT(*) FROM b GROUP BY auction UNION ALL SELECT auction, COUNT(*) FROM b GROUP BY auction
	 UNION ALL SELECT auction, MAX(price) FROM b GROUP BY auction`,
	`SELECT auction, bidder FROM b WHERE price > 100000 UNION ALL SELECT auction, bidder FROM b WHERE price < 10000`,
	`SELECT auction FROM b INTERSECT SELECT auction FROM b WHERE price > 10000000`,
	`SELECT n, COUNT(*) FROM (SELECT COUNT(*) AS n FROM b GROUP BY auction UNION ALL SELECT COUNT(*) FROM b GROUP BY bidder
	 UNION ALL SELECT SUM(n) FROM (SELECT COUNT(*) AS n FROM b GROUP BY auction)) GROUP BY n`,
	`SELECT x.auction, x.n, y.m FROM (SELECT auction, COUNT(*) AS n FROM b GROUP BY auction) x
	 JOIN (SELECT MAX(n) AS m FROM (SELECT auction, COUNT(*) AS n FROM b GROUP BY auction)) y ON x.n = y.m`,
	`SELECT a.auction, b.bidder, a.m FROM (SELECT auction, MAX(price) AS m FROM b GROUP BY auction) a
	 JOIN b ON a.auction = b.auction AND a.m = b.price`,
	`SELECT window_end, auction, n FROM (SELECT window_end, auction, COUNT(*) AS n FROM TABLE(HOP(TABLE b, DESCRIPTOR(dateTime),
	 INTERVAL '1' SECOND, INTERVAL '3' SECOND)) GROUP BY window_start, window_end, auction) UNION ALL
	 SELECT window_end, 0, MAX(n) FROM (SELECT window_end, auction, COUNT(*) AS n FROM TABLE(HOP(TABLE b, DESCRIPTOR(dateTime),
	 INTERVAL '1' SECOND, INTERVAL '3' SECOND)) GROUP BY window_start, window_end, auction) GROUP BY window_end`,
}

// TestSharedSubplans: whether a subplan runs once or for each of its readers changes no answer, in one chain or over
// exchanges.
func TestSharedSubplans(t *testing.T) {
	tried := sampled(t, 11, 3)
	for _, q := range sharedQueries {
		var want []string
		for _, set := range []string{"share-subplans", ""} {
			for _, parallelism := range []string{"1", "2", "3"} {
				for _, way := range [][2]string{{"1024", "true"}, {"3", "false"}} {
					if want != nil && !tried() {
						continue
					}
					s := sharingSession(t, map[string]string{"streamsql.rules.off": set, "parallelism.default": parallelism,
						"streamsql.batch-size": way[0], "streamsql.pushdown": way[1]})
					o := execute(s, q)
					if o.err != nil {
						t.Fatalf("%s\nwithout %s, %s subtasks: %v", q, set, parallelism, o.err)
					}
					slices.Sort(o.rows)
					if want == nil {
						want = o.rows
					}
					if len(want) == 0 || !slices.Equal(o.rows, want) {
						t.Errorf("%s\nwithout %q, %s subtasks: %d rows, want %d", q, set, parallelism, len(o.rows), len(want))
					}
				}
			}
		}
	}
}

func sharingSession(t *testing.T, settings map[string]string) *planner.Session {
	t.Helper()
	s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
	for k, v := range settings {
		if _, err := s.Set(k, v); err != nil {
			t.Fatal(err)
		}
	}
	for _, st := range []string{
		"CREATE TEMPORARY VIEW b AS SELECT * FROM nexmark.bid /*+ OPTIONS('events.num'='1500', 'rng'='event') */",
		"CREATE TABLE one (k BIGINT, v BIGINT) WITH ('connector' = 'blackhole')",
		"CREATE TABLE two (k BIGINT, v BIGINT) WITH ('connector' = 'blackhole')",
		"CREATE TABLE byX (x BIGINT, y BIGINT, PRIMARY KEY (x) NOT ENFORCED) WITH ('connector' = 'blackhole')",
		"CREATE TABLE byBoth (x BIGINT, y BIGINT, PRIMARY KEY (x, y) NOT ENFORCED) WITH ('connector' = 'blackhole')",
		"CREATE TABLE three (k BIGINT, v BIGINT) WITH ('connector' = 'blackhole')",
	} {
		if o := execute(s, st); o.err != nil {
			t.Fatal(o.err)
		}
	}
	return s
}

// TestStatementSet: the inserts of a set are one job that reads the table once, and each sink gets what its insert
// gives by itself.
func TestStatementSet(t *testing.T) {
	inserts := []string{
		"INSERT INTO one SELECT auction, COUNT(*) FROM b GROUP BY auction",
		"INSERT INTO two SELECT bidder, price FROM b WHERE price > 1000000",
		"INSERT INTO three SELECT v, COUNT(*) FROM (SELECT COUNT(*) AS v FROM b GROUP BY auction) GROUP BY v",
	}
	whole := "EXECUTE STATEMENT SET BEGIN " + strings.Join(inserts, "; ") + "; END"
	for _, off := range []string{"share-subplans", ""} {
		for _, parallelism := range []string{"1", "2"} {
			s := sharingSession(t, map[string]string{"streamsql.rules.off": off, "parallelism.default": parallelism})
			s.KeepUpdateBefore()
			want := map[string][]string{}
			for _, i := range inserts {
				for table, rows := range written(t, s, i, 1) {
					want[table] = rows
				}
			}
			sources := 3
			if off == "" {
				sources = 1
			}
			got := written(t, s, whole, sources)
			for table, rows := range want {
				if len(rows) == 0 || !slices.Equal(got[table], rows) {
					t.Errorf("without %q, %s subtasks: %d rows of %s, want %d", off, parallelism, len(got[table]), table, len(rows))
				}
			}
		}
	}
}

// written runs an INSERT or a set of them and returns the tables that came of it.
func written(t *testing.T, s *planner.Session, sql string, sources int) map[string][]string {
	t.Helper()
	res, err := s.Prepare(sql)
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range res.Graph.Stages {
		for _, n := range st.Nodes {
			if n.Source != nil {
				sources--
			}
		}
	}
	if sources != 0 {
		t.Errorf("%d sources too few in\n%s", sources, res.Graph)
	}
	tables := map[string]*cells{"one": {counts: map[string]int{}}, "two": {counts: map[string]int{}}, "three": {counts: map[string]int{}}}
	_, err = exec.Run(context.Background(), res.Graph, exec.Options{Env: s.Env(), MaxRows: 100, Stdout: io.Discard, Stderr: io.Discard,
		Writer: func(n *graph.Sink, _ *connector.Context) (connector.Writer, error) {
			if tables[n.Table] == nil {
				return nil, fmt.Errorf("a sink of the table %s", n.Table)
			}
			return tables[n.Table], nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for name, c := range tables {
		if rows := c.table(); len(rows) > 0 {
			slices.Sort(rows)
			out[name] = rows
		}
	}
	return out
}
