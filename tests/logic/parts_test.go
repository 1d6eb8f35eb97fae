package logic

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"streamsql/exec/types"
	"streamsql/planner"
)

// parted is a query and a condition on it, by which it comes apart: where it is true, where it is not, and where it is
// unknown.
type parted struct {
	t    *testing.T
	s    *planner.Session
	from string
	cols []column
	p    expression
}

func (x *parted) wheres() []string {
	return []string{"(" + x.p.sql + ")", "NOT (" + x.p.sql + ")", "(" + x.p.sql + ") IS NULL"}
}

// answer runs a query that must not fail; ok is false for what is not built.
func (x *parted) answer(sql string) (rows []string, ok bool) {
	x.t.Helper()
	rows, err := answer(x.s, sql)
	if err != nil && !missing(err) {
		x.t.Error(told(err, sql))
	}
	return rows, err == nil
}

// same holds two queries against each other.
func (x *parted) same(what, whole, parts string) {
	x.t.Helper()
	want, ok := x.answer(whole)
	if !ok {
		return
	}
	if got, ok := x.answer(parts); ok {
		if d := differ(got, want); d != "" {
			x.t.Errorf("%s: %s\nwhole %s\nparts %s", what, d, whole, parts)
		}
	}
}

// union is the parts of a SELECT with the condition in the place of %s, together.
func (x *parted) union(op, sql string) string {
	var out []string
	for _, w := range x.wheres() {
		out = append(out, strings.Replace(sql, "%s", w, 1))
	}
	return strings.Join(out, " "+op+" ")
}

// TestParts: a query comes to what its parts come to, those where a condition is true, false and unknown, of the rows, of
// DISTINCT, of groups, of aggregates and of joins (ternary logic partitioning). A condition is true for as many rows as it
// lets through (no optimization against optimization).
func TestParts(t *testing.T) {
	rounds(t, 50, func(t *testing.T, r *rand.Rand) {
		w := &writer{Rand: r, tables: someTables(r)}
		q := w.query(2)
		from, cols := w.from(q)
		p := w.where(cols)
		way := slices.Concat(streams(r), []way{plainWay, {batch: true, size: 3, parallelism: 2}})[r.IntN(8)]
		way.batch = way.batch && !w.stream
		way.churn = way.churn && !w.windows
		x := &parted{t, session(t, r.Uint64(), way, w.tables...), from, cols, p}
		for _, check := range []func(){x.rows, x.groups, func() { x.having(r) }, x.counts, func() { x.joins(w) }} {
			if check(); t.Failed() {
				t.Logf("%+v\n%s", way, tablesText(w.tables))
				return
			}
		}
	})
}

// rows are divided by WHERE.
func (x *parted) rows() {
	x.t.Helper()
	all := "SELECT " + list(x.cols) + " FROM " + x.from
	x.same("WHERE", all, x.union("UNION ALL", all+" WHERE %s"))
	x.same("DISTINCT", strings.Replace(all, "SELECT", "SELECT DISTINCT", 1), x.union("UNION", all+" WHERE %s"))
}

// groups are those of the first column.
func (x *parted) groups() {
	x.t.Helper()
	key, last := x.cols[0], x.cols[len(x.cols)-1]
	call := "COUNT(" + last.sql + ")"
	again := "SUM(n)"
	switch last.t.Kind {
	case types.Int, types.BigInt:
		call, again = "SUM("+last.sql+")", "SUM(n)"
	case types.Boolean, types.Decimal:
	default:
		call, again = "MAX("+last.sql+")", "MAX(n)"
	}
	whole := fmt.Sprintf("SELECT %s AS g, COUNT(*) AS c, %s AS n FROM %s GROUP BY %s", key.sql, call, x.from, key.sql)
	part := fmt.Sprintf("SELECT %s AS g, COUNT(*) AS c, %s AS n FROM %s WHERE %%s GROUP BY %s", key.sql, call, x.from, key.sql)
	x.same("GROUP BY", whole, "SELECT g, SUM(c), "+again+" FROM ("+x.union("UNION ALL", part)+") GROUP BY g")
}

// having divides the groups.
func (x *parted) having(r *rand.Rand) {
	x.t.Helper()
	key := x.cols[0]
	p := (&maker{Rand: r, cols: []column{key, {"COUNT(*)", bigint}}}).of(boolean, 2)
	whole := fmt.Sprintf("SELECT %s, COUNT(*) FROM %s GROUP BY %s", key.sql, x.from, key.sql)
	y := *x
	y.p = p
	x.same("HAVING", whole, y.union("UNION ALL", whole+" HAVING %s"))
}

// counts asks how many rows the condition lets through, and for how many it is true.
func (x *parted) counts() {
	x.t.Helper()
	kept, ok := x.answer("SELECT 1 FROM " + x.from + " WHERE " + x.p.sql)
	if !ok {
		return
	}
	worth, _ := x.answer("SELECT " + x.p.sql + " FROM " + x.from)
	yes := 0
	for _, v := range worth {
		if v == "true" {
			yes++
		}
	}
	if yes != len(kept) {
		x.t.Errorf("%d rows pass the condition, which is true for %d\n%s\n%s", len(kept), yes, x.p.sql, x.from)
	}
}

// joins are divided by a condition on both sides in ON.
func (x *parted) joins(w *writer) {
	x.t.Helper()
	other := w.base()
	from, cols := w.from(other)
	i, k, ok := w.pair(x.cols, cols)
	if !ok {
		return
	}
	both := slices.Concat(x.cols, cols)
	y := *x
	y.p = (&maker{Rand: w.Rand, cols: both}).of(boolean, 2)
	whole := fmt.Sprintf("SELECT %s FROM %s JOIN %s ON %s = %s", list(both), x.from, from, x.cols[i].sql, cols[k].sql)
	x.same("JOIN", whole, y.union("UNION ALL", whole+" AND %s"))
}
