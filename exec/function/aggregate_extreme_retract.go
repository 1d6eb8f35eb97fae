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
// there. The values of a group are a heap.
type retractable struct {
	counting
	values *state.Keyed        // by group and value
	n      *state.Pages[int64] // of each value; negative after an unmatched retraction
	extremeHeap
	typ types.Type

	group   vector.Column
	kept    []int32
	arg     vector.Column
	times   []int64
	at      []int32 // of elements
	offsets []int32
	child   [2]vector.Column
}

func newRetractable(b AggregateBinding, sign int) Accumulator {
	x := &retractable{typ: b.Result}
	x.values = b.State.Store().Keyed(b.Name+" values", b.State, []types.Type{types.Of(types.Int).WithNull(false), b.Args[0].Type})
	x.n = state.NewPages[int64](x.values)
	x.extremeHeap = newExtremeHeap(b.State, x.values, func(a, b int32) bool { return x.compare(a, b) == sign })
	x.values.OnRestore(x.relink)
	return x
}

// relink makes the heaps anew.
func (x *retractable) relink() {
	for _, v := range x.values.Groups(nil) {
		x.place(int32(x.values.Word(0, v)), v, x.n.At(v))
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
	x.values.Own(ids)
	n := x.n.All()
	for i, v := range ids {
		n[v>>state.PageShift][v&state.PageMask] += by[i]
	}
	for i, v := range ids {
		x.place(groups[i], v, n[v>>state.PageShift][v&state.PageMask])
	}
	x.drop(ids)
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
	x.values.Remove(gone)
	x.values.Compact()
}

func (x *retractable) Value(groups []int32, out *vector.Column) {
	x.kept = x.kept[:0]
	for _, g := range groups {
		x.kept = append(x.kept, max(x.best(g), 0))
	}
	out.Reset(x.typ, len(groups))
	if x.values.Len() == 0 {
		vector.Flatten(out, vector.ConstNull(x.typ, len(groups)))
		return
	}
	x.values.Key(out, 1, x.kept)
	out.Type = x.typ
	for i, g := range groups {
		if x.best(g) < 0 {
			out.SetNull(i)
		}
	}
}

func (x *retractable) Clear(groups []int32) {
	x.kept = x.kept[:0]
	for _, g := range groups {
		x.kept = x.empty(g, x.kept)
	}
	x.values.Remove(x.kept)
	x.values.Compact()
}
