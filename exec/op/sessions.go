package op

import (
	"cmp"
	"fmt"
	"slices"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// sessions are the open session windows of keys. A row opens the window [t, t+gap); windows of a key that meet or
// touch are one. Those of a key are linked from the last one back, so that a row in the order of time finds its own
// at once; they never touch each other.
//
// A session has one timer, which is set when it opens and looks at its end when it comes due: a row costs no timer.
type sessions struct {
	sessionSpec
	store *state.Store
	gap   int64
	axis  axis
	time  types.EventTime // up to which sessions are closed
	keys  *state.Keyed
	table *state.Keyed // a row per session, of its key

	bounds *state.Pages[extent]
	last   *state.Pages[int32] // of each key: its last session, plus one
	before *state.Pages[int32] // of each session: the one before it, plus one
	into   *state.Pages[int32] // of each session that went into another one in this batch: which one, plus one
	timers *state.Timers

	// Of the batch in work: the session of each row, -1 for late ones; those that it opened, with their keys; and
	// those that went into others.
	ids, fresh, owners, merged []int32
	late                       int

	dropped int64 // late rows
	unended int64 // rows of counted that the end of input dropped

	group   vector.Column
	cols    []*vector.Column
	stamps  vector.Column
	local   []int64
	open    []int32
	dues    []int64
	closed  []int32
	parents []int32
}

// sessionSpec is what sessions ask of the operator that they are of.
type sessionSpec struct {
	// proctime goes by the clock; drain then closes at the end of input what is open.
	proctime, drain bool
	// end gives what closed sessions have, without an output nothing, and forgets it.
	end func(list []int32, out Output) error
	// counted is the table whose rows are told of where the end of input drops them.
	counted *state.Keyed
}

// extent is a window: [start, end) on the axis of the windows.
type extent struct{ start, end int64 }

// timerSlots is how many queues of timers a gap is divided into.
const timerSlots = 64

// declare makes the tables of sessions of keys.
func (s *sessions) declare(store *state.Store, w Window, a axis, keyTypes []types.Type) {
	s.store, s.gap, s.axis = store, w.Size, a
	s.time = types.EventTime(store.Time("time", int64(types.MinTime)))
	s.keys = store.Keyed("keys", nil, keyTypes)
	s.table = store.Rows("sessions", s.keys, nil)
	s.bounds = state.NewPages[extent](s.table)
	s.last = state.NewDerived[int32](s.keys)
	s.before, s.into = state.NewDerived[int32](s.table), state.NewDerived[int32](s.table)
	s.timers = state.NewTimers(s.table, w.Size/timerSlots)
	s.table.OnRestore(s.relink)
	s.cols = []*vector.Column{&s.group}
}

// relink links restored sessions.
func (s *sessions) relink() {
	list := s.table.Groups(nil)
	slices.SortFunc(list, func(a, b int32) int { return cmp.Compare(s.bounds.At(a).start, s.bounds.At(b).start) })
	for _, v := range list {
		g := s.keyOf(v)
		s.before.Set(v, s.last.At(g))
		s.last.Set(g, v+1)
	}
}

func (s *sessions) keyOf(v int32) int32 { return int32(s.table.Word(0, v)) }

// points are the values of a column of times on the axis, lent until the next call.
func (s *sessions) points(c *vector.Column) ([]int64, error) {
	vector.Flatten(&s.stamps, c)
	if s.stamps.Type.Kind == types.Null || s.stamps.Valid != nil && anyNull(&s.stamps) {
		return nil, fmt.Errorf("%w: the time of a window", errNullRowtime)
	}
	times := vector.Values[int64](&s.stamps)
	if s.axis.zone == nil {
		return times, nil
	}
	s.local = s.local[:0]
	for _, t := range times {
		s.local = append(s.local, s.axis.local(t))
	}
	return s.local, nil
}

// place finds or opens the session of each row of a batch, whose keys are groups and whose times are points on the
// axis. A row that belongs to no open session and whose own window is closed already is late; by the clock none is.
func (s *sessions) place(groups []int32, times []int64) {
	now := s.time
	if s.proctime {
		now = types.MinTime
	}
	s.ids, s.fresh, s.owners, s.merged = s.ids[:0], s.fresh[:0], s.owners[:0], s.merged[:0]
	s.open, s.late = s.open[:0], 0
	last := s.last.All()
	for _, g := range groups {
		if v := last[g>>state.PageShift][g&state.PageMask]; v != 0 {
			s.open = append(s.open, v-1)
		}
	}
	s.table.Own(s.open)
	bounds, gap := s.bounds.All(), s.gap
	for i, t := range times[:len(groups)] {
		g := groups[i]
		if v := last[g>>state.PageShift][g&state.PageMask] - 1; v >= 0 {
			if b := &bounds[v>>state.PageShift][v&state.PageMask]; t >= b.start && t <= b.end {
				b.end = max(b.end, t+gap)
				s.ids = append(s.ids, v)
				continue
			}
		}
		s.ids = append(s.ids, s.search(g, extent{t, t + gap}, now))
		bounds = s.bounds.All()
	}
	s.dropped += int64(s.late)
	for i, v := range s.ids {
		if len(s.merged) == 0 {
			break
		}
		if v >= 0 {
			s.ids[i] = s.root(v)
		}
	}
}

// root is the session that v went into, or v.
func (s *sessions) root(v int32) int32 {
	for s.into.At(v) != 0 {
		v = s.into.At(v) - 1
	}
	return v
}

// search puts the window of a row among the sessions of its key.
func (s *sessions) search(g int32, w extent, now types.EventTime) int32 {
	after, v := int32(0), s.last.At(g)
	for v != 0 && s.bounds.At(v-1).start > w.end {
		after, v = v, s.before.At(v-1)
	}
	if v == 0 || s.bounds.At(v-1).end < w.start {
		return s.insert(g, v, after, w, now)
	}
	v--
	s.table.OwnOne(v)
	b := s.bounds.At(v)
	b.start, b.end = min(b.start, w.start), max(b.end, w.end)
	for p := s.before.At(v); p != 0 && s.bounds.At(p-1).end >= w.start; p = s.before.At(v) {
		b.start = min(b.start, s.bounds.At(p-1).start)
		s.before.Set(v, s.before.At(p-1))
		s.into.Set(p-1, v+1)
		s.merged = append(s.merged, p-1)
	}
	s.bounds.Set(v, b)
	return v
}

// insert opens a session between two others of its key, which are given plus one and may be missing.
func (s *sessions) insert(g, before, after int32, w extent, now types.EventTime) int32 {
	if s.axis.fired(w.end, now) {
		s.late++
		return -1
	}
	v := s.table.Reserve()
	s.bounds.Set(v, w)
	s.before.Set(v, before)
	if after == 0 {
		s.last.Set(g, v+1)
	} else {
		s.before.Set(after-1, v+1)
	}
	s.fresh, s.owners = append(s.fresh, v), append(s.owners, g)
	return v
}

// settle gives the sessions that the batch opened their keys and arms their timers. It returns those that went into
// others, with those that they went into; the caller forgets them.
func (s *sessions) settle() (gone, to []int32) {
	vector.SetSlice(&s.group, types.Of(types.Int).WithNull(false), s.owners)
	s.table.Fill(s.fresh, s.cols)
	s.dues = s.dues[:0]
	for _, v := range s.fresh {
		s.dues = append(s.dues, s.due(v))
	}
	s.timers.Set(s.fresh, s.dues)
	s.open = s.open[:0]
	for _, v := range s.merged {
		s.open = append(s.open, s.root(v))
	}
	return s.merged, s.open
}

// due is the watermark that closes a session.
func (s *sessions) due(v int32) int64 { return s.axis.instant(s.bounds.At(v).end) - 1 }

// forget drops sessions that left the links of their keys.
func (s *sessions) forget(list []int32) {
	s.table.Own(list)
	s.timers.Stop(list)
	s.into.Zero(list)
	s.table.Remove(list)
}

// close unlinks and returns the sessions that time now closes, in the order of their ends. The result is lent until
// the next call; the caller forgets them, then the keys that have none left (idle).
func (s *sessions) close(now types.EventTime) []int32 {
	s.closed, s.open, s.dues = s.closed[:0], s.open[:0], s.dues[:0]
	for _, v := range s.timers.Due(int64(now)) {
		if at := s.due(v); at > int64(now) {
			s.open, s.dues = append(s.open, v), append(s.dues, at)
		} else {
			s.closed = append(s.closed, v)
		}
	}
	s.timers.Set(s.open, s.dues)
	slices.SortFunc(s.closed, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.bounds.At(a).end, s.bounds.At(b).end), cmp.Compare(a, b))
	})
	for _, v := range s.closed {
		s.unlink(v)
	}
	return s.closed
}

func (s *sessions) unlink(v int32) {
	g := s.keyOf(v)
	at := s.last.At(g)
	if at == v+1 {
		s.last.Set(g, s.before.At(v))
		return
	}
	for s.before.At(at-1) != v+1 {
		at = s.before.At(at - 1)
	}
	s.before.Set(at-1, s.before.At(v))
}

// owner are the keys of sessions, as groups.
func (s *sessions) owner(list []int32) []int32 {
	s.parents = s.parents[:0]
	for _, v := range list {
		s.parents = append(s.parents, s.keyOf(v))
	}
	return s.parents
}

// idle forgets those keys of a list that have no session. The list is changed.
func (s *sessions) idle(keys []int32) {
	slices.Sort(keys)
	s.keys.Remove(slices.DeleteFunc(slices.Compact(keys), func(g int32) bool { return s.last.At(g) != 0 }))
	s.keys.Compact()
}

// column makes out one of the window columns of sessions.
func (s *sessions) column(out []int64, c WindowColumn, list []int32) {
	for i, v := range list {
		switch b := s.bounds.At(v); c {
		case WindowStart:
			out[i] = b.start
		case WindowEnd:
			out[i] = b.end
		default:
			out[i] = s.axis.instant(b.end - 1)
		}
	}
}
