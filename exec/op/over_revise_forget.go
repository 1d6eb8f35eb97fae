package op

import (
	"math"
	"slices"
)

// forget removes what the batch left without rows.
func (o *overRevise) forget() {
	o.ids = o.ids[:0]
	for _, g := range o.dirty {
		if o.root.At(g) == 0 {
			o.ids = append(o.ids, g)
		}
	}
	for _, v := range o.emptied {
		if g := int32(o.input.rows.Word(0, v)); o.root.At(g) == 0 {
			o.ids = append(o.ids, g)
		}
	}
	slices.Sort(o.ids)
	o.ids = slices.Compact(o.ids)
	o.results.rows.Remove(o.gone)
	o.results.rows.Compact()
	o.input.rows.Remove(o.emptied)
	o.input.rows.Compact()
	o.vanish(o.ids)
	o.parts.Compact()
	o.gone, o.emptied = o.gone[:0], o.emptied[:0]
}

// vanish removes partitions without rows.
func (o *overRevise) vanish(groups []int32) {
	if o.runs && len(groups) > 0 {
		o.parts.Own(groups)
		o.frames.clear(groups)
	}
	o.parts.Remove(groups)
}

// drop forgets the rows of partitions, as if they had never been.
func (o *overRevise) drop(groups []int32) {
	for _, g := range groups {
		o.copies = o.walk(g, o.copies[:0], math.MaxInt64)
		o.ids = o.ids[:0]
		for _, c := range o.copies {
			if v := o.of.At(c); o.top.At(v) != 0 {
				o.top.Set(v, 0)
				o.ids = append(o.ids, v)
			}
		}
		o.results.rows.Remove(o.copies)
		o.input.rows.Remove(o.ids)
		o.root.Set(g, 0)
		if o.runs {
			o.size.Set(g, 0)
			o.one[0] = g
			o.parts.OwnOne(g)
			o.frames.clear(o.one[:])
		}
	}
}
