package op

import (
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// joinExpiry forgets the rows of a side that the watermark has passed. There must be no other way for them to go.
type joinExpiry struct {
	side *joinSide
	*untilQueue
	gone []int32
	own  []vector.Column
	cols []*vector.Column
}

// openExpiry prepares the sides whose rows the spec has bounds for.
func (o *join) openExpiry(c *Context) error {
	for side, list := range o.spec.Until {
		if len(list) == 0 {
			continue
		}
		queue, err := newUntilQueue(list, c.Env)
		if err != nil {
			return err
		}
		x := &joinExpiry{side: o.sides[side], untilQueue: queue}
		x.side.rows.OnRestore(func() { x.restored(c.MaxRows) })
		o.expiry[side] = x
	}
	return nil
}

// restored queues the rows that a snapshot had.
func (x *joinExpiry) restored(maxRows int) {
	own, cols := owned(len(x.side.types))
	for rows := x.side.rows.Groups(nil); len(rows) > 0; {
		n := min(len(rows), maxRows)
		x.side.unpack(rows[:n])
		for _, i := range x.used {
			x.side.column(&own[i], i, rows[:n])
		}
		if err := x.add(rows[:n], cols); err != nil {
			panic(err)
		}
		rows = rows[n:]
	}
}

// behind is the watermark of what is given at one of the inputs.
func (o *join) behind(t types.EventTime) types.EventTime {
	by := types.EventTime(o.spec.Delay.Milliseconds() + deadlineWidth)
	if !o.spec.Once || t == types.MaxTime {
		return t
	}
	return max(t, types.MinTime+by) - by
}

// expire forgets the rows that are over at a watermark. Those that found no partner are given now, where the join
// gives rows once.
func (o *join) expire(t types.EventTime) error {
	o.empty = o.empty[:0]
	some := false
	for side, x := range o.expiry {
		if x == nil {
			continue
		}
		if x.gone = x.due.Due(int64(t), x.gone[:0]); len(x.gone) > 0 {
			if err := o.lone(side, x.gone); err != nil {
				return err
			}
			o.forget(side, x.gone)
			some = true
		}
	}
	if some {
		o.tidy()
	}
	return nil
}

// lone gives those of the rows of a side that found no partner, where they were not given before.
func (o *join) lone(side int, rows []int32) error {
	if s := o.spec; !s.Once || !s.Kind.GivesAlone(side) {
		return nil
	}
	o.sel = o.sel[:0]
	for _, v := range rows {
		if o.sides[side].partners.At(v) == 0 {
			o.sel = append(o.sel, v)
		}
	}
	return o.emit.stored(vector.Insert, side, o.sel)
}

// alive leaves the pairs whose row of a side is not over at the watermark. Rows stay a little longer than that, where only
// late ones can meet them.
func (x *joinExpiry) alive(watermark types.EventTime, at, rows []int32) ([]int32, []int32, error) {
	if x.cols == nil {
		x.own, x.cols = owned(len(x.side.types))
	}
	x.side.unpack(rows)
	for _, i := range x.used {
		x.side.column(&x.own[i], i, rows)
	}
	if err := x.measure(x.cols, len(rows)); err != nil {
		return nil, nil, err
	}
	n := 0
	for k, t := range x.times {
		if t > int64(watermark) {
			at[n], rows[n] = at[k], rows[k]
			n++
		}
	}
	return at[:n], rows[:n], nil
}
