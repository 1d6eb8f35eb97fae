package op

import "streamsql/exec/vector"

// revise takes rows that may be taken back, all of which are remembered. Equal rows of a partition are one, with a
// number of copies. What comes and goes within the batch leaves no trace.
func (o *rank) revise(b *vector.Batch) error {
	table := o.payload.rows
	for _, g := range o.groups {
		o.changed.touch(g)
	}
	ids := table.Lookup(o.payload.load(o.groups, b.Cols, b.Len), b.Len)
	table.Own(ids)
	// from holds the first row of the batch that is equal; the copies before the batch are in had.
	o.made, o.changed.had = o.made[:0], o.changed.had[:0]
	for i, v := range ids {
		if o.from.At(v) == 0 {
			o.from.Set(v, int32(i)+1)
			o.made, o.changed.had = append(o.made, v), append(o.changed.had, o.copies.At(v))
		}
		by := int64(-1)
		if b.Kind(i).Adds() {
			by = 1
		}
		o.copies.Set(v, o.copies.At(v)+by)
	}
	for k, v := range o.made {
		r := o.from.At(v) - 1
		o.from.Set(v, 0)
		g, had, n := o.groups[r], o.changed.had[k], o.copies.At(v)
		if n < 0 {
			o.lost -= n
			n = 0
			o.copies.Set(v, 0)
		}
		switch {
		case had == 0 && n > 0:
			o.scratch = o.set(v, o.code, int(r), o.scratch)
			o.insert(g, v)
		case had > 0 && n == 0:
			o.remove(g, v)
			o.gone = append(o.gone, v)
		case n == 0:
			o.gone = append(o.gone, v)
		}
	}
	return nil
}
