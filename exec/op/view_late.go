package op

import (
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// lateRows are rows at the end of a view without a key that are not found by their values yet: nothing was asked of them. They
// cost a copy until a row goes, or one of them is looked at, as where a join gives ever more rows.
type lateRows struct {
	*payload
	order []int32 // in which they came
	own   []vector.Column
	out   vector.Batch
	zero  []int32
}

// settledRows are how many of them are brought among the others at once.
const settledRows = 1024

func newLateRows(v *View, list []types.Type) *lateRows {
	l := &lateRows{payload: newPayload(v.all, "late", list, nil, false)}
	l.own, l.out.Cols = owned(len(list))
	return l
}

// appends tells that all rows of a batch stand behind those that there are.
func (v *View) appends(b *vector.Batch) bool {
	if v.late == nil || len(v.free) > v.taken || v.Len()+b.Len > v.most {
		return false
	}
	for i := range b.Kinds {
		if !b.Kinds[i].Adds() {
			return false
		}
	}
	return true
}

// append keeps the rows of a batch as they are.
func (v *View) append(b *vector.Batch) error {
	l := v.late
	from := len(l.order)
	v.from = v.from[:0]
	for i := range b.Len {
		l.order = append(l.order, l.rows.Reserve())
		v.from = append(v.from, int32(i))
	}
	l.zero = append(l.zero[:0], v.all.Lookup(nil, b.Len)...)
	l.rows.Own(l.order[from:])
	l.fill(l.order[from:], l.zero, b.Cols, v.from)
	return v.store.Err()
}

// settle brings the first n late rows, or a few more, among those that are found by their values.
func (v *View) settle(n int) {
	l := v.late
	if l == nil || n <= 0 || len(l.order) == 0 {
		return
	}
	done := 0
	for done < min(n, len(l.order)) {
		some := l.order[done:min(done+settledRows, len(l.order))]
		for _, g := range v.found(l.batch(some)) {
			v.place(g)
		}
		l.rows.Remove(some)
		done += len(some)
	}
	l.rows.Compact()
	l.order = l.order[:copy(l.order, l.order[done:])]
}

// batch is some of the rows, lent until the next call.
func (l *lateRows) batch(rows []int32) *vector.Batch {
	l.values(l.own, rows)
	l.out.Len = len(rows)
	return &l.out
}
