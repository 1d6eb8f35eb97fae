package function

import "testing"

func TestCollections(t *testing.T) {
	const (
		a  = "ARRAY<INT>:[3, 1, 2]"
		an = "ARRAY<INT>:[1, NULL, 1, 2, 2]"
		m  = `MAP<STRING, INT>:{"x"=1, "y"=2}`
		s  = `ARRAY<STRING>:["b", "a", NULL]`
	)
	for _, c := range [][]string{
		{"ROW", "ROW<`EXPR$0` INT, `EXPR$1` STRING> NOT NULL:(1, \"x\")", "INT:1", "STRING:x"},
		{"ARRAY", "ARRAY<INT> NOT NULL:[1, 2]", "INT:1", "=INT NOT NULL:2"},
		{"ARRAY", `ARRAY<VARCHAR(3) NOT NULL> NOT NULL:["a", "bcd"]`, "=CHAR(1) NOT NULL:a", "=CHAR(3) NOT NULL:bcd"},
		{"ARRAY", "ARRAY<INT> NOT NULL:[1, NULL]", "=INT NOT NULL:1", `=NULL:\N`},
		{"ARRAY", "ARRAY<ARRAY<INT>> NOT NULL:[[3, 1, 2], [5]]", a, "ARRAY<INT>:[5]"},
		{"ARRAY", "refused", "INT:1", "STRING:a"},
		{"ARRAY", "refused", `=NULL:\N`},
		{"MAP", `MAP<VARCHAR(3) NOT NULL, INT> NOT NULL:{"i"=1, "two"=2}`, "=CHAR(1) NOT NULL:i", "INT:1", "=CHAR(3) NOT NULL:two", "=INT NOT NULL:2"},
		{"MAP", "MAP<STRING, INT> NOT NULL:{\"k\"=2}", "STRING:k", "INT:1", "STRING:k", "INT:2"},
		{"MAP", "refused", "STRING:k"},
		{"MULTISET", "MULTISET<INT> NOT NULL:{1=2, 2=1}", "INT:1", "INT:2", "INT:1"},
		{"ITEM", "INT:3", a, "=INT:1"},
		{"ITEM", `INT:\N`, a, "INT:0"},
		{"ITEM", `INT:\N`, a, "=INT:10"},
		{"ITEM", `INT:\N`, an, "=INT:2"},
		{"ITEM", "refused: starts at 1", a, "=INT:0"},
		{"ITEM", "refused", a, "=CHAR(1):1"},
		{"ITEM", "INT:2", m, "=CHAR(1):y"},
		{"ITEM", `INT:\N`, m, "STRING:z"},
		{"ITEM", `ROW<x INT, y STRING>:(9, NULL)`, "ARRAY<ROW<x INT, y STRING>>:[(1, \"a\"), (9, NULL)]", "INT:2"},
		{"ITEM", "INT:7", "ROW<p INT, q STRING>:(7, \"a\")", "=CHAR(1):p"},
		{"ITEM", "refused: unknown field", "ROW<p INT, q STRING>:(7, \"a\")", "=CHAR(1):z"},
		{"CARDINALITY", "INT:5", an},
		{"CARDINALITY", "INT:2", m},
		{"CARDINALITY", "refused", "INT:2"},
		{"ELEMENT", "INT:5", "ARRAY<INT>:[5]"},
		{"ELEMENT", `INT:\N`, "ARRAY<INT>:[]"},
		{"ELEMENT", "fails: more than one element", a},
		{"ARRAY_CONTAINS", "BOOLEAN:true", a, "=INT:1"},
		{"ARRAY_CONTAINS", "BOOLEAN:false", a, `=INT:\N`},
		{"ARRAY_CONTAINS", "BOOLEAN:true", an, `=INT:\N`},
		{"ARRAY_CONTAINS", "BOOLEAN:true", s, "=CHAR(1):a"},
		{"ARRAY_CONTAINS", `BOOLEAN:\N`, `ARRAY<INT>:\N`, "=INT:1"},
		{"ARRAY_CONTAINS", "refused", a, "=CHAR(1):x"},
		{"ARRAY_POSITION", "INT:2", a, "INT:1"},
		{"ARRAY_POSITION", "INT:0", a, "INT:9"},
		{"ARRAY_MAX", "INT:3", a},
		{"ARRAY_MIN", "INT:1", an},
		{"ARRAY_MAX", `INT:\N`, "ARRAY<INT>:[]"},
		{"ARRAY_JOIN", "STRING:b,a,?", s, "=CHAR(1):,", "=CHAR(1):?"},
		{"ARRAY_JOIN", "STRING:ba", s, `=CHAR(0):\e`},
		{"ARRAY_JOIN", `STRING:\e`, "ARRAY<STRING>:[]", "=CHAR(1):,"},
		{"ARRAY_DISTINCT", "ARRAY<INT>:[1, NULL, 2]", an},
		{"ARRAY_REVERSE", "ARRAY<INT>:[2, 2, 1, NULL, 1]", an},
		{"ARRAY_REMOVE", "ARRAY<INT>:[NULL, 2, 2]", an, "INT:1"},
		{"ARRAY_REMOVE", "ARRAY<INT>:[1, 1, 2, 2]", an, `=INT:\N`},
		{"ARRAY_APPEND", "ARRAY<INT>:[3, 1, 2, NULL]", a, `=INT:\N`},
		{"ARRAY_PREPEND", "ARRAY<INT>:[9, 3, 1, 2]", a, "=INT:9"},
		{"ARRAY_CONCAT", "ARRAY<INT>:[3, 1, 2, 5, 3, 1, 2]", a, "ARRAY<INT>:[5]", a},
		{"ARRAY_CONCAT", "refused", a, s},
		{"ARRAY_UNION", "ARRAY<INT>:[3, 1, 2, 5]", a, "ARRAY<INT>:[2, 5, 5]"},
		{"ARRAY_INTERSECT", "ARRAY<INT>:[2]", a, "ARRAY<INT>:[2, 5]"},
		{"ARRAY_EXCEPT", "ARRAY<INT>:[NULL, 2]", an, "ARRAY<INT>:[1]"},
		{"ARRAY_SLICE", "ARRAY<INT>:[3, 1]", a, "=INT:1", "=INT:2"},
		{"ARRAY_SLICE", "ARRAY<INT>:[1, 2]", a, "=INT:-2"},
		{"ARRAY_SLICE", "ARRAY<INT>:[3, 1, 2]", a, "=INT:-9", "=INT:9"},
		{"ARRAY_SLICE", "ARRAY<INT>:[]", a, "=INT:4", "=INT:2"},
		{"ARRAY_SORT", "ARRAY<INT>:[NULL, 1, 1, 2, 2]", an},
		{"ARRAY_SORT", "ARRAY<INT>:[2, 2, 1, 1, NULL]", an, "=BOOLEAN:false"},
		{"ARRAY_SORT", "ARRAY<STRING>:[\"a\", \"b\", NULL]", s, "BOOLEAN:true", "BOOLEAN:false"},
		{"MAP_KEYS", `ARRAY<STRING>:["x", "y"]`, m},
		{"MAP_VALUES", `ARRAY<INT>:[1, 2]`, m},
		{"MAP_ENTRIES", "ARRAY<ROW<`key` STRING, `value` INT> NOT NULL>:[(\"x\", 1), (\"y\", 2)]", m},
		{"MAP_UNION", `MAP<STRING, INT>:{"x"=1, "y"=9, "z"=3}`, m, `MAP<STRING, INT>:{"y"=9, "z"=3}`},
		{"MAP_FROM_ARRAYS", `MAP<STRING, INT>:{"p"=1, "q"=5}`, `ARRAY<STRING>:["p", "q"]`, "ARRAY<INT>:[1, 5]"},
		{"MAP_FROM_ARRAYS", "fails: 2 keys for 1 values", `ARRAY<STRING>:["p", "q"]`, "ARRAY<INT>:[1]"},
	} {
		check(t, c[0], c[1], c[2:]...)
	}
}
