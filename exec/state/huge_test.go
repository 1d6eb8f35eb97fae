package state

import (
	"testing"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestHuge: a small store asks for no huge pages; a large one asks for what its new memory lies in, and values stay.
func TestHuge(t *testing.T) {
	s := NewStore(Options{Operator: "test"})
	keys := s.Keyed("keys", nil, []types.Type{types.Of(types.BigInt).WithNull(false)})
	value := NewPages[uint64](keys)
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	const batch = 4096
	list := make([]int64, batch)
	add := func(from int) {
		for i := range list {
			list[i] = int64(from + i)
		}
		groups := keys.Lookup([]*vector.Column{vector.OfSlice(types.Of(types.BigInt).WithNull(false), list)}, batch)
		keys.Own(groups)
		for i, g := range groups {
			value.Set(g, uint64(from+i))
		}
	}
	add(0)
	if n := len(s.spare.huge.blocks); n > 0 {
		t.Errorf("%d blocks of a store of %d bytes", n, s.Bytes())
	}
	rows := batch
	for ; s.Bytes() < 3*hugeFrom; rows += batch {
		add(rows)
	}
	blocks := s.spare.huge.blocks
	if least := int((s.Bytes() - hugeFrom) / hugeBlock / 2); len(blocks) < least {
		t.Errorf("%d blocks of a store of %d bytes", len(blocks), s.Bytes())
	}
	for g := range int32(rows) {
		if v := value.At(g); v != keys.Word(0, g) {
			t.Fatalf("row %d: value %d of key %d", g, v, keys.Word(0, g))
		}
	}
}
