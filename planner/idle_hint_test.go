package planner_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/connectors"
	"streamsql/planner"
)

// TestIdleHints: a hint that changes nothing is told of with the statement that it stands in, and once.
func TestIdleHints(t *testing.T) {
	s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
	told := func(sql string) int {
		t.Helper()
		r, err := s.Prepare(sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return len(slices.DeleteFunc(r.Warnings, func(w string) bool { return !strings.Contains(w, "the hint BROADCAST changes nothing") }))
	}
	const hinted = "SELECT /*+ BROADCAST(a) */ a.auction FROM nexmark.bid AS a JOIN nexmark.bid AS b ON a.auction = b.bidder"
	for sql, want := range map[string]int{
		hinted + " UNION ALL " + hinted:   1,
		"SELECT auction FROM nexmark.bid": 0,
		"SELECT /*+ STATE_TTL('a' = '1 d') */ a.auction FROM nexmark.bid AS a JOIN nexmark.bid AS b ON a.auction = b.bidder": 0,
	} {
		if n := told(sql); n != want {
			t.Errorf("%s: told %d times, want %d", sql, n, want)
		}
		if _, err := s.Explain(hinted); err != nil { // which leaves nothing for the next one
			t.Fatal(err)
		}
	}
	told("CREATE TABLE k (x BIGINT) WITH ('connector' = 'blackhole')")
	told("BEGIN STATEMENT SET")
	if n := told("INSERT INTO k " + hinted); n != 0 {
		t.Errorf("an INSERT of a set tells of %d hints", n)
	}
	if n := told("END"); n != 1 {
		t.Errorf("END tells of %d hints", n)
	}
}
