package op_test

import (
	"testing"
	"time"

	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestJoinTTL: a row whose time is over finds no partner, and the sweep frees it and its key.
func TestJoinTTL(t *testing.T) {
	list := []types.Type{types.Of(types.Int), types.Of(types.BigInt)}
	for _, retracts := range []bool{false, true} {
		spec := equiJoin(op.LeftJoin, list, list)
		spec.Retracts = [2]bool{retracts, retracts}
		spec.TTL = [2]time.Duration{time.Second, 0}
		now := time.UnixMilli(1_700_000_000_000)
		o, x := spec.New(), &op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC, Now: func() time.Time { return now }}}
		must(t, o.Open(x))
		out := &kinds{}
		row := func(side int, key int32, value int64) {
			cols := []*vector.Column{vector.OfSlice(list[0], []int32{key}), vector.OfSlice(list[1], []int64{value})}
			must(t, o.Process(side, &vector.Batch{Len: 1, Cols: cols}, out))
		}
		row(1, 1, 4)
		row(0, 1, 2)
		now = now.Add(900 * time.Millisecond)
		row(1, 1, 5)
		now = now.Add(200 * time.Millisecond)
		row(1, 1, 6)
		row(0, 1, 3)
		if got, want := out.b.String(), "+I4 +I5 +I4 +I5 +I6 "; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		now = now.Add(2 * time.Second)
		row(1, 9, 1)
		for _, u := range x.State.Usage() {
			if want := map[string]int64{"keys": 2, "left rows": 0, "right rows": 4}[u.Table]; u.Keys != want {
				t.Errorf("retracts %v: %d of %s", retracts, u.Keys, u.Table)
			}
		}
	}
}
