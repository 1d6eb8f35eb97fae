package tests

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestArgMaximum: the rows that have the maximum of their window are the same whether they are joined with it or not, NULLs
// among values and keys, and the rule applies.
func TestArgMaximum(t *testing.T) {
	const few = "(SELECT CASE WHEN MOD(auction, 4) > 0 THEN MOD(auction, 4) END AS k, CASE WHEN MOD(price, 5) > 0 THEN MOD(price, 9) END AS v, " +
		"price, `dateTime` FROM b)"
	const rows = "(SELECT * FROM TABLE(TUMBLE(DATA => TABLE few, TIMECOL => DESCRIPTOR(`dateTime`), SIZE => INTERVAL '0.1' SECOND)))"
	const groups = "(SELECT k, v, COUNT(*) AS n, SUM(v) AS s, window_start, window_end FROM TABLE(HOP(TABLE few, DESCRIPTOR(`dateTime`), " +
		"INTERVAL '0.02' SECOND, INTERVAL '0.1' SECOND)) GROUP BY k, v, window_start, window_end)"
	const bounds = " x.window_start = y.window_start AND x.window_end = y.window_end"
	for _, q := range []string{
		"SELECT x.*, y.m FROM " + rows + " x JOIN (SELECT MAX(v) AS m, window_start, window_end FROM " + rows +
			" GROUP BY window_start, window_end) y ON x.v >= y.m AND" + bounds,
		"SELECT x.k, x.price, y.m * 2 FROM " + rows + " x, (SELECT MIN(price) AS m, k, window_start, window_end FROM " + rows +
			" GROUP BY k, window_start, window_end) y WHERE x.k = y.k AND y.m = x.price AND" + bounds,
		"SELECT x.k, x.n, y.window_end FROM " + groups + " x JOIN (SELECT MAX(n) AS m, window_start, window_end FROM " + groups +
			" GROUP BY window_start, window_end) y ON x.n >= y.m AND" + bounds + " AND (x.k IS NULL OR x.k < 9)",
		"SELECT x.k, x.s, y.m FROM (SELECT * FROM " + groups + " WHERE k < 3) x JOIN (SELECT v, MIN(s) AS m, window_start, window_end FROM " +
			groups + " GROUP BY v, window_start, window_end) y ON x.s <= y.m AND x.v = y.v AND" + bounds,
	} {
		var want []string
		for _, way := range []map[string]string{
			{"streamsql.rules.off": "arg-maximum"}, {}, {"streamsql.batch-size": "3"}, {"parallelism.default": "3"},
			{"parallelism.default": "2", "streamsql.batch-size": "5"},
		} {
			s := sharingSession(t, way)
			if o := execute(s, "CREATE VIEW few AS SELECT * FROM "+few); o.err != nil {
				t.Fatal(o.err)
			}
			res, err := s.Prepare(q)
			if err != nil {
				t.Fatal(err)
			}
			if on := way["streamsql.rules.off"] == ""; strings.Contains(fmt.Sprint(res.Graph), "strategy=[Ties]") != on {
				t.Fatalf("%v: the rule applies: %v\n%s\n%s", way, !on, q, res.Graph)
			}
			got := ledgerOf(t, s, q).rows()
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) || len(got) < 3 {
				t.Errorf("%v: %d rows, want %d\n%s\ngot  %.500q\nwant %.500q", way, len(got), len(want), q, got, want)
			}
		}
	}
}
