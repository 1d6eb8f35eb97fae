package state_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestHistory takes many snapshots of a table that is written on in different ways, some of which are not kept:
// each restores what was frozen, few are needed at a time, and what is written in all stays in proportion.
func TestHistory(t *testing.T) {
	big := types.Of(types.BigInt)
	const rows = 512
	patterns := map[string]struct {
		key func(r *rand.Rand, round, i int) int64
		// most is how often a byte is written, about: by changes and for the sake of what goes before.
		most float64
	}{
		"new keys":    {func(_ *rand.Rand, round, i int) int64 { return int64(round*rows + i) }, 3},
		"few keys":    {func(r *rand.Rand, _, i int) int64 { return r.Int64N(100) }, 2},
		"recent keys": {func(r *rand.Rand, round, i int) int64 { return int64(round*100) - r.Int64N(1000) }, 3},
		"any keys":    {func(r *rand.Rand, round, i int) int64 { return r.Int64N(20_000) }, 3},
	}
	for name, p := range patterns {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(8, uint64(len(name))))
			m := newModel(t, state.NewStore(state.Options{}), []types.Type{big})
			written := map[uint64][]byte{}
			bytesOf := func() (n int) {
				for _, b := range written {
					n += len(b)
				}
				return n
			}
			total, changes, longest := 0, 0, 0
			for round := range 100 {
				keys := make([]int64, rows)
				touched := map[int64]bool{}
				for i := range keys {
					keys[i] = p.key(r, round, i)
					touched[keys[i]/256] = true
				}
				m.add(r, []*vector.Column{vector.OfSlice(big, keys)}, rows)
				snapshot := m.s.Freeze(false)
				b := write(t, snapshot)
				total += len(b)
				if round%3 == 2 && r.IntN(3) == 0 {
					snapshot.Abort()
					continue
				}
				written[snapshot.Number()] = b
				needed := append(slices.Clone(snapshot.Base()), snapshot.Number())
				longest = max(longest, len(needed))
				maps.DeleteFunc(written, func(k uint64, _ []byte) bool { return !slices.Contains(needed, k) })
				changes = max(changes, bytesOf())
				if round%10 > 0 && round < 95 {
					continue
				}
				s := state.NewStore(state.Options{})
				if err := s.Load(state.KeyGroups{}, readers(chainOf(snapshot, written))...); err != nil {
					t.Fatal(err)
				}
				back := newModel(t, s, []types.Type{big})
				back.want = m.want
				back.check("restored")
			}
			if longest > 40 {
				t.Errorf("%d snapshots are needed for one", longest)
			}
			var whole bytes.Buffer
			if err := m.s.Freeze(true).Write(&whole); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d bytes written, %d kept at most, %d are all", total, changes, whole.Len())
			if changes > 4*whole.Len()+2<<20 {
				t.Errorf("%d bytes are kept for %d", changes, whole.Len())
			}
			if name == "new keys" && float64(total) > p.most*float64(whole.Len()) {
				t.Errorf("%d bytes are written for %d", total, whole.Len())
			}
		})
	}
}

// TestOtherChain: snapshots that do not belong together are refused.
func TestOtherChain(t *testing.T) {
	big := types.Of(types.BigInt)
	m := newModel(t, state.NewStore(state.Options{}), []types.Type{big})
	r := rand.New(rand.NewPCG(1, 9))
	var all [][]byte
	for round := range 3 {
		keys := make([]int64, 1000)
		for i := range keys {
			keys[i] = int64(round*1000 + i)
		}
		m.add(r, []*vector.Column{vector.OfSlice(big, keys)}, len(keys))
		all = append(all, write(t, m.s.Freeze(false)))
	}
	for _, chain := range [][][]byte{all[1:], all[2:], {all[0], all[2]}, {all[1], all[0], all[2]}} {
		if err := state.NewStore(state.Options{}).Load(state.KeyGroups{}, readers(chain)...); err == nil {
			t.Errorf("%d snapshots of 3 are taken", len(chain))
		}
	}
}

// TestScratch: memory of scratch tables counts, and is given back.
func TestScratch(t *testing.T) {
	s := state.NewStore(state.Options{Operator: "LocalAggregate", Limit: 64 << 10})
	before := s.Bytes()
	scratch := s.Scratch()
	tab := scratch.Keyed("local", nil, []types.Type{types.Of(types.BigInt)})
	keys := make([]int64, 10_000)
	for i := range keys {
		keys[i] = int64(i)
	}
	tab.Lookup([]*vector.Column{vector.OfSlice(types.Of(types.BigInt), keys)}, len(keys))
	full, _ := s.Err().(*state.LimitError)
	if full == nil || full.Table != "local" || full.Operator != "LocalAggregate" {
		t.Errorf("%v", s.Err())
	}
	if u := s.Usage(); len(u) != 1 || u[0].Keys != int64(len(keys)) || s.Bytes()-before < int64(len(keys))*8 {
		t.Errorf("%v, %d bytes", u, s.Bytes())
	}
	if !s.Empty() {
		t.Error("scratch tables are in snapshots")
	}
	if scratch.Release(); s.Bytes() != before || len(s.Usage()) > 0 {
		t.Errorf("%d bytes are left", s.Bytes()-before)
	}
}
