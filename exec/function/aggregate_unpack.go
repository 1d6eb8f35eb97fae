package function

import (
	"slices"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// OverPacked is an aggregate whose arguments come packed (Pack), where the types given, its own, are composite: rows are
// told apart by them before they come.
func OverPacked(a *Aggregate, own []types.Type) *Aggregate {
	out := *a
	out.Shared = nil
	out.New = func(b AggregateBinding) Accumulator {
		b.Args = slices.Clone(b.Args)
		for i, t := range own {
			b.Args[i].Type = t
		}
		return &unpacking{Accumulator: a.New(b), own: own, made: make([]twoBuilders, len(own)), columns: make([]vector.Column, len(own))}
	}
	return &out
}

// unpacking unpacks the arguments of an accumulator.
type unpacking struct {
	Accumulator
	own     []types.Type
	made    []twoBuilders
	columns []vector.Column
	args    []*vector.Column
}

func (u *unpacking) Update(groups []int32, args []*vector.Column, mask []uint64) {
	u.Accumulator.Update(groups, u.unpacked(args, len(groups), mask), mask)
}

func (u *unpacking) Retract(groups []int32, args []*vector.Column, mask []uint64) {
	u.Accumulator.Retract(groups, u.unpacked(args, len(groups), mask), mask)
}

// unpacked are the arguments as the accumulator takes them, with NULL in rows that do not count.
func (u *unpacking) unpacked(args []*vector.Column, n int, mask []uint64) []*vector.Column {
	u.args = append(u.args[:0], args...)
	for i, t := range u.own {
		if !t.Kind.IsComposite() {
			continue
		}
		b := u.made[i].next(t.WithNull(true))
		for k := range n {
			if mask != nil && !kernel.Bit(mask, k) || args[i].Null(k) {
				b.AppendNull()
			} else {
				unpackTo(b, vector.Text(args[i], k))
			}
		}
		b.Finish(&u.columns[i])
		u.args[i] = &u.columns[i]
	}
	return u.args
}
