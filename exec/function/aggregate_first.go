package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// oneValue is FIRST_VALUE or LAST_VALUE of values that stay: the packed value, empty while there is none.
type oneValue struct {
	counting
	values state.Texts
	result types.Type
	first  bool
	bytes  []byte
	made   twoBuilders
}

func (o *oneValue) Update(groups []int32, args []*vector.Column, mask []uint64) {
	bits, pages := o.bits(args[0], mask), o.values.All()
	for i, g := range groups {
		if bits != nil && !kernel.Bit(bits, i) {
			continue
		}
		if o.first && pages[g>>state.PageShift][g&state.PageMask].Len > 0 {
			continue
		}
		o.bytes = appendPacked(o.bytes[:0], args[0], i)
		view := kernel.MakeView(o.bytes, 0, 0, len(o.bytes))
		o.values.Put(g, &view, [][]byte{o.bytes})
	}
}

// Retract implements Accumulator; it is never called.
func (o *oneValue) Retract([]int32, []*vector.Column, []uint64) { neverRetracts() }

// Merge takes the values of later rows.
func (o *oneValue) Merge(groups []int32, partial []*vector.Column) { o.Update(groups, partial, nil) }

func (o *oneValue) PartialTypes() []types.Type { return []types.Type{o.result.WithNull(true)} }

func (o *oneValue) Partial(groups []int32, out []*vector.Column) { o.Value(groups, out[0]) }

func (o *oneValue) Value(groups []int32, out *vector.Column) {
	b := o.made.next(o.result.WithNull(true))
	for _, g := range groups {
		v := &o.values.All()[g>>state.PageShift][g&state.PageMask]
		if v.Len == 0 {
			b.AppendNull()
		} else {
			unpackTo(b, v.Bytes(o.values.Bufs()))
		}
	}
	b.Finish(out)
	out.Type = o.result
}

func (o *oneValue) Clear(groups []int32) { o.values.Clear(groups) }
