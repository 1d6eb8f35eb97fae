package tests

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/connectors"
	"streamsql/planner"
)

// kept are further queries whose operators keep something.
var kept = map[string]string{
	"rank":  "SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY auction ORDER BY price DESC) AS r FROM bids) WHERE r <= 3",
	"first": "SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY bidder, auction ORDER BY dateTime DESC) AS r FROM bids) WHERE r = 1",
	"join":  "SELECT a.auction, b.price FROM bids a JOIN bids b ON a.auction = b.bidder",
	"shared": `WITH n AS (SELECT auction, COUNT(*) AS c FROM bids GROUP BY auction)
		SELECT l.auction, r.m FROM n l JOIN (SELECT c, MAX(auction) AS m FROM n GROUP BY c) r ON l.c = r.c`,
}

// comeAndGo are the kinds of nodes that keep nothing across a checkpoint: a plan has them or not, as its parallelism
// wants.
var comeAndGo = []string{"Calc", "Union", "LocalAggregate", "DistinctLocalAggregate", "LocalWindowAggregate"}

// TestIdentity: what keeps something in a checkpoint has a name of its own, and the same at any parallelism; so has
// the plan.
func TestIdentity(t *testing.T) {
	all := maps.Clone(shapes)
	maps.Copy(all, kept)
	for name, text := range all {
		var want []string
		var plan string
		for _, parallelism := range []string{"1", "2", "5"} {
			s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
			if _, err := s.Set("parallelism.default", parallelism); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Prepare(strings.TrimSuffix(strings.TrimSpace(bids), ";")); err != nil {
				t.Fatal(err)
			}
			r, err := s.Prepare(text)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var got []string
			for i, stage := range r.Graph.Stages {
				for k := range stage.Nodes {
					if id := r.Graph.ID(i, k); !slices.Contains(comeAndGo, strings.Fields(id)[1]) {
						got = append(got, id)
					}
				}
			}
			slices.Sort(got)
			if len(slices.Compact(slices.Clone(got))) != len(got) {
				t.Errorf("%s, parallelism %s: a name is given twice: %q", name, parallelism, got)
			}
			if want == nil {
				want, plan = got, r.Graph.Identity()
			}
			if !slices.Equal(got, want) || r.Graph.Identity() != plan {
				t.Errorf("%s, parallelism %s: %q, want %q%s", name, parallelism, got, want,
					fmt.Sprintf("\n%s\nwant\n%s", r.Graph.Identity(), plan))
			}
		}
	}
}
