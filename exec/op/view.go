package op

import (
	"fmt"
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/state"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// View is the table that a changelog adds up to, for somebody who looks at a part of it. Rows stand in the order in which
// they came, and one that comes in the place of one that went stands where that one stood. Its owner sees to it that one
// goroutine uses it at a time.
//
// With a key, which must be an upsert key of the changelog, a row replaces the one with its key, so that no -U is needed.
// Without one a row goes by all of its values, and equal rows are told apart by their number.
type View struct {
	store *state.Store
	types []types.Type
	most  int
	full  bool

	key     []int // positions of the key's columns, where keys is not nil
	keys    *state.Keyed
	kept    *payload            // the rows, by key
	row     *state.Pages[int32] // of each key, plus one
	won     *state.Pages[int32] // the row of the batch that a key keeps, plus one
	keyCols []*vector.Column

	all    *state.Keyed // without a key: the one group that all rows are of
	form   form
	values *state.Keyed
	late   *lateRows

	last   *state.Pages[int32] // of each group: the place that it got last, plus one
	at     []int32             // of each place its group, or what vacant makes of the one that was there
	next   []int32             // of each place: another one of its group, plus one
	free   []int32             // vacant places, the first of them to be taken first
	taken  int                 // how many of free were taken again
	left   int                 // how many of free were vacant before the batch
	groups []int32
	rows   []int32
	from   []int32
	gone   []int32
	own    []vector.Column
	out    vector.Batch
}

// NewView makes an empty table of columns of the given types, which holds about most rows: what comes beyond is left out.
// key are positions of columns, of types that rows can be found by; nil stands for no key, and an empty one says that
// there is one row at most. limit is the memory that it may take, in bytes; 0 is no limit.
func NewView(list []types.Type, key []int, most int, limit int64) *View {
	v := &View{types: list, key: key, most: most, store: state.NewStore(state.Options{Operator: "the result", Limit: limit})}
	v.own, v.out.Cols = owned(len(list))
	if key == nil {
		v.all = v.store.Keyed("result", nil, nil)
		v.form = newForm(list, func(int) bool { return false })
		v.values = v.form.declare(v.all, "rows", true)
		v.last = state.NewDerived[int32](v.values)
		v.late = newLateRows(v, list)
		return v.opened()
	}
	keyTypes, exprs := make([]types.Type, len(key)), make([]expr.Expr, len(key))
	for i, k := range key {
		keyTypes[i] = list[k].WithNull(true)
		exprs[i] = &expr.Column{Index: k, T: list[k]}
	}
	v.keys = v.store.Keyed("result", nil, keyTypes)
	v.kept = newPayload(v.keys, "rows", list, exprs, false)
	v.row, v.won, v.last = v.kept.single(), state.NewDerived[int32](v.keys), state.NewDerived[int32](v.keys)
	v.keyCols = make([]*vector.Column, len(key))
	return v.opened()
}

func (v *View) opened() *View {
	if err := v.store.Open(); err != nil {
		panic(err) // nothing is restored
	}
	return v
}

// Len is how many rows there are.
func (v *View) Len() int {
	n := v.settled()
	if v.late != nil {
		n += len(v.late.order)
	}
	return n
}

// settled is how many rows have a place.
func (v *View) settled() int { return len(v.at) - (len(v.free) - v.taken) }

// Full says that rows were left out.
func (v *View) Full() bool { return v.full }

// Take applies a batch of changes. Its error says that a row goes that never came, or that there is no more memory.
func (v *View) Take(b *vector.Batch) error {
	if v.appends(b) {
		return v.append(b)
	}
	v.settle(v.most)
	v.groups = append(v.groups[:0], v.find(b)...)
	v.rows, v.gone, v.left = v.rows[:0], v.gone[:0], len(v.free)
	won := v.won != nil
	for i, g := range v.groups {
		if g < 0 {
			v.full = true
			continue
		}
		p := v.last.At(g) - 1
		switch {
		case !b.Kind(i).Adds():
			if p < 0 {
				return fmt.Errorf("the changelog takes away a row that it never gave: %s", text.AppendRow(nil, b, i))
			}
			v.vacate(p, g)
			continue
		case p < 0 || !won:
			v.place(g)
		}
		if won {
			if v.won.At(g) == 0 {
				v.rows = append(v.rows, g)
			}
			v.won.Set(g, int32(i)+1)
		}
	}
	if won {
		v.keep(b)
	}
	v.forget()
	return v.store.Err()
}

// find gives the group of each row, or -1 for one that is left out.
func (v *View) find(b *vector.Batch) []int32 {
	if v.Len() >= v.most {
		table, cols := v.keyOf(b)
		return table.Find(cols, b.Len)
	}
	return v.found(b)
}

// found gives the group of each row, a new one where there is none.
func (v *View) found(b *vector.Batch) []int32 {
	table, cols := v.keyOf(b)
	return table.Lookup(cols, b.Len)
}

// keyOf is the table that rows are found in, and what they are found by.
func (v *View) keyOf(b *vector.Batch) (*state.Keyed, []*vector.Column) {
	if v.keys == nil {
		v.groups = append(v.groups[:0], v.all.Lookup(nil, b.Len)...)
		return v.values, v.form.load(v.groups, b.Cols, b.Len)
	}
	for i, k := range v.key {
		v.keyCols[i] = b.Cols[k]
	}
	return v.keys, v.keyCols
}

// vacant marks a place that its group left: it is below zero.
func vacant(group int32) int32 { return -1 - group }

// place gives a group a place: the one that it has just left, another one that was left, or a new one.
func (v *View) place(g int32) {
	var p int32
	switch n := len(v.free); {
	case n > max(v.taken, v.left) && v.at[v.free[n-1]] == vacant(g):
		p, v.free = v.free[n-1], v.free[:n-1]
	case n > v.taken:
		p = v.free[v.taken]
		v.taken++
	default:
		p = int32(len(v.at))
		v.at, v.next = append(v.at, 0), append(v.next, 0)
	}
	if v.taken == len(v.free) {
		v.free, v.taken, v.left = v.free[:0], 0, 0
	}
	v.at[p], v.next[p] = g, v.last.At(g)
	v.last.Set(g, p+1)
}

// vacate takes the place from a group that it got last.
func (v *View) vacate(p, g int32) {
	v.last.Set(g, v.next[p])
	v.at[p] = vacant(g)
	v.free = append(v.free, p)
	if v.next[p] == 0 {
		v.gone = append(v.gone, g)
	}
}

// keep remembers the last row of each key of a batch that has one.
func (v *View) keep(b *vector.Batch) {
	v.from = v.from[:0]
	left, kept := v.rows[:0], v.groups[:0]
	for _, g := range v.rows {
		at := v.won.At(g) - 1
		if v.won.Set(g, 0); v.last.At(g) == 0 {
			continue
		}
		row := v.row.At(g) - 1
		if row < 0 {
			row = v.kept.rows.Reserve()
			v.row.Set(g, row+1)
		}
		left, kept, v.from = append(left, row), append(kept, g), append(v.from, at)
	}
	v.kept.rows.Own(left)
	v.kept.fill(left, kept, b.Cols, v.from)
}

// forget removes the groups of which no row is left.
func (v *View) forget() {
	if len(v.gone) > 0 {
		slices.Sort(v.gone)
		v.gone = slices.DeleteFunc(slices.Compact(v.gone), func(g int32) bool { return v.last.At(g) != 0 })
	}
	if v.keys == nil {
		v.values.Remove(v.gone)
		v.values.Compact()
		return
	}
	v.rows = v.rows[:0]
	for _, g := range v.gone {
		if r := v.row.At(g); r != 0 {
			v.rows = append(v.rows, r-1)
		}
	}
	v.kept.rows.Remove(v.rows)
	v.keys.Remove(v.gone)
	v.kept.rows.Compact()
	v.keys.Compact()
}

// Rows are at most n rows from the top-th on. The batch is lent until the next call.
func (v *View) Rows(top, n int) *vector.Batch {
	v.settle(top + n - v.settled())
	v.rows = v.rows[:0]
	at := v.at
	if v.settled() == len(at) { // none is vacant
		at, top = at[min(top, len(at)):], 0
	}
	for _, g := range at {
		if g < 0 {
			continue
		}
		if top > 0 {
			top--
			continue
		}
		if len(v.rows) == n {
			break
		}
		v.rows = append(v.rows, g)
	}
	return v.batch()
}

// Each gives all rows in batches of at most n, each of which is lent until the next one.
func (v *View) Each(n int, f func(*vector.Batch) error) error {
	v.rows = v.rows[:0]
	for i, g := range v.at {
		if g >= 0 {
			v.rows = append(v.rows, g)
		}
		if len(v.rows) == n || i == len(v.at)-1 && len(v.rows) > 0 {
			if err := f(v.batch()); err != nil {
				return err
			}
			v.rows = v.rows[:0]
		}
	}
	if v.late == nil {
		return nil
	}
	for rows := range slices.Chunk(v.late.order, n) {
		if err := f(v.late.batch(rows)); err != nil {
			return err
		}
	}
	return nil
}

// batch is the rows of the groups that v.rows lists.
func (v *View) batch() *vector.Batch {
	v.out.Len = len(v.rows)
	if v.keys != nil {
		for i, g := range v.rows {
			v.rows[i] = v.row.At(g) - 1
		}
		v.kept.values(v.own, v.rows)
		return &v.out
	}
	for k, i := range v.form.direct {
		v.values.Key(&v.own[i], k+1, v.rows)
		v.own[i].Type = v.types[i]
	}
	v.form.unpack(v.values, v.rows, func(k int) *vector.Column { return &v.own[v.form.packed[k]] })
	return &v.out
}
