package logic

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"streamsql/exec"
	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/planner/syntax"
)

// forms are statements over tables t0 and t1 of random columns: a, b and d stand for columns of them, F for a function,
// A for an aggregate and @ for an operator.
var forms = []string{
	"SELECT F(a), F(a, b), F(a, b, d) FROM t0", "SELECT a @ b, NOT a, - b FROM t0", "SELECT CAST(F(a) AS STRING) FROM t0 WHERE a @ b",
	"SELECT a, A(b), A(d) FROM t0 GROUP BY a", "SELECT A(a), A(DISTINCT b) FROM t0", "SELECT A(a) FILTER (WHERE b @ d) FROM t0 GROUP BY b HAVING A(b) @ A(d)",
	"SELECT t0.a FROM t0 JOIN t1 ON t0.a @ t1.b", "SELECT * FROM t0 LEFT JOIN t1 ON t0.a = t1.a AND t0.b @ t1.b",
	"SELECT * FROM t0 WHERE a IN (SELECT b FROM t1)", "SELECT * FROM t0 WHERE EXISTS (SELECT 1 FROM t1 WHERE t0.a @ t1.b)",
	"SELECT a, b FROM t0 UNION SELECT b, d FROM t1", "SELECT a FROM t0 EXCEPT SELECT b FROM t1", "SELECT DISTINCT a, F(b) FROM t0",
	"SELECT A(a) OVER (PARTITION BY b ORDER BY d) FROM t0", "SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY a ORDER BY b DESC) AS n FROM t0) WHERE n <= 2",
	"SELECT window_start, A(a) FROM TABLE(TUMBLE(TABLE t0, DESCRIPTOR(rt), INTERVAL '1' HOUR)) GROUP BY window_start, window_end",
	"SELECT CASE WHEN a @ b THEN a ELSE d END, COALESCE(a, b), NULLIF(a, b), GREATEST(a, b) FROM t0", "SELECT a BETWEEN b AND d, a IN (b, d), a LIKE b FROM t0",
	"SELECT ARRAY[a, b], MAP[a, b], ROW(a, b, d) FROM t0", "SELECT a, b FROM t0 ORDER BY a, b LIMIT 3", "SELECT TRY_CAST(a AS INT), CAST(b AS DECIMAL(10, 2)) FROM t0",
	"SELECT EXTRACT(HOUR FROM a), FLOOR(b TO DAY), CEIL(d) FROM t0", "SELECT a FROM t0 GROUP BY GROUPING SETS ((a), (b), ())", "SELECT A(a, b) FROM t0",
	"SELECT DATE_FORMAT(a, b), TO_TIMESTAMP(a), TIMESTAMPADD(DAY, a, b) FROM t0", "SELECT JSON_VALUE(a, '$.x'), JSON_OBJECT('k' VALUE b) FROM t0",
	"SELECT a FROM t0 WHERE a = (SELECT A(b) FROM t1)", "SELECT * FROM t0 NATURAL JOIN t1", "SELECT a, A(b) FROM t0 JOIN t1 USING (id) GROUP BY a",
}

var holes = regexp.MustCompile(`\b[abdFA]\b|@`)

// written fills a form for the tables.
func written(r *rand.Rand, form string, tables []*table) string {
	names, one := function.Names(), func(list ...string) string { return list[r.IntN(len(list))] }
	aggregates := function.AllAggregates()
	return holes.ReplaceAllStringFunc(form, func(hole string) string {
		switch hole {
		case "F":
			return names[r.IntN(len(names))]
		case "A":
			return aggregates[r.IntN(len(aggregates))].Name
		case "@":
			return one("+", "-", "*", "/", "%", "||", "=", "<>", "<", ">=", "AND", "OR", "IS DISTINCT FROM")
		}
		if r.IntN(10) == 0 {
			return one("NULL", "1", "-0.5", "'a'", "DATE '2024-02-29'", "INTERVAL '1' DAY", "TRUE", "1E0", "''")
		}
		cols := tables[0].cols
		return cols[r.IntN(len(cols))].sql
	})
}

// statement runs one over tables that the seed makes: nothing panics, an error about the statement has a code and a
// place in it, and one of the job names its operator.
func statement(t *testing.T, seed uint64, sql string) {
	r := rand.New(rand.NewPCG(seed, 9))
	var own []types.Type
	for range 3 {
		own = append(own, append(someTypes(r), double)...)
	}
	tables := []*table{someTable(r, "t0", 9, own[:4]), someTable(r, "t1", 9, own[4:8])}
	if r.IntN(4) > 0 || sql == "" {
		sql = written(r, append(forms, sql)[r.IntN(len(forms))], tables)
	}
	w := append(streams(r), plainWay)[r.IntN(7)]
	_, err := answer(session(t, seed, w, tables...), sql)
	var e *syntax.Error
	var f *exec.Failure
	switch {
	case err == nil:
	case errors.As(err, &f) && f.Stack != nil, strings.HasPrefix(err.Error(), "panic"):
		t.Errorf("seed %d, %+v: %s\n%s", seed, w, told(err, sql), tablesText(tables))
	case errors.As(err, &e) && (e.Code == "" || e.Pos < 0 || e.End > len(sql) || e.Pos > e.End):
		t.Errorf("seed %d: an error outside of the statement: %v %v\n%s", seed, e.Span, err, sql)
	case !errors.As(err, &e) && !errors.As(err, &f):
		t.Errorf("seed %d: %v has no place\n%s", seed, err, sql)
	}
}

// TestStatements runs statements over tables of random columns.
func TestStatements(t *testing.T) {
	rounds(t, 600, func(t *testing.T, r *rand.Rand) { statement(t, r.Uint64(), "") })
}

// FuzzStatements does so with statements that the fuzzer changes.
func FuzzStatements(f *testing.F) {
	for i, form := range forms {
		f.Add(uint64(i), form)
	}
	f.Fuzz(func(t *testing.T, seed uint64, sql string) {
		up := strings.ToUpper(sql)
		for _, word := range []string{"CREATE", "COPY", "INSERT", "READ_", "NEXMARK", "FROM '", "JOIN '", ", '", "DATAGEN"} {
			if strings.Contains(up, word) {
				return // files, and inputs that never end, are others' matter
			}
		}
		if len(sql) < 400 {
			statement(t, seed, sql)
		}
	})
}
