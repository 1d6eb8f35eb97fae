package vector_test

import (
	"testing"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// wideEvents is a column of ROWs such as a Nexmark event's bids: a dictionary of the rows that exist, NULL on
// every eighth row, and the selection of the others.
func wideEvents(n int) (rows *vector.Column, sel []int32) {
	var vals []int64
	codes := make([]int32, n)
	rows = &vector.Column{}
	for i := range n {
		if i%8 != 0 {
			codes[i] = int32(len(vals))
			vals, sel = append(vals, int64(i)), append(sel, int32(i))
		}
	}
	t := types.RowOf(types.Field{Name: "price", Type: types.Of(types.BigInt)})
	row := &vector.Column{Type: t, Len: len(vals), Children: []*vector.Column{vector.OfSlice(t.Fields[0].Type, vals)}}
	rows.SetDict(t, codes, &vector.Dictionary{Values: row})
	for i := 0; i < n; i += 8 {
		rows.SetNull(i)
	}
	return rows, sel
}

// BenchmarkTakeWide measures what a filter on the event type costs per column of ROWs: no value moves.
func BenchmarkTakeWide(b *testing.B) {
	rows, sel := wideEvents(1024)
	out := &vector.Column{}
	b.ReportAllocs()
	for b.Loop() {
		vector.Take(out, rows, sel)
	}
	if out.Enc != vector.Flat || out.Valid != nil {
		b.Fatal("not a slice")
	}
}

func BenchmarkTakeBits(b *testing.B) {
	rows, sel := wideEvents(1024)
	w := make([]uint64, kernel.Words(len(sel)))
	b.Run("gather", func(b *testing.B) {
		for b.Loop() {
			kernel.TakeBits(w, rows.Valid, sel)
		}
	})
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			kernel.AllBits(rows.Valid, sel)
		}
	})
}

// TestEncodingsAllocateNothing flattens, takes and repeats into used memory.
func TestEncodingsAllocateNothing(t *testing.T) {
	list := types.ArrayOf(types.Of(types.Int))
	b := vector.NewBuilder(list)
	for i := range 100 {
		for k := range i % 5 {
			b.Child(0).AppendInt(int64(k))
		}
		b.AppendList()
	}
	lists, one := &vector.Column{}, &vector.Column{}
	b.Finish(lists)
	vector.Slice(one, lists, 3, 1)
	one.Enc, one.Len = vector.Constant, 1000
	rows, sel := wideEvents(1000)
	idx := make([]int32, 50)
	for i := range idx {
		idx[i] = int32(i * 37 % 100)
	}
	number := vector.ConstOf(types.Of(types.BigInt), int64(7), 1000)
	null := vector.ConstNull(list, 1000)
	out := &vector.Column{}
	for name, f := range map[string]func(){
		"flatten a number":   func() { vector.Flatten(out, number) },
		"flatten a list":     func() { vector.Flatten(out, one) },
		"take lists":         func() { vector.Take(out, lists, idx) },
		"take wide events":   func() { vector.Take(out, rows, sel) },
		"a NULL list":        func() { out.SetConstNull(list, 1000) },
		"flatten NULL lists": func() { vector.Flatten(out, null) },
	} {
		f()
		f()
		if n := testing.AllocsPerRun(10, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
