package function

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// aggregateCase is the argument's type, the values, and the type and value of the result.
type aggregateCase struct{ name, typ, values, result, want string }

func TestAggregates(t *testing.T) {
	for _, c := range []aggregateCase{
		{"COUNT", "STRING", `a|\N|b`, "BIGINT NOT NULL", "2"},
		{"COUNT", "INT", ``, "BIGINT NOT NULL", "0"},
		{"SUM", "INT", `1|\N|2`, "INT", "3"},
		{"SUM", "INT", `\N|\N`, "INT", `\N`},
		{"SUM", "INT", ``, "INT", `\N`},
		{"SUM", "INT NOT NULL", `1|2`, "INT NOT NULL", `3`},
		{"SUM", "TINYINT", `127|1|127`, "TINYINT", "-1"},
		{"SUM", "SMALLINT", `-32768|-1|0`, "SMALLINT", "32767"},
		{"SUM", "INT", `2147483647|1|2147483647`, "INT", "-1"},
		{"SUM", "BIGINT", `9223372036854775807|1|9223372036854775807`, "BIGINT", "-1"},
		{"SUM", "DOUBLE", `1.5|\N|0.25`, "DOUBLE", "1.75"},
		{"SUM", "FLOAT", `1.5|2.0`, "FLOAT", "3.5"},
		{"SUM", "DECIMAL(10, 2)", `1.10|2.20|\N|0.01`, "DECIMAL(38, 2)", "3.31"},
		{"SUM", "DECIMAL(38, 0)", `99999999999999999999999999999999999999|1|-1`, "DECIMAL(38, 0)", "99999999999999999999999999999999999999"},
		{"SUM", "DECIMAL(38, 0)", `99999999999999999999999999999999999999|1`, "DECIMAL(38, 0)", `\N`},
		{"AVG", "TINYINT", `127|1|127`, "TINYINT", "85"},
		{"AVG", "TINYINT", `-128|-1|0`, "TINYINT", "-43"},
		{"AVG", "INT", `1|2|2|\N`, "INT", "1"},
		{"AVG", "BIGINT", `9223372036854775807|1|9223372036854775807`, "BIGINT", "0"},
		{"AVG", "BIGINT", `\N`, "BIGINT", `\N`},
		{"AVG", "DOUBLE", `1.5|0.5|1.0`, "DOUBLE", "1.0"},
		{"AVG", "FLOAT", `1.0|2.0`, "FLOAT", "1.5"},
		{"AVG", "DECIMAL(10, 2)", `1.10|2.20|0.01`, "DECIMAL(38, 6)", "1.103333"},
		{"AVG", "DECIMAL(38, 0)", `99999999999999999999999999999999|99999999999999999999999999999999`, "DECIMAL(38, 6)", "99999999999999999999999999999999.000000"},
		{"MIN", "INT", `3|\N|-1|2`, "INT", "-1"},
		{"MAX", "BIGINT", `3|\N|-1|2`, "BIGINT", "3"},
		{"MAX", "DOUBLE", `1.0|NaN|2.0`, "DOUBLE", "NaN"},
		{"MIN", "DOUBLE", `NaN|2.0|1.0`, "DOUBLE", "1.0"},
		{"MAX", "STRING", `b|\N|a text of more than twelve bytes|bb`, "STRING", "bb"},
		{"MIN", "STRING", `b|\N|a text of more than twelve bytes|bb`, "STRING", "a text of more than twelve bytes"},
		{"MAX", "STRING", `a long text that ends with a|a long text that ends with c|a long text that ends with b`, "STRING", "a long text that ends with c"},
		{"MIN", "STRING", `y|\e`, "STRING", `\e`},
		{"MAX", "BOOLEAN", `false|\N|true|false`, "BOOLEAN", "true"},
		{"MIN", "BOOLEAN", `true|\N`, "BOOLEAN", "true"},
		{"MIN", "DECIMAL(10, 2)", `1.10|-0.55|2.00`, "DECIMAL(10, 2)", "-0.55"},
		{"MAX", "DECIMAL(30, 2)", `1.10|-0.55|12345678901234567890.00`, "DECIMAL(30, 2)", "12345678901234567890.00"},
		{"MAX", "DATE", `2024-01-01|2024-01-03|\N`, "DATE", "2024-01-03"},
		{"MAX", "TIMESTAMP(3)", `\N`, "TIMESTAMP(3)", `\N`},
		{"VAR_POP", "DOUBLE", `2.5|-2.5`, "DOUBLE", "6.25"},
		{"VAR_SAMP", "DOUBLE", `7.0`, "DOUBLE", `\N`},
		{"VARIANCE", "INT", `1|2|2`, "INT", "0"},
		{"STDDEV_POP", "DOUBLE", `7.0`, "DOUBLE", "0.0"},
		{"STDDEV_POP", "INT", `2147483647|1|2147483647`, "INT", "1012333499"},
		{"STDDEV_SAMP", "DOUBLE", `2.0|4.0|\N`, "DOUBLE", "1.4142135623730951"},
		{"STDDEV_SAMP", "DECIMAL(10, 2)", `1.10|2.20|0.01`, "DECIMAL(38, 6)", "1.095004"},
		{"FIRST_VALUE", "INT", `\N|2|1`, "INT", "2"},
		{"LAST_VALUE", "STRING", `a|a text of more than twelve bytes|\N`, "STRING", "a text of more than twelve bytes"},
		{"FIRST_VALUE", "ARRAY<INT>", `[1, NULL]|[2]`, "ARRAY<INT>", "[1, NULL]"},
		{"LAST_VALUE", "DECIMAL(30, 2)", `1.00|-2.50`, "DECIMAL(30, 2)", "-2.50"},
		{"LAST_VALUE", "BOOLEAN", `\N`, "BOOLEAN", `\N`},
		{"ARRAY_AGG", "INT", `1|2|\N|2`, "ARRAY<INT>", "[1, 2, NULL, 2]"},
		{"ARRAY_AGG", "STRING", ``, "ARRAY<STRING>", `\N`},
		{"COLLECT", "STRING", `x|\N|z|x`, "MULTISET<STRING> NOT NULL", `{"x"=2, "z"=1}`},
		{"COLLECT", "INT", `\N`, "MULTISET<INT> NOT NULL", "{}"},
		{"HISTOGRAM", "STRING", `x|\N|z|x`, "MAP<STRING NOT NULL, BIGINT NOT NULL> NOT NULL", `{"x"=2, "z"=1}`},
		{"HISTOGRAM", "ARRAY<INT>", `[2]|[1]|[2]`, "MAP<ARRAY<INT> NOT NULL, BIGINT NOT NULL> NOT NULL", `{[1]=1, [2]=2}`},
		{"HISTOGRAM", "INT", `\N`, "MAP<INT NOT NULL, BIGINT NOT NULL> NOT NULL", "{}"},
		{"COUNT_IF", "BOOLEAN", `true|\N|false|true`, "BIGINT NOT NULL", "2"},
		{"ANY_VALUE", "INT", `\N|2|1`, "INT", "2"},
		{"MODE", "INT", `3|1|\N|2|1|2`, "INT", "1"},
		{"MODE", "STRING", `\N`, "STRING", `\N`},
		{"JSON_ARRAYAGG", "STRING", `a|\N|a"b`, "VARCHAR(2000) NOT NULL", `["a",null,"a\\"b"]`},
		{"JSON_ARRAYAGG", "INT", ``, "VARCHAR(2000) NOT NULL", `[]`},
		{"LISTAGG", "STRING", `y|\N|\e`, "STRING", "y,"},
		{"LISTAGG", "STRING", `\N`, "STRING", `\N`},
	} {
		checkAggregate(t, c)
	}
}

