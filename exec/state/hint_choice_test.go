package state

import (
	"testing"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestHintChoice: keys are guessed by the column that tells all apart by near values, where there is one; else by the last one with
// about as many values.
func TestHintChoice(t *testing.T) {
	big := types.Of(types.BigInt).WithNull(false)
	for name, x := range map[string]struct {
		of   func(i int64) [2]int64
		want int
	}{
		"the first is a key":  {func(i int64) [2]int64 { return [2]int64{1000 + i, i / 2} }, 0},
		"the second is a key": {func(i int64) [2]int64 { return [2]int64{i / 2, 1000 + i} }, 1},
		"both are keys":       {func(i int64) [2]int64 { return [2]int64{i, 1000 + i} }, 1},
		"one is far apart":    {func(i int64) [2]int64 { return [2]int64{i * 1_000_003, i / 2} }, 1},
		"one is nearer":       {func(i int64) [2]int64 { return [2]int64{i, i * 20} }, 0},
		"neither is":          {func(i int64) [2]int64 { return [2]int64{i % 50, i / 3} }, 1},
		"one has few values":  {func(i int64) [2]int64 { return [2]int64{i / 2, i % 2} }, 0},
	} {
		store := NewStore(Options{Operator: "test"})
		table := store.Keyed("keys", nil, []types.Type{big, big})
		for from := int64(0); from < 300; from += 100 {
			a, b := make([]int64, 100), make([]int64, 100)
			for i := range a {
				pair := x.of(from + int64(i))
				a[i], b[i] = pair[0], pair[1]
			}
			table.Lookup([]*vector.Column{vector.OfSlice(big, a), vector.OfSlice(big, b)}, len(a))
		}
		if table.hint.column != x.want {
			t.Errorf("%s: guessed by column %d, want %d", name, table.hint.column, x.want)
		}
	}
}

// TestHintCrowds: a column that the first keys hide the few values of is given up before the places that go by it crowd, and every key
// is found again.
func TestHintCrowds(t *testing.T) {
	big := types.Of(types.BigInt).WithNull(false)
	table := NewStore(Options{Operator: "test"}).Keyed("ranks", nil, []types.Type{big, big})
	find := func(from int64) []int32 {
		a, b := make([]int64, 1000), make([]int64, 1000)
		for i := range a {
			a[i], b[i] = (from+int64(i))/10, (from+int64(i))%10
		}
		return table.Lookup([]*vector.Column{vector.OfSlice(big, a), vector.OfSlice(big, b)}, len(a))
	}
	const keys = 150_000
	for from := int64(0); from < keys; from += 1000 {
		find(from)
	}
	if table.hint.column != -1 || table.index.crowded {
		t.Errorf("guessed by column %d, crowded %v", table.hint.column, table.index.crowded)
	}
	for from := int64(0); from < keys; from += 1000 {
		for i, g := range find(from) {
			if int64(g) != from+int64(i) {
				t.Fatalf("key %d has group %d", from+int64(i), g)
			}
		}
	}
	if table.Len() != keys {
		t.Errorf("%d groups, want %d", table.Len(), keys)
	}
}
