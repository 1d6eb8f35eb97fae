package parse_test

import (
	"slices"
	"strings"
	"testing"

	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// TestWidenings: what goes beyond Flink is taken by default, and refused with a hint in the
// flink dialect.
func TestWidenings(t *testing.T) {
	cases := []struct {
		sql  string
		code syntax.Code
	}{
		{"SELECT a != b FROM t", syntax.CodeWidening},
		{"SELECT a FROM t FETCH FIRST ROW ONLY", syntax.CodeWidening},
		{"EXPLAIN ANALYZE SELECT 1", syntax.CodeWidening},
		{"DESCRIBE SELECT 1", syntax.CodeWidening},
		{"DESCRIBE TABLE t", syntax.CodeWidening},
		{"INSERT INTO TABLE t SELECT 1", syntax.CodeWidening},
		{"SELECT f.a FROM t, 'a.csv' AS f (a)", syntax.CodeWidening},
		{"SELECT * FROM read_csv('a.csv', header => TRUE) JOIN TABLE(read_json('b')) ON TRUE", syntax.CodeWidening},
		{"DESCRIBE 'a.csv'", syntax.CodeWidening},
		{"SELECT a, b, FROM t", syntax.CodeWidening},
		{"SELECT a FROM t GROUP BY a, HAVING COUNT(*) > 1", syntax.CodeWidening},
		{"SELECT a FROM t ORDER BY a, LIMIT 3", syntax.CodeWidening},
		{"CREATE TABLE t (a INT, b INT,)", syntax.CodeWidening},
		{"CREATE TABLE t (a INT) WITH ('connector' = 'print',)", syntax.CodeWidening},
		{"INSERT INTO t (a, b,) SELECT 1, 2", syntax.CodeWidening},
		{"FROM t", syntax.CodeWidening},
		{"FROM t JOIN u ON t.a = u.a, (FROM v SELECT b) AS w SELECT t.*, b + 1 WHERE c ORDER BY 1", syntax.CodeWidening},
		{"WITH x AS (FROM t) FROM x SELECT DISTINCT a UNION ALL FROM u", syntax.CodeWidening},
		{"INSERT INTO t FROM u", syntax.CodeWidening},
		{"SELECT * EXCLUDE a FROM t", syntax.CodeWidening},
		{"SELECT t.* EXCLUDE (a, b) REPLACE (UPPER(c) AS c, d + 1 AS d), 1 FROM t", syntax.CodeWidening},
		{"SELECT * REPLACE (a + 1 AS a) FROM t", syntax.CodeWidening},
		{"SELECT a, COUNT(*) FROM t GROUP BY ALL", syntax.CodeWidening},
		{"SELECT a, COUNT(*) FROM t GROUP BY ALL HAVING COUNT(*) > 1 UNION ALL SELECT b, c FROM u", syntax.CodeWidening},
		{"INSERT INTO t BY NAME SELECT 1 AS a", syntax.CodeWidening},
		{"COPY t TO 'out.d'", syntax.CodeWidening},
		{"COPY (SELECT a FROM t) TO 'd' (FORMAT parquet, PARTITION_BY (a, b), HEADER, 'sink.rolling-policy.file-size' = '1mb', APPEND)", syntax.CodeWidening},
		{"EXPLAIN COPY (FROM t) TO 'd'", syntax.CodeWidening},
		{"SELECT rank, count, value, user, date, t.minute FROM t", syntax.CodeReserved},
		{"SELECT a AS value FROM t", syntax.CodeReserved},
		{"SELECT 1 FROM groups", syntax.CodeReserved},
		{"SELECT 1 FROM (VALUES (1)) AS v (day)", syntax.CodeReserved},
		{"CREATE TABLE t (user STRING, r ROW<timestamp BIGINT>)", syntax.CodeReserved},
		{"SELECT dateTime FROM bid", syntax.CodeReserved},
		{"CREATE FUNCTION upper AS 'a.b.C'", syntax.CodeReserved},
	}
	var refused []string
	for _, c := range cases {
		if _, err := parse.Statement(c.sql); err != nil {
			t.Errorf("%s: %v", c.sql, err)
		}
		_, err := parse.Options{Dialect: parse.Flink}.Statement(c.sql)
		e, ok := err.(*syntax.Error)
		if !ok || e.Code != c.code || e.Hint == "" {
			t.Errorf("%s: flink dialect: %v", c.sql, err)
		} else {
			refused = append(refused, e.Msg)
		}
	}
	for _, w := range parse.Widenings() {
		says := "does not have " + w.What
		if w.What == "a reserved word as a name" {
			says = "is a reserved word, it cannot be a name here"
		}
		if !w.Columns && !slices.ContainsFunc(refused, func(msg string) bool { return strings.Contains(msg, says) }) {
			t.Errorf("no case has %s", w.What)
		}
	}
}

// TestErrors: what the user reads when a statement is wrong, and where the caret stands.
func TestErrors(t *testing.T) {
	cases := []struct{ sql, at, msg, hint string }{
		{`SELECT "a" FROM t`, `"a"`, "double quotes are not allowed", "write 'text' for a string, `name` for an identifier"},
		{"SELECT a == b", "=", "unexpected '=': expected an expression", "write = instead of =="},
		{"SELECT a <=> b", ">", "unexpected '>': expected an expression", "write IS NOT DISTINCT FROM instead of <=>"},
		{"SELECT a::INT", ":", "unexpected ':': expected the end of the statement", "write CAST(x AS type) instead of x::type"},
		{"SELECT a && b", "&", "unexpected character '&'", "write AND"},
		{"SELECT 1 # x", "#", "unexpected character '#'", "a comment starts with -- or //"},
		{"SELECT @a", "@", "unexpected character '@'", "there are no variables; put the value into the text"},
		{"SELECT ? FROM t", "?", "unexpected '?': expected an expression", "there are no parameters; put the value into the text"},
		{"SELECT a FROM t LIMIT 2, 3", ",", "unexpected ',': expected the end of the statement", "write LIMIT count OFFSET skip"},
		{"SELECT a, , b FROM t", ",", "unexpected ',': expected an expression", `\h SELECT shows how it is written`},
		{"FROM t, u WHERE a = 1 SELECT a", "SELECT", "unexpected 'SELECT': expected the end of the statement", `\h SELECT shows how it is written`},
		{"SELECT * EXCLUDE FROM t", "FROM", "unexpected 'FROM': expected a column name to leave out", "FROM is a reserved word; as a name it needs back-ticks: `FROM`"},
		{"COPY (SELECT 1) 'd'", "'d'", "unexpected ''d'': expected TO", `\h COPY shows how it is written`},
		{"SELECT a FROM t MINUS SELECT b FROM u", "MINUS", "unexpected 'MINUS': expected the end of the statement", "write EXCEPT instead of MINUS"},
		{"SELECT * FROM a LEFT SEMI JOIN b ON TRUE", "SEMI", "unexpected 'SEMI': expected JOIN", "write WHERE [NOT] EXISTS (SELECT ..) or [NOT] IN (SELECT ..)"},
		{"SELECT * FROM a JOIN b", "", "unexpected end of the statement: expected ON or USING, for the join needs a condition", `\h SELECT shows how it is written`},
		{"SELECT * FROM a CROSS JOIN b ON TRUE", "ON", "a CROSS JOIN has no ON", `\h SELECT shows how it is written`},
		{"SELECT INTERVAL 1 DAY", "1", "the length of an interval is quoted", "write INTERVAL '1'"},
		{"SELECT INTERVAL '1' MILLISECOND", "MILLISECOND", "an interval has no unit MILLISECOND", "write fractions of a second: INTERVAL '0.001' SECOND"},
		{"SELECT INTERVAL '1' DAY TO MONTH", "MONTH", "an interval cannot go from DAY to MONTH", `\h SELECT shows how it is written`},
		{"SELECT X'0'", "'0'", "X'..' holds an even number of hexadecimal digits", `\h SELECT shows how it is written`},
		{"SELECT 'a' 'b'", "'b'", "two string literals on one line", "join them with ||"},
		{"SELECT GROUP_CONCAT(a)", "GROUP_CONCAT", "there is no function GROUP_CONCAT", "write LISTAGG"},
		{"CREATE TABLE t (order INT)", "order", "unexpected 'order': expected a column name", "ORDER is a reserved word; as a name it needs back-ticks: `order`"},
		{"CREATE TABLE t (a)", "a", "column 'a' has no type", "only CREATE TABLE (..) AS query takes bare column names"},
		{"ALTER TABLE t ADD COLUMN a INT", "COLUMN", "unexpected 'COLUMN'", "leave the word out: ADD c INT"},
		{"WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a", "INSERT", "unexpected 'INSERT': expected a query: SELECT, VALUES, TABLE or WITH", "write INSERT INTO t WITH .. SELECT .."},
		{"SELECT 1; SELECT 2", "SELECT", "unexpected 'SELECT': expected nothing behind the semicolon, for only one statement is taken", `\h SELECT shows how it is written`},
		{"SELECT a IS NULL + 1", "+", "unexpected '+': expected parentheses around what stands before it, for it binds tighter", `\h SELECT shows how it is written`},
		{"SELECT a IN (1) + 1", "+", "'+' cannot stand here", "operators of equal rank may need parentheses around one of them"},
		{"SELECT a LIKE b LIKE c", "LIKE", "'LIKE' cannot stand here", "operators of equal rank may need parentheses around one of them"},
		{"SELECT f(a => 1, 2)", "f", "either all arguments have names or none", `\h SELECT shows how it is written`},
		{"SELECT 'a", "'a", "unterminated string literal", "a quote ends it, and stands twice inside of it: 'it''s'"},
	}
	for _, c := range cases {
		_, err := parse.Statement(c.sql)
		e, ok := err.(*syntax.Error)
		if !ok {
			t.Errorf("%s: no error", c.sql)
			continue
		}
		if at := e.Span.Text(c.sql); at != c.at || e.Msg != c.msg || e.Hint != c.hint {
			t.Errorf("%s\ngot  %q %s |%s\nwant %q %s |%s", c.sql, at, e.Msg, e.Hint, c.at, c.msg, c.hint)
		}
	}
}