func checkAggregate(t *testing.T, c aggregateCase) {
	t.Helper()
	fn, typ := LookupAggregate(c.name), parseType(c.typ)
	sig, err := fn.Type([]Arg{{Type: typ}})
	if err != nil || sig.Result.String() != c.result {
		t.Errorf("%s(%s) gives %s, %v; want %s", c.name, c.typ, sig.Result, err, c.result)
		return
	}
	var cells []string
	if c.values != "" {
		cells = strings.Split(c.values, "|")
	}
	for _, retracts := range []bool{false, true} {
		for way, run := range aggregateWays {
			b := AggregateBinding{Args: []Arg{{Type: typ}}, Result: sig.Result, Retracts: retracts, Name: "x"}
			if got := run(fn, b, cells); got != "" && got != c.want && !nearly(got, c.want) {
				t.Errorf("%s of %s %s, %s, retracts %v: %s; want %s", c.name, c.typ, c.values, way, retracts, got, c.want)
			}
		}
	}
}

// nearly compares what was computed with DOUBLEs in another order.
func nearly(got, want string) bool {
	a, err1 := strconv.ParseFloat(got, 64)
	b, err2 := strconv.ParseFloat(want, 64)
	return err1 == nil && err2 == nil && strings.Contains(want, ".") && math.Abs(a-b) <= 1e-12*math.Abs(b)
}

