package op

import (
	"streamsql/exec/kernel"
	"streamsql/exec/vector"
)

// fold brings the rows of a batch that may take rows back to one item per row: what is added and taken back
// within the batch leaves no trace. Taking back what is not there is counted, and does nothing.
func (o *join) fold(me *joinSide, ids []int32) {
	net := me.net
	o.seen = o.seen[:0]
	for r, v := range ids {
		by := int32(1)
		if o.kinds != nil && !o.kinds[r].Adds() {
			by = -1
		}
		at := net.At(v)
		if at.batch != o.batch {
			at = netCount{batch: o.batch}
			o.seen = append(o.seen, int32(r))
		}
		if me.copies.At(v)+at.n+by < 0 {
			o.unmatched++
			by = 0
		}
		at.n += by
		net.Set(v, at)
	}
	me.rows.Own(ids)
	for _, r := range o.seen {
		v := ids[r]
		alone := o.keyless != nil && kernel.Bit(o.keyless, int(r))
		o.settle(me, item{row: r, id: v, group: o.groups[r], n: net.At(v).n, alone: alone})
	}
}

// settle writes the number of copies that a row has after the batch.
func (o *join) settle(me *joinSide, it item) {
	had := me.copies.At(it.id)
	it.fresh = had == 0
	me.copies.Set(it.id, had+it.n)
	switch {
	case had == 0 && it.n > 0:
		o.ids = append(o.ids[:0], it.id)
		me.link(o.ids)
	case had+it.n == 0:
		o.gone = append(o.gone, it.id)
	}
	if me.partners != nil {
		it.partners = me.partners.At(it.id)
	}
	switch {
	case it.n < 0:
		o.takes = append(o.takes, it)
	case it.n > 0:
		o.adds = append(o.adds, it)
	}
}

// netCount is by how many a row changes in a batch.
type netCount struct {
	batch uint32
	n     int32
}

// change gives the difference that the items of a batch make.
func (o *join) change(b *vector.Batch) error {
	if err := o.takeBack(); err != nil {
		return err
	}
	if err := o.add(); err != nil {
		return err
	}
	if err := o.widow(); err != nil {
		return err
	}
	return o.alone(b)
}

// alone gives the rows of the batch without a key that are not kept, as far as the kind gives rows without a
// partner.
func (o *join) alone(b *vector.Batch) error {
	if !o.keepsAlone() {
		return nil
	}
	return o.emit.rows(vector.Insert, o.side, b.Cols, o.loners)
}

// keepsAlone tells that rows of the side in work without a partner are given.
func (o *join) keepsAlone() bool {
	return o.spec.Kind.GivesAlone(o.side)
}

func kindOf(adds bool) vector.RowKind {
	if adds {
		return vector.Insert
	}
	return vector.Delete
}

// takeBack joins the items that are taken back.
func (o *join) takeBack() error {
	if len(o.takes) == 0 {
		return nil
	}
	me, other := o.sides[o.side], o.sides[1-o.side]
	o.scan = o.scan[:0]
	if o.needsPairs() {
		for i := range o.takes {
			if me.partners == nil || o.takes[i].partners > 0 {
				o.scan = append(o.scan, int32(i))
			}
		}
	}
	err := o.pairs.each(o, o.takes, o.scan, func(at, rows []int32) error {
		if other.partners != nil {
			other.rows.Own(rows)
			for k, v := range rows {
				left := max(other.partners.At(v)+o.takes[at[k]].n, 0)
				if other.partners.Set(v, left); left == 0 {
					other.lost.Set(v, o.batch)
					o.lonely = append(o.lonely, v)
				}
			}
		}
		if o.spec.Kind.Halves() {
			return nil
		}
		return o.emit.pairs(vector.Delete, o, o.takes, at, rows)
	})
	if err != nil {
		return err
	}
	return o.single(o.takes, vector.Delete)
}

// needsPairs tells that items of the side in work must meet the rows of the other: for rows that are pairs, or for
// the number of partners.
func (o *join) needsPairs() bool {
	return !o.spec.Kind.Halves() || o.sides[1-o.side].partners != nil
}

// add joins the items that are added.
func (o *join) add() error {
	if len(o.adds) == 0 {
		return nil
	}
	me, other := o.sides[o.side], o.sides[1-o.side]
	o.scan = o.scan[:0]
	for i := range o.adds {
		if me.partners == nil || o.adds[i].fresh || o.needsPairs() {
			o.scan = append(o.scan, int32(i))
		}
	}
	err := o.pairs.each(o, o.adds, o.scan, func(at, rows []int32) error {
		if me.partners != nil {
			for k, i := range at {
				if it := &o.adds[i]; it.fresh {
					it.partners += other.number(rows[k])
				}
			}
		}
		if other.partners != nil && !o.spec.AtEnd && (!o.spec.Once || o.spec.Kind == SemiJoin) {
			if err := o.console(at, rows); err != nil {
				return err
			}
		} else if other.partners != nil {
			other.rows.Own(rows)
			for _, v := range rows {
				other.partners.Set(v, 1)
			}
		}
		if o.spec.Kind.Halves() {
			return nil
		}
		return o.emit.pairs(vector.Insert, o, o.adds, at, rows)
	})
	if err != nil {
		return err
	}
	if me.partners != nil {
		for i := range o.adds {
			if it := &o.adds[i]; it.fresh && it.id != notKept {
				me.rows.OwnOne(it.id)
				me.partners.Set(it.id, it.partners)
			}
		}
	}
	return o.single(o.adds, vector.Insert)
}

// console counts the partners that rows of the other side get. Those that had none before the batch change.
func (o *join) console(at, rows []int32) error {
	other := o.sides[1-o.side]
	other.rows.Own(rows)
	o.sel = o.sel[:0]
	for k, v := range rows {
		had := other.partners.At(v)
		other.partners.Set(v, had+o.adds[at[k]].n)
		if had == 0 && other.lost.At(v) != o.batch {
			o.sel = append(o.sel, v)
		}
	}
	return o.emit.stored(kindOf(o.spec.Kind == SemiJoin), 1-o.side, o.sel)
}

// widow gives the rows of the other side that lost their last partner in the batch and found none.
func (o *join) widow() error {
	other := o.sides[1-o.side]
	o.sel = o.sel[:0]
	for _, v := range o.lonely {
		if other.partners.At(v) == 0 && other.lost.At(v) == o.batch {
			other.lost.Set(v, 0)
			o.sel = append(o.sel, v)
		}
	}
	return o.emit.stored(kindOf(o.spec.Kind != SemiJoin), 1-o.side, o.sel)
}

// single gives the items of a side that is given without its partners: with none, or with some in a semi join. Where each
// row is given once, those without wait until they are over.
func (o *join) single(items []item, kind vector.RowKind) error {
	want := o.spec.Kind == SemiJoin
	if !o.keepsAlone() && !(want && o.side == 0) {
		return nil
	}
	waits := o.spec.Once && !want
	o.sel = o.sel[:0]
	for i := range items {
		if it := &items[i]; (it.partners > 0) == want && (!waits || it.id == notKept) {
			for range max(it.n, -it.n) {
				o.sel = append(o.sel, it.row)
			}
		}
	}
	return o.emit.rows(kind, o.side, o.cols, o.sel)
}
