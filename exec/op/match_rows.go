package op

import (
	"cmp"
	"slices"

	"streamsql/exec/state"
	"streamsql/exec/vector"
)

// matchRows are the rows of partitions: those that wait to be taken up, in order, and those that were and that a match
// may still hold, linked as they lie.
type matchRows struct {
	parts   *state.Keyed
	kept    *payload
	waiting *ranked
	// taken is how many rows of a partition were taken up; place is which of those a row is, from 1, or 0 while it waits.
	taken, place *state.Pages[int64]
	// head and tail are the ends of a partition's rows, next and before the neighbours of a row; all plus one.
	head, tail   *state.Pages[int32]
	next, before *state.Pages[int32]
	// gone are rows that no match holds any more. They can be read until forget.
	gone []int32

	// built are the builders of the columns that were read of those that are packed: several may be of one column.
	built map[*vector.Column]*vector.Builder
	ids   []int32
}

// newMatchRows declares the tables of the rows of partitions.
func newMatchRows(parts *state.Keyed, s *MatchRecognize) *matchRows {
	m := &matchRows{parts: parts, kept: newPayload(parts, "rows", s.Types, s.Partition, false)}
	rows := m.kept.rows
	m.waiting = newRanked(parts, rows)
	m.taken, m.place = state.NewPages[int64](parts), state.NewPages[int64](rows)
	m.head, m.tail = state.NewDerived[int32](parts), state.NewDerived[int32](parts)
	m.next, m.before = state.NewDerived[int32](rows), state.NewDerived[int32](rows)
	m.built = map[*vector.Column]*vector.Builder{}
	rows.OnRestore(m.restored)
	return m
}

// restored makes the order and the links anew.
func (m *matchRows) restored() {
	var list []int32
	rows := m.kept.rows
	for _, v := range rows.Groups(nil) {
		m.waiting.last = max(m.waiting.last, m.waiting.number.At(v))
		if m.place.At(v) != 0 {
			list = append(list, v)
			continue
		}
		m.waiting.insert(int32(rows.Word(0, v)), v)
	}
	slices.SortFunc(list, func(a, b int32) int {
		return cmp.Or(cmp.Compare(rows.Word(0, a), rows.Word(0, b)), cmp.Compare(m.place.At(a), m.place.At(b)))
	})
	for _, v := range list {
		m.link(int32(rows.Word(0, v)), v)
	}
}

// link puts a row behind the others of its partition.
func (m *matchRows) link(g, v int32) {
	last := m.tail.At(g)
	m.before.Set(v, last)
	m.next.Set(v, 0)
	m.tail.Set(g, v+1)
	if last == 0 {
		m.head.Set(g, v+1)
	} else {
		m.next.Set(last-1, v+1)
	}
}

// take takes the first waiting row of a partition up, whose page is owned.
func (m *matchRows) take(g, v int32) {
	n := m.taken.At(g) + 1
	m.taken.Set(g, n)
	m.kept.rows.OwnOne(v)
	m.place.Set(v, n)
	m.link(g, v)
}

// drop lets the rows of a partition go that stand before a place.
func (m *matchRows) drop(g int32, place int64) {
	v := m.head.At(g)
	for v != 0 && m.place.At(v-1) < place {
		m.gone = append(m.gone, v-1)
		v = m.next.At(v - 1)
	}
	m.head.Set(g, v)
	if v == 0 {
		m.tail.Set(g, 0)
	}
}

// forget removes the rows that are gone.
func (m *matchRows) forget() {
	m.kept.rows.Remove(m.gone)
	m.kept.rows.Compact()
	m.gone = m.gone[:0]
}

// empty tells that a partition has no rows.
func (m *matchRows) empty(g int32) bool { return m.head.At(g) == 0 && m.waiting.root.At(g) == 0 }

// time is the event time, or the clock's, of a row.
func (m *matchRows) time(v int32) int64 { return int64(m.waiting.word.At(v) ^ signBit) }

// walk is the row that stands so many behind another one, or before it.
func (m *matchRows) walk(v int32, by int64, back bool) int32 {
	links := m.next
	if back {
		links = m.before
	}
	for ; by > 0; by-- {
		v = links.At(v) - 1
	}
	return v
}

// read makes out column i of rows; it stands until the table changes. A negative row is none, and gives NULL.
func (m *matchRows) read(out *vector.Column, i int, rows []int32) {
	p := m.kept
	t := p.types[i].WithNull(true)
	some := int32(-1)
	for _, v := range rows {
		some = max(some, v)
	}
	if some < 0 {
		out.SetConstNull(t, len(rows))
		return
	}
	m.ids = sized(m.ids, len(rows))
	for k, v := range rows {
		if m.ids[k] = v; v < 0 {
			m.ids[k] = some
		}
	}
	p.column(out, i, m.ids, m.builder(out, i))
	out.Type = t
	for k, v := range rows {
		if v < 0 {
			out.SetNull(k)
		}
	}
}

// builder is what column i is built in where it is packed: out alone shows it.
func (m *matchRows) builder(out *vector.Column, i int) *vector.Builder {
	if !slices.Contains(m.kept.packed, i) {
		return nil
	}
	b := m.built[out]
	if b == nil {
		b = vector.NewBuilder(m.kept.types[i])
		m.built[out] = b
	}
	return b
}
