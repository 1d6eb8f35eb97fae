package function

import (
	"math/rand/v2"
	"slices"
	"testing"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestExtremeHeap: whatever comes and goes, the heap of a group has its values, and the first of those that are there in front.
func TestExtremeHeap(t *testing.T) {
	const groups, values = 3, 200
	store := state.NewStore(state.Options{})
	g := store.Keyed("groups", nil, []types.Type{types.Of(types.BigInt)})
	v := store.Keyed("values", nil, []types.Type{types.Of(types.BigInt)})
	x := newExtremeHeap(g, v, func(a, b int32) bool { return a%100 < b%100 || a%100 == b%100 && a < b })
	if err := store.Open(); err != nil {
		t.Fatal(err)
	}
	numbers := make([]int64, values)
	for i := range numbers {
		numbers[i] = int64(i)
	}
	column := []*vector.Column{vector.OfSlice(types.Of(types.BigInt), numbers)}
	g.Lookup(column, groups)
	v.Lookup(column, values)
	r := rand.New(rand.NewPCG(1, 2))
	var times [values]int64
	for step := range 20_000 {
		at := int32(r.IntN(values))
		group := at % groups
		times[at] = max(min(times[at]+int64(r.IntN(5))-2, 2), -1)
		if x.place(group, at, times[at]); step%5000 == 4999 {
			for _, gone := range x.empty(group, nil) {
				times[gone] = 0
			}
		}
		want, all := int32(-1), []int32(nil)
		for i := group; i < values; i += groups {
			if times[i] != 0 {
				all = append(all, i)
			}
			if times[i] > 0 && (want < 0 || x.before(i, want)) {
				want = i
			}
		}
		got := x.all(group, nil)
		if slices.Sort(got); x.best(group) != want || !slices.Equal(got, all) {
			t.Fatalf("step %d: best %d, want %d; all %v, want %v", step, x.best(group), want, got, all)
		}
	}
}
