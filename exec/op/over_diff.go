package op

import (
	"streamsql/exec/vector"
)

// overDiff makes the changelog of a batch out of the results that were given and those that hold now.
type overDiff struct {
	o       *overRevise
	maxRows int

	// kept are the copies whose results may have changed, and at their places in the order of the frames.
	kept, at       []int32
	old, fresh     []vector.Column // results: of what goes and then what is kept, and of what is kept
	one, differs   []bool
	filled         []int32 // copies to remember the results of, by place
	filledAt       []int32
	filledOf       []int32
	both           []vector.Column // old, then those of the frames
	values, places []int32         // of the rows to give: values, and rows of both
	kinds          []vector.RowKind
	listed         []int32
	own            []vector.Column
	out            vector.Batch
	lent           []*vector.Column
}

func (d *overDiff) open(o *overRevise, maxRows int) {
	n := len(o.spec.Calls)
	d.o, d.maxRows = o, maxRows
	d.old, d.fresh, d.both = make([]vector.Column, n), make([]vector.Column, n), make([]vector.Column, n)
	d.own, d.out.Cols = owned(len(o.spec.Types) + n)
	for i := range o.frames.results {
		d.lent = append(d.lent, &o.frames.results[i])
	}
}

// emit passes the difference on, and remembers it.
func (d *overDiff) emit(out Output) error {
	o, f := d.o, d.o.frames
	d.kept, d.at, d.filled, d.filledAt, d.filledOf = d.kept[:0], d.at[:0], d.filled[:0], d.filledAt[:0], d.filledOf[:0]
	d.values, d.places, d.kinds = d.values[:0], d.places[:0], d.kinds[:0]
	for _, s := range f.stretches {
		for i := s.first; i < s.to; i++ {
			if c := o.copies[i]; o.fresh.At(c) == 0 {
				d.kept, d.at = append(d.kept, c), append(d.at, i)
			}
		}
	}
	d.compare()
	gone := int32(len(o.gone))
	for k, c := range o.gone {
		d.add(o.of.At(c), int32(k), vector.Delete)
	}
	before := gone + int32(len(d.kept))
	for k, c := range d.kept {
		if !d.differs[k] {
			continue
		}
		if !o.spec.NoUpdateBefore {
			d.add(o.of.At(c), gone+int32(k), vector.UpdateBefore)
		}
		d.add(o.of.At(c), before+d.at[k], vector.UpdateAfter)
		d.fill(c, d.at[k])
	}
	for _, s := range f.stretches {
		for i := s.first; i < s.to; i++ {
			if c := o.copies[i]; o.fresh.At(c) != 0 {
				o.fresh.Set(c, 0)
				d.add(o.of.At(c), before+i, vector.Insert)
				d.fill(c, i)
			}
		}
	}
	o.results.rows.Own(d.filled)
	o.results.fill(d.filled, d.filledOf, d.lent, d.filledAt)
	if len(d.values) == 0 {
		return nil
	}
	return d.give(out)
}

// compare finds which of the rows that stay have other results than before.
func (d *overDiff) compare() {
	o, f := d.o, d.o.frames
	d.listed = append(append(d.listed[:0], o.gone...), d.kept...)
	o.results.values(d.old, d.listed)
	d.differs = d.differs[:0]
	for range d.kept {
		d.differs = append(d.differs, false)
	}
	if len(d.kept) == 0 {
		return
	}
	for i := range d.old {
		vector.Slice(&d.both[i], &d.old[i], len(o.gone), len(d.kept))
		vector.Take(&d.fresh[i], &f.results[i], d.at)
		d.one = differing(d.one[:0], len(d.kept), &d.both[i], &d.fresh[i])
		for k, is := range d.one {
			d.differs[k] = d.differs[k] || is
		}
	}
}

func (d *overDiff) add(value, place int32, kind vector.RowKind) {
	d.values, d.places, d.kinds = append(d.values, value), append(d.places, place), append(d.kinds, kind)
}

// fill notes that a copy has the results of a place.
func (d *overDiff) fill(c, at int32) {
	d.filled, d.filledAt, d.filledOf = append(d.filled, c), append(d.filledAt, at), append(d.filledOf, d.o.of.At(c))
}

// give passes the rows on.
func (d *overDiff) give(out Output) error {
	o, f := d.o, d.o.frames
	for i := range d.both {
		t := o.spec.Calls[i].T
		if len(f.order) == 0 {
			d.both[i].Alias(&d.old[i])
			continue
		}
		vector.Concat(&d.both[i], t, []*vector.Column{&d.old[i], &f.results[i]})
	}
	n := len(o.spec.Types)
	for from := 0; from < len(d.values); from += d.maxRows {
		to := min(from+d.maxRows, len(d.values))
		o.input.values(d.own[:n], d.values[from:to])
		for i := range d.both {
			vector.Take(&d.own[n+i], &d.both[i], d.places[from:to])
		}
		d.out.Len, d.out.Kinds = to-from, d.kinds[from:to]
		if !changed(d.out.Kinds) {
			d.out.Kinds = nil
		}
		if err := out.Emit(&d.out); err != nil {
			return err
		}
	}
	return nil
}
