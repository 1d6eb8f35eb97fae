package state

import (
	"bytes"
	"testing"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// windowOf makes a table of n keys from first on, each with a value, and checks what it reads back.
func windowOf(t *testing.T, s *Store, name string, first, n int) (*Keyed, *Pages[int64]) {
	t.Helper()
	key := types.Of(types.BigInt)
	table := s.Keyed(name, nil, []types.Type{key})
	values := NewPages[int64](table)
	keys := make([]int64, n)
	for i := range keys {
		keys[i] = int64(first+i) * 1_000_003 // nothing to guess by
	}
	groups := table.Lookup([]*vector.Column{vector.OfSlice(key, keys)}, n)
	table.Own(groups)
	for i, g := range groups {
		if v := values.At(g); v != 0 {
			t.Fatalf("%s: the value of a new group is %d", name, v)
		}
		values.Set(g, keys[i]+1)
	}
	out := &vector.Column{}
	table.Key(out, 0, groups)
	for i, k := range vector.Values[int64](out) {
		if k != keys[i] || values.At(groups[i]) != k+1 {
			t.Fatalf("%s: group %d has the key %d and the value %d, want %d", name, groups[i], k, values.At(groups[i]), keys[i])
		}
	}
	return table, values
}

// TestWindowsReusePages: a table takes the pages of one that was dropped, all zero.
func TestWindowsReusePages(t *testing.T) {
	s := NewStore(Options{})
	for i := range 20 {
		table, _ := windowOf(t, s, "w", i*5000, 5000+i%3*100)
		before := s.Bytes()
		s.Drop(table)
		if s.Bytes() != 0 || s.spare.bytes == 0 {
			t.Fatalf("%d of %d bytes are left, %d to be used again", s.Bytes(), before, s.spare.bytes)
		}
		if limit := spareAge * before; s.spare.bytes > limit {
			t.Fatalf("%d bytes are kept after tables of %d", s.spare.bytes, before)
		}
	}
	// Beside those of the tables themselves, a window costs no allocation that grows with its rows.
	cost := func(n int) float64 {
		return testing.AllocsPerRun(10, func() {
			table, _ := windowOf(t, s, "w", 0, n)
			s.Drop(table)
		})
	}
	if few, many := cost(2000), cost(20_000); many > few+40 {
		t.Errorf("a window of 2000 keys makes %v allocations, one of 20000 makes %v", few, many)
	}
}

// TestPeakDoesNotStay: pages that nobody takes are given up.
func TestPeakDoesNotStay(t *testing.T) {
	s := NewStore(Options{})
	table, _ := windowOf(t, s, "w", 0, 50_000)
	s.Drop(table)
	peak := s.spare.bytes
	for range 60 {
		table, _ := windowOf(t, s, "w", 0, 10)
		s.Drop(table)
	}
	if s.spare.bytes > peak/50 {
		t.Errorf("of %d bytes %d are still kept", peak, s.spare.bytes)
	}
}

// TestSpareIsWithinLimit: what is kept does not take a table's place.
func TestSpareIsWithinLimit(t *testing.T) {
	s := NewStore(Options{})
	table, _ := windowOf(t, s, "w", 0, 10_000)
	s.options.Limit = s.Bytes() * 3 / 2
	s.Drop(table)
	kept := s.spare.bytes
	key := types.Of(types.Int) // pages of another size
	other := s.Keyed("x", nil, []types.Type{key})
	keys := make([]int32, 20_000)
	for i := range keys {
		keys[i] = int32(i) * 1001
	}
	other.Lookup([]*vector.Column{vector.OfSlice(key, keys)}, len(keys))
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	if s.Bytes()+s.spare.bytes > s.options.Limit {
		t.Errorf("%d bytes and %d kept of %d are above the limit %d", s.Bytes(), s.spare.bytes, kept, s.options.Limit)
	}
}

// TestSnapshotKeepsPages: the pages of a table that a snapshot is still to write are left to it.
func TestSnapshotKeepsPages(t *testing.T) {
	s := NewStore(Options{})
	table, _ := windowOf(t, s, "w", 0, 3000)
	p, before := s.Freeze(true), s.spare.bytes
	s.Drop(table)
	if s.spare.bytes != before {
		t.Fatalf("%d bytes are given to others", s.spare.bytes-before)
	}
	windowOf(t, s, "w", 900_000, 3000)
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	q := NewStore(Options{})
	if err := q.Load(KeyGroups{}, &out); err != nil {
		t.Fatal(err)
	}
	restored := q.Keyed("w", nil, []types.Type{types.Of(types.BigInt)})
	values := NewPages[int64](restored)
	if err := q.Open(); err != nil {
		t.Fatal(err)
	}
	groups, key := restored.Groups(nil), &vector.Column{}
	restored.Key(key, 0, groups)
	if len(groups) != 3000 {
		t.Fatalf("%d keys were restored", len(groups))
	}
	for i, k := range vector.Values[int64](key) {
		if values.At(groups[i]) != k+1 || k%1_000_003 != 0 || k/1_000_003 >= 3000 {
			t.Fatalf("the key %d was restored with %d", k, values.At(groups[i]))
		}
	}
}
