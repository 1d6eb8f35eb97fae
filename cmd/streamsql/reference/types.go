package reference

import "streamsql/planner"

// sqlType is a type as it is written; value is an expression of it.
type sqlType struct{ name, also, text, value string }

var sqlTypes = []sqlType{
	{"BOOLEAN", "", "TRUE, FALSE or, as any type, NULL.", "TRUE"},
	{"TINYINT", "", "A whole number of 8 bits. Arithmetic wraps around, as with all whole numbers.", "CAST(1 AS TINYINT)"},
	{"SMALLINT", "", "A whole number of 16 bits.", "CAST(1 AS SMALLINT)"},
	{"INT", "INTEGER", "A whole number of 32 bits.", "1"},
	{"BIGINT", "", "A whole number of 64 bits.", "CAST(1 AS BIGINT)"},
	{"FLOAT", "", "A binary floating point number of 32 bits.", "CAST(1.5 AS FLOAT)"},
	{"DOUBLE", "DOUBLE PRECISION", "A binary floating point number of 64 bits.", "1.5E0"},
	{"DECIMAL(p, s)", "DEC, NUMERIC", "An exact number of p digits, at most 38, of which s stand behind the point; (10, 0) where nothing is said.", "1.50"},
	{"CHAR(n)", "", "A text of n characters.", "'abc'"},
	{"VARCHAR(n)", "", "A text of at most n characters. Without a length it is STRING.", "CAST('abc' AS VARCHAR(5))"},
	{"STRING", "", "A text of any length.", "CAST('abc' AS STRING)"},
	{"BINARY(n)", "", "n bytes.", "X'0aff'"},
	{"VARBINARY(n)", "", "At most n bytes.", "CAST(X'0aff' AS VARBINARY(4))"},
	{"BYTES", "", "Bytes of any number.", "CAST(X'0aff' AS BYTES)"},
	{"DATE", "", "A day, without a zone.", "DATE '2024-02-29'"},
	{"TIME(p)", "", "A time of day. Three digits of a second are kept.", "TIME '12:30:00'"},
	{"TIMESTAMP(p)", "", "A date and a time of day without a zone, with p digits of a second: 6 where nothing is said. Of 3 or fewer it may be an event time.",
		"TIMESTAMP '2024-02-29 12:30:00.123'"},
	{"TIMESTAMP_LTZ(p)", "TIMESTAMP(p) WITH LOCAL TIME ZONE", "An instant, shown in the zone of the session (`table.local-time-zone`).",
		"TO_TIMESTAMP_LTZ(0, 3)"},
	{"INTERVAL YEAR TO MONTH", "", "A number of months.", "INTERVAL '1-6' YEAR TO MONTH"},
	{"INTERVAL DAY TO SECOND", "", "A length of time, to the millisecond.", "INTERVAL '1 02:03' DAY TO MINUTE"},
	{"ARRAY<t>", "t ARRAY", "Values of one type in order. The first has the index 1.", "ARRAY[1, 2]"},
	{"MAP<k, v>", "", "Values by keys.", "MAP['a', 1]"},
	{"MULTISET<t>", "t MULTISET", "Values with a number of copies each.", "CAST(NULL AS MULTISET<INT>)"},
	{"VARIANT", "", "JSON of any form: v['name'] and v[1] are its members and elements, CAST gives what it holds a type. It is neither compared nor" +
		" ordered. Files of JSON have it nested, files of CSV as a text, and Parquet not at all.", "PARSE_JSON('{\"a\": [1, 2.5]}')"},
	{"ROW<name type, …>", "ROW(name type, …)", "Fields by names: r.name reads one.", "ROW(1, 'a')"},
}

// Types are the types of values.
func Types(s *planner.Session) Topic {
	t := Topic{Name: "type", Title: "Types", About: "A type may be followed by NOT NULL."}
	for _, x := range sqlTypes {
		t.Entries = append(t.Entries, Entry{Name: x.name, Text: x.text,
			Facts: []Fact{{"also written", x.also}, {"a value", x.value}, {"type of it", typeOf(s, x.value)}}})
	}
	return t
}
