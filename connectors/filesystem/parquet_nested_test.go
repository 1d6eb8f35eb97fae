package filesystem

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// nestedTypes are columns of values in values, to several depths.
var nestedTypes = columns(integer,
	types.RowOf(types.Field{Name: "z", Type: integer}, types.Field{Name: "a", Type: str}, types.Field{Name: "n", Type: types.DecimalOf(20, 2)}),
	types.ArrayOf(integer), types.ArrayOf(types.ArrayOf(str)), types.MapOf(str, types.ArrayOf(types.TimestampOf(3))),
	types.ArrayOf(types.RowOf(types.Field{Name: "x", Type: types.ArrayOf(types.Of(types.Boolean))}, types.Field{Name: "y", Type: str})),
	types.RowOf(types.Field{Name: "r", Type: types.RowOf(types.Field{Name: "s", Type: types.MapOf(types.Of(types.BigInt), types.Of(types.Date))})}))

// randomJSON is a value of a type, NULL now and then.
func randomJSON(r *rand.Rand, t types.Type, key bool) string {
	if !key && r.IntN(5) == 0 {
		return "null"
	}
	list := func(open, end string, each func() string) string {
		parts := make([]string, r.IntN(4))
		for i := range parts {
			parts[i] = each()
		}
		return open + strings.Join(parts, ",") + end
	}
	switch t.Kind {
	case types.Row:
		var parts []string
		for _, f := range t.Fields {
			parts = append(parts, fmt.Sprintf("%q:%s", f.Name, randomJSON(r, f.Type, false)))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case types.Array:
		return list("[", "]", func() string { return randomJSON(r, t.Elem(), false) })
	case types.Map:
		n := r.IntN(9)
		return list("{", "}", func() string { n++; return fmt.Sprintf("\"%d\":%s", n, randomJSON(r, t.Elem(), false)) })
	case types.Boolean:
		return fmt.Sprint(r.IntN(2) == 0)
	case types.Date:
		return fmt.Sprintf("\"2024-01-%02d\"", 1+r.IntN(28))
	case types.Timestamp:
		return fmt.Sprintf("\"2024-01-02 03:04:%02d\"", r.IntN(60))
	case types.Varchar:
		return fmt.Sprintf("\"%s\"", strings.Repeat("é", r.IntN(9)))
	case types.Decimal:
		return fmt.Sprintf("%d.%02d", r.IntN(1000)-500, r.IntN(100))
	}
	return fmt.Sprint(r.IntN(100))
}

// TestParquetNested: nested values come back as they were written, in any row groups and batches, from any row on, and with the
// types that the file tells.
func TestParquetNested(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 1))
		row := types.Type{Kind: types.Row}
		for _, c := range nestedTypes {
			row.Fields = append(row.Fields, types.Field{Name: c.Name, Type: c.Type})
		}
		var rows strings.Builder
		for i := range 300 {
			fmt.Fprintf(&rows, "{\"a\":%d,%s\n", i, randomJSON(r, types.RowOf(row.Fields[1:]...), true)[1:])
		}
		want := rowsOf(t, nestedTypes, nil, map[string]string{"path": write(t, "rows.json", rows.String()), "format": "json"}, 1000)
		dir := filepath.Join(t.TempDir(), "k")
		insert(t, nestedTypes, nil, map[string]string{"path": dir, "format": "parquet",
			"parquet.block-size": []string{"1b", "3kb", "32mb"}[seed%3]}, rows.String())
		opts := map[string]string{"path": dir, "format": "parquet"}
		if got := rowsOf(t, nestedTypes, nil, opts, 1+r.IntN(200)); got != want {
			t.Fatalf("seed %d:\ngot\n%s\nwant\n%s", seed, got, want)
		}
		in, err := infer("parquet", dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range in.Columns {
			if c.Type.String() != nestedTypes[i].Type.String() {
				t.Errorf("%s is %s, want %s", c.Name, c.Type, nestedTypes[i].Type)
			}
		}
		s, err := open(t, nestedTypes, nil, opts)
		if err != nil {
			t.Fatal(err)
		}
		splits, err := s.Splits(1)
		if err != nil {
			t.Fatal(err)
		}
		if len(splits) != 1 {
			t.Fatalf("%d files", len(splits))
		}
		all, err := readFrom(t, s, splits, 1000, nil)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(all, "\n")
		for _, from := range []int{1, 17, 123, 299, 300} {
			f := file{line: 1, skip: from}
			rest, err := readFrom(t, s, []connector.Split{{ID: splits[0].ID, Position: f.position()}}, 50, nil)
			if err != nil || rest != strings.Join(lines[from:], "") {
				t.Errorf("seed %d from row %d: %d rows, %v", seed, from, strings.Count(rest, "\n"), err)
			}
		}
	}
}

