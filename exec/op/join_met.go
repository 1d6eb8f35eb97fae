package op

// notKept stands for the row of an item that finds no partner later and is in no table.
const notKept = -1

// untilMet tells that rows of a side are kept only until a row of the other side with their key comes: no second one can,
// and whether the residual condition holds is decided by then. A row that is given without a partner once it is over
// (Once) must be there until then.
func (s *Join) untilMet(side int) bool {
	return s.Unique[1-side] && !(s.Once && s.Kind.GivesAlone(side))
}

// joinWaiting is the part of a batch that waits for partners: its rows, and their columns.
type joinWaiting struct {
	rows, groups []int32
	picked
}

// keepWaiting keeps those of the first n rows of the batch that may find a partner yet: where rows are kept until they met
// theirs those that did not, and where each is given once those that are not over. All of them are items.
func (o *join) keepWaiting(me *joinSide, n int) error {
	other, w := o.sides[1-o.side], &o.waiting
	met, x := o.spec.untilMet(o.side), o.expiry[o.side]
	w.rows, w.groups = w.rows[:0], w.groups[:0]
	for r, g := range o.groups[:n] {
		switch {
		case o.spec.Once && x.times[r] <= int64(o.late.time):
			o.empty = append(o.empty, g)
		case !met || other.tail.At(g) == 0 && !o.shut(1-o.side, g):
			w.rows, w.groups = append(w.rows, int32(r)), append(w.groups, g)
		}
		o.adds = append(o.adds, item{row: int32(r), id: notKept, group: g, n: 1, fresh: true})
	}
	if len(w.rows) == 0 {
		return nil
	}
	cols := o.cols
	if len(w.rows) < n {
		cols = w.take(o.cols, w.rows)
	}
	ids := me.store(w.groups, cols, len(w.rows))
	me.link(ids)
	for k, r := range w.rows {
		o.adds[r].id = ids[k]
	}
	if x != nil {
		return x.add(ids, cols)
	}
	return nil
}

// part forgets the rows of the other side that waited for those of the batch. Rows that go by the watermark are left to
// it: they are queued.
func (o *join) part() {
	if !o.spec.untilMet(1-o.side) || o.expiry[1-o.side] != nil {
		return
	}
	other := o.sides[1-o.side]
	o.ids = o.ids[:0]
	for i := range o.adds {
		g := o.adds[i].group
		if other.tail.At(g) != 0 {
			o.ids = other.cut(g, o.ids)
			o.empty = append(o.empty, g)
		}
	}
	other.rows.Remove(o.ids)
}
