package reference

// Bound is a function that the planner knows by itself, since it is no function of the values of a row, or reads only the
// argument that it takes. Query is an example, and Rows are its rows in their order, cells apart by blanks.
type Bound struct{ Name, Form, Group, Text, Query, Rows string }

// BoundFunctions are all of them. Those of ranking run in batch mode as in a stream but for what their texts say.
var BoundFunctions = []Bound{
	{"COALESCE", "COALESCE(<ANY>, ...)", "conditional", "The first argument that is not NULL; the ones behind it are not computed.",
		"SELECT COALESCE(x, y, 0) FROM (VALUES (1, 2), (NULLIF(1, 1), 3)) AS t (x, y)", "1 | 3"},
	{"IFNULL", "IFNULL(<ANY>, <ANY>)", "conditional", "The first argument, or the second where that is NULL.",
		"SELECT IFNULL(x, 0) FROM (VALUES (1), (NULLIF(1, 1))) AS t (x)", "1 | 0"},
	{"NULLIF", "NULLIF(<COMPARABLE>, <COMPARABLE>)", "conditional", "NULL where both arguments are equal, else the first one.",
		"SELECT NULLIF(x, 0) FROM (VALUES (7), (0)) AS t (x)", `7 | \N`},
	{"JSON", "JSON(<CHARACTER>)", "by the planner", "A text that is JSON already, as a value of JSON_OBJECT or JSON_ARRAY, and there alone. The empty text is NULL.",
		"SELECT JSON_OBJECT('a' VALUE JSON('[1, 2]'), 'b' VALUE JSON(''))", `{"a":[1, 2],"b":null}`},
	{"CURRENT_DATABASE", "CURRENT_DATABASE()", "by the planner", "The name of the session's database when the statement is planned.",
		"SELECT CURRENT_DATABASE()", "default_database"},
	{"GROUPING", "GROUPING(<ANY>, ...)", "grouping", "For each argument, which GROUPING SETS, ROLLUP or CUBE groups by, a bit: 1 where the row is of a set" +
		" without it. The first argument's is the highest.",
		"SELECT x, GROUPING(x), COUNT(*) FROM (VALUES (1), (1), (2)) AS t (x) GROUP BY ROLLUP (x)", `1 0 2 | 2 0 1 | \N 1 3`},
	{"GROUPING_ID", "GROUPING_ID(<ANY>, ...)", "grouping", "GROUPING under another name.",
		"SELECT x, GROUPING_ID(x) FROM (VALUES (1)) AS t (x) GROUP BY CUBE (x)", `1 0 | \N 1`},
	{"GROUP_ID", "GROUP_ID()", "grouping", "0: which of equal grouping sets a row is of, which are not told apart.",
		"SELECT x, GROUP_ID() FROM (VALUES (1)) AS t (x) GROUP BY ROLLUP (x)", `1 0 | \N 0`},
	{"ROW_NUMBER", "ROW_NUMBER() OVER (…)", "ranking", "The place of a row in the order of its partition, from 1. `WHERE n <= 3` around it makes it a Top-N.",
		"SELECT x, ROW_NUMBER() OVER (ORDER BY x) FROM (VALUES (10), (20), (30)) AS t (x)", "10 1 | 20 2 | 30 3"},
	{"RANK", "RANK() OVER (…)", "ranking", "One more than the number of rows before the row; equal rows share a place.",
		"SELECT x, RANK() OVER (ORDER BY x) FROM (VALUES (10), (10), (30)) AS t (x)", "10 1 | 10 1 | 30 3"},
	{"DENSE_RANK", "DENSE_RANK() OVER (…)", "ranking", "RANK without gaps: one more than the number of values before.",
		"SELECT x, DENSE_RANK() OVER (ORDER BY x) FROM (VALUES (10), (10), (30)) AS t (x)", "10 1 | 10 1 | 30 2"},
	{"PERCENT_RANK", "PERCENT_RANK() OVER (…)", "ranking", "RANK as a part of the partition, from 0 to 1. In batch mode.",
		"SELECT x, PERCENT_RANK() OVER (ORDER BY x) FROM (VALUES (10), (20), (30)) AS t (x)", "10 0.0 | 20 0.5 | 30 1.0"},
	{"CUME_DIST", "CUME_DIST() OVER (…)", "ranking", "The part of the partition that is not behind the row. In batch mode.",
		"SELECT x, CUME_DIST() OVER (ORDER BY x) FROM (VALUES (10), (10), (30), (40)) AS t (x)", "10 0.5 | 10 0.5 | 30 0.75 | 40 1.0"},
	{"NTILE", "NTILE(<INTEGER>) OVER (…)", "ranking", "Which of so many parts of the partition a row is in, of sizes that differ by one at most. In batch mode.",
		"SELECT x, NTILE(2) OVER (ORDER BY x) FROM (VALUES (10), (20), (30)) AS t (x)", "10 1 | 20 1 | 30 2"},
	{"LAG", "LAG(<ANY> [, <INTEGER> [, <ANY>]]) OVER (…)", "ranking", "The value of so many rows before, one where it is not said; where there is none, the third argument or NULL.",
		"SELECT x, LAG(x, 1, 0) OVER (ORDER BY x) FROM (VALUES (10), (20), (30)) AS t (x)", "10 0 | 20 10 | 30 20"},
	{"LEAD", "LEAD(<ANY> [, <INTEGER> [, <ANY>]]) OVER (…)", "ranking", "LAG of the rows behind. In batch mode.",
		"SELECT x, LEAD(x) OVER (ORDER BY x) FROM (VALUES (10), (20), (30)) AS t (x)", `10 20 | 20 30 | 30 \N`},
}

func boundEntries() []Entry {
	var out []Entry
	for _, b := range BoundFunctions {
		out = append(out, Entry{Name: b.Name, Group: b.Group, Text: b.Text, Code: b.Query + ";",
			Facts: []Fact{{"forms", b.Form}, {"rows of the example", b.Rows}}})
	}
	return out
}
