package op

import (
	"streamsql/exec/state"
	"streamsql/exec/vector"
)

// tiedRanks are ranks in which rows with equal keys share a place: RANK counts the rows before them, DENSE_RANK the
// different keys. A place has as many rows as there are equal ones, so that changes are told by row: what is taken back
// in all partitions first, then -U and +U of rows whose place changed, if it is given, then what comes.
//
// Of rows that stay those at the first To places are remembered: the first To rows and all that equal the last of them,
// or all rows with one of the first To keys.
type tiedRanks struct {
	o    *rank
	seek seek
	// tail is how many rows of a partition are last together, keys how many different ones there are; nil where rows go.
	tail, keys *state.Pages[int64]
	// plain says that no place matters to what is given of rows that stay: those of the batch that are left come, and
	// left are the ones that go for them.
	plain bool
	left  []int32
	// old are the rows given of the partitions that a batch touched, before it; now those of one, after it.
	old, now []tiedRow
	// was and had are the place of a row before the batch, and how many copies stood there.
	was, had          *state.Pages[int64]
	gone, moved, come []tiedChange
}

// tiedRow is a row that is given, as often as there are copies.
type tiedRow struct {
	row           int32
	place, copies int64
}

// tiedChange is a row that comes to a place, goes from one, or moves between two.
type tiedChange struct {
	row       int32
	place, to int64
}

// newTiedRanks declares the columns; nil where no places are shared.
func newTiedRanks(o *rank) *tiedRanks {
	s := o.spec
	if s.Function == "ROW_NUMBER" {
		return nil
	}
	t := &tiedRanks{o: o, plain: !s.Retracts && !s.Number && s.From == 1}
	t.seek.x = o.ranked
	if !s.Retracts {
		t.tail, t.keys = state.NewDerived[int64](o.parts), state.NewDerived[int64](o.parts)
	}
	if !t.plain {
		t.was, t.had = state.NewDerived[int64](o.payload.rows), state.NewDerived[int64](o.payload.rows)
	}
	return t
}

// start begins a batch.
func (t *tiedRanks) start() {
	t.left, t.old = t.left[:0], t.old[:0]
	t.gone, t.moved, t.come = t.gone[:0], t.moved[:0], t.come[:0]
}

// placing counts the places of the rows of a partition, which are taken in order.
type placing struct {
	function     string
	place, ahead int64
}

// next is the place of as many copies of a row; same tells that it is equal to the one before.
func (p *placing) next(same bool, copies int64) int64 {
	switch {
	case p.function == "DENSE_RANK" && !same:
		p.place++
	case p.function == "ROW_NUMBER" || !same && p.function == "RANK":
		p.place = p.ahead + 1
	}
	p.ahead += copies
	return p.place
}

// shown appends the rows of a partition that are given.
func (t *tiedRanks) shown(g int32, out []tiedRow) []tiedRow {
	o := t.o
	p, last := placing{function: o.spec.Function}, int32(-1)
	t.seek.toWord(g, 0)
	for v := t.seek.after(); v >= 0; v = t.seek.after() {
		copies := int64(1)
		if o.copies != nil {
			copies = o.copies.At(v)
		}
		place := p.next(last >= 0 && o.equal(last, v), copies)
		if last = v; place > o.spec.To {
			break
		}
		if place >= o.spec.From {
			out = append(out, tiedRow{v, place, copies})
		}
	}
	return out
}

// settle counts a row that came to a partition behind its equals, as the last of n, and lets those go that are behind all
// places now.
func (t *tiedRanks) settle(g, v int32, n int64) {
	o := t.o
	t.seek.toRow(g, v)
	before := t.seek.before()
	same := before >= 0 && o.equal(before, v)
	if !same {
		t.keys.Set(g, t.keys.At(g)+1)
	}
	if v == o.worst(g) {
		more := int64(1)
		if same {
			more += t.tail.At(g)
		}
		t.tail.Set(g, more)
	}
	if o.size.Set(g, n); t.beyond(g) {
		t.cut(g)
	}
	if t.full(g) {
		o.bar.Set(g, ^(o.word.At(o.worst(g)) + 1))
	}
}

// beyond tells that the last rows of a partition are behind all places.
func (t *tiedRanks) beyond(g int32) bool {
	if t.o.spec.Function == "DENSE_RANK" {
		return t.keys.At(g) > t.o.spec.To
	}
	return t.o.size.At(g)-t.tail.At(g) >= t.o.spec.To
}

