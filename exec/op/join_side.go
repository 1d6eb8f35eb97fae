package op

import (
	"slices"
	"time"

	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// joinSide is the rows that a join remembers of one input. Those of a key are a ring in the order in which they
// came. Of an input that takes rows back equal rows of a key are one, with a number of copies, so that a row is
// found by its values.
type joinSide struct {
	form
	rows *state.Keyed

	tail       *state.Pages[int32] // of each key, plus one
	next, prev *state.Pages[int32] // of each row, plus one; prev where rows may go
	copies     *state.Pages[int32] // nil: one each
	// partners is the number of rows of the other input that a row is joined with, where the kind asks for it;
	// lost is the batch that took the last one.
	partners *state.Pages[int32]
	lost     *state.Pages[uint32]
	ttl      *state.TTL             // or nil
	net      *state.Pages[netCount] // of the batch in work, where there are copies

	whole []vector.Column // the packed columns
}

// joinSideSpec says what a side remembers.
type joinSideSpec struct {
	types []types.Type
	// unread are columns that are not kept.
	unread []int
	// retracts says that rows may be taken back, counted that they know the number of their partners, expires that an owner
	// removes some though the input takes none back.
	retracts, counted, expires bool
	ttl                        time.Duration
}

// newJoinSide declares the tables of a side.
func newJoinSide(keys *state.Keyed, name string, x joinSideSpec) *joinSide {
	s := &joinSide{form: newForm(x.types, func(i int) bool { return slices.Contains(x.unread, i) })}
	s.rows = s.declare(keys, name, x.retracts)
	if x.retracts {
		s.copies = state.NewPages[int32](s.rows)
		s.net = state.NewDerived[netCount](s.rows)
	}
	s.tail, s.next = state.NewDerived[int32](keys), state.NewDerived[int32](s.rows)
	if x.retracts || x.ttl > 0 || x.expires {
		s.prev = state.NewDerived[int32](s.rows)
	}
	if x.counted {
		s.partners, s.lost = state.NewPages[int32](s.rows), state.NewDerived[uint32](s.rows)
	}
	if x.ttl > 0 {
		s.ttl = state.NewTTL(s.rows, x.ttl)
	}
	s.rows.OnRestore(func() { s.link(s.rows.Groups(nil)) })
	s.whole = make([]vector.Column, len(s.packed))
	return s
}

// link puts rows at the end of their keys' rings.
func (s *joinSide) link(rows []int32) {
	for _, v := range rows {
		g := int32(s.rows.Word(0, v))
		first, t := v+1, s.tail.At(g)
		if t != 0 {
			first = s.next.At(t - 1)
			s.next.Set(t-1, v+1)
		}
		s.next.Set(v, first)
		if s.prev != nil {
			s.prev.Set(first-1, v+1)
			if t != 0 {
				s.prev.Set(v, t)
			}
		}
		s.tail.Set(g, v+1)
	}
}

// unlink takes a row out of its ring, and tells that it was the last one there.
func (s *joinSide) unlink(v int32) bool {
	g := int32(s.rows.Word(0, v))
	next, prev := s.next.At(v), s.prev.At(v)
	if next == v+1 {
		s.tail.Set(g, 0)
		return true
	}
	s.next.Set(prev-1, next)
	s.prev.Set(next-1, prev)
	if s.tail.At(g) == v+1 {
		s.tail.Set(g, prev)
	}
	return false
}

// cut takes the rows of a key out of their ring and appends them to rows. They are then to be removed.
func (s *joinSide) cut(group int32, rows []int32) []int32 {
	t := s.tail.At(group)
	for v := s.next.At(t - 1); ; v = s.next.At(v - 1) {
		rows = append(rows, v-1)
		if v == t {
			break
		}
	}
	s.tail.Set(group, 0)
	return rows
}

// store finds or adds the rows of a batch. They are not linked.
func (s *joinSide) store(groups []int32, cols []*vector.Column, n int) []int32 {
	cols = s.load(groups, cols, n)
	if s.copies != nil {
		return s.rows.Lookup(cols, n)
	}
	return s.rows.Append(cols, n)
}

// column makes out column i of rows, lent until the side changes. For packed columns unpack comes first.
func (s *joinSide) column(out *vector.Column, i int, rows []int32) {
	if k := s.place[i]; k >= 0 {
		s.rows.Lend(out, k+1, rows)
		out.Type = s.types[i]
		return
	}
	for k, at := range s.packed {
		if at == i {
			out.Alias(&s.whole[k])
		}
	}
}

// unpack brings the packed columns of rows out, which are then lent until the next call.
func (s *joinSide) unpack(rows []int32) {
	s.form.unpack(s.rows, rows, func(k int) *vector.Column { return &s.whole[k] })
}

// number is how many equal rows v stands for.
func (s *joinSide) number(v int32) int32 {
	if s.copies == nil {
		return 1
	}
	return s.copies.At(v)
}

// remove forgets rows, of which those that are linked leave their rings first. It appends the keys that may have no
// other rows of the side to empty.
func (s *joinSide) remove(rows, empty []int32) []int32 {
	for _, v := range rows {
		if s.next.At(v) == 0 || s.unlink(v) {
			empty = append(empty, int32(s.rows.Word(0, v)))
		}
	}
	s.rows.Remove(rows)
	return empty
}

// expired lists rows whose time is over, a few pages of the table a call.
func (s *joinSide) expired(now time.Time) []int32 {
	if s.ttl == nil {
		return nil
	}
	return s.ttl.Sweep(now)
}

// nullKeys marks the rows of which a key column is NULL, where NULL equals nothing; none gives nil. The marks are in the
// memory of those given.
func nullKeys(marks []uint64, keys []*vector.Column, safe []bool, n int) []uint64 {
	some := false
	for i, c := range keys {
		if safe[i] || c.Valid == nil && c.Enc != vector.Dict {
			continue
		}
		for r := range n {
			if !c.Null(r) {
				continue
			}
			if !some {
				marks = zeros(marks, kernel.Words(n))
				some = true
			}
			kernel.SetBit(marks, r)
		}
	}
	if !some {
		return nil
	}
	return marks
}
