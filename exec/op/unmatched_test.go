package op_test

import (
	"testing"
	"time"

	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestGroupAggregateCountsUnmatched: rows that are taken back from a key without as many are counted, and leave nothing
// behind.
func TestGroupAggregateCountsUnmatched(t *testing.T) {
	list := []types.Type{types.Of(types.Int), types.Of(types.BigInt)}
	c := columnsOf(list)
	spec := &op.GroupAggregate{Keys: c[:1], Aggs: []op.AggregateCall{aggregateOf(t, "SUM", c[1])}, Names: namesOf(2), Retracts: true}
	o, x, out := spec.New(), &op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC}}, &kinds{}
	must(t, o.Open(x))
	for _, row := range []struct {
		kind vector.RowKind
		key  int32
	}{{vector.Insert, 1}, {vector.Delete, 2}, {vector.Delete, 1}, {vector.UpdateBefore, 1}, {vector.Delete, 3}, {vector.Insert, 4}} {
		must(t, o.Process(0, &vector.Batch{Len: 1, Kinds: []vector.RowKind{row.kind},
			Cols: []*vector.Column{vector.OfSlice(list[0], []int32{row.key}), vector.OfSlice(list[1], []int64{5})}}, out))
	}
	if n := o.(op.Counted).Counters()[0].Value; n != 3 {
		t.Errorf("%d unmatched retractions, want 3", n)
	}
	if got, want := out.b.String(), "+I5 -D5 +I5 "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if n := x.State.Usage()[0].Keys; n != 1 {
		t.Errorf("%d keys are left", n)
	}
}
