package shell

import "strings"

// statementHelp is how a statement is written.
type statementHelp struct{ name, about, form, example string }

// statements are those that \h knows, by name.
var statements = []statementHelp{
	{"ALTER CATALOG", "changes a catalog's options", "ALTER CATALOG name { SET ('key' = 'value', …) | RESET ('key', …) }",
		"ALTER CATALOG c SET ('key' = 'value');"},
	{"ALTER DATABASE", "changes a database's options", "ALTER DATABASE name SET ('key' = 'value', …)", "ALTER DATABASE d SET ('key' = 'value');"},
	{"ALTER FUNCTION", "gives a function another meaning", "ALTER [TEMPORARY] FUNCTION [IF EXISTS] name AS 'function'",
		"ALTER FUNCTION count_char AS 'com.github.nexmark.flink.udf.CountChar';"},
	{"ALTER TABLE", "changes a table's columns, options or name",
		"ALTER TABLE [IF EXISTS] name\n  { RENAME TO new_name | RENAME column TO new_column | SET ('key' = 'value', …) | RESET ('key', …)\n" +
			"  | ADD column type | ADD ( … ) | MODIFY column type | DROP column }",
		"ALTER TABLE orders SET ('path' = 'new.csv');"},
	{"ALTER VIEW", "changes a view's name or query", "ALTER VIEW name { RENAME TO new_name | AS query }",
		"ALTER VIEW dear AS SELECT * FROM nexmark.bid WHERE price > 2000;"},
	{"BEGIN STATEMENT SET", "collects INSERTs and runs them as one job, which reads shared inputs once",
		"BEGIN STATEMENT SET;\nINSERT INTO …;\n…\nEND;", "BEGIN STATEMENT SET;\nINSERT INTO a SELECT * FROM t;\nINSERT INTO b SELECT * FROM t;\nEND;"},
	{"COPY", "writes what a query gives to files below a directory, whose columns are the query's",
		"COPY { (query) | table } TO 'directory'\n  [( FORMAT name, PARTITION_BY (column, …), APPEND, OVERWRITE, 'key' = 'value', … )]",
		"COPY (SELECT auction, price FROM nexmark.bid LIMIT 1000) TO 'bids' (FORMAT parquet);"},
	{"CREATE CATALOG", "adds a catalog, which holds databases", "CREATE CATALOG [IF NOT EXISTS] name [WITH ('type' = '…', …)]",
		"CREATE CATALOG c WITH ('type' = 'generic_in_memory');"},
	{"CREATE DATABASE", "adds a database, which holds tables",
		"CREATE DATABASE [IF NOT EXISTS] [catalog.]name [COMMENT 'text'] [WITH ('key' = 'value', …)]",
		"CREATE DATABASE IF NOT EXISTS staging;"},
	{"CREATE FUNCTION", "gives a function another name, so that scripts for Flink run unchanged",
		"CREATE [TEMPORARY [SYSTEM]] FUNCTION [IF NOT EXISTS] name AS 'function'",
		"CREATE TEMPORARY FUNCTION count_char AS 'com.github.nexmark.flink.udf.CountChar';"},
	{"CREATE TABLE", "declares a table that a connector reads and writes",
		"CREATE [TEMPORARY] TABLE [IF NOT EXISTS] name (\n  column type [NOT NULL] | column type METADATA [FROM 'key'] [VIRTUAL] | column AS expression, …\n" +
			"  [, WATERMARK FOR column AS expression]\n  [, PRIMARY KEY (column, …) NOT ENFORCED]\n) [PARTITIONED BY (column, …)]\n" +
			"WITH ('connector' = '…', 'key' = 'value', …)\n[LIKE table | AS query]",
		"CREATE TABLE orders (id BIGINT, amount DECIMAL(10, 2), t TIMESTAMP(3), WATERMARK FOR t AS t - INTERVAL '5' SECOND)\n" +
			"WITH ('connector' = 'filesystem', 'path' = 'orders.csv', 'format' = 'csv');"},
	{"CREATE VIEW", "gives a query a name", "CREATE [TEMPORARY] VIEW [IF NOT EXISTS] name [(column, …)] AS query",
		"CREATE VIEW dear AS SELECT * FROM nexmark.bid WHERE price > 1000;"},
	{"DESCRIBE", "shows the columns of a table, or of a query without running it", "{ DESCRIBE | DESC } { table | query }",
		"DESCRIBE nexmark.bid;"},
	{"DROP", "removes a table, a view, a function, a database or a catalog",
		"DROP [TEMPORARY] { TABLE | VIEW | FUNCTION | DATABASE | CATALOG } [IF EXISTS] name", "DROP TABLE IF EXISTS orders;"},
	{"EXECUTE STATEMENT SET", "runs INSERTs as one job, which reads shared inputs once",
		"EXECUTE STATEMENT SET BEGIN\n  INSERT …;\n  …\nEND;",
		"EXECUTE STATEMENT SET BEGIN\nINSERT INTO a SELECT * FROM t;\nINSERT INTO b SELECT * FROM t;\nEND;"},
	{"EXPLAIN", "shows how a statement would run", "EXPLAIN [CHANGELOG_MODE] { query | INSERT … | STATEMENT SET … }",
		"EXPLAIN SELECT price FROM nexmark.bid WHERE auction = 7;"},
	{"HELP", "lists the commands, as \\? does", "HELP", "HELP;"},
	{"INSERT", "writes what a query gives to a table; at a terminal it runs in the background",
		"INSERT { INTO | OVERWRITE } table [PARTITION (column = value, …)] [(column, …)] { query | VALUES (…), … }",
		"INSERT INTO sink SELECT auction, price FROM nexmark.bid;"},
	{"QUIT", "leaves, as \\q does", "{ QUIT | EXIT }", "QUIT;"},
	{"RESET", "takes a setting, or all, back to the default", "RESET ['key']", "RESET 'parallelism.default';"},
	{"SELECT", "a query",
		"[WITH name AS (query), …]\nSELECT [DISTINCT] { * | expression [AS name], … }\nFROM { table [AS name] | (query) AS name | window } [JOIN … ON …]\n" +
			"[WHERE condition] [GROUP BY expression, …] [HAVING condition] [QUALIFY condition]\n[ORDER BY expression [DESC], …] [LIMIT n]",
		"SELECT auction, COUNT(*) AS bids FROM nexmark.bid GROUP BY auction;"},
	{"SET", "changes a setting; without a key it lists them", "SET ['key' = 'value']", "SET 'parallelism.default' = '2';"},
	{"SHOW", "lists what there is, or how it is declared",
		"SHOW { TABLES | VIEWS | COLUMNS FROM table | PARTITIONS table | [USER] FUNCTIONS | DATABASES" +
			" | CATALOGS | JOBS | [FULL] MODULES }\n  [[NOT] LIKE 'pattern']\nSHOW CREATE { TABLE | VIEW | CATALOG | DATABASE } name\nSHOW CURRENT { CATALOG | DATABASE }", "SHOW TABLES;"},
	{"STOP JOB", "ends a job in the background", "STOP JOB 'id' [WITH SAVEPOINT] [WITH DRAIN]", "STOP JOB '1f0c2a9be2c1d43f';"},
	{"USE", "changes the database or the catalog that names are looked up in", "USE [CATALOG] name", "USE default_database;"},
	{"VALUES", "a query of rows that are written out", "VALUES (expression, …), …", "VALUES (1, 'one'), (2, 'two');"},
	{"WINDOW", "rows in windows of time: each row comes with the start and the end of each window that it is in",
		"TABLE(TUMBLE(TABLE t, DESCRIPTOR(time), size [, offset]))\nTABLE(HOP(TABLE t, DESCRIPTOR(time), slide, size [, offset]))\n" +
			"TABLE(CUMULATE(TABLE t, DESCRIPTOR(time), step, size))\nTABLE(SESSION(TABLE t [PARTITION BY column], DESCRIPTOR(time), gap))",
		"SELECT window_start, window_end, COUNT(*) AS n\nFROM TABLE(TUMBLE(TABLE nexmark.bid, DESCRIPTOR(dateTime), INTERVAL '10' SECOND))\n" +
			"GROUP BY window_start, window_end;"},
}

func statementNames() []string {
	out := make([]string, len(statements))
	for i, h := range statements {
		out[i] = h.name
	}
	return out
}

// helpOf finds the statements whose name is, or begins with, a text, and otherwise those in whose form it is called.
func helpOf(name string) []statementHelp {
	var out []statementHelp
	for _, h := range statements {
		if h.name == name {
			return []statementHelp{h}
		}
		if strings.HasPrefix(h.name, name+" ") {
			out = append(out, h)
		}
	}
	for _, h := range statements {
		if len(out) == 0 && strings.Contains(h.form, "("+name+"(") {
			return []statementHelp{h}
		}
	}
	return out
}
