package op

import (
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// clockJoin is a join by when rows come: each has the time at which it does, and is over by the clock.
type clockJoin struct {
	join
	now     [1]int64
	stamp   vector.Column
	stamped vector.Batch
}

// Process implements Operator.
func (o *clockJoin) Process(input int, b *vector.Batch, out Output) error {
	now := o.clock().UnixMilli()
	o.late.time = max(o.late.time, types.EventTime(now))
	at := o.spec.Stamps[input]
	o.now[0] = now
	vector.SetSlice(&o.stamp, o.spec.Types[input][at], o.now[:])
	o.stamp.Enc, o.stamp.Len = vector.Constant, b.Len
	o.stamped.Len, o.stamped.Kinds = b.Len, b.Kinds
	o.stamped.Cols = append(o.stamped.Cols[:0], b.Cols...)
	o.stamped.Cols[at] = &o.stamp
	return o.join.Process(input, &o.stamped, out)
}

// Advance implements Operator. At the end no row finds a partner any more.
func (o *clockJoin) Advance(t types.EventTime, out Output) (types.EventTime, error) {
	if t != types.MaxTime {
		return t, nil
	}
	return t, o.Tick(t, out)
}

// NextTick implements Clocked.
func (o *clockJoin) NextTick() types.EventTime {
	next := types.MaxTime
	for _, x := range o.expiry {
		if t, ok := x.due.Next(); ok {
			next = min(next, types.EventTime(t))
		}
	}
	return next
}

// Tick implements Clocked.
func (o *clockJoin) Tick(now types.EventTime, out Output) error {
	o.emit.out = out
	if err := o.expire(now); err != nil {
		return err
	}
	return o.store.Err()
}
