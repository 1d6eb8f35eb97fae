package op_test

import (
	"strings"
	"testing"
	"time"

	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// kinds writes down the kinds and the last column of what is emitted.
type kinds struct{ b strings.Builder }

func (k *kinds) Emit(b *vector.Batch) error {
	for i := range b.Len {
		k.b.WriteString(b.Kind(i).String() + string(rune('0'+vector.Value[int64](b.Cols[len(b.Cols)-1], i))) + " ")
	}
	return nil
}

func (k *kinds) Advance(types.EventTime) error { return nil }

// TestGroupAggregateTTL: a key without rows for the time to live starts anew, and the sweep frees it.
func TestGroupAggregateTTL(t *testing.T) {
	c := columnsOf([]types.Type{types.Of(types.Int)})
	distinct := aggregateOf(t, "COUNT", c[0])
	distinct.Distinct = true
	for _, retracts := range []bool{false, true} {
		spec := &op.GroupAggregate{Keys: c, Retracts: retracts, Names: namesOf(3), Aggs: []op.AggregateCall{distinct, aggregateOf(t, "COUNT")}, TTL: time.Second}
		now := time.UnixMilli(1_700_000_000_000)
		o, x := spec.New(), &op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC, Now: func() time.Time { return now }}}
		must(t, o.Open(x))
		out := &kinds{}
		rows := func(keys ...int32) {
			must(t, o.Process(0, &vector.Batch{Len: len(keys), Cols: []*vector.Column{vector.OfSlice(c[0].Type(), keys)}}, out))
		}
		rows(1, 2)
		now = now.Add(900 * time.Millisecond)
		rows(1)
		now = now.Add(900 * time.Millisecond)
		rows(1, 1)
		now = now.Add(1100 * time.Millisecond)
		rows(1)
		if got, want := out.b.String(), "+I1 +I1 -U1 +U2 -U2 +U4 +I1 "; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		now = now.Add(5 * time.Second)
		rows(7)
		if n := x.State.Usage()[0].Keys; n != 1 {
			t.Errorf("%d keys are left", n)
		}
	}
}
