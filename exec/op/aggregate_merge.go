package op

import (
	"streamsql/exec/function"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// merge adds the groups of another table of the same calls.
func (a *aggregation) merge(from *aggregation) []int32 {
	groups := from.table.Groups(nil)
	cols := make([]*vector.Column, len(a.keys))
	for i := range cols {
		cols[i] = &vector.Column{}
	}
	ids := make([]int32, 0, len(groups))
	for part := range parts(groups) {
		for i, c := range cols {
			from.table.Key(c, i, part)
		}
		to := a.table.Lookup(cols, len(part))
		a.table.Own(to)
		for i, acc := range a.accs {
			if len(a.sets) == 0 || a.plans[i].set < 0 {
				mergePartials(acc, from.accs[i], part, to)
			}
		}
		ids = append(ids, to...)
	}
	if len(a.sets) == 0 {
		return ids
	}
	to := map32(groups, ids)
	for i, s := range a.sets {
		s.merge(a, i, from.sets[i], to)
	}
	return ids
}

// parts cuts a list of groups.
func parts(groups []int32) func(yield func([]int32) bool) {
	return func(yield func([]int32) bool) {
		for from := 0; from < len(groups); from += state.PageRows {
			if !yield(groups[from:min(from+state.PageRows, len(groups))]) {
				return
			}
		}
	}
}

func mergePartials(acc, from function.Accumulator, groups, to []int32) {
	partial := make([]*vector.Column, len(from.PartialTypes()))
	for i := range partial {
		partial[i] = &vector.Column{}
	}
	from.Partial(groups, partial)
	acc.Merge(to, partial)
}

// map32 is the function from group to id as a list by group.
func map32(groups, ids []int32) []int32 {
	var out []int32
	for i, g := range groups {
		for len(out) <= int(g) {
			out = append(out, -1)
		}
		out[g] = ids[i]
	}
	return out
}

// merge adds the values of another set, whose groups are translated by to: what is new in a slot is an
// update of the aggregates with that slot.
func (d *distinct) merge(a *aggregation, set int, from *distinct, to []int32) {
	cols := make([]*vector.Column, len(d.keys))
	for i := range cols {
		cols[i] = &vector.Column{}
	}
	for part := range parts(from.set.Groups(nil)) {
		groups := make([]int32, len(part))
		for i, v := range part {
			groups[i] = to[from.set.Word(0, v)]
		}
		vector.SetSlice(cols[0], types.Of(types.Int).WithNull(false), groups)
		for i := 1; i < len(cols); i++ {
			from.set.Key(cols[i], i, part)
		}
		copy(d.keys, cols)
		d.empty(len(part))
		ids := d.lookup(len(part))
		d.want = from.met(d.want[:0], part)
		d.meet(ids)
		for i := range a.plans {
			if p := &a.plans[i]; p.set == set {
				a.accs[i].Update(groups, cols[1:], d.fresh[p.slot])
			}
		}
	}
}
