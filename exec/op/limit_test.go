package op_test

import (
	"testing"

	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestLimit: rows pass at their places in the order in which they come, in batches of any size and over restarts.
func TestLimit(t *testing.T) {
	in := "a 1\n\\N 2\nc 3\nd 4\ne \\N\nf 6"
	for _, c := range []struct {
		from, to int64
		want     string
	}{{1, 3, "a 1\n\\N 2\nc 3"}, {3, 5, "c 3\nd 4\ne \\N"}, {1, 0, ""}, {5, 100, "e \\N\nf 6"}, {9, 12, ""}} {
		optest.Run(t, optest.Case{Spec: &op.Limit{From: c.from, To: c.to}, Types: []types.Type{types.String(), types.Of(types.BigInt)},
			In: in, Out: c.want})
	}
}

// TestLimitFilled: a LIMIT is full with its last row, not one before.
func TestLimitFilled(t *testing.T) {
	o := (&op.Limit{From: 2, To: 4}).New().(op.Filled)
	must(t, o.Open(&op.Context{MaxRows: 8}))
	one := &vector.Batch{Len: 1, Cols: []*vector.Column{vector.OfSlice(types.Of(types.BigInt), []int64{1})}}
	for i := range 5 {
		if full := o.Filled(); full != (i >= 4) {
			t.Errorf("behind %d rows: full is %t", i, full)
		}
		must(t, o.Process(0, one, nowhere{}))
	}
}
