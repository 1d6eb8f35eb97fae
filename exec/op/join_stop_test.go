package op_test

import (
	"errors"
	"testing"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestJoinStops: a join whose condition keeps no pair ends when the job is stopped, in the midst of a batch.
func TestJoinStops(t *testing.T) {
	list := []types.Type{types.Of(types.BigInt)}
	c := columnsOf(append(list, list...))
	spec := &op.Join{Types: [2][]types.Type{list, list}, Names: namesOf(2), Residual: []expr.Expr{less(c[0], c[1])}}
	stopped, asked := errors.New("stopped"), 0
	o := spec.New()
	err := o.Open(&op.Context{MaxRows: 8, Env: &function.Env{Zone: time.UTC}, Stopped: func() error {
		if asked++; asked > 3 {
			return stopped
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	values := make([]int64, 8)
	col := &vector.Column{}
	vector.SetSlice(col, spec.Types[0][0], values)
	b := &vector.Batch{Len: len(values), Cols: []*vector.Column{col}}
	if err := o.Process(0, b, &sink{}); err != nil {
		t.Fatal(err)
	}
	if err := o.Process(1, b, &sink{}); err != stopped || asked != 4 {
		t.Errorf("%v after %d questions", err, asked)
	}
}
