package logic

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"streamsql/planner/rules"
	"streamsql/planner/syntax"
)

// someTables are two of few rows.
func someTables(r *rand.Rand) []*table {
	return []*table{someTable(r, "t0", 1+r.IntN(40), someTypes(r)), someTable(r, "t1", 1+r.IntN(25), someTypes(r))}
}

// missing tells what is not built, which says so.
func missing(err error) bool {
	var e *syntax.Error
	return errors.As(err, &e) && e.Code == syntax.CodeNotSupported
}

// allRules are the names of the rules that can be switched off.
func allRules() string {
	var out []string
	for _, r := range rules.Docs() {
		out = append(out, r[0])
	}
	return strings.Join(out, ",")
}

// TestFold: a random query over a bounded input has the rows that plain loops make, and the changelog of the same query
// as a stream comes to them, in batches of any size, with one subtask and with two, over rows that stay and rows that
// come and go, with the optimizer's rules and without.
func TestFold(t *testing.T) {
	rounds(t, 40, func(t *testing.T, r *rand.Rand) {
		w := &writer{Rand: r, tables: someTables(r)}
		q := w.query(3)
		want := lines(q.cols, q.rows)
		ways := streams(r)
		if !w.stream {
			ways = append(ways, plainWay, way{batch: true, size: 3, parallelism: 2})
		}
		ways[r.IntN(6)].off = allRules()
		for _, way := range ways {
			way.churn = way.churn && !w.windows
			got, err := answer(session(t, r.Uint64(), way, w.tables...), q.sql)
			if missing(err) {
				t.Logf("%v: %v", way, err)
				continue
			}
			if err != nil {
				t.Errorf("%+v: %s", way, told(err, q.sql))
			} else if d := differ(got, want); d != "" {
				t.Errorf("%+v: %s\n%s", way, d, q.sql)
			}
			if t.Failed() {
				t.Log(tablesText(w.tables))
				return
			}
		}
	})
}

func tablesText(tables []*table) string {
	var b strings.Builder
	for _, x := range tables {
		fmt.Fprintf(&b, "%s\n%s\n", x.declare(false), strings.Join(lines(x.cols, x.rows), "\n"))
	}
	return b.String()
}
