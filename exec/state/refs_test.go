package state_test

import (
	"bytes"
	"fmt"
	"io"
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
	m := &textRows{TB: t, random: rand.New(rand.NewPCG(1, 2)), want: map[int32][2]string{}}
	if err := m.open(nil); err != nil {
		t.Fatal(err)
	}
	for round := range 80 {
		if round%4 == 0 {
			m.dictionary(round, 3000, 3000)
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
			if err := m.open(&image); err != nil {
				t.Fatal(err)
			}
			m.check()
		}
	}
}

// textRows is a table of rows with a text that is told by a dictionary and one that is not, and what stands in it.
type textRows struct {
	testing.TB
	random *rand.Rand
	store  *state.Store
	keys   *state.Keyed
	rows   *state.Keyed
	want   map[int32][2]string
	coded  *vector.Dictionary
	words  []string
}

// open makes the store; numbers in the rows tell them apart, as their ids are others after a restore.
func (m *textRows) open(load *bytes.Buffer) error {
	m.store = state.NewStore(state.Options{Operator: "test"})
	if load != nil {
		if err := m.store.Load(state.KeyGroups{}, load); err != nil {
			return err
		}
	}
	m.keys = m.store.Keyed("keys", nil, []types.Type{types.Of(types.BigInt)})
	m.rows = m.store.Rows("rows", m.keys, []types.Type{types.Of(types.Int), types.String(), types.String()})
	if err := m.store.Open(); err != nil {
		return err
	}
	m.keys.Lookup([]*vector.Column{vector.OfSlice(types.Of(types.BigInt), []int64{7})}, 1)
	return nil
}

// dictionary makes one of n texts of less than so many bytes.
func (m *textRows) dictionary(round, n, length int) {
	b := vector.NewBuilder(types.String())
	m.words = m.words[:0]
	for i := range n {
		w := strings.Repeat("x", m.random.IntN(length)) + fmt.Sprintf("%d of %d", i, round)
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

// FuzzReadRows does as FuzzReadSnapshot with rows that have texts: their places are anybody's too.
func FuzzReadRows(f *testing.F) {
	m := &textRows{TB: f, random: rand.New(rand.NewPCG(4, 4)), want: map[int32][2]string{}}
	if err := m.open(nil); err != nil {
		f.Fatal(err)
	}
	m.dictionary(0, 8, 30)
	m.change(30, "")
	var b bytes.Buffer
	if err := m.store.Freeze(true).Write(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		m := &textRows{TB: t, random: rand.New(rand.NewPCG(5, 5)), want: map[int32][2]string{}}
		if m.open(bytes.NewBuffer(mended(data))) != nil {
			return
		}
		m.dictionary(1, 8, 30)
		var texts vector.Column
		for i := 2; i < 4; i++ {
			m.rows.Key(&texts, i, m.rows.Groups(nil))
			m.rows.Lend(&texts, i, m.rows.Groups(nil))
		}
		m.change(50, "")
		m.rows.Compact()
		if err := m.store.Freeze(true).Write(io.Discard); err != nil {
			t.Fatal(err)
		}
	})
}