// aggregateWays bring the values to an accumulator: "" when a way is not for it.
var aggregateWays = map[string]func(f *Aggregate, b AggregateBinding, cells []string) string{
	"at once": func(f *Aggregate, b AggregateBinding, cells []string) string {
		a := newAggregateTest(f, b)
		a.add(1, cells, nil)
		return a.value(1)
	},
	"one by one, between others": func(f *Aggregate, b AggregateBinding, cells []string) string {
		a := newAggregateTest(f, b)
		for _, c := range cells {
			a.add(0, []string{c}, nil)
			a.add(1, []string{c}, nil)
			a.add(1, []string{c}, []uint64{0})
		}
		return a.value(1)
	},
	"by a mask": func(f *Aggregate, b AggregateBinding, cells []string) string {
		a := newAggregateTest(f, b)
		all, mask := []string{}, make([]uint64, kernel.Words(2*len(cells)))
		for i, c := range cells {
			all = append(all, cells[(i+1)%len(cells)], c)
			kernel.SetBit(mask, 2*i+1)
		}
		a.add(1, all, mask)
		return a.value(1)
	},
	"after another group had the id": func(f *Aggregate, b AggregateBinding, cells []string) string {
		a := newAggregateTest(f, b)
		a.add(1, append(append([]string{}, cells...), cells...), nil)
		a.acc.Clear([]int32{1})
		a.add(1, cells, nil)
		return a.value(1)
	},
	"merged": func(f *Aggregate, b AggregateBinding, cells []string) string {
		parts := []*aggregateTest{newAggregateTest(f, b), newAggregateTest(f, b), newAggregateTest(f, b)}
		if parts[0].acc.PartialTypes() == nil {
			return ""
		}
		parts[0].add(2, cells[:len(cells)/2], nil)
		parts[1].add(3, cells[len(cells)/2:], nil)
		for i, g := range []int32{2, 3} {
			var cols []*vector.Column
			for range parts[i].acc.PartialTypes() {
				cols = append(cols, &vector.Column{})
			}
			parts[i].acc.Partial([]int32{g}, cols)
			parts[2].acc.Merge([]int32{1}, cols)
		}
		return parts[2].value(1)
	},
	"with values taken back": func(f *Aggregate, b AggregateBinding, cells []string) string {
		if !b.Retracts || strings.Contains(strings.Join(cells, ""), "NaN") {
			return ""
		}
		a := newAggregateTest(f, b)
		a.add(1, cells, nil)
		a.add(1, cells, nil)
		a.retract(1, cells)
		return a.value(1)
	},
}

// aggregateTest is an accumulator over a table of four groups.
type aggregateTest struct {
	acc Accumulator
	typ types.Type
	b   AggregateBinding
}

func newAggregateTest(f *Aggregate, b AggregateBinding) *aggregateTest {
	s := state.NewStore(state.Options{})
	b.State = s.Keyed("groups", nil, []types.Type{types.Of(types.Int)})
	a := &aggregateTest{acc: f.New(b), typ: b.Args[0].Type, b: b}
	b.State.Lookup([]*vector.Column{vector.OfSlice(types.Of(types.Int), []int32{10, 11, 12, 13})}, 4)
	return a
}

