package op

import (
	"math"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// rankExpiry forgets partitions to which no row comes any more.
type rankExpiry struct {
	*untilQueue
	begun, rows []int32 // partitions that began in the batch, and the rows of it that they began with
	own         []vector.Column
	cols        []*vector.Column
}

// openExpiry prepares the end of partitions.
func (o *rank) openExpiry(c *Context) error {
	if len(o.spec.Until) == 0 {
		return nil
	}
	queue, err := newUntilQueue(o.spec.Until, c.Env)
	if err != nil {
		return err
	}
	x := &rankExpiry{untilQueue: queue}
	x.own, x.cols = owned(len(o.spec.Types))
	o.expiry = x
	return nil
}

// begin notes that a partition begins with a row of the batch.
func (x *rankExpiry) begin(g, row int32) { x.begun, x.rows = append(x.begun, g), append(x.rows, row) }

// queue queues the partitions that began in a batch.
func (x *rankExpiry) queue(b *vector.Batch) error {
	if len(x.begun) == 0 {
		return nil
	}
	for _, i := range x.used {
		vector.Take(&x.own[i], b.Cols[i], x.rows)
	}
	err := x.add(x.begun, x.cols)
	x.begun, x.rows = x.begun[:0], x.rows[:0]
	return err
}

// requeue queues the partitions that a snapshot had, by one row of each.
func (o *rank) requeue(maxRows int) {
	x := o.expiry
	for parts := o.parts.Groups(nil); len(parts) > 0; {
		n := min(len(parts), maxRows)
		x.rows = x.rows[:0]
		for _, g := range parts[:n] {
			x.rows = append(x.rows, o.worst(g))
		}
		o.payload.values(x.own, x.rows)
		if err := x.add(parts[:n], x.cols); err != nil {
			panic(err)
		}
		parts = parts[n:]
	}
	x.rows = x.rows[:0]
}

// expire forgets the partitions that are over at a watermark.
func (o *rank) expire(t types.EventTime) {
	due := o.expiry.due.Due(int64(t), o.dead[:0])
	o.dead = due
	if len(due) == 0 {
		return
	}
	o.dropped = o.dropped[:0]
	for _, g := range due {
		o.dropped = o.walk(g, o.dropped, math.MaxInt64)
	}
	o.payload.rows.Remove(o.dropped)
	o.parts.Remove(due)
	o.parts.Compact()
	o.payload.rows.Compact()
}
