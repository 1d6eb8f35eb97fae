package function

import (
	"bytes"
	"encoding/binary"
	"math"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var _ = aggregate(argOf("ARG_MAX", "largest", "b", 1))
var _ = aggregate(argOf("ARG_MIN", "smallest", "a", -1))

func argOf(name, which, value string, sign int) Aggregate {
	return Aggregate{
		Name: name, Forms: []string{name + "(<ANY>, <COMPARABLE>)"}, Extension: true, Rows: true,
		Type: func(args []Arg) (Signature, error) {
			if len(args) != 2 || args[0].Type.Kind == types.Null {
				return Signature{}, Mismatch()
			}
			if _, err := extremeOf(args[1:]); err != nil {
				return Signature{}, err
			}
			return Signature{Args: []types.Type{args[0].Type, args[1].Type}, Result: args[0].Type.WithNull(true)}, nil
		},
		New: func(b AggregateBinding) Accumulator {
			return &argExtreme{list: newList(b, true), result: b.Result, all: b.Retracts, sign: sign}
		},
		Doc: Doc{"aggregate", "The first argument where the second one is " + which + ", and of several such rows that which came first; " +
			"rows where the second one is NULL do not count.", name + "(x, y) OF ('a', 1), ('b', 3), ('c', 2)", value},
	}
}

// argExtreme is ARG_MAX or ARG_MIN of rows: of those that stay it keeps the best alone.
type argExtreme struct {
	*list
	result types.Type
	all    bool
	sign   int
	made   twoBuilders
	loser  []int32
}

func (a *argExtreme) Update(groups []int32, args []*vector.Column, mask []uint64) {
	a.list.Update(groups, args, mask)
	a.thin(groups)
}

func (a *argExtreme) Merge(groups []int32, partial []*vector.Column) {
	a.list.Merge(groups, partial)
	a.thin(groups)
}

// thin leaves the best row of each group.
func (a *argExtreme) thin(groups []int32) {
	if a.all {
		return
	}
	a.loser = a.loser[:0]
	for _, g := range groups {
		best := a.best(g)
		for v := a.head.At(g); v != 0; {
			next := a.next.At(v - 1)
			if v != best {
				a.unlink(v - 1)
				a.loser = append(a.loser, v-1)
			}
			v = next
		}
	}
	if len(a.loser) > 0 {
		a.items.Remove(a.loser)
		a.items.Compact()
	}
}

// best is the item of a group that its value is of, plus one, or 0.
func (a *argExtreme) best(g int32) int32 {
	var best int32
	var by []byte
	t := a.typ.Fields[1].Type
	for v := a.head.At(g); v != 0; v = a.next.At(v - 1) {
		next := SkipPacked(a.typ.Fields[0].Type, a.value(v - 1)[1:])
		if next[0] != 0 && (best == 0 || comparePacked(t, next, by) == a.sign) {
			best, by = v, next
		}
	}
	return best
}

func (a *argExtreme) Value(groups []int32, out *vector.Column) {
	b := a.made.next(a.result.WithNull(true))
	for _, g := range groups {
		if best := a.best(g); best == 0 {
			b.AppendNull()
		} else {
			unpackTo(b, a.value(best - 1)[1:])
		}
	}
	b.Finish(out)
	out.Type = a.result
}

// comparePacked orders two packed values of a type that MIN and MAX take, neither of them NULL.
func comparePacked(t types.Type, a, b []byte) int {
	if t.Physical() == types.PhysView {
		return bytes.Compare(packedText(a), packedText(b))
	}
	a, b = a[1:], b[1:]
	switch t.Physical() {
	case types.PhysBool:
		return orderOf(int64(a[0]), int64(b[0]))
	case types.PhysInt8:
		return orderOf(int64(int8(a[0])), int64(int8(b[0])))
	case types.PhysInt16:
		return orderOf(int64(int16(binary.LittleEndian.Uint16(a))), int64(int16(binary.LittleEndian.Uint16(b))))
	case types.PhysInt32:
		return orderOf(int64(int32(binary.LittleEndian.Uint32(a))), int64(int32(binary.LittleEndian.Uint32(b))))
	case types.PhysFloat32:
		return orderOf(float64(math.Float32frombits(binary.LittleEndian.Uint32(a))),
			float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	case types.PhysFloat64:
		return orderOf(math.Float64frombits(binary.LittleEndian.Uint64(a)), math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	x, y := binary.LittleEndian.Uint64(a), binary.LittleEndian.Uint64(b)
	if t.Wide() {
		wide := kernel.Int128{Lo: x, Hi: int64(binary.LittleEndian.Uint64(a[8:]))}
		return wide.Cmp(kernel.Int128{Lo: y, Hi: int64(binary.LittleEndian.Uint64(b[8:]))})
	}
	return orderOf(int64(x), int64(y))
}
