package op_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var lookedRow = []types.Type{types.Of(types.Int), types.String()}

// looked joins rows of lookedRow by their first column with rows of the same types.
func looked(kind op.JoinKind, rows ...[2]any) *op.LookupJoin {
	list := lookedRow
	table := &op.LookupTable{Name: "t", Keys: columnsOf(list)[:1], KeyTypes: list[:1], Types: list, Padded: kind == op.LeftJoin}
	source := &op.Values{Types: list}
	for _, r := range rows {
		key, text := expr.Null(list[0]), expr.Null(list[1])
		if r[0] != nil {
			key = expr.NewConst(vector.ConstOf(list[0], int32(r[0].(int)), 1), fmt.Sprint(r[0]))
		}
		if r[1] != nil {
			text = expr.NewConst(vector.ConstText(list[1], r[1].(string), 1), "'"+r[1].(string)+"'")
		}
		source.Rows = append(source.Rows, []expr.Expr{key, text})
	}
	table.Source = source
	return &op.LookupJoin{Kind: kind, Keys: columnsOf(list)[:1], Table: table, Width: len(list), Names: namesOf(2 * len(list))}
}

// TestLookupJoin looks up in a table with one row per key, which is dense, and in one with several, which is not.
func TestLookupJoin(t *testing.T) {
	single := [][2]any{{1, "one"}, {nil, "none"}, {3, "a text of more than twelve bytes"}, {2, nil}}
	several := [][2]any{{1, "m"}, {1 << 30, "far"}, {1, "z"}, {-5, "b"}, {1, "a"}}
	in := "1 k\n +U 2 k\n 4 k\n -U \\N k\n 3 \\N\n -D 1 z\n 1073741824 f\n"
	for _, c := range []struct {
		kind op.JoinKind
		rows [][2]any
		out  string
	}{
		{op.InnerJoin, single, "1 k 1 one\n +U 2 k 2 \\N\n 3 \\N 3 a_text\n -D 1 z 1 one\n"},
		{op.LeftJoin, single, "1 k 1 one\n +U 2 k 2 \\N\n 4 k \\N \\N\n -U \\N k \\N \\N\n 3 \\N 3 a_text\n -D 1 z 1 one\n 1073741824 f \\N \\N\n"},
		{op.InnerJoin, several, "1 k 1 m\n 1 k 1 z\n 1 k 1 a\n -D 1 z 1 m\n -D 1 z 1 z\n -D 1 z 1 a\n 1073741824 f 1073741824 far\n"},
		{op.LeftJoin, several, "1 k 1 m\n 1 k 1 z\n 1 k 1 a\n +U 2 k \\N \\N\n 4 k \\N \\N\n -U \\N k \\N \\N\n 3 \\N \\N \\N\n" +
			"-D 1 z 1 m\n -D 1 z 1 z\n -D 1 z 1 a\n 1073741824 f 1073741824 far\n"},
		{op.InnerJoin, nil, ""},
		{op.LeftJoin, nil, strings.ReplaceAll(in, "\n", " \\N \\N\n")},
	} {
		out := strings.ReplaceAll(c.out, "a_text", `a\stext\sof\smore\sthan\stwelve\sbytes`)
		optest.Run(t, optest.Case{Spec: looked(c.kind, c.rows...), Types: lookedRow, In: in, Out: out})
	}
}

// TestLookupJoinResidual: a row whose partners all fail the further condition is padded, once.
func TestLookupJoinResidual(t *testing.T) {
	for kind, out := range map[op.JoinKind]string{
		op.InnerJoin: "1 k 1 m\n 1 k 1 z\n",
		op.LeftJoin:  "1 k 1 m\n 1 k 1 z\n 1 zz \\N \\N\n 2 \\N \\N \\N\n 7 k \\N \\N\n",
	} {
		s := looked(kind, [2]any{1, "m"}, [2]any{2, "b"}, [2]any{1, "z"}, [2]any{1, "a"}, [2]any{1, nil})
		s.Residual = []expr.Expr{less(&expr.Column{Index: 1, Name: "c1", T: types.String()}, &expr.Column{Index: 3, Name: "c3", T: types.String()})}
		optest.Run(t, optest.Case{Spec: s, Types: lookedRow, In: "1 k\n 1 zz\n 2 \\N\n 7 k\n", Out: out})
	}
}

// TestLookupJoinTwoKeys looks up by a number of another width and a text.
func TestLookupJoinTwoKeys(t *testing.T) {
	s := looked(op.LeftJoin, [2]any{1, "m"}, [2]any{2, "m"}, [2]any{1, "z"}, [2]any{1, "m"})
	in := []types.Type{types.Of(types.BigInt), types.String()}
	s.Keys = columnsOf(in)
	s.Table.Keys = columnsOf(lookedRow)
	s.Table.KeyTypes = op.KeyTypes(s.Keys, s.Table.Keys)
	optest.Run(t, optest.Case{Spec: s, Types: in, In: "1 z\n 1 \\N\n 4294967297 z\n 1 m\n",
		Out: "1 z 1 z\n 1 \\N \\N \\N\n 4294967297 z \\N \\N\n 1 m 1 m\n 1 m 1 m\n"})
}

// TestLookupJoinAgainstMap compares random lookups with those in a Go map.
func TestLookupJoinAgainstMap(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for _, spread := range []int{50, 1 << 20} {
		var rows [][2]any
		have := map[int][]string{}
		for i := range 300 {
			k := random.IntN(50) * (spread / 50)
			v := fmt.Sprintf("v%d", i)
			rows, have[k] = append(rows, [2]any{k, v}), append(have[k], v)
		}
		var in, out strings.Builder
		for range 200 {
			k := random.IntN(60) * (spread / 50)
			fmt.Fprintf(&in, "%d x\n", k)
			for _, v := range have[k] {
				fmt.Fprintf(&out, "%d x %d %s\n", k, k, v)
			}
			if len(have[k]) == 0 {
				fmt.Fprintf(&out, "%d x \\N \\N\n", k)
			}
		}
		optest.Run(t, optest.Case{Spec: looked(op.LeftJoin, rows...), Types: lookedRow, In: in.String(), Out: out.String()})
	}
}

// BenchmarkLookupJoin looks bids up in a table of ten thousand keys.
func BenchmarkLookupJoin(b *testing.B) {
	var rows [][2]any
	for i := range 10000 {
		rows = append(rows, [2]any{i, fmt.Sprint(i)})
	}
	o := looked(op.InnerJoin, rows...).New()
	if err := o.Open(&op.Context{MaxRows: 1024, Env: &function.Env{Zone: time.UTC}}); err != nil {
		b.Fatal(err)
	}
	keys := make([]int32, 1024)
	for i := range keys {
		keys[i] = int32(i * 7919 % 10000)
	}
	batch := &vector.Batch{Len: len(keys), Cols: []*vector.Column{vector.OfSlice(lookedRow[0], keys), vector.ConstText(lookedRow[1], "x", len(keys))}}
	b.ReportAllocs()
	for b.Loop() {
		if err := o.Process(0, batch, &sink{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(keys)), "ns/row")
}
