package vector_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestBuilderCopies appends the rows of every type in every encoding to a builder that is used again.
func TestBuilderCopies(t *testing.T) {
	for k, typ := range allTypes() {
		r := rand.New(rand.NewPCG(2, uint64(k)))
		b, out := vector.NewBuilder(typ), &vector.Column{}
		for _, n := range []int{0, 1, 65, 130, 3} {
			for name, c := range shapes(typ, r, max(n, 1), 25) {
				b.Reset()
				for i := range n {
					b.AppendValue(c, i)
				}
				b.Finish(out)
				check(t, typ.String()+" "+name, out, cells(c)[:n])
			}
		}
	}
}

func TestBuilderTruncate(t *testing.T) {
	for k, typ := range allTypes() {
		r := rand.New(rand.NewPCG(3, uint64(k)))
		c := randomColumn(typ, r, 100, 25)
		b, out := vector.NewBuilder(typ), &vector.Column{}
		for i := range 100 {
			b.AppendValue(c, i)
		}
		b.Truncate(70)
		if typ.Kind == types.Row { // a row begun and given up
			appendRandom(b.Child(0), r, 0)
			b.Truncate(70)
		}
		for i := range 30 {
			b.AppendValue(c, i)
		}
		b.Finish(out)
		check(t, typ.String(), out, append(cells(c)[:70:70], cells(c)[:30]...))
	}
}

func TestBuilderUnfinishedRow(t *testing.T) {
	row := types.RowOf(types.Field{Name: "a", Type: types.Of(types.Int)}, types.Field{Name: "b",
		Type: types.ArrayOf(types.Of(types.Int))})
	b, out := vector.NewBuilder(row), &vector.Column{}
	b.Child(0).AppendInt(1)
	b.Child(1).Child(0).AppendInt(2)
	b.AppendNull()
	b.Child(0).AppendInt(3)
	b.Child(1).Child(0).AppendInt(4)
	b.Child(1).AppendList()
	b.AppendRow()
	b.Finish(out)
	check(t, "row", out, []string{`\N`, "(3, [4])"})
}

func TestBuilderPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"text":  func() { vector.NewBuilder(types.Of(types.Int)).AppendString("x") },
		"int":   func() { vector.NewBuilder(types.String()).AppendInt(1) },
		"float": func() { vector.NewBuilder(types.Of(types.BigInt)).AppendFloat(1) },
		"bool":  func() { vector.NewBuilder(types.Of(types.Int)).AppendBool(true) },
		"row":   func() { vector.NewBuilder(types.RowOf(types.Field{Name: "a", Type: types.String()})).AppendRow() },
	} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.HasPrefix(r.(string), "vector: ") {
					t.Errorf("%s: %v", name, r)
				}
			}()
			f()
		}()
	}
}

func TestBuilderAllocatesNothing(t *testing.T) {
	typ := types.RowOf(types.Field{Name: "a", Type: types.Of(types.BigInt)}, types.Field{Name: "b",
		Type: types.String()},
		types.Field{Name: "c", Type: types.ArrayOf(types.Of(types.Int))})
	b, out := vector.NewBuilder(typ), &vector.Column{}
	fill := func() {
		b.Reset()
		for i := range 1024 {
			b.Child(0).AppendInt(int64(i))
			b.Child(1).AppendString("a text that is not inlined")
			b.Child(2).Child(0).AppendInt(1)
			b.Child(2).AppendList()
			b.AppendRow()
		}
		b.Finish(out)
	}
	fill()
	if n := testing.AllocsPerRun(5, fill); n != 0 {
		t.Errorf("%v allocations in a batch", n)
	}
}

func BenchmarkBuilder(b *testing.B) {
	ints, texts, out := vector.NewBuilder(types.Of(types.BigInt)), vector.NewBuilder(types.String()),
		&vector.Column{}
	b.ReportAllocs()
	for b.Loop() {
		ints.Reset()
		texts.Reset()
		for i := range 1024 {
			ints.AppendInt(int64(i))
			texts.AppendString("a text that is not inlined")
		}
		ints.Finish(out)
		texts.Finish(out)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/row")
}
