package reference

import (
	"streamsql/planner"
	"streamsql/planner/syntax"
)

// mistake is a text that has an error, and what to write instead. Each may be several statements, the last of which is meant.
type mistake struct{ wrong, fix string }

const declared = "CREATE TABLE t (id INT NOT NULL, s STRING, ts TIMESTAMP(3)) WITH ('connector' = 'datagen');\n"

// mistakes has one of each code.
var mistakes = map[syntax.Code]mistake{
	"SQ0101": {"SELECT auction price url FROM nexmark.bid", "SELECT auction, price, url FROM nexmark.bid"},
	"SQ0102": {"SELECT auction FROM", "SELECT auction FROM nexmark.bid"},
	"SQ0103": {"SELECT \"auction\" FROM nexmark.bid", "SELECT `auction` FROM nexmark.bid"},
	"SQ0104": {"SET 'streamsql.dialect' = 'flink';\nSELECT url AS value FROM nexmark.bid", "SET 'streamsql.dialect' = 'flink';\nSELECT url AS `value` FROM nexmark.bid"},
	"SQ0105": {"SELECT X'0'", "SELECT X'00'"},
	"SQ0106": {"SET 'streamsql.dialect' = 'flink';\nSELECT url FROM nexmark.bid WHERE price != 1", "SET 'streamsql.dialect' = 'flink';\nSELECT url FROM nexmark.bid WHERE price <> 1"},
	"SQ0107": {"", "split the statement, or make views of its parts"},
	"SQ0108": {"", "streamsql run pipeline.sql -v DAY=2026-11-30"},
	"SQ0109": {"STOP JOB 'a' WITH DRAIN", "STOP JOB 'a' WITH SAVEPOINT WITH DRAIN"},
	"SQ0201": {"SELECT * FROM nexmark.bids", "SELECT * FROM nexmark.bid"},
	"SQ0202": {"SELECT UPER(url) FROM nexmark.bid", "SELECT UPPER(url) FROM nexmark.bid"},
	"SQ0203": {"SELECT auction, pirce FROM nexmark.bid", "SELECT auction, price FROM nexmark.bid"},
	"SQ0204": {"SELECT extra FROM nexmark.bid AS b JOIN nexmark.auction AS a ON b.auction = a.id", "SELECT b.extra FROM nexmark.bid AS b JOIN nexmark.auction AS a ON b.auction = a.id"},
	"SQ0205": {"SELECT url + price FROM nexmark.bid", "SELECT url || CAST(price AS STRING) FROM nexmark.bid"},
	"SQ0206": {"SELECT url FROM nexmark.bid WHERE price", "SELECT url FROM nexmark.bid WHERE price > 0"},
	"SQ0207": {"SELECT CAST(DATE '2024-01-01' AS INT)", "SELECT DAYOFYEAR(DATE '2024-01-01')"},
	"SQ0208": {"SELECT TIMESTAMP '2024-01-01T00:00'", "SELECT TIMESTAMP '2024-01-01 00:00:00'"},
	"SQ0209": {"SELECT auction, channel, COUNT(*) FROM nexmark.bid GROUP BY auction", "SELECT auction, channel, COUNT(*) FROM nexmark.bid GROUP BY auction, channel"},
	"SQ0210": {"SELECT auction, price FROM nexmark.bid UNION ALL SELECT id FROM nexmark.auction", "SELECT auction, price FROM nexmark.bid UNION ALL SELECT id, reserve FROM nexmark.auction"},
	"SQ0211": {"CREATE TABLE s (a BIGINT, b BIGINT) WITH ('connector' = 'blackhole');\nINSERT INTO s SELECT price FROM nexmark.bid",
		"CREATE TABLE s (a BIGINT, b BIGINT) WITH ('connector' = 'blackhole');\nINSERT INTO s (b) SELECT price FROM nexmark.bid"},
	"SQ0212": {"CREATE TABLE s (a INT, a INT) WITH ('connector' = 'print')", "CREATE TABLE s (a INT, b INT) WITH ('connector' = 'print')"},
	"SQ0213": {declared + "CREATE TABLE t (id INT) WITH ('connector' = 'print')", declared + "CREATE TABLE IF NOT EXISTS t (id INT) WITH ('connector' = 'print')"},
	"SQ0214": {"CREATE TABLE s (a INT, PRIMARY KEY (a)) WITH ('connector' = 'print')", "CREATE TABLE s (a INT, PRIMARY KEY (a) NOT ENFORCED) WITH ('connector' = 'print')"},
	"SQ0215": {"CREATE TABLE s (a DECIMAL(50, 2)) WITH ('connector' = 'print')", "CREATE TABLE s (a DECIMAL(38, 2)) WITH ('connector' = 'print')"},
	"SQ0216": {"CREATE TABLE s (a INT) WITH ('connector' = 'prnt');\nINSERT INTO s SELECT 1", "CREATE TABLE s (a INT) WITH ('connector' = 'print');\nINSERT INTO s SELECT 1"},
	"SQ0217": {"CREATE TABLE s (a INT) WITH ('connector' = 'datagen', 'number-of-row' = '3');\nSELECT * FROM s",
		"CREATE TABLE s (a INT) WITH ('connector' = 'datagen', 'number-of-rows' = '3');\nSELECT * FROM s"},
	"SQ0218": {"SET 'parallelism.default' = 'many'", "SET 'parallelism.default' = '2'"},
	"SQ0219": {"SELECT window_start, COUNT(*) FROM TABLE(TUMBLE(TABLE nexmark.bid, DESCRIPTOR(price), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end",
		"SELECT window_start, COUNT(*) FROM TABLE(TUMBLE(TABLE nexmark.bid, DESCRIPTOR(dateTime), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end"},
	"SQ0220": {"CREATE DATABASE d;\nCREATE TABLE d.t (a INT) WITH ('connector' = 'print');\nDROP DATABASE d", "CREATE DATABASE d;\nCREATE TABLE d.t (a INT) WITH ('connector' = 'print');\nDROP DATABASE d CASCADE"},
	"SQ0221": {"SET 'streamsql.dialect' = 'flink';\nSELECT COUNT_CHAR(url, 'o') FROM nexmark.bid",
		"SET 'streamsql.dialect' = 'flink';\nSELECT CHAR_LENGTH(url) - CHAR_LENGTH(REPLACE(url, 'o', '')) FROM nexmark.bid"},
	"SQ0222": {"CREATE TABLE t (a INT) WITH ('connector' = 'print');\nDELETE FROM t WHERE a = 1",
		"CREATE TABLE t (a INT) WITH ('connector' = 'print');\nINSERT INTO t VALUES (2)"},
	"SQ0301": {"SELECT CAST(s AS INT) FROM (VALUES ('1'), ('x')) AS t (s)", "SELECT TRY_CAST(s AS INT) FROM (VALUES ('1'), ('x')) AS t (s)"},
	"SQ0302": {"STOP JOB 'none'", "SHOW JOBS"},
	"SQ0303": {"\\tables", "\\dt"},
	"SQ0304": {"CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'path' = 'words.csv', 'format' = 'csv');\nSELECT a FROM t",
		"CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'path' = 'words.csv', 'format' = 'csv', 'csv.ignore-parse-errors' = 'true');\nSELECT a FROM t"},
	"SQ0901": {"EXPLAIN ANALYZE SELECT 1", "EXPLAIN SELECT 1"},
}

// Errors are the codes of errors with an example of each, and how to mend it.
func Errors() Topic {
	t := Topic{Name: "error code", Title: "Error codes", About: "The examples are tested. `streamsql help SQ0203` shows one code."}
	for _, c := range planner.Codes() {
		m := mistakes[c.Code]
		t.Entries = append(t.Entries, Entry{Name: string(c.Code), Text: "Cause: " + c.Meaning + ".",
			Facts: []Fact{{"example", m.wrong}, {"instead", m.fix}}})
	}
	return t
}
