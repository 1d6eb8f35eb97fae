package function

import (
	"regexp"
	"testing"
	"time"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

func TestNumericFunctions(t *testing.T) {
	for _, c := range [][]string{
		{"SQRT", "DOUBLE:46340.950001051984", "INT:2147483647"},
		{"SQRT", "DOUBLE:NaN", "DOUBLE:-1.0"},
		{"LN", "DOUBLE NOT NULL:-Infinity", "DOUBLE NOT NULL:0.0"},
		{"LN", "DOUBLE:18.420680743852365", "DECIMAL(10,2):99999999.99"},
		{"LOG", "DOUBLE:2.0", "DOUBLE:2.0", "DOUBLE:4.0"},
		{"LOG", "DOUBLE:NaN", "DOUBLE:0.0", "DOUBLE:0.0"},
		{"COT", "DOUBLE:Infinity", "DOUBLE:0.0"},
		{"POWER", "DOUBLE:NaN", "DOUBLE:-1.0", "DOUBLE:0.5"},
		{"POWER", "DOUBLE:NaN", "DOUBLE:1.0", "DOUBLE:Infinity"},
		{"POWER", "DOUBLE:1.0", "DOUBLE:0.0", "DOUBLE:0.0"},
		{"DEGREES", "DOUBLE:57.29577951308232", "DOUBLE:1.0"},
		{"PI", "DOUBLE NOT NULL:3.141592653589793"},
		{"SQRT", "refused", "STRING:4"},
		{"BIN", "STRING:11111111", "INT:255"},
		{"BIN", "STRING:1111111111111111111111111111111111111111111111111111111111111111", "INT:-1"},
		{"HEX", "STRING:FFFFFFFFFFFFFFFF", "INT:-1"},
		{"HEX", "STRING:10000000000", "BIGINT:1099511627776"},
		{"HEX", "STRING:C3A9", "STRING:é"},
		{"UNHEX", "BYTES:0x68656c6c6f2c20776f726c64", "STRING:68656C6C6F2C20776F726C64"},
		{"UNHEX", "BYTES:0x0061", "STRING:F61"},
		{"UNHEX", `BYTES:\N`, "STRING:zz"},
		{"GREATEST", "DOUBLE:NaN", "INT:2", "DOUBLE:NaN"},
		{"LEAST", "DOUBLE:2.0", "INT:2", "DOUBLE:NaN"},
		{"GREATEST", "DECIMAL(12, 2):3.10", "INT:3", "DECIMAL(6,2):3.10"},
		{"GREATEST", "DECIMAL(38, 2):3.10", "DECIMAL(38,2):3.10", "DECIMAL(38,2):-3.10", "DECIMAL(38,2):3.09"},
		{"LEAST", "STRING:A", "STRING:A", "CHAR(1):a"},
		{"GREATEST", "STRING:a text that is longer", "STRING:a text that is long", "STRING:a text that is longer", "STRING:B"},
		{"LEAST", "BOOLEAN:false", "BOOLEAN:true", "BOOLEAN:false"},
		{"LEAST", "refused", "INT:3", "STRING:1"},
		{"LEAST", "refused", "ARRAY<INT>:[]", "ARRAY<INT>:[]"},
		{"TYPEOF", "STRING:DECIMAL(10, 2)", `DECIMAL(10,2):\N`},
		{"RAND_INTEGER", "fails: bound must be positive", "INT:0"},
	} {
		check(t, c[0], c[1], c[2:]...)
	}
}

func TestRound(t *testing.T) {
	for _, c := range [][]string{
		{"ROUND", "DOUBLE:1.01", "DOUBLE:1.005", "=INT:2"},
		{"ROUND", "DOUBLE:-3.0", "DOUBLE:-2.5"},
		{"ROUND", "DOUBLE:0.0", "DOUBLE:-0.4"},
		{"ROUND", "DOUBLE:1230.0", "DOUBLE:1234.5678", "INT:-1"},
		{"ROUND", "DOUBLE:10.0", "DOUBLE:7.0", "INT:-1"},
		{"ROUND", "DOUBLE:0.0", "DOUBLE:7.0", "INT:-2"},
		{"ROUND", "DOUBLE:1.0E18", "DOUBLE:1.0E18", "INT:-1"},
		{"ROUND", "DOUBLE:1.0", "DOUBLE:0.99999", "INT:3"},
		{"ROUND", "DOUBLE:NaN", "DOUBLE:NaN", "INT:3"},
		{"ROUND", "FLOAT:1.0", "FLOAT:1.005", "INT:2"},
		{"ROUND", "FLOAT:1234.57", "FLOAT:1234.5678", "INT:2"},
		{"ROUND", "INT:-20", "INT:-15", "INT:-1"},
		{"ROUND", "INT:-2147483646", "INT:2147483647", "INT:-1"},
		{"ROUND", "BIGINT:-9223372036854775616", "BIGINT:9223372036854775807", "INT:-3"},
		{"ROUND", "INT:0", "INT:5", "INT:-100"},
		{"ROUND", "INT:1234", "INT:1234", "INT:7"},
		{"ROUND", "DECIMAL(9, 2):1000000.00", "DECIMAL(10,4):999999.9999", "=INT:2"},
		{"ROUND", "DECIMAL(7, 0):-3", "DECIMAL(10,4):-2.5000"},
		{"ROUND", "DECIMAL(7, 0):1230", "DECIMAL(10,4):1234.5678", "=INT:-1"},
		{"ROUND", "DECIMAL(10, 4):1234.5700", "DECIMAL(10,4):1234.5678", "INT:2"},
		{"ROUND", "DECIMAL(10, 4):1234.5678", "DECIMAL(10,4):1234.5678", "=INT:9"},
		{"ROUND", "DECIMAL(38, 0):9223372036854775810", "DECIMAL(38,0):9223372036854775807", "=INT:-1"},
		{"ROUND", `DECIMAL(38, 0):\N`, "DECIMAL(38,0):99999999999999999999999999999999999999", "=INT:-1"},
		{"ROUND", "refused", "STRING:a"},
		{"TRUNCATE", "DOUBLE:1234.56", "DOUBLE:1234.5678", "=INT:2"},
		{"TRUNCATE", "DOUBLE:0.0", "DOUBLE:-0.4"},
		{"TRUNCATE", "FLOAT:1234.56", "FLOAT:1234.5678", "=INT:2"},
		{"TRUNCATE", "INT:2147483640", "INT:2147483647", "INT:-1"},
		{"TRUNCATE", "BIGINT:-40", "BIGINT:-45", "INT:-1"},
		{"TRUNCATE", "DECIMAL(9, 2):999999.99", "DECIMAL(10,4):999999.9999", "=INT:2"},
		{"TRUNCATE", "DECIMAL(7, 0):999990", "DECIMAL(10,4):999999.9999", "=INT:-1"},
		{"FLOOR", "FLOAT:-1.0", "FLOAT:-0.4"},
		{"FLOOR", "DECIMAL(10, 0):-3", "DECIMAL(10,4):-2.5000"},
		{"FLOOR", "INT:-4", "INT:-4"},
		{"CEIL", "DOUBLE:-0.0", "DOUBLE:-0.4"},
		{"CEIL", "DECIMAL(38, 0):1235", "DECIMAL(38,4):1234.5678"},
		{"CEILING", "DECIMAL(38, 0):1", "DECIMAL(38,30):0.000000000000000000000000000001"},
	} {
		check(t, c[0], c[1], c[2:]...)
	}
}

func TestIn(t *testing.T) {
	for _, c := range [][]string{
		{"IN", "BOOLEAN:true", "INT:2", "=INT:1", "=INT:2"},
		{"IN", `BOOLEAN:\N`, "INT:3", "=INT:1", "=NULL:\\N"},
		{"IN", "BOOLEAN:true", "INT:1", "=INT:1", `=INT:\N`},
		{"IN", `BOOLEAN:\N`, `INT:\N`, "=INT:1", "=INT:2"},
		{"IN", "BOOLEAN NOT NULL:false", "BIGINT NOT NULL:5", "=BIGINT NOT NULL:1", "=BIGINT NOT NULL:9000000000000000000"},
		{"IN", "BOOLEAN:true", "BIGINT:-9223372036854775808", "=BIGINT:-9223372036854775808", "=BIGINT:9223372036854775807"},
		{"IN", "BOOLEAN:true", "INT:1", "=CHAR(1):1", "=CHAR(1):2"},
		{"IN", "BOOLEAN:true", "STRING:A", "=CHAR(1):a", "=CHAR(1):A"},
		{"IN", "BOOLEAN:true", `STRING:\e`, "=CHAR(1):a", `=CHAR(0):\e`},
		{"IN", "BOOLEAN:true", "STRING:https://www.nexmark.com/b", "=STRING:https://www.nexmark.com/a", "=STRING:https://www.nexmark.com/b"},
		{"IN", `BOOLEAN:\N`, "STRING:x", "=CHAR(1):a", "=NULL:\\N"},
		{"IN", "BOOLEAN:true", "DECIMAL(3,1):2.0", "=INT:1", "=INT:2"},
		{"IN", "BOOLEAN:false", "DOUBLE:NaN", "=DOUBLE:NaN", "=DOUBLE:1"},
		{"IN", "BOOLEAN:true", "DATE:2024-01-01", "=CHAR(10):2024-01-02", "=CHAR(10):2024-01-01"},
		{"IN", `BOOLEAN:\N`, "INT:3", "INT:4", `INT:\N`},
		{"IN", "BOOLEAN:true", "ROW<a INT, b INT>:(2, 1)", "=ROW<a INT, b INT>:(1, 1)", "=ROW<a INT, b INT>:(2, 1)"},
		{"IN", "refused", "INT:3", "BOOLEAN:true"},
	} {
		check(t, c[0], c[1], c[2:]...)
	}
}

// java.util.Random of seed 42 starts with these numbers.
func TestRandomOfSeed(t *testing.T) {
	var g generators
	if v := g.of(42).below(10); v != 0 {
		t.Error("first of seed 42 below 10:", v)
	}
	if v := g.of(42).below(10); v != 3 {
		t.Error("second of seed 42 below 10:", v)
	}
	var d generators
	if v := d.of(42).double(); v != 0.7275636800328681 {
		t.Error("first double of seed 42:", v)
	}
	if s := string(appendUUID(nil, ^uint64(0), 0)); !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(s) {
		t.Error("uuid", s)
	}
	kern, _ := Must("RAND").Bind(Binding{Result: types.Of(types.Double), Env: &Env{Zone: time.UTC}})
	out := &vector.Column{}
	out.Reset(types.Of(types.Double), 100)
	var c Call
	c.Reset(out, nil, nil)
	kern(&c)
	for _, v := range vector.Values[float64](out) {
		if v < 0 || v >= 1 {
			t.Error("RAND is", v)
		}
	}
}
