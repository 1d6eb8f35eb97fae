package state_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestRows: rows without a key keep their values and their groups over a snapshot, and texts that they share are
// kept once, after it too.
func TestRows(t *testing.T) {
	b := vector.NewBuilder(types.String())
	for i := range 4 {
		b.AppendString(fmt.Sprintf("text %d is long%s", i, strings.Repeat(", long", 3000)))
	}
	b.AppendNull()
	values := &vector.Column{}
	b.Finish(values)
	d := vector.NewDictionary(values)
	open := func(load *bytes.Buffer) (*state.Store, *state.Keyed, *state.Keyed) {
		s := state.NewStore(state.Options{Operator: "test"})
		if load != nil {
			if err := s.Load(state.KeyGroups{}, load); err != nil {
				t.Fatal(err)
			}
		}
		keys := s.Keyed("keys", nil, []types.Type{types.Of(types.BigInt)})
		rows := s.Rows("rows", keys, []types.Type{types.Of(types.Int), types.String()})
		if err := s.Open(); err != nil {
			t.Fatal(err)
		}
		return s, keys, rows
	}
	s, keys, rows := open(nil)
	const n = 5000
	group, number, codes := make([]int32, n), make([]int32, n), make([]int32, n)
	key := make([]int64, n)
	for i := range n {
		key[i], number[i], codes[i] = int64(i%7), int32(i), int32(i%5)
	}
	copy(group, keys.Lookup([]*vector.Column{vector.OfSlice(types.Of(types.BigInt), key)}, n))
	text := &vector.Column{}
	text.SetDict(types.String(), codes, d)
	add := func(rows *state.Keyed) {
		rows.Append([]*vector.Column{vector.OfSlice(types.Of(types.Int), group), vector.OfSlice(types.Of(types.Int), number), text}, n)
	}
	add(rows)
	check := func(keys, rows *state.Keyed) {
		t.Helper()
		ids := rows.Groups(nil)
		if len(ids) != n {
			t.Fatalf("%d rows", len(ids))
		}
		var numbers, texts vector.Column
		rows.Key(&numbers, 1, ids)
		rows.Key(&texts, 2, ids)
		for i, v := range ids {
			if keys.Word(0, int32(rows.Word(0, v))) != uint64(i%7) || vector.Value[int32](&numbers, i) != int32(i) {
				t.Fatalf("row %d has another key or number", i)
			}
			if null := i%5 == 4; texts.Null(i) != null || !null && string(vector.Text(&texts, i)) != string(vector.Text(values, i%5)) {
				t.Fatalf("row %d has another text", i)
			}
		}
	}
	check(keys, rows)
	again := func(s *state.Store) (*state.Store, *state.Keyed, *state.Keyed) {
		var image bytes.Buffer
		if err := s.Freeze(true).Write(&image); err != nil {
			t.Fatal(err)
		}
		return open(&image)
	}
	restored, keys, restoredRows := again(s)
	check(keys, restoredRows)
	if restored.Bytes() > s.Bytes()+1000 {
		t.Errorf("%d bytes, %d after a restore", s.Bytes(), restored.Bytes())
	}
	// The dictionary comes again, to both; another restore finds that its texts were there.
	add(rows)
	add(restoredRows)
	restored, _, _ = again(restored)
	if restored.Bytes() > s.Bytes()+1000 {
		t.Errorf("%d bytes, %d after two restores", s.Bytes(), restored.Bytes())
	}
}
