package planner_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/connectors"
	"streamsql/planner"
)

// TestResultByKey: who takes a query's rows by their key gets no -U, and is told the least key that there is; where there is
// none rows come as they are, and so they do for everybody else.
func TestResultByKey(t *testing.T) {
	for _, c := range []struct {
		sql     string
		key     []int
		changes string // of what the sink reads
	}{
		{"SELECT COUNT(*) AS n, auction FROM nexmark.bid GROUP BY auction", []int{1}, "[I,UA]"},
		{"SELECT COUNT(*) AS n FROM nexmark.bid", []int{}, "[I,UA]"},
		{"SELECT n FROM (SELECT COUNT(*) AS n, auction FROM nexmark.bid GROUP BY auction)", nil, "[I,UB,UA]"},
		{"SELECT auction FROM nexmark.bid", nil, "[I]"},
	} {
		for _, by := range []bool{true, false} {
			s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
			s.ResultByKey(by, 100*time.Millisecond)
			r, err := s.Prepare(c.sql)
			if err != nil {
				t.Fatal(err)
			}
			nodes := r.Graph.Stages[len(r.Graph.Stages)-1].Nodes
			sink, changes := nodes[len(nodes)-1].Sink, nodes[len(nodes)-2].Changes
			key, want := c.key, c.changes
			if !by && want != "[I]" {
				key, want = nil, "[I,UB,UA]"
			}
			if !slices.Equal(sink.Key, key) || (sink.Key == nil) != (key == nil) || changes != want {
				t.Errorf("%s, by its key: %t: the key is %v, the changes %s, want %v and %s", c.sql, by, sink.Key, changes, key, want)
			}
		}
	}
}

// TestMiniBatch: aggregations fold their changes as the session says, and for somebody who looks at rows now and then unless it
// says that they do not; not where they fill tables, nor where what is behind them goes by the watermark.
func TestMiniBatch(t *testing.T) {
	const query = "SELECT auction, COUNT(*) AS n FROM nexmark.bid GROUP BY auction"
	const insert = "INSERT INTO hole SELECT auction, COUNT(*) FROM nexmark.bid GROUP BY auction"
	on := []string{"SET 'table.exec.mini-batch.enabled' = 'true'", "SET 'table.exec.mini-batch.allow-latency' = '2 s'",
		"SET 'table.exec.mini-batch.size' = '50000'"}
	off := []string{"SET 'table.exec.mini-batch.enabled' = 'false'"}
	for _, c := range []struct {
		set       []string
		by        bool
		sql, want string
	}{
		{nil, false, query, ""},
		{nil, true, query, "mini-batch=[100ms]"},
		{nil, true, insert, ""},
		{off, true, query, ""},
		{on, true, query, "mini-batch=[2s, 50000 rows]"},
		{on, false, insert, "mini-batch=[2s, 50000 rows]"},
		{on, false, "SELECT DISTINCT auction FROM nexmark.bid", ""},
		{append([]string{"SET 'execution.runtime-mode' = 'BATCH'"}, on...), false,
			"SELECT auction, COUNT(*) AS n FROM nexmark.bid /*+ OPTIONS('events.num' = '9') */ GROUP BY auction", ""},
	} {
		s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
		for _, x := range append([]string{"CREATE TABLE hole (a BIGINT, n BIGINT) WITH ('connector' = 'blackhole')"}, c.set...) {
			if _, err := s.Prepare(x); err != nil {
				t.Fatal(err)
			}
		}
		s.ResultByKey(c.by, 100*time.Millisecond)
		r, err := s.Prepare(c.sql)
		if err != nil {
			t.Fatal(err)
		}
		_, got, _ := strings.Cut(r.Graph.String(), "mini-batch=")
		if got, _, _ = strings.Cut(got, "]"); got != "" {
			got = "mini-batch=" + got + "]"
		}
		if got != c.want {
			t.Errorf("%v, looked at: %t, %s: %q, want %q", c.set, c.by, c.sql, got, c.want)
		}
	}
}
