package op_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var (
	bigint = types.Of(types.BigInt)
	str    = types.String()
	ts     = types.TimestampOf(3)
)

func col(i int, t types.Type) expr.Expr {
	return &expr.Column{Index: i, Name: string(rune('a' + i)), T: t}
}

func long(v int64) expr.Expr { return expr.NewConst(vector.ConstOf(bigint, v, 1), fmt.Sprint(v)) }

// call binds a function as the planner does.
func call(t testing.TB, name string, args ...expr.Expr) expr.Expr {
	t.Helper()
	fn := function.Must(name)
	list := make([]function.Arg, len(args))
	for i, a := range args {
		list[i].Type = a.Type()
		if c, ok := a.(*expr.Const); ok {
			list[i].Const = c.Value
		}
	}
	sig, err := fn.Type(list)
	if err != nil {
		t.Fatal(err)
	}
	return &expr.Call{Fn: fn, List: args, T: sig.Result, Pos: -1}
}

func TestCalc(t *testing.T) {
	pair := types.RowOf(types.Field{Name: "x", Type: bigint}, types.Field{Name: "y", Type: str})
	a, b, c := col(0, bigint), col(1, str), col(2, pair)
	list := []types.Type{bigint, str, c.Type()}
	in := `
		1 one     (10,"p")
		2 two     (20,"q")
		-U 3 three (30,"a\stext\slonger\sthan\sa\sview")
		+U 4 \N   \N
		-D \N a\stext\sof\smore\sthan\stwelve\sbytes (50,NULL)
		6 six     (60,"s")`
	whole := []expr.Expr{a, b, c}
	names := []string{"a", "b", "c"}
	for _, x := range []optest.Case{
		{Spec: &op.Calc{Exprs: whole, Names: names}, Out: in},
		{Spec: &op.Calc{Exprs: []expr.Expr{b, call(t, "+", a, long(1)), b, expr.NewField(c, 1), long(7)},
			Names: []string{"b", "s", "b2", "y", "k"}}, Out: `
			one 2 one p 7
			two 3 two q 7
			-U three 4 three a\stext\slonger\sthan\sa\sview 7
			+U \N 5 \N \N 7
			-D a\stext\sof\smore\sthan\stwelve\sbytes \N a\stext\sof\smore\sthan\stwelve\sbytes \N 7
			six 7 six s 7`},
		{Spec: &op.Calc{Where: []expr.Expr{call(t, ">", a, long(2))}, Exprs: whole, Names: names}, Out: `
			-U 3 three (30,"a\stext\slonger\sthan\sa\sview")
			+U 4 \N   \N
			6 six     (60,"s")`},
		{Spec: &op.Calc{Where: []expr.Expr{call(t, ">", a, long(0)), call(t, "<", expr.NewField(c, 0), long(60))},
			Exprs: []expr.Expr{expr.NewField(c, 1)}, Names: []string{"y"}}, Out: `
			p
			q
			-U a\stext\slonger\sthan\sa\sview`},
		{Spec: &op.Calc{Where: []expr.Expr{call(t, ">", a, long(100))}, Exprs: whole, Names: names}},
		{Spec: &op.Calc{Where: []expr.Expr{call(t, "<>", a, long(2))},
			Exprs: []expr.Expr{call(t, "/", long(8), call(t, "-", a, long(2)))}, Names: []string{"q"}}, Out: `
			-8
			-U 8
			+U 4
			2`},
		{Spec: &op.Calc{Exprs: []expr.Expr{call(t, "/", a, call(t, "-", a, long(2)))}, Names: []string{"q"}}, Err: "zero"},
	} {
		x.Types, x.In = list, in
		t.Run(x.Spec.String(), func(t *testing.T) { optest.Run(t, x) })
	}
}

func TestUnion(t *testing.T) {
	optest.Run(t, optest.Case{Spec: op.Union{}, Types: []types.Type{bigint},
		In: "1\n-D 2\n^5\n3\n^max", Out: "1\n-D 2\n^5\n3\n^9223372036854775807"})
}

func TestConstraintEnforcer(t *testing.T) {
	list := []types.Type{bigint, str.WithNull(false)}
	in := "1 a\n-D \\N b\n+U 3 c\n"
	optest.Run(t, optest.Case{Spec: &op.ConstraintEnforcer{Columns: []int{0}, Names: []string{"a"}, Drop: true}, Types: list,
		In: in, Out: "1 a\n+U 3 c\n"})
	optest.Run(t, optest.Case{Spec: &op.ConstraintEnforcer{Columns: []int{0}, Names: []string{"a"}}, Types: list,
		In: in, Err: "column 'a' is NOT NULL"})
}

