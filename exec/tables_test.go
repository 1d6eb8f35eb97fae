package exec

import (
	"testing"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestTablesAt: keys that went are told of, with the memory that they left.
func TestTablesAt(t *testing.T) {
	s := state.NewStore(state.Options{})
	long := types.Of(types.BigInt)
	table := s.Keyed("keys", nil, []types.Type{long})
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	var x tablesAt
	x.look(nil)
	groups := table.Lookup([]*vector.Column{vector.OfSlice(long, []int64{5, 6, 7})}, 3)
	x.look(s)
	table.Remove(append([]int32(nil), groups[:2]...))
	x.look(s)
	want := state.Usage{Table: "keys", Keys: 3, Bytes: s.Bytes()}
	if len(x.tables) != 1 || x.tables[0] != want {
		t.Errorf("got %v, want %v", x.tables, want)
	}
}