func (a *aggregateTest) args(g int32, cells []string) ([]int32, []*vector.Column) {
	groups := make([]int32, len(cells))
	for i := range groups {
		groups[i] = g
	}
	c := &vector.Column{}
	fill(c, a.typ, cells, false)
	return groups, []*vector.Column{c}
}

func (a *aggregateTest) add(g int32, cells []string, mask []uint64) {
	if len(cells) > 0 {
		groups, args := a.args(g, cells)
		a.acc.Update(groups, args, mask)
	}
}

func (a *aggregateTest) retract(g int32, cells []string) {
	if len(cells) > 0 {
		groups, args := a.args(g, cells)
		a.acc.Retract(groups, args, nil)
	}
}

// value reads the group among others.
func (a *aggregateTest) value(g int32) string {
	out := &vector.Column{}
	a.acc.Value([]int32{0, g, 3, g}, out)
	if out.Len != 4 || out.Type.String() != a.b.Result.String() || cell(out, 1) != cell(out, 3) {
		return "a result of " + out.Type.String()
	}
	return cell(out, 1)
}

var documented = regexp.MustCompile(`^(\w+)\(x(?:, '(.*)')?\) OF (.*)$`)

// TestAggregateExamples runs what the documentation says.
func TestAggregateExamples(t *testing.T) {
	for _, f := range AllAggregates() {
		if f.Rows || f.Distinct || f.Finish != nil {
			continue // tests has those, since the binder puts their parts together
		}
		m := documented.FindStringSubmatch(f.Doc.Example)
		if m == nil || m[1] != f.Name || f.Doc.Text == "" {
			t.Errorf("%s: example %q", f.Name, f.Doc.Example)
			continue
		}
		typ := types.Of(types.Int)
		values := m[3]
		switch {
		case strings.Contains(values, "CAST"):
			typ = types.Of(types.Double)
			values = strings.ReplaceAll(strings.ReplaceAll(values, "CAST(", ""), " AS DOUBLE)", "")
		case strings.Contains(values, "TRUE"):
			typ = types.Of(types.Boolean)
			values = strings.ToLower(values)
		case strings.Contains(values, "'"):
			typ = types.String()
			values = strings.ReplaceAll(values, "'", "")
		}
		var cells []string
		for _, v := range strings.Split(values, ", ") {
			cells = append(cells, strings.ReplaceAll(strings.Trim(v, "()"), "NULL", `\N`))
		}
		args := []Arg{{Type: typ}}
		if m[2] != "" {
			args = append(args, Arg{Type: types.CharOf(1), Const: vector.ConstText(types.CharOf(1), m[2], 1)})
		}
		sig, err := f.Type(args)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		a := newAggregateTest(f, AggregateBinding{Args: args, Result: sig.Result, Name: "x"})
		a.add(1, cells, nil)
		if got := a.value(1); got != f.Doc.Value {
			t.Errorf("%s: %s; the documentation says %s", f.Doc.Example, got, f.Doc.Value)
		}
	}
}

func TestAggregateTypes(t *testing.T) {
	text, row := Arg{Type: types.String()}, Arg{Type: types.ArrayOf(types.Of(types.Int))}
	for _, c := range []struct {
		name string
		args []Arg
	}{
		{"AVG", []Arg{text}}, {"SUM", []Arg{text}}, {"SUM", nil}, {"SUM", []Arg{{Type: types.Of(types.Int)}, {Type: types.Of(types.Int)}}},
		{"COUNT", []Arg{text, text}}, {"MIN", []Arg{row}}, {"LISTAGG", []Arg{{Type: types.Of(types.Int)}}}, {"LISTAGG", []Arg{text, text}},
		{"STDDEV", []Arg{text}}, {"COLLECT", nil},
	} {
		if sig, err := LookupAggregate(c.name).Type(c.args); err == nil {
			t.Errorf("%s of %v gives %s", c.name, c.args, sig.Result)
		}
	}
	if LookupAggregate("count") == nil || LookupAggregate("STDDEV") != LookupAggregate("stddev_samp") || LookupAggregate("MEDIAN") != nil {
		t.Error("names")
	}
}
