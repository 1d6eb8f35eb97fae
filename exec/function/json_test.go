package function

import (
	"testing"

	"streamsql/exec/types"
)

const jsonSample = `{"a": 1, "b": "x", "c": [1, 2, {"d": true}], "n": null, "o": {"k": "v"}}`

// TestJSON checks the JSON functions without clauses on values of the corpus.
func TestJSON(t *testing.T) {
	doc := "STRING:" + jsonSample
	for _, c := range [][]string{
		{"JSON_VALUE", "STRING:1", doc, "STRING:$.a"},
		{"JSON_VALUE", "STRING:v", doc, "STRING:lax $.o.k"},
		{"JSON_VALUE", "STRING:true", doc, "=STRING:$.c[-1]['d']"},
		{"JSON_VALUE", "STRING:\\N", doc, "STRING:$.c"},
		{"JSON_VALUE", "STRING:\\N", doc, "STRING:$.n"},
		{"JSON_VALUE", "STRING:\\N", doc, "STRING:bad path"},
		{"JSON_VALUE", "STRING:\\N", doc, "STRING:\\e"},
		{"JSON_VALUE", "STRING:2", `STRING:{"a": 1, "a": 2}`, "STRING:$.a"},
		{"JSON_VALUE", "STRING:2.50", `STRING:{"a": 2.50}`, "STRING:$.a"},
		{"JSON_VALUE", "STRING:1.5E+11", `STRING:{"a": 1.5e11}`, "STRING:$.a"},
		{"JSON_VALUE", "STRING:str", `STRING:"str"`, "STRING:$"},
		{"JSON_VALUE", "STRING:\\N", `STRING:{"a": 1`, "STRING:$.a"},
		{"JSON_QUERY", `STRING:[1,2,{"d":true}]`, doc, "STRING:$.c"},
		{"JSON_QUERY", `STRING:[1,2,{"d":true}]`, doc, "STRING:$.c[*]"},
		{"JSON_QUERY", `STRING:[1,{"d":true}]`, doc, "STRING:$.c[0,2]"},
		{"JSON_QUERY", `STRING:[2,{"d":true}]`, doc, "STRING:$.c[1:]"},
		{"JSON_QUERY", `STRING:["v"]`, doc, "STRING:$..k"},
		{"JSON_QUERY", "STRING:\\N", doc, "STRING:$.a"},
		{"JSON_EXISTS", "BOOLEAN:true", doc, "STRING:$.c[2]"},
		{"JSON_EXISTS", "BOOLEAN:false", doc, "STRING:$.n"},
		{"JSON_EXISTS", "BOOLEAN:false", doc, "STRING:$.zz"},
		{"IS JSON", "BOOLEAN NOT NULL:true", "=STRING:null"},
		{"IS JSON", "BOOLEAN NOT NULL:false", "=STRING:\\e"},
		{"IS JSON", "BOOLEAN NOT NULL:false", "=STRING:{a: 1}"},
		{"IS JSON SCALAR", "BOOLEAN NOT NULL:true", "=STRING:12"},
		{"IS JSON OBJECT", "BOOLEAN NOT NULL:true", "=STRING:{}"},
		{"JSON_STRING", `STRING:"a\\"\\\\é\\n"`, "STRING:a\"\\\\é\\n"},
		{"JSON_STRING", `STRING:[3,null]`, "ARRAY<INT>:[3, NULL]"},
		{"JSON_STRING", "STRING:3.0", "DOUBLE:3.0"},
		{"JSON_STRING", "refused: no JSON form", "DATE:2024-01-01"},
		{"JSON_QUOTE", `STRING:"\\u00e9\\/\\ud83d\\ude00"`, "STRING:é/😀"},
		{"JSON_UNQUOTE", "STRING:é/😀", `STRING:"\\u00e9\\/\\ud83d\\ude00"`},
		{"JSON_UNQUOTE", `STRING:"a`, `STRING:"a`},
		{"JSON_OBJECT", `STRING NOT NULL:{"k":"x","n":null}`, "=STRING:k", "=STRING:x", "=STRING:n", "=INT:\\N"},
		{"JSON_ARRAY", `STRING NOT NULL:[1,1.50,true]`, "=INT:1", "=DECIMAL(3, 2):1.50", "=INT:\\N", "=BOOLEAN:true"},
		{"JSON_ARRAY", `STRING NOT NULL:["2024-01-01T01:02:03.120"]`, "=TIMESTAMP(3):2024-01-01 01:02:03.120"},
	} {
		check(t, c[0], c[1], c[2:]...)
	}
}

