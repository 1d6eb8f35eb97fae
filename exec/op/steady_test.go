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
