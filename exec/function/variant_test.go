package function

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"streamsql/exec/text"
)

func TestParseJSON(t *testing.T) {
	for _, c := range [][]string{
		{"PARSE_JSON", `VARIANT:{"a":"1.5","b":2.5,"c":[]}`, `STRING: {"a": "1.5", "c": [ ], "b": 2.50} `},
		{"PARSE_JSON", `VARIANT:{"":{},"B":1,"a":2,"é":3}`, `STRING:{"é": 3, "a": 2, "": {}, "B": 1}`},
		{"PARSE_JSON", `VARIANT:{"😀":1,"ｚ":2}`, `STRING:{"ｚ": 2, "😀": 1}`}, // as UTF-16
		{"PARSE_JSON", `VARIANT:[1,-1,0,0,0,100,0.1,-0.5,12]`, `STRING:[1, -1, 0, -0, -0.0, 100.00, 0.10, -0.500, 12.0]`},
		{"PARSE_JSON", `VARIANT:[1000.0,1.0E10,0.001,1.0E-5,-0.0]`, `STRING:[1e3, 1E10, 1e-3, 0.1e-4, -0e0]`},
		{"PARSE_JSON", `VARIANT:9223372036854775808`, `STRING:9223372036854775808`},
		{"PARSE_JSON", `VARIANT:99999999999999999999999999999999999999`, `STRING:99999999999999999999999999999999999999`},
		{"PARSE_JSON", `VARIANT:1.0E38`, `STRING:99999999999999999999999999999999999999.9`},
		{"PARSE_JSON", `VARIANT:"a\\"\\\\é\\n/"`, `STRING:"\\u0061\\"\\\\\\u00e9\\n\\/"`},
		{"PARSE_JSON", "VARIANT:null", "STRING:null"},
		{"PARSE_JSON", "VARIANT:{}", "STRING:{} and more"},
		{"PARSE_JSON", "VARIANT:\\N", "STRING:\\N"},
		{"PARSE_JSON", "fails: no valid JSON", "STRING:{a: 1}"},
		{"PARSE_JSON", "fails: no valid JSON", "STRING:\\e"},
		{"PARSE_JSON", "fails: twice", `STRING:{"b": [{"a": 1, "c": 2, "a": 2}]}`},
		{"PARSE_JSON", "fails: twice", `STRING:{"a": 1, "a": 2}`, "=BOOLEAN:false"},
		{"PARSE_JSON", "fails: beyond DOUBLE", "STRING:[1e400]"},
		{"PARSE_JSON", `VARIANT:{"a":3,"b":2}`, `STRING:{"a": 1, "b": 2, "a": 2, "a": 3}`, "BOOLEAN:true"},
		{"PARSE_JSON", "refused", "INT:1"},
		{"PARSE_JSON", "refused", "STRING:1", "INT:1"},
		{"TRY_PARSE_JSON", `VARIANT:\N`, `STRING:{"a": 1, "a": 2}`},
		{"TRY_PARSE_JSON", `VARIANT:{"a":2}`, `STRING:{"a": 1, "a": 2}`, "=BOOLEAN:true"},
		{"TRY_PARSE_JSON", `VARIANT:\N`, "STRING:not json"},
		{"TRY_PARSE_JSON", `VARIANT:\N`, "=STRING:\\N"},
		{"JSON_STRING", `STRING:{"a":[1]}`, `VARIANT:{"a":[1]}`},
		{"JSON_ARRAY", `STRING NOT NULL:[{"a":[1]},"x"]`, `VARIANT:{"a":[1]}`, "STRING:x"},
		{"=", "refused: not compared", "VARIANT:1", "VARIANT:1"},
		{"<", "refused: not compared", "VARIANT:1", "INT:1"},
		{"=", "refused: not compared", "ARRAY<VARIANT>:[1]", "ARRAY<VARIANT>:[1]"},
		{"ARRAY_DISTINCT", "refused: not compared", "ARRAY<VARIANT>:[1]"},
		{"ARRAY_SORT", "refused: not compared", "ARRAY<VARIANT>:[1]"},
		{"ARRAY_CONTAINS", "refused: not compared", "ARRAY<VARIANT>:[1]", "VARIANT:1"},
		{"GREATEST", "refused: no order", "VARIANT:1", "VARIANT:1"},
	} {
		check(t, c[0], c[1], c[2:]...)
	}
}

