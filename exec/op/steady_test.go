package op_test

import (
	"testing"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// nowhere takes batches and keeps none.
type nowhere struct{}

func (nowhere) Emit(*vector.Batch) error      { return nil }
func (nowhere) Advance(types.EventTime) error { return nil }

// TestRowsCostNoMemory: operators that keep some rows of a changelog work in used memory.
func TestRowsCostNoMemory(t *testing.T) {
	number, truth := types.Of(types.BigInt), types.Of(types.Boolean)
	n := 1000
	vals, kinds := make([]int64, n), make([]vector.RowKind, n)
	for i := range vals {
		vals[i], kinds[i] = int64(i), vector.RowKind(i%4)
	}
	a, flag := vector.OfSlice(number, vals), &vector.Column{}
	flag.Reset(truth, n)
	for i := range vector.AllocBits(flag) {
		vector.Bits(flag)[i] = 0x5555555555 // 1000 rows end in bit 39
	}
	for i := 0; i < n; i += 3 {
		a.SetNull(i)
	}
	b := &vector.Batch{Len: n, Cols: []*vector.Column{a, flag}, Kinds: kinds}
	for _, spec := range []op.Spec{
		&op.ConstraintEnforcer{Columns: []int{0}, Names: []string{"a"}, Drop: true},
		&op.Calc{Where: []expr.Expr{&expr.Column{Index: 1, Name: "f", T: truth}},
			Exprs: []expr.Expr{&expr.Column{Index: 0, Name: "a", T: number}}, Names: []string{"a"}},
	} {
		o := spec.New()
		if err := o.Open(&op.Context{MaxRows: n, Env: &function.Env{}}); err != nil {
			t.Fatal(err)
		}
		run := func() {
			if err := o.Process(0, b, nowhere{}); err != nil {
				t.Fatal(err)
			}
		}
		run()
		if allocs := testing.AllocsPerRun(10, run); allocs != 0 {
			t.Errorf("%s allocates %v times per batch", spec, allocs)
		}
	}
}

// TestBatchesCostNoMemory: operators that keep a part of what came, and give what it changes, work in used memory once
// they have seen what comes.
func TestBatchesCostNoMemory(t *testing.T) {
	number, when := types.Of(types.BigInt), types.TimestampOf(3)
	list := types.ArrayOf(number)
	var keys, times, vals, lists vector.Builder
	for b, typ := range map[*vector.Builder]types.Type{&keys: number, &times: when, &vals: number, &lists: list} {
		*b = *vector.NewBuilder(typ)
	}
	const n = 1000
	for i := range n {
		keys.AppendInt(int64(i % 50))
		times.AppendInt(int64(i))
		vals.AppendInt(int64(i * 7919 % n))
		for k := range i % 4 {
			lists.Child(0).AppendInt(int64(k))
		}
		lists.AppendList()
	}
	b := &vector.Batch{Len: n}
	for _, from := range []*vector.Builder{&keys, &times, &vals, &lists} {
		c := &vector.Column{}
		from.Finish(c)
		b.Cols = append(b.Cols, c)
	}
	in := []types.Type{number, when, number, list}
	c := columnsOf(in)
	over := overOf(t, in[:3], bounds(true, op.Preceding, op.CurrentRow, 10, 0))
	over.Time = op.OverProctime
	for _, spec := range []op.Spec{
		&op.Rank{Partition: c[:1], Order: []op.SortKey{{Expr: c[2], Desc: true}}, Function: "ROW_NUMBER", From: 1, To: 3, Number: true,
			Types: in[:3], Names: namesOf(4)},
		&op.Unnest{Expr: c[3], Ordinality: true, Outer: true, Width: 4, Types: append(in[:4:4], number, types.Of(types.Int)),
			Names: namesOf(6)},
		over,
	} {
		o := spec.New()
		if err := o.Open(&op.Context{MaxRows: n, Env: &function.Env{}}); err != nil {
			t.Fatal(err)
		}
		run := func() {
			if err := o.Process(0, b, nowhere{}); err != nil {
				t.Fatal(err)
			}
		}
		for range 20 {
			run()
		}
		if allocs := testing.AllocsPerRun(100, run); allocs != 0 {
			t.Errorf("%s allocates %v times per batch", spec, allocs)
		}
	}
}