// TestJSONClauses checks what stands behind the arguments.
func TestJSONClauses(t *testing.T) {
	integer, double, list := types.Of(types.Int), types.Of(types.Double), types.ArrayOf(types.String())
	for _, c := range []struct {
		name    string
		clauses JSONClauses
		want    string
		args    []string
	}{
		{"JSON_VALUE", JSONClauses{OnEmpty: JSONDefault}, "STRING:\\N", []string{"STRING:{}", "STRING:$.a", "STRING:d"}},
		{"JSON_VALUE", JSONClauses{OnEmpty: JSONDefault}, "STRING:d", []string{"=STRING:{}", "=STRING:lax $.a", "=STRING:d"}},
		{"JSON_VALUE", JSONClauses{OnEmpty: JSONDefault, OnError: JSONDefault}, "STRING:e",
			[]string{"=STRING:{}", "=STRING:$.a", "=STRING:d", "=STRING:e"}},
		{"JSON_VALUE", JSONClauses{OnEmpty: JSONError}, "fails: nothing", []string{"STRING:{}", "STRING:lax $.a"}},
		{"JSON_VALUE", JSONClauses{OnError: JSONError}, "fails: no scalar", []string{`STRING:{"a": []}`, "STRING:$.a"}},
		{"JSON_VALUE", JSONClauses{Returning: &integer}, "INT:-7", []string{`STRING:{"a": -7}`, "STRING:$.a"}},
		{"JSON_VALUE", JSONClauses{Returning: &integer, OnEmpty: JSONDefault}, "INT:-1",
			[]string{`=STRING:{"a": null}`, "=STRING:lax $.a", "=INT:-1"}},
		{"JSON_VALUE", JSONClauses{Returning: &double}, "DOUBLE:1.5", []string{`STRING:{"a": 1.5}`, "STRING:$.a"}},
		{"JSON_VALUE", JSONClauses{Returning: &list}, "refused", []string{"STRING:{}", "STRING:$.a"}},
		{"JSON_QUERY", JSONClauses{Wrapper: JSONWrapped}, "STRING:[[1]]", []string{"STRING:[1]", "STRING:$"}},
		{"JSON_QUERY", JSONClauses{Wrapper: JSONWrapped}, "STRING:[[1]]", []string{"STRING:[1]", "STRING:$[*]"}},
		{"JSON_QUERY", JSONClauses{Wrapper: JSONWrappedIfScalar}, `STRING:["x"]`, []string{`STRING:["x"]`, "STRING:$[0]"}},
		{"JSON_QUERY", JSONClauses{OnError: JSONEmptyObject}, "STRING:{}", []string{"STRING:null", "STRING:$.a"}},
		{"JSON_QUERY", JSONClauses{OnEmpty: JSONEmptyArray}, "STRING:[]", []string{"STRING:no", "STRING:lax $.a"}},
		{"JSON_QUERY", JSONClauses{Returning: &list}, `ARRAY<STRING>:["1", "x", NULL, "{\"d\":true}"]`,
			[]string{`STRING:[1, "x", null, {"d": true}]`, "STRING:$"}},
		{"JSON_EXISTS", JSONClauses{OnError: JSONUnknown}, "BOOLEAN:\\N", []string{"STRING:{}", "STRING:$.a"}},
		{"JSON_EXISTS", JSONClauses{OnError: JSONError}, "fails", []string{"STRING:{}", "STRING:$.a"}},
		{"JSON_OBJECT", JSONClauses{AbsentOnNull: true}, "STRING NOT NULL:{}", []string{"=STRING:k", "=STRING:\\N"}},
		{"JSON_ARRAY", JSONClauses{NullOnNull: true}, "STRING NOT NULL:[null]", []string{"=STRING:\\N"}},
		{"JSON_ARRAY", JSONClauses{Raw: []bool{true}}, "STRING NOT NULL:[[1]]", []string{"=STRING:[1]"}},
		{"JSON_ARRAY", JSONClauses{Raw: []bool{true}}, "STRING NOT NULL:[]", []string{"=STRING:\\e"}},
		{"JSON_ARRAY", JSONClauses{Raw: []bool{true}, NullOnNull: true}, "STRING NOT NULL:[null]", []string{"=STRING:\\e"}},
		{"JSON_ARRAY", JSONClauses{Raw: []bool{true}}, "refused: takes a text", []string{"=INT:1"}},
		{"JSON_OBJECT", JSONClauses{Raw: []bool{false, true}}, `STRING NOT NULL:{"k":null}`, []string{"=STRING:k", "=STRING:\\e"}},
		{"JSON_OBJECT", JSONClauses{Raw: []bool{false, true}, AbsentOnNull: true}, "STRING NOT NULL:{}", []string{"=STRING:k", "=STRING:\\e"}},
	} {
		s, err := JSON(c.name, c.clauses)
		if err != nil {
			t.Fatal(err)
		}
		checkDeclared(t, s, c.want, c.args...)
	}
}
