package function

import (
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// The partial of an extreme whose values may be taken back is what came and went: an ARRAY of values and one of how
// often each came, less how often it went.

func (x *retractable) PartialTypes() []types.Type {
	return []types.Type{types.ArrayOf(x.typ.WithNull(false)), types.ArrayOf(types.Of(types.BigInt).WithNull(false))}
}

func (x *retractable) Partial(groups []int32, out []*vector.Column) {
	x.at, x.times, x.offsets = x.at[:0], x.times[:0], append(x.offsets[:0], 0)
	for _, g := range groups {
		from := len(x.at)
		x.at = x.all(g, x.at)
		for _, v := range x.at[from:] {
			x.times = append(x.times, x.n.At(v))
		}
		x.offsets = append(x.offsets, int32(len(x.at)))
	}
	x.values.Key(&x.child[0], 1, x.at)
	x.child[0].Type = x.typ.WithNull(false)
	vector.SetSlice(&x.child[1], types.Of(types.BigInt).WithNull(false), x.times)
	for i, t := range x.PartialTypes() {
		out[i].Reset(t, len(groups))
		out[i].Offsets, out[i].Children = x.offsets, []*vector.Column{&x.child[i]}
	}
}

func (x *retractable) Merge(groups []int32, partial []*vector.Column) {
	values, n := partial[0], partial[1]
	x.kept, x.at, x.times = x.kept[:0], x.at[:0], x.times[:0]
	counts := vector.Values[int64](n.Children[0])
	for i, g := range groups {
		from := n.Offsets[i] - values.Offsets[i]
		for e := values.Offsets[i]; e < values.Offsets[i+1]; e++ {
			x.kept, x.at, x.times = append(x.kept, g), append(x.at, e), append(x.times, counts[e+from])
		}
	}
	if len(x.at) == 0 {
		return
	}
	vector.Take(&x.arg, values.Children[0], x.at)
	x.count(x.kept, &x.arg, x.times)
}
