package state

import (
	"testing"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestHintSlides: where keys go as new ones come, those that are there are found by a guess however many there were, in
// memory that does not grow.
func TestHintSlides(t *testing.T) {
	const window, steps = 5000, 1500
	big := types.Of(types.BigInt).WithNull(false)
	s := NewStore(Options{})
	table := s.Keyed("keys", nil, []types.Type{big})
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	groups := map[int64]int32{}
	var early int64
	for step := range int64(steps) {
		keys := make([]int64, 0, 700)
		for i := range int64(600) {
			keys = append(keys, step*500+i)
		}
		for i := range int64(100) {
			keys = append(keys, max(step*500-i*40, 0))
		}
		for i, g := range table.Lookup([]*vector.Column{vector.OfSlice(big, keys)}, len(keys)) {
			if was, ok := groups[keys[i]]; ok && was != g {
				t.Fatalf("key %d had group %d and has %d", keys[i], was, g)
			}
			groups[keys[i]] = g
		}
		var gone []int32
		for k := (step-1)*500 - window; k < step*500-window; k++ {
			if g, ok := groups[k]; ok {
				gone = append(gone, g)
				delete(groups, k)
			}
		}
		table.Remove(gone)
		if table.Len() != len(groups) {
			t.Fatalf("step %d: %d groups of %d keys", step, table.Len(), len(groups))
		}
		if step == steps/4 {
			early = s.Bytes()
		}
	}
	x := &table.hint
	if x.off || x.keys != len(groups) || x.filled > 2*hintSlack {
		t.Errorf("given up %v, %d keys of %d in %d pages", x.off, x.keys, len(groups), x.filled)
	}
	if now := s.Bytes(); now > early+early/4 {
		t.Errorf("%d bytes, %d a quarter of the way", now, early)
	}
	for k, g := range groups {
		if x.guess(uint64(k)) != g {
			t.Fatalf("key %d of group %d is guessed to be of %d", k, g, x.guess(uint64(k)))
		}
	}
}
