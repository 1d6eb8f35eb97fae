package planner_test

import (
	"slices"
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
			s.ResultByKey(by)
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
