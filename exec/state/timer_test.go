package state_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestTimers compares with a map from group to time, restarting from snapshots on the way.
func TestTimers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	integer := []types.Type{types.Of(types.Int)}
	open := func(s *state.Store) (*state.Keyed, *state.Timers) {
		tab := s.Keyed("rows", nil, integer)
		x := state.NewTimers(tab, 10)
		if err := s.Open(); err != nil {
			t.Fatal(err)
		}
		return tab, x
	}
	s := state.NewStore(state.Options{})
	tab, timers := open(s)
	want := map[int32]int64{} // by key
	now, fired := int64(-500), 0
	for round := range 400 {
		keys, due := make([]int32, 5), make([]int64, 5)
		for i := range keys {
			keys[i] = int32(i*20 + r.IntN(20))
			due[i] = now + 1 + r.Int64N(300)
			want[keys[i]] = due[i]
		}
		groups := tab.Lookup([]*vector.Column{vector.OfSlice(integer[0], keys)}, len(keys))
		tab.Own(groups)
		timers.Set(groups, due)
		if round%7 == 0 {
			timers.Stop(groups[:1])
			delete(want, keys[0])
		}
		now += r.Int64N(30)
		last := int64(-1 << 62)
		for _, g := range timers.Due(now) {
			k := int32(tab.Word(0, g))
			if want[k] > now || want[k] < last {
				t.Fatalf("key %d due at %d fired at %d, after %d", k, want[k], now, last)
			}
			last = want[k]
			delete(want, k)
			fired++
		}
		next, ok := timers.Next()
		for k, at := range want {
			if at <= now || !ok || at < next {
				t.Fatalf("key %d due at %d did not fire at %d; next is %d", k, at, now, next)
			}
		}
		if round%50 == 49 {
			snapshot := write(t, s.Freeze(true))
			s = state.NewStore(state.Options{})
			if err := s.Load(state.KeyGroups{}, bytes.NewReader(snapshot)); err != nil {
				t.Fatal(err)
			}
			tab, timers = open(s)
		}
	}
	if fired < 500 {
		t.Errorf("only %d fired", fired)
	}
}

// BenchmarkTimers is the time of moving a timer that is there.
func BenchmarkTimers(b *testing.B) {
	integer := []types.Type{types.Of(types.Int)}
	tab := state.NewStore(state.Options{}).Keyed("rows", nil, integer)
	timers := state.NewTimers(tab, 100)
	keys, due := make([]int32, 1024), make([]int64, 1024)
	for i := range keys {
		keys[i] = int32(i)
	}
	groups := tab.Lookup([]*vector.Column{vector.OfSlice(integer[0], keys)}, len(keys))
	for n := range b.N {
		for i := range due {
			due[i] = int64(n) + 10_000
		}
		timers.Set(groups, due)
		timers.Due(int64(n))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*1024), "ns/timer")
}
