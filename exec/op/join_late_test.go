package op_test

import (
	"bytes"
	"testing"
	"time"

	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestJoinLate: rows behind the watermark are counted where rows of the other side may have gone by it, also after a
// restore; those without an event time are not.
func TestJoinLate(t *testing.T) {
	spec := spanJoin(op.LeftJoin)
	spec.Until[0][0].By, spec.Until[1][0].By = 1, 1
	open := func(from []byte) (op.Operator, *op.Context) {
		o, x := spec.New(), &op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC}}
		x.State = state.NewStore(state.Options{})
		if from != nil {
			must(t, x.State.Load(state.KeyGroups{}, bytes.NewReader(from)))
		}
		must(t, o.Open(x))
		return o, x
	}
	o, x := open(nil)
	row := func(side int, columns []types.Type, at int64) {
		cols := []*vector.Column{vector.OfSlice(columns[0], []int64{1, 1}), vector.OfSlice(columns[1], []int64{at, at}), {}}
		cols[2].SetConstNull(columns[2], 2)
		if at < 0 {
			cols[1].SetConstNull(columns[1], 2)
		}
		must(t, o.Process(side, &vector.Batch{Len: 2, Cols: cols}, &kinds{}))
	}
	want := func(when string, n int64) {
		t.Helper()
		for _, c := range o.(op.Counted).Counters() {
			if c.Name == "late rows" && c.Value != n {
				t.Errorf("%s: %d late rows, want %d", when, c.Value, n)
			}
		}
	}
	row(1, instants, 100)
	want("before a watermark", 0)
	_, err := o.Advance(1000, &kinds{})
	must(t, err)
	row(1, instants, 1001)
	row(0, spans, 1001)
	row(1, instants, -1)
	want("ahead of the watermark, and without a time", 0)
	row(1, instants, 1000)
	row(0, spans, 999)
	want("behind it, from either side", 4)
	var saved bytes.Buffer
	must(t, x.State.Freeze(true).Write(&saved))
	o, _ = open(saved.Bytes())
	row(1, instants, 1000)
	row(1, instants, 1001)
	want("after a restore", 2)
	spec.Until[1] = append([]op.Until{{Time: spec.Until[1][0].Time, By: 2}}, spec.Until[1]...)
	o, _ = open(saved.Bytes())
	row(0, spans, 999)
	want("of two times one of which is NULL", 0)
}