func TestVariantItem(t *testing.T) {
	v := `VARIANT:{"a":[1,"x,]}\\"",{"d":null},[]],"b":{"a":true},"k\\"":7,"é":8}`
	for _, c := range [][]string{
		{`VARIANT:[1,"x,]}\\"",{"d":null},[]]`, v, "STRING:a"},
		{`VARIANT:{"a":true}`, v, "=CHAR(1):b"},
		{`VARIANT:7`, v, `STRING:k"`},
		{`VARIANT:8`, v, `STRING:é`},
		{`VARIANT:\N`, v, "STRING:z"},
		{`VARIANT:\N`, v, `STRING:\N`},
		{`VARIANT:\N`, `VARIANT:\N`, "INT:1"},
		{`VARIANT:1`, "VARIANT:[1,[2,3],4]", "INT:1"},
		{`VARIANT:[2,3]`, "VARIANT:[1,[2,3],4]", "=INT:2"},
		{`VARIANT:4`, "VARIANT:[1,[2,3],4]", "TINYINT:3"},
		{`VARIANT:\N`, "VARIANT:[1,[2,3],4]", "INT:4"},
		{`VARIANT:\N`, "VARIANT:[1,[2,3],4]", "INT:0"},
		{`VARIANT:\N`, "VARIANT:[1,[2,3],4]", "BIGINT:-1"},
		{`VARIANT:\N`, "VARIANT:[]", "INT:1"},
		{`VARIANT:\N`, "VARIANT:{}", "STRING:a"},
		{`VARIANT:null`, "VARIANT:[null]", "INT:1"},
		{"fails: an array", v, "INT:1"},
		{"fails: an object", "VARIANT:[1]", "STRING:a"},
		{"fails: an object", `VARIANT:"text"`, "STRING:a"},
		{"fails: an object", `VARIANT:null`, "STRING:a"},
		{"refused", v, "DOUBLE:1.0"},
	} {
		checkDeclared(t, VariantItem, c[0], c[1:]...)
	}
}

func TestCastVariants(t *testing.T) {
	casts(t, "VARIANT", "STRING", `"a\\n\\"é" => a\n"é | 1.5 => 1.5 | {"a":1} => {"a":1} | true => true | null => \N | [1,"x"] => [1,"x"] | "" => \e`)
	casts(t, "VARIANT", "CHAR(3)", `"abcd" => abc | 1 => 1 \s`)
	casts(t, "VARIANT", "BOOLEAN", `true => true | false => false | null => \N | 1 => ! | "true" => ! | [] => !`)
	casts(t, "VARIANT", "TINYINT", `127 => 127 | -128 => -128 | 128 => ! | 1.9 => 1 | null => \N | true => ! | "1" => ! | {} => !`)
	casts(t, "VARIANT", "BIGINT", `9223372036854775807 => 9223372036854775807 | 9223372036854775808 => ! | 1.0E10 => 10000000000 | 1.0E20 => !`)
	casts(t, "VARIANT", "DOUBLE", `1 => 1.0 | 0.1 => 0.1 | 1.0E300 => 1.0E300 | "1" => !`)
	casts(t, "VARIANT", "FLOAT", `0.1 => 0.1 | 1.0E300 => Infinity`)
	casts(t, "VARIANT", "DECIMAL(10, 2)", `1.255 => 1.26 | 1.0E7 => 10000000.00 | 123456789 => ! | null => \N`)
	casts(t, "VARIANT", "DECIMAL(38, 0)", `99999999999999999999999999999999999999 => 99999999999999999999999999999999999999`)
	casts(t, "ARRAY<VARIANT>", "ARRAY<INT>", `[1, 2.5, NULL] => [1, 2, NULL] | ["x"] => !`)
	refused(t, "VARIANT", "DATE", "cannot convert")
	refused(t, "VARIANT", "BYTES", "cannot convert")
	refused(t, "VARIANT", "ARRAY<INT>", "cannot convert")
	refused(t, "STRING", "VARIANT", "PARSE_JSON")
	refused(t, "ROW<a INT>", "VARIANT", "PARSE_JSON")
}

// FuzzVariant: what is made of a JSON text is JSON of the same value, stays as it is when it is made again but for numbers
// with an exponent, and its elements are where the walk over it finds them.
func FuzzVariant(f *testing.F) {
	for _, s := range []string{jsonSample, `{"b": {"a": [], "": 1}, "a": "\ud83d\ude00\\\""}`, `[1e3, -0.0, 1.50, 12345678901234567890]`, "null", `{"a":1,"a":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		v := NewVariants()
		out, err := v.Append(nil, in, true)
		if err != nil || !json.Valid(in) {
			return
		}
		var given, made any
		if err := json.Unmarshal(in, &given); err != nil {
			return // beyond float64
		}
		if err := json.Unmarshal(out, &made); err != nil {
			t.Fatalf("%q: %q is no JSON: %v", in, out, err)
		}
		if !reflect.DeepEqual(given, made) && bytes.Equal(in, text.AppendUTF8(nil, in)) && !bytes.Contains(in, []byte(`\u`)) {
			t.Errorf("%q: %q is another value", in, out)
		}
		again, err := v.Append(nil, out, false)
		if err != nil || !bytes.ContainsAny(in, "eE") && string(again) != string(out) {
			t.Errorf("%q: %q, and then %q, %v", in, out, again, err)
		}
		list, isList := made.([]any)
		for at, n := 1, 0; isList && out[at] != ']'; n++ {
			end := variantEnd(out, at)
			var x any
			if err := json.Unmarshal(out[at:end], &x); err != nil || !reflect.DeepEqual(x, list[n]) {
				t.Fatalf("%q: element %d is %q", out, n, out[at:end])
			}
			if at = end; out[at] == ',' {
				at++
			}
		}
	})
}
