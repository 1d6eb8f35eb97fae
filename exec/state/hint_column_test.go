package state_test

import (
	"testing"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestHintColumn: a key is found again whichever of its integers tells keys apart, before and after the table has
// chosen the one to guess by.
func TestHintColumn(t *testing.T) {
	big := types.Of(types.BigInt).WithNull(false)
	for name, of := range map[string]func(i int64) [2]int64{
		"the first":  func(i int64) [2]int64 { return [2]int64{1000 + i, i % 3} },
		"the second": func(i int64) [2]int64 { return [2]int64{i % 3, 1000 + i} },
		"both":       func(i int64) [2]int64 { return [2]int64{i / 2, i} },
		"neither":    func(i int64) [2]int64 { return [2]int64{i * 1_000_003, i * 7_919_317} },
	} {
		store := state.NewStore(state.Options{Operator: "test"})
		table := store.Keyed("keys", nil, []types.Type{big, big})
		if err := store.Open(); err != nil {
			t.Fatal(err)
		}
		find := func(from, n int64) []int32 {
			a, b := make([]int64, n), make([]int64, n)
			for i := range n {
				pair := of(from + i)
				a[i], b[i] = pair[0], pair[1]
			}
			return table.Lookup([]*vector.Column{vector.OfSlice(big, a), vector.OfSlice(big, b)}, int(n))
		}
		seen := map[int64]int32{}
		for from := int64(0); from < 3000; from += 40 {
			for i, g := range find(from, 60) {
				at := from + int64(i)
				if was, ok := seen[at]; ok && was != g {
					t.Fatalf("%s: key %d had group %d and has %d", name, at, was, g)
				}
				seen[at] = g
			}
		}
		if table.Len() != len(seen) {
			t.Errorf("%s: %d groups of %d keys", name, table.Len(), len(seen))
		}
		table.Remove(append([]int32(nil), find(100, 50)...))
		if table.Len() != len(seen)-50 {
			t.Errorf("%s: %d groups of %d keys, less 50", name, table.Len(), len(seen))
		}
	}
}
