package function

import (
	"bytes"
	"math"

	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// retractable is the extreme of values that may be taken back: how often each value of each group is
// there. The values of a group are a list, which is searched when its extreme goes.
type retractable struct {
	counting
	values     *state.Keyed        // by group and value
	n          *state.Pages[int64] // of each value; negative after an unmatched retraction
	next, prev *state.Pages[int32] // in the group's list, plus one
	first      *state.Pages[int32] // value of each group, plus one
	best       *state.Pages[int32]
	typ        types.Type
	sign       int

	group   vector.Column
	kept    []int32
	arg     vector.Column
	times   []int64
	at      []int32 // of elements
	offsets []int32
	child   [2]vector.Column
}

func newRetractable(b AggregateBinding, sign int) Accumulator {
	x := &retractable{typ: b.Result, sign: sign}
	x.values = b.State.Store().Keyed(b.Name+" values", b.State, []types.Type{types.Of(types.Int).WithNull(false), b.Args[0].Type})
	x.n = state.NewPages[int64](x.values)
	x.next, x.prev = state.NewDerived[int32](x.values), state.NewDerived[int32](x.values)
	x.first, x.best = state.NewDerived[int32](b.State), state.NewDerived[int32](b.State)
	x.values.OnRestore(x.relink)
	return x
}

// relink makes the lists anew.
func (x *retractable) relink() {
	for _, v := range x.values.Groups(nil) {
		g := int32(x.values.Word(0, v))
		x.link(g, v)
		x.prefer(g, v)
	}
}

func (x *retractable) Update(groups []int32, args []*vector.Column, mask []uint64) {
	x.add(groups, args[0], mask, 1)
}

func (x *retractable) Retract(groups []int32, args []*vector.Column, mask []uint64) {
	x.add(groups, args[0], mask, -1)
}

func (x *retractable) add(groups []int32, arg *vector.Column, mask []uint64, by int64) {
	rows, all := x.rows(arg, mask, len(groups))
	if !all {
		if len(rows) == 0 {
			return
		}
		x.kept = append(x.kept[:0], rows...)
		kernel.Take(x.kept, groups, rows)
		vector.Take(&x.arg, arg, rows)
		groups, arg = x.kept, &x.arg
	}
	x.times = x.times[:0]
	for range groups {
		x.times = append(x.times, by)
	}
	x.count(groups, arg, x.times)
}

// count adds to how often values are there. What falls to zero goes.
func (x *retractable) count(groups []int32, arg *vector.Column, by []int64) {
	vector.SetSlice(&x.group, types.Of(types.Int).WithNull(false), groups)
	ids := x.values.Lookup([]*vector.Column{&x.group, arg}, len(groups))
	for _, v := range x.values.Fresh() {
		x.link(int32(x.values.Word(0, v)), v)
	}
	x.values.Own(ids)
	n, fell := x.n.All(), false
	for i, v := range ids {
		at := &n[v>>state.PageShift][v&state.PageMask]
		was := *at
		*at += by[i]
		if by[i] > 0 && was <= 0 {
			x.prefer(groups[i], v)
		}
		fell = fell || by[i] < 0
	}
	for i, v := range ids {
		if !fell {
			break
		}
		if g := groups[i]; x.best.At(g) == v+1 && x.n.At(v) <= 0 {
			x.best.Set(g, 0)
			for w := x.first.At(g); w != 0; w = x.next.At(w - 1) {
				x.prefer(g, w-1)
			}
		}
	}
	x.drop(ids)
}

// prefer makes v the extreme of g when it is there and better.
func (x *retractable) prefer(g, v int32) {
	if b := x.best.At(g); x.n.At(v) > 0 && (b == 0 || x.compare(v, b-1) == x.sign) {
		x.best.Set(g, v+1)
	}
}

func (x *retractable) compare(a, b int32) int {
	switch phys := x.typ.Physical(); {
	case x.typ.Wide():
		return x.values.Wide(1, a).Cmp(x.values.Wide(1, b))
	case phys == types.PhysView:
		return bytes.Compare(x.values.Text(1, a), x.values.Text(1, b))
	case phys == types.PhysFloat32 || phys == types.PhysFloat64:
		return orderOf(math.Float64frombits(x.values.Word(1, a)), math.Float64frombits(x.values.Word(1, b)))
	}
	return orderOf(int64(x.values.Word(1, a)), int64(x.values.Word(1, b)))
}

func (x *retractable) link(g, v int32) {
	f := x.first.At(g)
	x.next.Set(v, f)
	x.prev.Set(v, 0)
	if f != 0 {
		x.prev.Set(f-1, v+1)
	}
	x.first.Set(g, v+1)
}

func (x *retractable) unlink(v int32) {
	next, prev := x.next.At(v), x.prev.At(v)
	if next != 0 {
		x.prev.Set(next-1, prev)
	}
	if prev != 0 {
		x.next.Set(prev-1, next)
	} else {
		x.first.Set(int32(x.values.Word(0, v)), next)
	}
}

// drop removes the values that are there no times. ids may repeat.
func (x *retractable) drop(ids []int32) {
	gone := x.kept[:0]
	for _, v := range ids {
		if x.n.At(v) == 0 {
			x.n.Set(v, math.MinInt64) // found once
			gone = append(gone, v)
		}
	}
	x.kept = gone
	for _, v := range gone {
		x.unlink(v)
	}
	x.values.Remove(gone)
	x.values.Compact()
}

func (x *retractable) Value(groups []int32, out *vector.Column) {
	x.kept = x.kept[:0]
	for _, g := range groups {
		x.kept = append(x.kept, max(x.best.At(g)-1, 0))
	}
	out.Reset(x.typ, len(groups))
	if x.values.Len() == 0 {
		vector.Flatten(out, vector.ConstNull(x.typ, len(groups)))
		return
	}
	x.values.Key(out, 1, x.kept)
	out.Type = x.typ
	for i, g := range groups {
		if x.best.At(g) == 0 {
			out.SetNull(i)
		}
	}
}

func (x *retractable) Clear(groups []int32) {
	gone := x.kept[:0]
	for _, g := range groups {
		for v := x.first.At(g); v != 0; v = x.next.At(v - 1) {
			gone = append(gone, v-1)
		}
	}
	x.kept = gone
	x.values.Remove(gone)
	x.values.Compact()
	x.first.Zero(groups)
	x.best.Zero(groups)
}
