package tests

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/connectors"
	"streamsql/planner"
)

// conditions makes random tables, t(a INT, b STRING, c DECIMAL) and u(a INT, d INT), and conditions over them, which hold
// queries as values, as those of tests/logic do not.
type conditions struct{ *rand.Rand }

func (r conditions) pick(list ...string) string { return list[r.IntN(len(list))] }

// view is a table of up to n rows.
func (r conditions) view(name, columns string, n int, cells ...func() string) string {
	rows := make([]string, 1+r.IntN(n))
	for i := range rows {
		row := make([]string, len(cells))
		for k, f := range cells {
			row[k] = f()
		}
		rows[i] = "(" + strings.Join(row, ", ") + ")"
	}
	return "CREATE VIEW " + name + "(" + columns + ") AS VALUES " + strings.Join(rows, ", ")
}

func (r conditions) number() string {
	return r.pick("CAST(NULL AS INT)", "0", "1", "2", "3", "-1", "2147483647")
}
func (r conditions) text() string {
	return r.pick("CAST(NULL AS STRING)", "CAST('' AS STRING)", "CAST('a' AS STRING)", "CAST('ab' AS STRING)", "CAST('1' AS STRING)")
}
func (r conditions) decimal() string {
	return r.pick("CAST(NULL AS DECIMAL(4, 2))", "CAST(0.5 AS DECIMAL(4, 2))", "CAST(1 AS DECIMAL(4, 2))", "CAST(-2.25 AS DECIMAL(4, 2))")
}

// value is a number over t.
func (r conditions) value(depth int) string {
	if depth > 0 && r.IntN(3) > 0 {
		x, y := r.value(depth-1), r.value(depth-1)
		return r.pick("("+x+" + "+y+")", "("+x+" * "+y+")", "CASE WHEN "+r.cond(depth-1)+" THEN "+x+" ELSE "+y+" END",
			"COALESCE("+x+", "+y+")", "NULLIF("+x+", "+y+")", "(SELECT MAX(d) FROM u WHERE u.a = t.a)", "(SELECT COUNT(*) FROM u WHERE u.d < t.a)")
	}
	return r.pick("t.a", "t.c", "1", "0", "CHAR_LENGTH(t.b)", "TRY_CAST(t.b AS INT)", "CAST(t.a AS BIGINT)")
}

// cond is a condition over t.
func (r conditions) cond(depth int) string {
	if depth > 0 && r.IntN(4) > 0 {
		x, y := r.cond(depth-1), r.cond(depth-1)
		return r.pick("("+x+" AND "+y+")", "("+x+" OR "+y+")", "NOT "+x, "("+x+") IS NOT TRUE", "("+x+") IS UNKNOWN")
	}
	v, w := r.value(depth-1), r.value(depth-1)
	return r.pick("("+v+r.pick(" < ", " <= ", " = ", " <> ", " >= ")+w+")", "("+v+" IS NULL)", "("+v+" IS DISTINCT FROM "+w+")",
		"("+v+" BETWEEN "+w+" AND 2)", "("+v+" IN ("+w+", 1))", "(t.b LIKE '%a%')", "(t.b > 'a')",
		"(t.a IN (SELECT d FROM u))", "(t.a NOT IN (SELECT d FROM u WHERE u.a <> t.a))", "EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND d > 0)",
		"(t.a > ALL (SELECT d FROM u))")
}

// partitionCase is a database, and queries of it whose results must be the same: those of one list together.
type partitionCase struct {
	setup       []string
	left, right []string
}

func (r conditions) partitioned() partitionCase {
	c := partitionCase{setup: []string{
		r.view("t", "a, b, c", 8, r.number, r.text, r.decimal), r.view("u", "a, d", 5, r.number, r.number)}}
	p := r.cond(2)
	parts := func(form string) []string {
		return []string{fmt.Sprintf(form, p), fmt.Sprintf(form, "NOT "+p), fmt.Sprintf(form, "("+p+") IS NULL")}
	}
	switch r.IntN(5) {
	case 0: // each row passes exactly one of three conditions
		c.left, c.right = []string{"SELECT * FROM t"}, parts("SELECT * FROM t WHERE %s")
	case 1: // also behind a join
		c.left = []string{"SELECT t.a, t.b, d FROM t LEFT JOIN u ON t.a = u.a"}
		c.right = parts("SELECT t.a, t.b, d FROM t LEFT JOIN u ON t.a = u.a WHERE %s")
	case 2: // and counted
		c.left = []string{"SELECT b, COUNT(*) AS n FROM t GROUP BY b"}
		union := strings.Join(parts("SELECT a, b FROM t WHERE %s"), " UNION ALL ")
		c.right = []string{"SELECT b, COUNT(*) AS n FROM (" + union + ") GROUP BY b"}
	case 3: // a condition keeps as many rows as it is TRUE for where it only is shown
		c.left = []string{"SELECT a, b, c FROM t WHERE " + p}
		c.right = []string{"SELECT a, b, c FROM (SELECT a, b, c, " + p + " AS p FROM t) WHERE p"}
	case 4:
		c.left = []string{"SELECT COUNT(*) AS n FROM (SELECT a FROM t UNION ALL SELECT 0) AS t(a) GROUP BY a"}
		c.right = []string{"SELECT COUNT(*) AS n FROM (SELECT a, TRUE AS x FROM t UNION ALL SELECT 0, TRUE) GROUP BY a, x"}
	}
	return c
}

// rows are the results of queries together, sorted; "" with an error that is the same at any setting.
func (c *partitionCase) rows(t *testing.T, queries []string, sets ...[2]string) (string, bool) {
	t.Helper()
	s := planner.New(planner.Options{Connectors: connectors.All(), Now: time.Now})
	for _, kv := range sets {
		if _, err := s.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	var out []string
	for _, q := range slices.Concat(c.setup, queries) {
		o := execute(s, q)
		if o.err != nil && (!o.running || strings.Contains(o.err.Error(), "PANIC")) {
			t.Fatalf("%s\n%s: %v", strings.Join(c.setup, ";\n"), q, o.err)
		}
		if o.err != nil {
			return "", false // a cast or a division
		}
		out = append(out, o.rows...)
	}
	slices.Sort(out)
	return strings.Join(out, "\n"), true
}

// TestPartitions: a query gives what its parts by a condition give together, and a condition keeps the rows for which
// it is TRUE, in batch mode, in a stream and at several batch sizes.
func TestPartitions(t *testing.T) {
	r := conditions{seeded(t, 8)}
	until := time.Now().Add(2 * time.Second)
	if *soak {
		until = time.Now().Add(5 * time.Minute)
	}
	n := 0
	for ; time.Now().Before(until); n++ {
		c := r.partitioned()
		size := [2]string{"streamsql.batch-size", r.pick("1", "3", "1024")}
		want, ok := c.rows(t, c.left, [2]string{"execution.runtime-mode", "BATCH"})
		if !ok {
			continue
		}
		for _, mode := range []string{"BATCH", "STREAMING"} {
			for _, queries := range [][]string{c.left, c.right} {
				got, ok := c.rows(t, queries, [2]string{"execution.runtime-mode", mode}, size)
				if ok && got != want {
					t.Fatalf("%s mode, batches of %s:\n%s;\n%s;\ngives\n%s\nbut\n%s\ngives\n%s", mode, size[1],
						strings.Join(c.setup, ";\n"), strings.Join(queries, ";\n"), got, strings.Join(c.left, ";\n"), want)
				}
			}
		}
	}
	t.Logf("%d cases", n)
}
