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

// TestHeapRenews: where old rows go as new ones come, their texts take up no more memory than those of the rows that
// are there, and what a snapshot has is what stood when it was taken, however late it is written.
func TestHeapRenews(t *testing.T) {
	list := []types.Type{types.Of(types.BigInt), types.String()}
	open := func(chain ...[]byte) (*state.Store, *state.Keyed, *state.Keyed) {
		s := state.NewStore(state.Options{Operator: "test"})
		if err := s.Load(state.KeyGroups{}, readers(chain)...); err != nil {
			t.Fatal(err)
		}
		keys := s.Keyed("keys", nil, nil)
		rows := s.Rows("rows", keys, list)
		if err := s.Open(); err != nil {
			t.Fatal(err)
		}
		return s, keys, rows
	}
	textOf := func(i int64) string { return fmt.Sprintf("%d %s", i, strings.Repeat("x", int(i*7919%5000))) }
	s, keys, rows := open()
	all := keys.Lookup(nil, 1)
	const each, kept = 40, 400
	written := map[uint64][]byte{}
	var pending *state.Snapshot
	var pendingFrom, pendingTo int64
	first := int64(0)
	var ids []int32
	check := func(rows *state.Keyed, from, to int64) {
		t.Helper()
		list := rows.Groups(nil)
		var numbers, copied, lent vector.Column
		rows.Key(&numbers, 1, list)
		rows.Key(&copied, 2, list)
		rows.Lend(&lent, 2, list)
		if len(list) != int(to-from) {
			t.Fatalf("%d rows, want %d", len(list), to-from)
		}
		for i := range list {
			n := vector.Value[int64](&numbers, i)
			if want := textOf(n); n < from || n >= to || valueOf(&copied, i) != want || valueOf(&lent, i) != want {
				t.Fatalf("row %d is %.20q and %.20q", n, valueOf(&copied, i), valueOf(&lent, i))
			}
		}
	}
	for last := int64(each); last <= 6000; last += each {
		b, group, number := vector.NewBuilder(list[1]), make([]int32, each), make([]int64, each)
		for i := range int64(each) {
			group[i], number[i] = all[0], last-each+i
			b.AppendString(textOf(number[i]))
		}
		texts := &vector.Column{}
		b.Finish(texts)
		cols := []*vector.Column{vector.OfSlice(types.Of(types.Int), group), vector.OfSlice(list[0], number), texts}
		ids = append(ids, rows.Append(cols, each)...)
		if len(ids) > kept {
			rows.Remove(ids[:each])
			ids, first = ids[each:], first+each
		}
		rows.Compact()
		if pending != nil {
			var out bytes.Buffer
			if err := pending.Write(&out); err != nil {
				t.Fatal(err)
			}
			written[pending.Number()] = out.Bytes()
			_, _, back := open(chainOf(pending, written)...)
			check(back, pendingFrom, pendingTo)
			pending = nil
		}
		if last/each%9 == 0 {
			pending, pendingFrom, pendingTo = s.Freeze(false), first, last
		}
	}
	check(rows, first, 6000)
	for _, u := range s.Usage() {
		if u.Table == "rows" && u.Bytes > 3*kept*2500 {
			t.Errorf("%d bytes for %d rows", u.Bytes, u.Keys)
		}
	}
}