// full tells that a row behind the last ones of a partition is behind all places.
func (t *tiedRanks) full(g int32) bool {
	if t.o.spec.Function == "DENSE_RANK" {
		return t.keys.At(g) >= t.o.spec.To
	}
	return t.o.size.At(g) >= t.o.spec.To
}

// cut lets the last rows of a partition go.
func (t *tiedRanks) cut(g int32) {
	o, n := t.o, t.tail.At(g)
	for range n {
		w := o.worst(g)
		o.remove(g, w)
		if o.from.At(w) == 0 {
			t.left = append(t.left, w)
		}
		o.from.Set(w, 0)
		o.gone = append(o.gone, w)
	}
	o.size.Set(g, o.size.At(g)-n)
	t.keys.Set(g, t.keys.At(g)-1)
	t.count(g)
}

// count counts the last rows of a partition.
func (t *tiedRanks) count(g int32) {
	w, n := t.o.worst(g), int64(1)
	t.seek.toRow(g, w)
	for v := t.seek.before(); v >= 0 && t.o.equal(v, w); v = t.seek.before() {
		n++
	}
	t.tail.Set(g, n)
}

// restored counts anew what snapshots leave out of a partition that has rows.
func (t *tiedRanks) restored(g int32) {
	if t.tail == nil {
		return
	}
	o, keys, last := t.o, int64(0), int32(-1)
	t.seek.toWord(g, 0)
	for v := t.seek.after(); v >= 0; v = t.seek.after() {
		if last < 0 || !o.equal(last, v) {
			keys++
		}
		last = v
	}
	t.keys.Set(g, keys)
	if t.count(g); t.full(g) {
		o.bar.Set(g, ^(o.word.At(last) + 1))
	}
}

// forget makes a partition one without rows.
func (t *tiedRanks) forget(g int32) {
	if t.tail != nil {
		t.tail.Set(g, 0)
		t.keys.Set(g, 0)
	}
}

// emit passes the difference on that a batch makes.
func (t *tiedRanks) emit(out Output) error {
	o, c := t.o, &t.o.changed
	if t.plain {
		for _, v := range t.left {
			t.gone = append(t.gone, tiedChange{row: v})
		}
		for _, v := range o.made {
			t.come = append(t.come, tiedChange{row: v})
		}
	} else {
		for _, i := range c.lastTouched() {
			from := 0
			if i > 0 {
				from = c.ends[i-1]
			}
			t.now = t.shown(c.dirty[i], t.now[:0])
			t.compare(t.old[from:c.ends[i]])
		}
	}
	for _, x := range t.gone {
		if err := c.add(x.row, x.place, vector.Delete, out); err != nil {
			return err
		}
	}
	for _, x := range t.moved {
		if !o.spec.NoUpdateBefore {
			if err := c.add(x.row, x.place, vector.UpdateBefore, out); err != nil {
				return err
			}
		}
		if err := c.add(x.row, x.to, vector.UpdateAfter, out); err != nil {
			return err
		}
	}
	for _, x := range t.come {
		if err := c.add(x.row, x.place, vector.Insert, out); err != nil {
			return err
		}
	}
	return c.flush(out)
}

// compare lists what is different of a partition whose given rows were old, and are now others.
func (t *tiedRanks) compare(old []tiedRow) {
	for _, x := range old {
		t.was.Set(x.row, x.place)
		t.had.Set(x.row, x.copies)
	}
	for _, x := range t.now {
		had, was := t.had.At(x.row), t.was.At(x.row)
		t.had.Set(x.row, 0)
		both := min(had, x.copies)
		if t.o.spec.Number && was != x.place {
			t.moved = times(t.moved, tiedChange{x.row, was, x.place}, both)
		}
		t.gone = times(t.gone, tiedChange{row: x.row, place: was}, had-both)
		t.come = times(t.come, tiedChange{row: x.row, place: x.place}, x.copies-both)
	}
	for _, x := range old {
		t.gone = times(t.gone, tiedChange{row: x.row, place: x.place}, t.had.At(x.row))
		t.had.Set(x.row, 0)
	}
}

// times appends a change so often.
func times(list []tiedChange, x tiedChange, n int64) []tiedChange {
	for range n {
		list = append(list, x)
	}
	return list
}
