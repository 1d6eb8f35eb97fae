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
		{"50,000 parentheses", "SELECT " + deep("(", "1", ")", 50_000), "10000"},
		{"50,000 parentheses around a query", deep("(", "SELECT 1", ")", 50_000), "10000"},
		{"unbalanced", "SELECT " + strings.Repeat("(", 50_000), "10000"},
		{"types", "SELECT CAST(a AS " + deep("ARRAY<", "INT", ">", 50_000) + ")", "10000"},
		{"arrays", "CREATE TABLE t (a INT" + strings.Repeat(" ARRAY", 50_000) + ")", "10000"},
		{"patterns", "SELECT * FROM t MATCH_RECOGNIZE (PATTERN (" + deep("(", "A", ")", 50_000) + ") DEFINE A AS 1)", "10000"},
		{"groups", "SELECT 1 FROM t GROUP BY " + deep("ROLLUP(", "a", ")", 50_000), "10000"},
		{"calls", "SELECT " + deep("f(", "1", ")", 50_000), "10000"},
		{"signs", "SELECT " + strings.Repeat("- ", 50_000) + "1", "10000"},
		{"9,000 terms", "SELECT 1" + strings.Repeat(" + 1", 9_000), ""},
		{"50,000 terms", "SELECT 1" + strings.Repeat(" + 1", 50_000), "10000"},
		{"NOT", "SELECT " + strings.Repeat("NOT ", 50_000) + "a", "10000"},
		{"subscripts", "SELECT a" + strings.Repeat("[1]", 50_000), "10000"},
		{"fields", "SELECT f(x)" + strings.Repeat(".a", 50_000), "10000"},
		{"IS", "SELECT a" + strings.Repeat(" IS NULL", 50_000), "10000"},
		{"nested chains", "SELECT " + deep("(", "1", strings.Repeat(" + 1", 20)+")", 9_000), "10000"},
		{"unions", "SELECT 1" + strings.Repeat(" UNION ALL SELECT 1", 50_000), "10000"},
		{"joins", "SELECT 1 FROM t" + strings.Repeat(" CROSS JOIN t", 50_000), "10000"},
		{"commas", "SELECT 1 FROM t" + strings.Repeat(", t", 50_000), "10000"},
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
