package op_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// bounded are rows with a key, a price, a text and the time until which rows of the key come.
var bounded = []types.Type{types.Of(types.BigInt), types.Of(types.BigInt), types.String(), types.TimestampOf(3)}

// TestRankExpires: a rank gives the same whether it forgets the partitions to which no row comes any more or not, started
// anew too, and after the last of them has none left.
func TestRankExpires(t *testing.T) {
	for _, seed := range seeds(t, 2) {
		r := rand.New(rand.NewPCG(seed, 9))
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
				key := max(len(until)-1-r.IntN(5), 0)
				if until[key] >= now {
					fmt.Fprintf(&log, "%d %d %s %d\n", key, r.IntN(50), []string{"x", "a_text_of_more_than_twelve_bytes"}[r.IntN(2)], until[key])
				}
			}
		}
		for _, to := range []int64{1, 3, 40} {
			for _, number := range []bool{false, true} {
				kept := rankOf(bounded, to)
				if kept.Number = number; !number {
					kept.Names = namesOf(len(bounded))
				}
				expires := *kept
				expires.Until = []op.Until{{Time: columnsOf(bounded)[3]}}
				for _, size := range []int{1, 16} {
					want, err := optest.Replay(t, kept, optest.Parse(t, bounded, log.String()), size, optest.Mixed)
					must(t, err)
					got, err := optest.Replay(t, &expires, optest.Parse(t, bounded, log.String()), size, optest.Mixed)
					must(t, err)
					if got != want {
						t.Errorf("seed %d, %d places, batches of %d: got\n%s\nwant\n%s", seed, to, size, got, want)
					}
					got, err = optest.Restarted(t, &expires, optest.Parse(t, bounded, log.String()), size)
					must(t, err)
					if got != want {
						t.Errorf("seed %d, %d places, batches of %d, started anew: got\n%s\nwant\n%s", seed, to, size, got, want)
					}
				}
			}
		}
	}
}

// TestRankExpiresState: partitions go with their rows when the watermark has passed one of their bounds, and one without a
// time at once.
func TestRankExpiresState(t *testing.T) {
	spec := rankOf(bounded, 2)
	spec.Until = []op.Until{{Time: columnsOf(bounded)[3], Delay: time.Second}}
	o := spec.New()
	x := &op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC}}
	must(t, o.Open(x))
	row := func(key int64, until *vector.Column) {
		big, text := types.Of(types.BigInt), &vector.Column{}
		text.SetConstNull(types.String(), 1)
		cols := []*vector.Column{vector.OfSlice(big, []int64{key}), vector.OfSlice(big, []int64{7}), text, until}
		must(t, o.Process(0, &vector.Batch{Len: 1, Cols: cols}, &kinds{}))
	}
	at := func(ms int64) *vector.Column { return vector.OfSlice(types.TimestampOf(3), []int64{ms}) }
	never := &vector.Column{}
	never.SetConstNull(types.TimestampOf(3), 1)
	row(1, at(1000))
	row(1, at(1000))
	row(1, at(1000))
	row(2, at(4000))
	row(3, never)
	for _, step := range []struct{ time, partitions, rows int64 }{{-1000, 2, 3}, {2000, 2, 3}, {2300, 1, 1}, {5000, 1, 1}, {5300, 0, 0}} {
		_, err := o.Advance(types.EventTime(step.time), &kinds{})
		must(t, err)
		want := map[string]int64{"partitions": step.partitions, "rows": step.rows}
		for _, u := range x.State.Usage() {
			if u.Keys != want[u.Table] {
				t.Errorf("at %d: %d of %s, want %d", step.time, u.Keys, u.Table, want[u.Table])
			}
		}
	}
}
