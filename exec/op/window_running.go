package op

import (
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// running is the groups of the last HOP window that was emitted: the next one adds the slices that came and
// takes away those that went, so that a window costs its keys of two slices and not of all. It is possible
// where partials are integers. It is no state: it is made anew from the slices.
type running struct {
	*aggregation
	table *state.Keyed
	// slices is how many slices a group is in.
	slices *state.Pages[int64]
	// end is that of the last slice that was added.
	end int64

	cols         []*vector.Column
	partials     [][]*vector.Column // of each aggregate
	groups, gone []int32
}

// subtracts tells that the aggregates of a window can be taken away.
func (o *windowAggregate) subtracts() bool {
	if o.spec.Window.Kind != Hop || len(o.calls.sets) > 0 {
		return false
	}
	a := o.calls.bind(state.NewStore(state.Options{}).Keyed("window", nil, o.calls.keyTypes()))
	for i, acc := range a.accs {
		c := &o.spec.Aggs[i]
		if !c.Fn.Signed || len(c.Args) > 0 && c.Args[0].Type().Kind == types.Decimal {
			return false
		}
		for _, t := range acc.PartialTypes() {
			if t.Kind != types.BigInt {
				return false
			}
		}
	}
	return true
}

// advanceTo adds the slices up to the end of a window.
func (o *windowAggregate) advanceTo(end int64) *running {
	r := o.running
	if r == nil {
		t := o.store.Scratch().Keyed("window", nil, o.calls.keyTypes())
		r = &running{table: t, slices: state.NewPages[int64](t), end: end - o.spec.Window.Size}
		r.aggregation = o.calls.bind(t)
		o.running = r
	}
	for _, s := range o.slices {
		if s.end > r.end && s.end <= end {
			r.apply(s.aggregation, 1)
		}
	}
	r.end = end
	return r
}

// late says that rows came to a slice: if it was added already, all begins anew.
func (o *windowAggregate) late(end int64) {
	if o.running != nil && end <= o.running.end {
		o.running.table.Store().Release()
		o.running = nil
	}
}

// apply adds the groups of a slice, or takes them away.
func (r *running) apply(from *aggregation, by int64) {
	if r.cols == nil {
		_, r.cols = owned(len(r.keys))
		for _, acc := range r.accs {
			_, partial := owned(len(acc.PartialTypes()))
			r.partials = append(r.partials, partial)
		}
	}
	r.groups = from.table.Groups(r.groups[:0])
	gone := r.gone[:0]
	for part := range parts(r.groups) {
		for i, c := range r.cols {
			from.table.Key(c, i, part)
		}
		to := r.table.Lookup(r.cols, len(part))
		r.table.Own(to)
		for i, acc := range r.accs {
			partial := r.partials[i]
			from.accs[i].Partial(part, partial)
			if by < 0 {
				for _, c := range partial {
					negate(vector.Values[int64](c))
				}
			}
			acc.Merge(to, partial)
		}
		pages := r.slices.All()
		for _, g := range to {
			at := &pages[g>>state.PageShift][g&state.PageMask]
			if *at += by; *at == 0 {
				gone = append(gone, g)
			}
		}
	}
	r.gone = gone
	if len(gone) > 0 {
		r.clear(gone)
		r.table.Remove(gone)
		r.table.Compact()
	}
}

func negate(v []int64) {
	for i := range v {
		v[i] = -v[i]
	}
}
