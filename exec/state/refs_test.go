package state_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// TestRowsTexts: rows that come, change and go have their texts, from dictionaries and not, short, long and NULL,
// and texts that no row has any more are forgotten; a restore changes nothing of it.
func TestRowsTexts(t *testing.T) {
	m := &textRows{T: t, random: rand.New(rand.NewPCG(1, 2)), want: map[int32][2]string{}}
	m.open(nil)
	for round := range 80 {
		if round%4 == 0 {
			m.dictionary(round)
		}
		if round == 20 { // one that no view could hold inside
			m.change(1, strings.Repeat("long ", 40000))
		}
		m.change(400, "")
		m.rows.Compact()
		m.check()
		if most := int64(4 << 20); m.store.Bytes() > most {
			t.Fatalf("round %d: %d bytes for %d rows, the most is %d", round, m.store.Bytes(), len(m.want), most)
		}
		if round%40 == 39 {
			var image bytes.Buffer
			if err := m.store.Freeze(true).Write(&image); err != nil {
				t.Fatal(err)
			}
			m.open(&image)
			m.check()
		}
	}
}

// textRows is a table of rows with a text that is told by a dictionary and one that is not, and what stands in it.
type textRows struct {
	*testing.T
	random *rand.Rand
	store  *state.Store
	keys   *state.Keyed
	rows   *state.Keyed
	want   map[int32][2]string
	coded  *vector.Dictionary
	words  []string
}

// open makes the store; numbers in the rows tell them apart, as their ids are others after a restore.
func (m *textRows) open(load *bytes.Buffer) {
	m.store = state.NewStore(state.Options{Operator: "test"})
	if load != nil {
		if err := m.store.Load(state.KeyGroups{}, load); err != nil {
			m.Fatal(err)
		}
	}
	m.keys = m.store.Keyed("keys", nil, []types.Type{types.Of(types.BigInt)})
	m.rows = m.store.Rows("rows", m.keys, []types.Type{types.Of(types.Int), types.String(), types.String()})
	if err := m.store.Open(); err != nil {
		m.Fatal(err)
	}
	m.keys.Lookup([]*vector.Column{vector.OfSlice(types.Of(types.BigInt), []int64{7})}, 1)
}

func (m *textRows) dictionary(round int) {
	b := vector.NewBuilder(types.String())
	m.words = m.words[:0]
	for i := range 3000 {
		w := strings.Repeat("x", m.random.IntN(3000)) + fmt.Sprintf("%d of %d", i, round)
		m.words = append(m.words, w)
		b.AppendString(w)
	}
	b.AppendNull()
	m.words = append(m.words, "NULL")
	values := &vector.Column{}
	b.Finish(values)
	m.coded = vector.NewDictionary(values)
}

// change gives n numbers, new ones or such as are there, other texts, and takes some rows away.
func (m *textRows) change(n int, long string) {
	byNumber := map[int32]int32{}
	for _, v := range m.rows.Groups(nil) {
		byNumber[int32(m.rows.Word(1, v))] = v
	}
	var gone, numbers, rows, codes []int32
	flat := vector.NewBuilder(types.String())
	for range n {
		k := int32(m.random.IntN(1000))
		v, there := byNumber[k]
		if there && v < 0 {
			continue
		}
		if there && m.random.IntN(3) == 0 {
			gone = append(gone, v)
			delete(m.want, k)
			byNumber[k] = -1
			continue
		}
		if !there {
			v = m.rows.Reserve()
		}
		byNumber[k] = -1
		text := long + strings.Repeat("y", m.random.IntN(40))
		code := int32(m.random.IntN(len(m.words)))
		flat.AppendString(text)
		numbers, rows, codes = append(numbers, k), append(rows, v), append(codes, code)
		m.want[k] = [2]string{m.words[code], text}
	}
	if len(rows) > 0 {
		var dict, plain vector.Column
		dict.SetDict(types.String(), codes, m.coded)
		flat.Finish(&plain)
		m.rows.Own(rows)
		m.rows.Fill(rows, []*vector.Column{vector.OfSlice(types.Of(types.Int), make([]int32, len(rows))),
			vector.OfSlice(types.Of(types.Int), numbers), &dict, &plain})
	}
	m.rows.Remove(gone)
}

func (m *textRows) check() {
	m.Helper()
	ids := m.rows.Groups(nil)
	if len(ids) != len(m.want) {
		m.Fatalf("%d rows, want %d", len(ids), len(m.want))
	}
	var dict, plain vector.Column
	m.rows.Key(&dict, 2, ids)
	m.rows.Key(&plain, 3, ids)
	for i, v := range ids {
		k := int32(m.rows.Word(1, v))
		got := [2]string{"NULL", string(vector.Text(&plain, i))}
		if !dict.Null(i) {
			got[0] = string(vector.Text(&dict, i))
		}
		if got != m.want[k] {
			m.Fatalf("row %d: %.50q, want %.50q", k, got, m.want[k])
		}
		if !dict.Null(i) && string(m.rows.Text(2, v)) != got[0] {
			m.Fatalf("row %d: another text alone", k)
		}
	}
}
