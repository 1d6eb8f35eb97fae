package parse_test

import (
	"strings"
	"testing"
	"time"

	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// TestLimits: large and deep input is parsed, or refused by an error that names the limit.
func TestLimits(t *testing.T) {
	deep := func(open, middle, end string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
	}
	cases := []struct{ name, src, limit string }{
		{"5,000 parentheses", "SELECT " + deep("(", "1", ")", 5_000), ""},
		{"5,000 queries", "SELECT * FROM " + deep("(SELECT * FROM ", "t", ")", 4_900), ""},
		{"parenthesised query", deep("(", "SELECT 1", ")", 5_000), ""},
		{"200,000 parentheses", "SELECT " + deep("(", "1", ")", 200_000), "10000"},
		{"200,000 parentheses around a query", deep("(", "SELECT 1", ")", 200_000), "10000"},
		{"unbalanced", "SELECT " + strings.Repeat("(", 200_000), "10000"},
		{"types", "SELECT CAST(a AS " + deep("ARRAY<", "INT", ">", 100_000) + ")", "10000"},
		{"arrays", "CREATE TABLE t (a INT" + strings.Repeat(" ARRAY", 100_000) + ")", "10000"},
		{"patterns", "SELECT * FROM t MATCH_RECOGNIZE (PATTERN (" + deep("(", "A", ")", 100_000) + ") DEFINE A AS 1)", "10000"},
		{"groups", "SELECT 1 FROM t GROUP BY " + deep("ROLLUP(", "a", ")", 100_000), "10000"},
		{"calls", "SELECT " + deep("f(", "1", ")", 100_000), "10000"},
		{"signs", "SELECT " + strings.Repeat("- ", 200_000) + "1", "10000"},
		{"90,000 terms", "SELECT 1" + strings.Repeat(" + 1", 90_000), ""},
		{"200,000 terms", "SELECT 1" + strings.Repeat(" + 1", 200_000), "100000"},
		{"NOT", "SELECT " + strings.Repeat("NOT ", 200_000) + "a", "100000"},
		{"subscripts", "SELECT a" + strings.Repeat("[1]", 200_000), "100000"},
		{"fields", "SELECT f(x)" + strings.Repeat(".a", 200_000), "100000"},
		{"IS", "SELECT a" + strings.Repeat(" IS NULL", 200_000), "100000"},
		{"nested chains", "SELECT " + deep("(", "1", strings.Repeat(" + 1", 20)+")", 9_000), "100000"},
		{"unions", "SELECT 1" + strings.Repeat(" UNION ALL SELECT 1", 200_000), "100000"},
		{"joins", "SELECT 1 FROM t" + strings.Repeat(" CROSS JOIN t", 200_000), "100000"},
		{"commas", "SELECT 1 FROM t" + strings.Repeat(", t", 200_000), "100000"},
		{"17 MB", "SELECT '" + strings.Repeat("x", 17<<20) + "'", "16777216"},
		{"10 MB string", "SELECT '" + strings.Repeat("x", 10<<20) + "'", ""},
	}
	for _, c := range cases {
		start := time.Now()
		_, err := parse.Statement(c.src)
		if d := time.Since(start); d > 300*time.Millisecond {
			t.Logf("%s: %v", c.name, d)
		}
		if err == nil {
			if c.limit != "" {
				t.Errorf("%s: accepted", c.name)
			}
			continue
		}
		e, ok := err.(*syntax.Error)
		if !ok || c.limit == "" || e.Code != syntax.CodeLimit || !strings.Contains(e.Msg, c.limit) || e.End > len(c.src) {
			t.Errorf("%s: %v, want limit %q", c.name, err, c.limit)
		}
	}
}

// TestLongStatement: ten megabytes of rows are one statement like any other.
func TestLongStatement(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	row := "(1, 'some text, long enough to be the name of something', 12.50), "
	n := 10 << 20 / len(row)
	src := "INSERT INTO t VALUES " + strings.Repeat(row, n) + "(1, '', 0.5)"
	stmt, err := parse.Statement(src)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(stmt.(*syntax.Insert).Query.(*syntax.Values).Rows); got != n+1 {
		t.Errorf("%d rows, want %d", got, n+1)
	}
}