func TestWatermark(t *testing.T) {
	spec := &op.Watermark{Column: 1, Name: "b", Expr: col(2, ts)}
	optest.Run(t, optest.Case{Spec: spec, Types: []types.Type{str.WithNull(false), ts, ts}, In: "x \\N 1",
		Err: "RowTime field should not be null"})
	rows := optest.Parse(t, []types.Type{str, ts, ts}, `
		a 10 6
		b 20 16
		c 15 11
		d 17 99
		e 30 \N
		f 99 20
		g 100 96
		^max`)
	got, err := optest.Replay(t, spec, rows, 1024, optest.Flat)
	cell := func(ms int) string { return fmt.Sprintf(`1970-01-01\s00:00:00.%03d`, ms) }
	want := "a 10 6\nb 20 16\n^16\nc 15 11\nd 17 99\n^99\ne 30 \\N\nf 99 20\ng 100 96\n^9223372036854775807\n"
	for _, n := range []int{100, 10, 20, 15, 17, 30, 99, 96, 11, 16, 6} {
		want = strings.ReplaceAll(want, fmt.Sprintf(" %d ", n), " "+cell(n)+" ")
		want = strings.ReplaceAll(want, fmt.Sprintf(" %d\n", n), " "+cell(n)+"\n")
	}
	if err != nil || got != want {
		t.Errorf("got\n%s%v\nwant\n%s", got, err, want)
	}
}

// TestWatermarkLateness: which rows stand at or behind the watermark never depends on batches.
func TestWatermarkLateness(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for round := range 10 {
		var in strings.Builder
		at := 1000
		for range 200 {
			at += random.IntN(6)
			fmt.Fprintf(&in, "%d %d\n", at-random.IntN(1+2*round), at-random.IntN(20))
		}
		rows := optest.Parse(t, []types.Type{ts, ts}, in.String())
		spec := &op.Watermark{Column: 0, Name: "a", Expr: col(1, ts)}
		var want string
		for _, size := range optest.Sizes {
			for _, enc := range optest.Encodings {
				got, err := optest.Replay(t, spec, rows, size, enc)
				if err != nil {
					t.Fatal(err)
				}
				late := lateness(t, got)
				if want == "" {
					want = late
				}
				if late != want || strings.Count(late, "\n") != 200 {
					t.Fatalf("round %d, batches of %d, %s: late rows differ:\n%s\nwant\n%s", round, size, enc, late, want)
				}
			}
		}
		if round > 4 && !strings.Contains(want, "late") {
			t.Errorf("round %d: no late row", round)
		}
	}
}

// lateness marks the rows of a log that stand at or behind the watermark before them.
func lateness(t *testing.T, log string) string {
	var b strings.Builder
	mark := int64(types.MinTime)
	for line := range strings.Lines(log) {
		line = strings.TrimSuffix(line, "\n")
		if w, ok := strings.CutPrefix(line, "^"); ok {
			if _, err := fmt.Sscan(w, &mark); err != nil {
				t.Fatal(err)
			}
			continue
		}
		v, fault := text.ParseTimestamp([]byte(strings.ReplaceAll(strings.Fields(line)[0], `\s`, " ")), ts)
		if fault != text.Ok {
			t.Fatal(line)
		}
		b.WriteString(line)
		if v <= mark {
			b.WriteString(" late")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestValues(t *testing.T) {
	text1 := func(s string) expr.Expr { return expr.NewConst(vector.ConstText(str, s, 1), s) }
	row := func(x, y expr.Expr) []expr.Expr { return []expr.Expr{x, y} }
	v := &op.Values{Types: []types.Type{bigint, str}, Rows: [][]expr.Expr{
		row(long(1), text1("a")), row(call(t, "+", long(1), long(1)), expr.Null(str)),
		row(long(3), text1("a text of more than twelve bytes")),
	}}
	for size := 1; size <= 4; size++ {
		for from := range 4 {
			c := &connector.Context{MaxRows: size, Env: &function.Env{Zone: time.UTC}}
			r, err := v.Open(c, []connector.Split{{Position: []byte{byte(from)}}})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for {
				read, err := r.Next()
				if err != nil {
					t.Fatal(err)
				}
				if read.Status == connector.End {
					break
				}
				for i := range read.Batch.Len {
					got += string(text.AppendRow(nil, read.Batch, i)) + "\n"
				}
			}
			all := []string{"+I[1, a]\n", "+I[2, null]\n", "+I[3, a text of more than twelve bytes]\n"}
			if want := strings.Join(all[from:], ""); got != want {
				t.Errorf("batches of %d from row %d: got\n%swant\n%s", size, from, got, want)
			}
		}
	}
	r, err := (&op.Values{Rows: [][]expr.Expr{{}}}).Open(&connector.Context{MaxRows: 9}, []connector.Split{{}})
	if err != nil {
		t.Fatal(err)
	}
	if read, err := r.Next(); err != nil || read.Batch.Len != 1 || len(read.Batch.Cols) != 0 {
		t.Errorf("a row without columns: %+v, %v", read, err)
	}
}
