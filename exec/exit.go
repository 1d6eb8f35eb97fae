package exec

import (
	"slices"
	"time"

	"streamsql/exec/graph"
	"streamsql/exec/kernel"
	"streamsql/exec/network"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Of the watermarks that are not due yet one leaves for every maxUnmarked rows that the task has read and sent, over any of
// its edges: at full speed an interval of the clock is minutes of event time, whose rows would stay in state behind the
// edge. Each channel costs as much as some rows: with many it is leastPerChannel for each.
const (
	maxUnmarked     = 16 << 10
	leastPerChannel = 256
)

// exit is the beginning of an edge in a task that feeds it.
type exit struct {
	place     *node
	edge      *graph.Edge
	stage, at int // that the edge leads to, and its position there
	writer    *network.Writer

	// reached is the watermark of the rows written so far, sent the last one that every channel got; due is
	// when another may be sent.
	reached, sent types.EventTime
	interval, due time.Duration
	marked, most  int64 // what the task had moved when one was sent last, and may move until the next
	resting       bool
	rowtime       vector.Column
	late          []int32 // scratch
}

// send writes a batch to the channels of its rows. Where rows stand at or behind a watermark that was not sent
// yet, the channels that get them get it first: a row is as late as it was in the sender.
func (x *exit) send(b *vector.Batch) error {
	t := x.place.task
	caller := t.enter(x.place)
	x.place.RowsOut += int64(b.Len)
	x.place.Batches++
	t.moved += int64(b.Len)
	if x.resting {
		if err := x.wake(); err != nil {
			return err
		}
	}
	if x.reached > x.sent {
		if late := x.behind(b); len(late) > 0 {
			x.writer.Cut(x.reached, late...)
		}
	}
	if err := x.writer.Send(b); err != nil {
		return err
	}
	t.enter(caller)
	return nil
}

// behind lists the rows of b that stand at or behind the watermark, lent until the next call. A row with
// several times may stand there twice.
func (x *exit) behind(b *vector.Batch) []int32 {
	x.late = x.late[:0]
	for _, k := range x.edge.Rowtimes {
		vector.Flatten(&x.rowtime, b.Cols[k])
		if x.rowtime.IsConstNull() {
			continue
		}
		times, valid := vector.Values[int64](&x.rowtime), x.rowtime.Valid
		if valid == nil && slices.Min(times) > int64(x.reached) {
			continue
		}
		for i, v := range times {
			if v <= int64(x.reached) && (valid == nil || kernel.Bit(valid, i)) {
				x.late = append(x.late, int32(i))
			}
		}
	}
	return x.late
}

// advance takes a watermark, and sends it unless the last one was sent a moment ago and few rows have passed since. The
// end always leaves.
func (x *exit) advance(t types.EventTime) error {
	x.reached = t
	task := x.place.task
	if t != types.MaxTime && task.clock < x.due && task.moved-x.marked < x.most {
		task.alarm = min(task.alarm, x.due)
		return nil
	}
	return x.mark()
}

// mark sends the watermark to every channel.
func (x *exit) mark() error {
	t := x.place.task
	caller := t.enter(x.place)
	if x.resting {
		if err := x.wake(); err != nil {
			return err
		}
	}
	if err := x.writer.Watermark(x.reached); err != nil {
		return err
	}
	x.sent, x.due, x.marked = x.reached, t.clock+x.interval, t.moved
	t.enter(caller)
	return nil
}

func (x *exit) rest() error {
	if x.resting {
		return nil
	}
	if x.reached > x.sent {
		if err := x.mark(); err != nil {
			return err
		}
	}
	x.resting = true
	return x.writer.Idle()
}

func (x *exit) wake() error {
	if !x.resting {
		return nil
	}
	x.resting = false
	return x.writer.Active()
}

// end sends what stands behind the last row, the end of data too unless that was sent before.
func (x *exit) end(ofData bool) error {
	x.place.task.enter(x.place)
	if ofData {
		if err := x.writer.EndOfData(true); err != nil {
			return err
		}
	}
	return x.writer.End()
}
