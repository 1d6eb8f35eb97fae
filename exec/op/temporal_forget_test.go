package op_test

import (
	"testing"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestTemporalJoinForgets: of the versions of a key that the watermark has passed one stays, also of one that changes all the
// time; a key that was taken away is gone with the watermark. What comes behind it is counted.
func TestTemporalJoinForgets(t *testing.T) {
	list := []types.Type{types.Of(types.BigInt), types.Of(types.BigInt), types.TimestampOf(3)}
	spec := &op.TemporalJoin{Kind: op.LeftJoin, Keys: [2][]expr.Expr{columnsOf(list)[:1], columnsOf(list)[:1]}, Times: [2]int{2, 2},
		Types: [2][]types.Type{list, list}, Names: namesOf(2 * len(list))}
	o, x := spec.New(), &op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC}, State: state.NewStore(state.Options{})}
	must(t, o.Open(x))
	out := nowhere{}
	row := func(kind vector.RowKind, side int, key, at int64) {
		cols := []*vector.Column{vector.OfSlice(list[0], []int64{key}), vector.OfSlice(list[1], []int64{at}),
			vector.OfSlice(list[2], []int64{at})}
		must(t, o.Process(side, &vector.Batch{Len: 1, Cols: cols, Kinds: []vector.RowKind{kind}}, out))
	}
	advance := func(at types.EventTime) {
		_, err := o.Advance(at, out)
		must(t, err)
	}
	left := func(when string, keys, versions int64) {
		t.Helper()
		for _, u := range x.State.Usage() {
			if want, ok := map[string]int64{"keys": keys, "versions": versions}[u.Table]; ok && u.Keys != want {
				t.Errorf("%s: %d of %s, want %d", when, u.Keys, u.Table, want)
			}
		}
	}
	row(vector.Insert, 1, 2, 0)
	for at := int64(0); at < 5000; at += 100 {
		row(vector.UpdateAfter, 1, 1, at)
		advance(types.EventTime(at - 250))
		if at >= 1000 {
			left("a key that changes", 2, 5)
		}
	}
	row(vector.Delete, 1, 2, 5000)
	row(vector.Insert, 0, 2, 4950)
	row(vector.Insert, 0, 2, 5050)
	advance(5001)
	left("a key that is gone, for which a row waits", 2, 1)
	advance(5100)
	left("a key that is gone", 1, 1)
	row(vector.Insert, 1, 3, 5200)
	row(vector.Delete, 1, 3, 5300)
	row(vector.Insert, 1, 3, 5400)
	advance(5350)
	left("a key that was gone for a while", 2, 2)
	row(vector.Insert, 0, 1, 5350)
	row(vector.Insert, 0, 1, 5351)
	row(vector.UpdateAfter, 1, 1, 5350)
	if got := o.(op.Counted).Counters(); got[0].Value != 1 || got[1].Value != 1 {
		t.Errorf("counted %v", got)
	}
}