// TestParquetNullKey: what a Parquet file cannot hold is an error.
func TestParquetNullKey(t *testing.T) {
	m := types.MapOf(str, integer)
	keys := vector.NewBuilder(m)
	keys.Child(0).AppendNull()
	keys.Child(1).AppendInt(1)
	keys.AppendList()
	var c vector.Column
	keys.Finish(&c)
	o := &options{Parquet: parquetOptions{Compression: "SNAPPY", GroupSize: 1 << 20}}
	out, err := os.Create(filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	w := newParquetFiles(o, []connector.Column{{Name: "m", Type: m}})(out)
	if err := w.write([]*vector.Column{&c}, 0, 1); err == nil || !strings.Contains(err.Error(), "column 'm': a key is NULL") {
		t.Errorf("got %v", err)
	}
}

// listForms are nested columns as others write them.
type listForms struct {
	A []int32          `parquet:"a"` // repeated, without a list around it
	B []*string        `parquet:"b,list"`
	C map[string]int64 `parquet:"c"`
	D struct {
		X []struct {
			Y int32 `parquet:"y"`
		} `parquet:"x"`
	} `parquet:"d"`
}

func TestParquetForeignNested(t *testing.T) {
	x := "x"
	in := listForms{A: []int32{1, 2}, B: []*string{&x, nil}, C: map[string]int64{"k": 7}}
	in.D.X = append(in.D.X, struct {
		Y int32 `parquet:"y"`
	}{5}, struct {
		Y int32 `parquet:"y"`
	}{6})
	path := filepath.Join(t.TempDir(), "f.parquet")
	if err := parquet.WriteFile(path, []listForms{in, {}}); err != nil {
		t.Fatal(err)
	}
	const want = "a ARRAY<INT>, b ARRAY<STRING>, c MAP<STRING, BIGINT>, d ROW<`x` ARRAY<ROW<`y` INT>>>\n" +
		"[1, 2] [\"x\", NULL] {\"k\"=7} ([(5), (6)])\n[] [] {} ([])\n"
	if got := inferred(t, "", path, nil); got != want {
		t.Errorf("got %s", got)
	}
	s, err := open(t, []connector.Column{{Name: "b", Type: types.RowOf(types.Field{Name: "q", Type: str})}}, nil,
		map[string]string{"path": path, "format": "parquet"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readAll(t, s, 10); err == nil ||
		!strings.Contains(err.Error(), "column 'b': it is ARRAY<STRING> in the file, which is not read as ROW<`q` STRING>") {
		t.Errorf("got %v", err)
	}
}

// TestParquetPrune: statistics of row groups and pages leave rows out that conditions refute, and no others; positions stay those
// of the file.
func TestParquetPrune(t *testing.T) {
	type row struct {
		A *int32 `parquet:"a,optional"`
		B string `parquet:"b"`
	}
	path := filepath.Join(t.TempDir(), "f.parquet")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := parquet.NewGenericWriter[row](out, parquet.PageBufferSize(200))
	for g := range int32(4) {
		var rows []row
		for i := range int32(100) {
			a := g*100 + i
			r := row{A: &a, B: fmt.Sprintf("t%03d", a)}
			if g == 3 {
				r.A = nil
			}
			rows = append(rows, r)
		}
		if _, err := w.Write(rows); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	a, b := &expr.Column{Index: 0, Name: "a", T: integer}, &expr.Column{Index: 1, Name: "b", T: str}
	number := func(v int32) expr.Expr { return expr.NewConst(vector.ConstOf(integer, v, 1), "") }
	text := func(v string) expr.Expr { return expr.NewConst(vector.ConstText(str, v, 1), "") }
	cond := func(x expr.Expr, sign string, y expr.Expr) expr.Expr {
		return &expr.Call{Fn: function.Lookup(sign), List: []expr.Expr{x, y}, T: types.Of(types.Boolean), Pos: -1}
	}
	for _, c := range []struct {
		filters     []expr.Expr
		must        string // rows that satisfy the conditions, all of which come
		least, most int    // rows that come
	}{
		{nil, "", 400, 400},
		{[]expr.Expr{cond(a, "=", number(150))}, "150", 1, 70},
		{[]expr.Expr{cond(number(150), "=", a)}, "150", 1, 70},
		{[]expr.Expr{cond(a, "<", number(0))}, "", 0, 0},
		{[]expr.Expr{cond(a, "<=", number(0))}, "0", 1, 70},
		{[]expr.Expr{cond(a, ">", number(299))}, "", 0, 0},
		{[]expr.Expr{cond(number(299), "<=", a)}, "299", 1, 70},
		{[]expr.Expr{cond(a, ">=", number(90)), cond(a, "<", number(110))}, "90 109", 20, 120},
		{[]expr.Expr{cond(b, "=", text("t250"))}, "250", 1, 70},
		{[]expr.Expr{cond(b, "<", text("t")), cond(a, "=", number(1))}, "", 0, 0},
		{[]expr.Expr{cond(a, "<>", number(1))}, "", 400, 400},
	} {
		s, err := open(t, ab, nil, map[string]string{"path": path, "format": "parquet"})
		if err != nil {
			t.Fatal(err)
		}
		s.Push(connector.Request{Filters: c.filters})
		var positions [][]byte
		got, err := readFrom(t, s, []connector.Split{{ID: path}}, 7, func(r connector.Reader, _ connector.Read, rows string) {
			p, _ := r.Position(0)
			positions = append(positions, append(p, []byte(rows)...))
		})
		n := strings.Count(got, "\n")
		if err != nil || n < c.least || n > c.most {
			t.Errorf("%v: %d rows, %v", c.filters, n, err)
		}
		for _, m := range strings.Fields(c.must) {
			if !strings.Contains("\n"+got, "\n"+m+" t") {
				t.Errorf("%v: no %s in %s", c.filters, m, got)
			}
		}
		for _, p := range positions {
			var f file
			before, err := f.restore(p)
			if err != nil {
				t.Fatal(err)
			}
			rest, err := readFrom(t, s, []connector.Split{{ID: path, Position: f.position()}}, 100, nil)
			if err != nil || string(before)+rest != got {
				t.Fatalf("%v: %d bytes of rows and %d: %v", c.filters, len(before), len(rest), err)
			}
		}
	}
}
