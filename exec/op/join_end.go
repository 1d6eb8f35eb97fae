package op

import "streamsql/exec/vector"

// finish gives the rows of inputs that have ended: those of the left input with their partners, then those of
// the right one that have none.
func (o *join) finish() error {
	left, right := o.sides[0], o.sides[1]
	o.side, o.loners = 0, nil
	own, cols := owned(len(left.types))
	ids := left.rows.Groups(nil)
	for len(ids) > 0 {
		n := min(len(ids), o.emit.maxRows)
		o.batch++
		left.unpack(ids[:n])
		o.adds = o.adds[:0]
		for i := range own {
			left.column(&own[i], i, ids[:n])
		}
		for k, v := range ids[:n] {
			o.adds = append(o.adds, item{row: int32(k), id: v, group: int32(left.rows.Word(0, v)), n: 1, fresh: true})
		}
		o.cols = cols
		if err := o.add(); err != nil {
			return err
		}
		ids = ids[n:]
	}
	if !o.spec.Kind.Keeps(1) {
		return nil
	}
	o.sel = o.sel[:0]
	for _, v := range right.rows.Groups(nil) {
		if right.partners.At(v) == 0 {
			o.sel = append(o.sel, v)
		}
	}
	return o.emit.stored(vector.Insert, 1, o.sel)
}
