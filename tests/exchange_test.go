package tests

import (
	"bytes"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/cmd/streamsql/render"
	"streamsql/cmd/streamsql/script"
	"streamsql/connectors"
	"streamsql/planner"
)

// shapes are queries whose plans put edges where the Nexmark queries do not: under a union beside a source,
// behind each other, without keys, over changes.
var shapes = map[string]string{
	"no key":       "SELECT COUNT(*), SUM(price), MIN(channel), COUNT(DISTINCT bidder) FROM bids",
	"key computed": "SELECT price / 1000000, COUNT(*), COUNT(DISTINCT channel) FROM bids GROUP BY price / 1000000",
	"key NULL":     "SELECT NULLIF(MOD(auction, 3), 1), COUNT(*), MAX(price) FROM bids GROUP BY NULLIF(MOD(auction, 3), 1)",
	"distinct apart": `SELECT MOD(auction, 3), COUNT(DISTINCT channel), SUM(DISTINCT bidder), COUNT(DISTINCT bidder) FILTER (WHERE price > 10000),
		COUNT(DISTINCT NULLIF(MOD(bidder, 100), 7)), MAX(url), AVG(price) FROM bids GROUP BY MOD(auction, 3)`,
	"changes": "SELECT n, COUNT(*) FROM (SELECT auction, COUNT(*) AS n FROM bids GROUP BY auction) GROUP BY n",
	"changes, extremes": `SELECT MOD(auction, 7), MIN(n), MAX(n), MAX(c), MIN(p) FROM (SELECT auction, COUNT(*) AS n, MAX(channel) AS c, AVG(price) AS p
		FROM bids GROUP BY auction) GROUP BY MOD(auction, 7)`,
	"changes, no key": "SELECT COUNT(*), SUM(n) FROM (SELECT auction, COUNT(*) AS n FROM bids GROUP BY auction)",
	"union": `SELECT k, COUNT(*), SUM(n) FROM (SELECT auction AS k, COUNT(*) AS n FROM bids GROUP BY auction UNION ALL
		SELECT auction, price FROM bids WHERE bidder < 1010 UNION ALL SELECT COUNT(*), MAX(price) FROM bids) GROUP BY k`,
	"distinct": "SELECT DISTINCT channel FROM bids",
	"windows": `SELECT bidder, window_end, COUNT(*), COUNT(DISTINCT auction) FROM TABLE(HOP(TABLE bids, DESCRIPTOR(dateTime),
		INTERVAL '1' SECOND, INTERVAL '2' SECOND)) GROUP BY bidder, window_start, window_end`,
	"windows folded": `SELECT MOD(auction, 5), window_end, COUNT(*), MAX(channel), AVG(price), COUNT(*) FILTER (WHERE price > 10000)
		FROM TABLE(CUMULATE(TABLE bids, DESCRIPTOR(dateTime), INTERVAL '1' SECOND, INTERVAL '4' SECOND))
		GROUP BY MOD(auction, 5), window_start, window_end`,
	"all windows": `SELECT window_start, SUM(price) FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(dateTime), INTERVAL '50' SECOND))
		GROUP BY window_start, window_end`,
}

// bids are the rows that all shapes read.
const bids = "CREATE TEMPORARY VIEW bids AS SELECT * FROM nexmark.bid /*+ OPTIONS('events.num'='3000') */;\n"

// TestExchangeShapes: what a query gives does not depend on how many subtasks work on it.
func TestExchangeShapes(t *testing.T) {
	tried := sampled(t, 15, 3)
	for name, text := range shapes {
		want := ""
		for _, parallelism := range []string{"1", "2", "3"} {
			for _, way := range []map[string]string{{"streamsql.transport": "local"}, {"streamsql.transport": "tcp"},
				{"table.optimizer.distinct-agg.split.enabled": "true", "table.optimizer.distinct-agg.split.bucket-num": "5"}} {
				if want != "" && !tried() {
					continue
				}
				s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
				maps.Copy(way, map[string]string{"parallelism.default": parallelism, "streamsql.batch-size": "100",
					"execution.buffer-timeout": "1 ms"})
				for k, v := range way {
					if _, err := s.Set(k, v); err != nil {
						t.Fatal(err)
					}
				}
				var out bytes.Buffer
				r := script.Runner{Session: s, Out: &out, Err: io.Discard, Result: render.Options{Format: "csv"}}
				if err := r.Run(t.Context(), bids+text, ""); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				lines := strings.Split(strings.TrimSpace(out.String()), "\n")
				slices.Sort(lines)
				got := strings.Join(lines, "\n")
				if want == "" {
					want = got
				}
				if got != want || len(lines) < 2 {
					t.Errorf("%s, %v: got\n%s\nwant\n%s", name, way, got, want)
				}
			}
		}
	}
}
