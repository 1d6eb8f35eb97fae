package op

import (
	"streamsql/exec/kernel"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// distinct is the set of values of one argument that each group has met, with a bit per filter, or a
// count per filter where rows may be taken back. It tells the rows that are the first or the last of
// their value.
type distinct struct {
	plan *setPlan
	set  *state.Keyed // by group and argument
	// pairs takes the values that cluster in place of set, or is nil.
	pairs *clustered
	// few or many has the bits of the slots of each value.
	few  *state.Pages[uint8]
	many *state.Pages[uint64]
	n    []*state.Pages[int64] // by slot, in place of bits
	// The values of a group are a list, where groups may be removed: next in it, and the first of each group,
	// plus one.
	next, first *state.Pages[int32]

	// fresh is by slot the rows that are new, or gone.
	fresh [][]uint64
	want  []uint64
	group vector.Column
	keys  []*vector.Column
	gone  []int32
}

const maxSlots = 64

func newDistinct(t *state.Keyed, i int, p *setPlan, c *calls) *distinct {
	retract, removes := c.retract, c.removes
	d := &distinct{plan: p, fresh: make([][]uint64, len(p.filters))}
	keys := append([]types.Type{types.Of(types.Int).WithNull(false)}, p.types...)
	d.set = t.Store().Keyed(t.Name()+" distinct"+numberOf(i), t, keys)
	switch {
	case retract:
		for range p.filters {
			d.n = append(d.n, state.NewPages[int64](d.set))
		}
	case len(p.filters) <= 8:
		d.few = state.NewPages[uint8](d.set)
	default:
		d.many = state.NewPages[uint64](d.set)
	}
	if removes {
		d.next, d.first = state.NewDerived[int32](d.set), state.NewDerived[int32](t)
		d.set.OnRestore(func() { d.link(d.set.Groups(nil)) })
	}
	if c.lasts && !retract && !removes && len(p.filters) <= 8 && len(p.types) == 1 && state.Clusters(p.types[0]) {
		d.pairs = newClustered(d, t)
	}
	d.keys = make([]*vector.Column, len(keys))
	return d
}

func (d *distinct) link(values []int32) {
	for _, v := range values {
		g := int32(d.set.Word(0, v))
		d.next.Set(v, d.first.At(g))
		d.first.Set(g, v+1)
	}
}

// apply puts the rows of a mask into the set, or takes them out, and leaves in fresh the rows that count.
func (d *distinct) apply(a *aggregation, groups []int32, rows []uint64, retract bool) {
	n := len(groups)
	if d.pairs != nil {
		d.pairs.apply(a, groups, rows)
		return
	}
	d.keys[0] = d.groupsOf(groups)
	for i, arg := range d.plan.args {
		d.keys[i+1] = &a.flat[arg]
	}
	d.empty(n)
	ids := d.lookup(n)
	if like := d.plan.like; like >= 0 && a.sets[like].pairs == nil {
		d.want = append(d.want[:0], a.sets[like].want...)
	} else {
		d.want = wants(d.plan, a, d.want, n, rows)
	}
	switch {
	case retract:
		d.take(ids)
	case d.n != nil:
		d.add(ids)
	default:
		d.meet(ids)
	}
}

// absorb puts rows into the set of which it is known what slots they are for.
func (d *distinct) absorb(groups []int32, cols []*vector.Column, marks []uint64) {
	n := len(groups)
	if c := d.pairs; c != nil {
		d.empty(n)
		c.want = c.want[:0]
		for _, m := range marks {
			c.want = append(c.want, uint8(m))
		}
		c.meet(groups, cols[0])
		return
	}
	d.keys[0] = d.groupsOf(groups)
	copy(d.keys[1:], cols)
	d.empty(n)
	d.want = append(d.want[:0], marks...)
	d.meet(d.lookup(n))
}

func (d *distinct) groupsOf(groups []int32) *vector.Column {
	vector.SetSlice(&d.group, types.Of(types.Int).WithNull(false), groups)
	return &d.group
}

// empty makes fresh empty.
func (d *distinct) empty(n int) {
	w := kernel.Words(n)
	for k := range d.fresh {
		if cap(d.fresh[k]) < w {
			d.fresh[k] = make([]uint64, w+w/2)
		}
		d.fresh[k] = d.fresh[k][:w]
		clear(d.fresh[k])
	}
}

// lookup finds the values of keys.
func (d *distinct) lookup(n int) []int32 {
	ids := d.set.Lookup(d.keys, n)
	if d.next != nil {
		d.link(d.set.Fresh())
	}
	if d.n != nil {
		d.set.Own(ids)
	}
	return ids
}

// wants computes the slots of each row: those whose filter it passes.
func wants[T uint8 | uint64](plan *setPlan, a *aggregation, want []T, n int, rows []uint64) []T {
	if cap(want) < n {
		want = make([]T, n+n/2)
	}
	want = want[:n]
	clear(want)
	for k, f := range plan.filters {
		mask := rows
		if f >= 0 {
			mask = a.both(a.masks[f], rows, n)
		}
		bit := T(1) << uint(k)
		if mask == nil {
			for i := range want {
				want[i] |= bit
			}
			continue
		}
		for i := range want {
			want[i] |= T(mask[i>>6]>>(uint(i)&63)&1) << uint(k)
		}
	}
	return want
}

// meet marks the values of rows that stay.
func (d *distinct) meet(ids []int32) {
	if d.few != nil {
		meetBits(d, d.few.All(), ids)
	} else {
		meetBits(d, d.many.All(), ids)
	}
}

func meetBits[T uint8 | uint64](d *distinct, pages [][]T, ids []int32) {
	want := d.want[:len(ids)]
	for i, v := range ids {
		at := &pages[v>>state.PageShift][v&state.PageMask]
		if fresh := T(want[i]) &^ *at; fresh != 0 {
			d.set.OwnOne(v) // most values were met before: their pages stay unchanged
			pages[v>>state.PageShift][v&state.PageMask] |= fresh
			d.mark(i, uint64(fresh))
		}
	}
}

// met appends the bits of values.
func (d *distinct) met(out []uint64, ids []int32) []uint64 {
	for _, v := range ids {
		if d.few != nil {
			out = append(out, uint64(d.few.At(v)))
		} else {
			out = append(out, d.many.At(v))
		}
	}
	return out
}

// mark says that row i is the first of its value in the slots of bits.
func (d *distinct) mark(i int, bits uint64) {
	for k := range d.fresh {
		d.fresh[k][i>>6] |= bits >> uint(k) & 1 << (uint(i) & 63)
	}
}

func (d *distinct) add(ids []int32) {
	for k := range d.fresh {
		pages := d.n[k].All()
		for i, v := range ids {
			if d.want[i]>>uint(k)&1 == 0 {
				continue
			}
			at := &pages[v>>state.PageShift][v&state.PageMask]
			if *at++; *at == 1 {
				kernel.SetBit(d.fresh[k], i)
			}
		}
	}
}

// take counts down. What a row brings below zero was never there.
func (d *distinct) take(ids []int32) {
	for k := range d.fresh {
		pages := d.n[k].All()
		for i, v := range ids {
			if d.want[i]>>uint(k)&1 == 0 {
				continue
			}
			at := &pages[v>>state.PageShift][v&state.PageMask]
			if *at--; *at == 0 {
				kernel.SetBit(d.fresh[k], i)
			}
		}
	}
}

// clear forgets the values of groups.
func (d *distinct) clear(groups []int32) {
	d.gone = d.gone[:0]
	for _, g := range groups {
		for v := d.first.At(g); v != 0; v = d.next.At(v - 1) {
			d.gone = append(d.gone, v-1)
		}
	}
	d.set.Remove(d.gone)
	d.set.Compact()
	d.first.Zero(groups)
}
