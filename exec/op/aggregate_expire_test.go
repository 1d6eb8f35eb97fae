package op_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestGroupsExpire: an aggregation gives the same whether it forgets the groups to which no row comes any more or not,
// started anew too.
func TestGroupsExpire(t *testing.T) {
	list := []types.Type{types.TimestampOf(3), types.Of(types.BigInt), types.Of(types.BigInt)}
	c := columnsOf(list)
	for _, seed := range seeds(t, 2) {
		r := rand.New(rand.NewPCG(seed, 11))
		var log strings.Builder
		var until []int64
		now := int64(0)
		for range 250 {
			now += int64(r.IntN(50))
			switch k := r.IntN(6); {
			case k == 0:
				until = append(until, now+int64(r.IntN(600)))
			case k == 1:
				fmt.Fprintf(&log, "^%d\n", now-1)
			case len(until) > 0:
				if key := max(len(until)-1-r.IntN(5), 0); until[key] >= now {
					fmt.Fprintf(&log, "%d %d %d\n", until[key], key, r.IntN(9))
				}
			}
		}
		kept := &op.GroupAggregate{Keys: c[:2], Aggs: []op.AggregateCall{aggregateOf(t, "MAX", c[2]), aggregateOf(t, "COUNT"),
			distinctOf(t, "SUM", c[2])}, Names: namesOf(5)}
		expires := *kept
		expires.Until = []op.Until{{Time: c[0]}}
		for _, size := range []int{1, 16} {
			want, err := optest.Replay(t, kept, optest.Parse(t, list, log.String()), size, optest.Mixed)
			must(t, err)
			got, err := optest.Replay(t, &expires, optest.Parse(t, list, log.String()), size, optest.Mixed)
			must(t, err)
			if got != want {
				t.Errorf("seed %d, batches of %d: got\n%s\nwant\n%s", seed, size, got, want)
			}
			if got, err = optest.Restarted(t, &expires, optest.Parse(t, list, log.String()), size); err != nil || got != want {
				t.Errorf("seed %d, batches of %d, started anew: got\n%s%v\nwant\n%s", seed, size, got, err, want)
			}
		}
	}
}

// distinctOf is a call with DISTINCT.
func distinctOf(t *testing.T, name string, args ...expr.Expr) op.AggregateCall {
	call := aggregateOf(t, name, args...)
	call.Distinct = true
	return call
}

// TestGroupsExpireState: groups go when the watermark has passed their time, those without one at once.
func TestGroupsExpireState(t *testing.T) {
	list := []types.Type{types.TimestampOf(3), types.Of(types.BigInt)}
	c := columnsOf(list)
	spec := &op.GroupAggregate{Keys: c, Aggs: []op.AggregateCall{aggregateOf(t, "COUNT")}, Names: namesOf(3),
		Until: []op.Until{{Time: c[0], Delay: time.Second}}}
	o := spec.New()
	x := &op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC}}
	must(t, o.Open(x))
	none := &vector.Column{}
	none.SetConstNull(list[0], 1)
	for _, at := range []*vector.Column{vector.OfSlice(list[0], []int64{1000}), vector.OfSlice(list[0], []int64{4000}), none} {
		must(t, o.Process(0, &vector.Batch{Len: 1, Cols: []*vector.Column{at, vector.OfSlice(list[1], []int64{7})}}, &kinds{}))
	}
	for _, step := range []struct{ time, groups int64 }{{-1000, 2}, {2000, 2}, {2300, 1}, {5000, 1}, {5300, 0}} {
		_, err := o.Advance(types.EventTime(step.time), &kinds{})
		must(t, err)
		for _, u := range x.State.Usage() {
			if u.Keys != step.groups {
				t.Errorf("at %d: %d of %s, want %d", step.time, u.Keys, u.Table, step.groups)
			}
		}
	}
}
