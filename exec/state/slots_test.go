package state

import (
	"math/rand"
	"slices"
	"testing"
)

// TestSlots: slots leave in order, whatever the order in which they came, also in between.
func TestSlots(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var s slots
	var want []int64
	for i := range 3000 {
		if i%3 < 2 {
			v := int64(r.Intn(500) - 250)
			s.push(v)
			want = append(want, v)
			continue
		}
		k := slices.Index(want, slices.Min(want))
		if s[0] != want[k] {
			t.Fatalf("step %d: %d is first, want %d", i, s[0], want[k])
		}
		s.pop()
		want = slices.Delete(want, k, k+1)
	}
	for slices.Sort(want); len(want) > 0; want = want[1:] {
		if s[0] != want[0] {
			t.Fatalf("%d is first, want %d", s[0], want[0])
		}
		s.pop()
	}
	if len(s) != 0 {
		t.Fatalf("%d slots are left", len(s))
	}
}
