package op_test

import (
	"testing"
	"time"

	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestRankTTL: a partition or a key that did not change for the time to live starts anew, and the sweep frees it.
func TestRankTTL(t *testing.T) {
	list := []types.Type{types.Of(types.BigInt).WithNull(false), types.Of(types.BigInt).WithNull(false)}
	c := columnsOf(list)
	rank := op.Rank{Partition: c[:1], Order: []op.SortKey{{Expr: c[1], Desc: true, NullsLast: true}}, From: 1, To: 1,
		Function: "ROW_NUMBER", Types: list, Names: namesOf(2), Time: -1, TTL: time.Second}
	over := rank
	over.Retracts = true
	last := &op.Deduplicate{Keys: c[:1], Time: 1, Last: true, Types: list, Names: namesOf(2), TTL: time.Second}
	for _, spec := range []op.Spec{&rank, &over, last} {
		now := time.UnixMilli(1_700_000_000_000)
		o, x := spec.New(), &op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC, Now: func() time.Time { return now }}}
		must(t, o.Open(x))
		out := &kinds{}
		row := func(key, value int64) {
			cols := []*vector.Column{vector.OfSlice(list[0], []int64{key}), vector.OfSlice(list[1], []int64{value})}
			must(t, o.Process(0, &vector.Batch{Len: 1, Cols: cols}, out))
		}
		row(1, 5)
		now = now.Add(900 * time.Millisecond)
		row(1, 6)
		now = now.Add(900 * time.Millisecond)
		row(1, 7)
		now = now.Add(1100 * time.Millisecond)
		row(1, 3)
		if got, want := out.b.String(), "+I5 -U5 +U6 -U6 +U7 +I3 "; got != want {
			t.Errorf("%s: got %s, want %s", spec, got, want)
		}
		now = now.Add(5 * time.Second)
		row(7, 1)
		for _, u := range x.State.Usage() {
			if u.Keys != 1 {
				t.Errorf("%s: %d keys are left in %s", spec, u.Keys, u.Table)
			}
		}
	}
}
