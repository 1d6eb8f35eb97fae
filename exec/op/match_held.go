package op

import (
	"cmp"
	"slices"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// heldMatches are the matches on their way of each partition, in the order of the rows that they begin with, and
// those that are complete and wait for them, in the order in which they became so. The rows of a match lie side by
// side, and so do those of a variable: it is known by its first row and how many rows of each variable it has.
type heldMatches struct {
	rows  *matchRows
	table *state.Keyed
	// at is the state that a match is in, start the place of its first row, order where it stands in its list.
	at, order *state.Pages[int32]
	start     *state.Pages[int64]
	counts    []*state.Pages[int32] // by variable
	// first and last are the ends of each variable's rows, and next the match behind one in its list; all plus one.
	firsts, lasts []*state.Pages[int32]
	next          *state.Pages[int32]
	// open and done are of partitions: the first match on its way and the first one that is complete, plus one.
	open, done *state.Pages[int32]
	// last is the last complete match, plus one, and least the least place that one of them begins at, or 0.
	last  *state.Pages[int32]
	least *state.Pages[int64]

	// clear forgets what else is kept of matches; it may be nil.
	clear func(matches []int32)

	// made are the matches that have no partition yet in the table, and of those of each; free those that are over.
	made, of, free []int32
	one            [1]int32
	group          vector.Column
	cols           []*vector.Column
}

// newHeldMatches declares the tables of the matches over so many variables.
func newHeldMatches(rows *matchRows, variables int) *heldMatches {
	h := &heldMatches{rows: rows, table: rows.parts.Store().Rows("matches", rows.parts, nil)}
	t := h.table
	h.at, h.order, h.start = state.NewPages[int32](t), state.NewPages[int32](t), state.NewPages[int64](t)
	for range variables {
		h.counts = append(h.counts, state.NewPages[int32](t))
		h.firsts = append(h.firsts, state.NewDerived[int32](t))
		h.lasts = append(h.lasts, state.NewDerived[int32](t))
	}
	h.next = state.NewDerived[int32](t)
	h.open, h.done = state.NewDerived[int32](rows.parts), state.NewDerived[int32](rows.parts)
	h.last, h.least = state.NewDerived[int32](rows.parts), state.NewDerived[int64](rows.parts)
	h.cols = []*vector.Column{&h.group}
	return h
}

// restored makes the lists anew, and finds the rows of each match.
func (h *heldMatches) restored() {
	list := h.table.Groups(nil)
	part := func(m int32) int32 { return int32(h.table.Word(0, m)) }
	slices.SortFunc(list, func(a, b int32) int {
		return cmp.Or(cmp.Compare(part(a), part(b)), cmp.Compare(h.start.At(a), h.start.At(b)), cmp.Compare(h.order.At(a), h.order.At(b)))
	})
	v, of := int32(-1), int32(-1)
	for _, m := range list {
		if g := part(m); g != of {
			v, of = h.rows.head.At(g)-1, g
		}
		for h.rows.place.At(v) < h.start.At(m) {
			v = h.rows.next.At(v) - 1
		}
		h.span(m, v)
	}
	h.relink(list, part)
}

// span finds the rows of a match from its first one on.
func (h *heldMatches) span(m, v int32) {
	for i := range h.counts {
		for k := range h.counts[i].At(m) {
			if k == 0 {
				h.firsts[i].Set(m, v+1)
			}
			h.lasts[i].Set(m, v+1)
			v = h.rows.next.At(v) - 1
		}
	}
}

// relink makes the lists of matches that are in the order of partitions.
func (h *heldMatches) relink(list []int32, part func(m int32) int32) {
	var open, done []int32
	for len(list) > 0 {
		g := part(list[0])
		open, done = open[:0], done[:0]
		for len(list) > 0 && part(list[0]) == g {
			if h.at.At(list[0]) == matchEnd {
				done = append(done, list[0])
			} else {
				open = append(open, list[0])
			}
			list = list[1:]
		}
		byOrder := func(a, b int32) int { return cmp.Compare(h.order.At(a), h.order.At(b)) }
		slices.SortFunc(open, byOrder)
		slices.SortFunc(done, byOrder)
		h.chain(h.open, g, open, 0)
		h.chain(h.done, g, done, 0)
		h.finish(g, done)
	}
}

// chain makes a list of a partition, of which the first ones are linked already.
func (h *heldMatches) chain(first *state.Pages[int32], g int32, list []int32, same int) {
	if same == len(list) && same > 0 {
		if last := list[same-1]; h.next.At(last) == 0 {
			return
		}
	}
	behind := int32(0)
	for i := len(list) - 1; i >= max(same-1, 0); i-- {
		m := list[i]
		h.next.Set(m, behind)
		if h.order.At(m) != int32(i) {
			h.table.OwnOne(m)
			h.order.Set(m, int32(i))
		}
		behind = m + 1
	}
	if same == 0 {
		first.Set(g, behind)
	}
}

// keep notes that a complete match of a partition begins at a place.
func (h *heldMatches) keep(g int32, start int64) {
	if least := h.least.At(g); least == 0 || start < least {
		h.least.Set(g, start)
	}
}

// append puts a complete match behind the others of its partition.
func (h *heldMatches) append(g, m int32) {
	last := h.last.At(g)
	h.next.Set(m, 0)
	h.last.Set(g, m+1)
	if last == 0 {
		h.order.Set(m, 0)
		h.done.Set(g, m+1)
		return
	}
	h.order.Set(m, h.order.At(last-1)+1)
	h.next.Set(last-1, m+1)
}

// finish notes the ends of the list of a partition's complete matches.
func (h *heldMatches) finish(g int32, list []int32) {
	h.least.Set(g, 0)
	h.last.Set(g, 0)
	for _, m := range list {
		h.keep(g, h.start.At(m))
		h.last.Set(g, m+1)
	}
}

// list appends the matches of a list of a partition.
func (h *heldMatches) list(first *state.Pages[int32], g int32, out []int32) []int32 {
	for m := first.At(g); m != 0; m = h.next.At(m - 1) {
		out = append(out, m-1)
	}
	return out
}

// new is a match of a partition without rows.
func (h *heldMatches) new(g int32) (m int32) {
	if k := len(h.free) - 1; k >= 0 {
		m, h.free = h.free[k], h.free[:k]
		h.table.OwnOne(m)
		if h.clear != nil {
			h.one[0] = m
			h.clear(h.one[:])
		}
	} else {
		m = h.table.Reserve()
	}
	h.made, h.of = append(h.made, m), append(h.of, g)
	return m
}

// flush brings the matches that were made into the form of the table, and removes those that are over.
func (h *heldMatches) flush() {
	if len(h.made) > 0 {
		vector.SetSlice(&h.group, types.Of(types.Int).WithNull(false), h.of)
		h.table.Fill(h.made, h.cols)
		h.made, h.of = h.made[:0], h.of[:0]
	}
	if h.clear != nil && len(h.free) > 0 {
		h.table.Own(h.free)
		h.clear(h.free)
	}
	h.table.Remove(h.free)
	h.free = h.free[:0]
}

// matchSpan is a match with its rows: by variable how many, the first and the last one plus one.
type matchSpan struct {
	start                 int64
	counts, firsts, lasts []int32
}

func newMatchSpan(variables int) matchSpan {
	return matchSpan{counts: make([]int32, variables), firsts: make([]int32, variables), lasts: make([]int32, variables)}
}

// load takes a match that is kept; a negative one has no rows.
func (h *heldMatches) load(s *matchSpan, m int32) {
	if m < 0 {
		s.start = 0
		clear(s.counts)
		clear(s.firsts)
		clear(s.lasts)
		return
	}
	s.start = h.start.At(m)
	for i := range s.counts {
		s.counts[i], s.firsts[i], s.lasts[i] = h.counts[i].At(m), h.firsts[i].At(m), h.lasts[i].At(m)
	}
}

// store keeps a match, whose page is owned, in a state.
func (h *heldMatches) store(s *matchSpan, m, at int32) {
	h.at.Set(m, at)
	h.start.Set(m, s.start)
	for i := range s.counts {
		h.counts[i].Set(m, s.counts[i])
		h.firsts[i].Set(m, s.firsts[i])
		h.lasts[i].Set(m, s.lasts[i])
	}
}

// extend takes a row into a match that is kept as a variable.
func (h *heldMatches) extend(m int32, variable int, v, to int32) {
	h.table.OwnOne(m)
	h.at.Set(m, to)
	n := h.counts[variable].At(m) + 1
	h.counts[variable].Set(m, n)
	h.lasts[variable].Set(m, v+1)
	if n == 1 {
		h.firsts[variable].Set(m, v+1)
	}
}

// add takes a row in as a variable.
func (s *matchSpan) add(variable int, v int32, place int64) {
	if s.start == 0 {
		s.start = place
	}
	if s.counts[variable]++; s.counts[variable] == 1 {
		s.firsts[variable] = v + 1
	}
	s.lasts[variable] = v + 1
}

// row is the row that a read is about, or -1.
func (m *matchRows) row(s *matchSpan, r *MatchRead) int32 {
	n, first, last := int64(0), int32(0), int32(0)
	switch {
	case r.Variable >= len(s.counts): // it is not in the pattern
	case r.Variable != AllVariables:
		n, first, last = int64(s.counts[r.Variable]), s.firsts[r.Variable], s.lasts[r.Variable]
	default:
		n, first, last = s.whole()
	}
	return m.pick(r, n, first, last)
}

// pick is the row that a read is about among n of them from first to last, which are plus one.
func (m *matchRows) pick(r *MatchRead, n int64, first, last int32) int32 {
	switch {
	case r.Offset >= n:
		return -1
	case r.First:
		return m.walk(first-1, r.Offset, false)
	}
	return m.walk(last-1, r.Offset, true)
}

// row is the row that a read is about of a match with one more row, as a variable. The match may be negative.
func (h *heldMatches) row(match int32, variable int, v int32, r *MatchRead) int32 {
	n, first, last := int64(0), int32(0), int32(0)
	if match >= 0 && r.Variable < len(h.counts) {
		n = int64(h.counts[r.Variable].At(match))
		first, last = h.firsts[r.Variable].At(match), h.lasts[r.Variable].At(match)
	}
	if r.Variable == variable {
		if n++; n == 1 {
			first = v + 1
		}
		last = v + 1
	}
	return h.rows.pick(r, n, first, last)
}

// whole is how many rows a match has, and its ends plus one.
func (s *matchSpan) whole() (n int64, first, last int32) {
	for i, c := range s.counts {
		if c == 0 {
			continue
		}
		if n == 0 {
			first = s.firsts[i]
		}
		n, last = n+int64(c), s.lasts[i]
	}
	return n, first, last
}

// ended is the time of the last row of a match.
func (m *matchRows) ended(s *matchSpan) int64 {
	_, _, last := s.whole()
	return m.time(last - 1)
}
