package function

import (
	"slices"

	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// list keeps the values of each group in the order in which they came.
type list struct {
	counting
	typ   types.Type // of a value
	nulls bool       // keep NULLs too

	items      *state.Keyed // by group and number
	values     state.Texts
	next, prev *state.Pages[int32] // plus one
	head, tail *state.Pages[int32] // of each group, plus one
	last       int64
	index      *listIndex // where values may be taken back, or nil

	group, number vector.Column
	groups, gone  []int32
	numbers       []int64
	bytes         []byte
}

func newList(b AggregateBinding, nulls bool) *list {
	l := &list{typ: b.Args[0].Type.WithNull(true), nulls: nulls}
	l.items = b.State.Store().Keyed(b.Name+" values", b.State, []types.Type{types.Of(types.Int).WithNull(false), types.Of(types.BigInt).WithNull(false)})
	l.values = state.NewTexts(l.items)
	l.next, l.prev = state.NewDerived[int32](l.items), state.NewDerived[int32](l.items)
	l.head, l.tail = state.NewDerived[int32](b.State), state.NewDerived[int32](b.State)
	if b.Retracts {
		l.index = newListIndex(l, b.State)
	}
	l.items.OnRestore(l.relink)
	return l
}

func (l *list) relink() {
	items := l.items.Groups(nil)
	slices.SortFunc(items, func(a, b int32) int { return int(int64(l.items.Word(1, a)) - int64(l.items.Word(1, b))) })
	for _, v := range items {
		l.link(v)
		if l.index != nil {
			l.index.add(int32(l.items.Word(0, v)), v)
		}
		l.last = int64(l.items.Word(1, v))
	}
	if l.index != nil {
		l.index.flush()
	}
}

// link puts an item at the end of its group's list.
func (l *list) link(v int32) {
	g := int32(l.items.Word(0, v))
	t := l.tail.At(g)
	l.prev.Set(v, t)
	l.next.Set(v, 0)
	if t != 0 {
		l.next.Set(t-1, v+1)
	} else {
		l.head.Set(g, v+1)
	}
	l.tail.Set(g, v+1)
}

func (l *list) unlink(v int32) {
	next, prev := l.next.At(v), l.prev.At(v)
	g := int32(l.items.Word(0, v))
	if next != 0 {
		l.prev.Set(next-1, prev)
	} else {
		l.tail.Set(g, prev)
	}
	if prev != 0 {
		l.next.Set(prev-1, next)
	} else {
		l.head.Set(g, next)
	}
}

func (l *list) Update(groups []int32, args []*vector.Column, mask []uint64) {
	null := args[0]
	if l.nulls {
		null = nil
	}
	rows, all := l.rows(null, mask, len(groups))
	if all {
		rows = l.list[:0]
		for i := range groups {
			rows = append(rows, int32(i))
		}
		l.list = rows
	}
	l.groups = append(l.groups[:0], rows...)
	kernel.Take(l.groups, groups, rows)
	l.push(l.groups, func(b []byte, k int) []byte { return appendPacked(b, args[0], int(rows[k])) })
}

// push appends a value to the list of each group.
func (l *list) push(groups []int32, encode func(b []byte, k int) []byte) {
	if len(groups) == 0 {
		return
	}
	l.numbers = l.numbers[:0]
	for range groups {
		l.last++
		l.numbers = append(l.numbers, l.last)
	}
	vector.SetSlice(&l.group, types.Of(types.Int).WithNull(false), groups)
	vector.SetSlice(&l.number, types.Of(types.BigInt).WithNull(false), l.numbers)
	for k, v := range l.items.Lookup([]*vector.Column{&l.group, &l.number}, len(groups)) {
		l.bytes = encode(l.bytes[:0], k)
		view := kernel.MakeView(l.bytes, 0, 0, len(l.bytes))
		l.values.Put(v, &view, [][]byte{l.bytes})
		l.link(v)
		if l.index != nil {
			l.index.add(groups[k], v)
		}
	}
	if l.index != nil {
		l.index.flush()
	}
}

// Retract removes the first value that is equal.
func (l *list) Retract(groups []int32, args []*vector.Column, mask []uint64) {
	bits := l.bits(args[0], mask)
	if l.nulls {
		bits = mask
	}
	for i, g := range groups {
		if bits != nil && !kernel.Bit(bits, i) {
			continue
		}
		l.bytes = appendPacked(l.bytes[:0], args[0], i)
		if l.index.long.At(g) != 0 {
			l.index.want(g, l.bytes)
			continue
		}
		for v := l.head.At(g); v != 0; v = l.next.At(v - 1) {
			if string(l.value(v-1)) == string(l.bytes) {
				l.remove(g, v-1)
				break
			}
		}
	}
	l.index.take(l.remove)
	l.items.Compact()
}

// remove takes an item out of the list of a group.
func (l *list) remove(g, v int32) {
	l.unlink(v)
	l.index.length.Set(g, l.index.length.At(g)-1)
	l.gone = append(l.gone[:0], v)
	l.items.Remove(l.gone)
}

func (l *list) value(v int32) []byte {
	return l.values.All()[v>>state.PageShift][v&state.PageMask].Bytes(l.values.Bufs())
}

// all passes the values of a group in order.
func (l *list) all(g int32, f func(value []byte)) {
	for v := l.head.At(g); v != 0; v = l.next.At(v - 1) {
		f(l.value(v - 1))
	}
}

// Merge appends the elements of ARRAYs.
func (l *list) Merge(groups []int32, partial []*vector.Column) {
	p := partial[0]
	elems := p.Children
	var to []int32
	var at []int
	for i, g := range groups {
		if p.Null(i) {
			continue
		}
		for e := p.Offsets[i]; e < p.Offsets[i+1]; e++ {
			to, at = append(to, g), append(at, int(e))
		}
	}
	l.push(to, func(b []byte, k int) []byte { return appendPacked(b, elems[0], at[k]) })
}

func (l *list) PartialTypes() []types.Type { return []types.Type{types.ArrayOf(l.typ)} }

func (l *list) Partial(groups []int32, out []*vector.Column) {
	b := vector.NewBuilder(types.ArrayOf(l.typ))
	for _, g := range groups {
		l.all(g, func(v []byte) { unpackTo(b.Child(0), v) })
		b.AppendList()
	}
	b.Finish(out[0])
}

func (l *list) Clear(groups []int32) {
	l.gone = l.gone[:0]
	for _, g := range groups {
		for v := l.head.At(g); v != 0; v = l.next.At(v - 1) {
			l.gone = append(l.gone, v-1)
		}
		if l.index != nil {
			l.index.drop(g)
		}
	}
	if l.index != nil {
		l.index.forget()
	}
	l.items.Remove(l.gone)
	l.items.Compact()
	l.head.Zero(groups)
	l.tail.Zero(groups)
}
