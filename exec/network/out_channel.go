package network

import (
	"sync"

	"streamsql/exec/types"
)

// outChannel is the queue of one channel of a writer: finished buffers and events, and last the open buffer
// that the writer still fills. The writer and one consumer use it.
type outChannel struct {
	writer *Writer
	index  int

	mu      sync.Mutex
	queue   []parcel
	head    int // queue[:head] is gone
	open    *buffer
	flushed bool // the open buffer may leave as it is
	blocked bool // a barrier was taken and the consumer has not gone on
	ended   bool // the end of the partition was taken, or the consumer is gone
	reader  outReader

	buffers, bytes int64 // taken
}

// outReader is who takes from an outChannel: a local gate or a connection. ready is called without locks.
type outReader interface {
	ready(*outChannel)
	// failed tells that the writer is gone for good.
	failed(*outChannel, error)
}

// append copies rows from..from+n of the sheet into the open buffer, or into spare, which it then opens.
// It returns how many rows fitted, -1 when the consumer is gone, and whether spare was used. wake tells that
// the reader has to be called, full that a buffer leaves.
func (c *outChannel) append(l *layout, s *sheet, from, n int, spare *buffer) (rows int, used, wake, full bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return -1, false, false, false
	}
	if c.open == nil {
		if spare == nil {
			return 0, false, false, false
		}
		c.open, used = spare, true
	}
	rows = l.room(c.open, s, from, n)
	if rows > 0 {
		l.fill(c.open, s, from, rows)
	}
	if full = rows < n || c.open.rows == c.open.place.rows; full {
		wake = c.finish()
	}
	return rows, used, wake, full
}

// finish moves the open buffer to the queue. It tells whether the reader has to be called: for the first
// parcel, if it was not called already.
func (c *outChannel) finish() (wake bool) {
	if c.open == nil {
		return false
	}
	wake = c.head == len(c.queue) && !c.flushed
	c.queue = append(c.queue, parcel{buffer: c.open})
	c.open, c.flushed = nil, false
	return wake
}

// put queues a parcel behind the open buffer.
func (c *outChannel) put(p parcel) (wake bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		if p.buffer != nil {
			p.buffer.recycle()
		}
		return false
	}
	wake = c.finish() || c.head == len(c.queue)
	c.queue = append(c.queue, p)
	if p.buffer != nil {
	}
	return wake
}

// markOpen writes a mark into the open buffer, or into spare, which it then opens. done is false when there is
// no buffer with room.
func (c *outChannel) markOpen(l *layout, kind markKind, at types.EventTime, spare *buffer) (done, used, wake bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return true, false, false
	}
	if c.open != nil && !l.marksFit(c.open) {
		wake = c.finish()
	}
	if c.open == nil {
		if spare == nil {
			return false, false, wake
		}
		c.open, used = spare, true
	}
	marks := c.open.marks
	if k := len(marks) - 1; k >= 0 && kind == watermarkMark && marks[k].kind == kind && marks[k].row == c.open.rows {
		marks[k].at = at
		return true, used, wake
	}
	c.open.marks = append(marks, mark{row: c.open.rows, kind: kind, at: at})
	return true, used, wake
}

// flush lets the open buffer leave.
func (c *outChannel) flush() (wake bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil || c.flushed {
		return false
	}
	c.flushed = true
	return c.head == len(c.queue)
}

// behind tells whether the reader has not taken yet what may leave.
func (c *outChannel) behind() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.flushed || c.head < len(c.queue)
}

// taken is what poll gives: a parcel or none, and what stands behind it.
type taken struct {
	parcel
	more    bool // another parcel can be taken
	backlog int
}

// poll takes the next parcel; data only when credit allows.
func (c *outChannel) poll(data bool) (t taken, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.blocked || c.ended:
		return t, false
	case c.head < len(c.queue):
		t.parcel = c.queue[c.head]
		if t.buffer != nil && !data {
			t.backlog = c.backlog()
			return taken{backlog: t.backlog}, false
		}
		c.queue[c.head] = parcel{}
		c.head++
		if c.head == len(c.queue) {
			c.queue, c.head = c.queue[:0], 0
		}
		if t.event != nil {
			c.blocked = t.event.kind == barrierEvent
			c.ended = t.event.kind == endOfPartitionEvent
		}
	case c.open != nil && c.flushed:
		if !data {
			return taken{backlog: c.backlog()}, false
		}
		t.buffer = c.open
		c.open, c.flushed = nil, false
	default:
		return t, false
	}
	if t.buffer != nil {
		c.buffers++
		c.bytes += int64(c.writer.layout.sent(t.buffer))
	}
	t.backlog = c.backlog()
	if !c.blocked && !c.ended {
		t.more = c.head < len(c.queue) || (c.open != nil && c.flushed)
	}
	return t, true
}

// backlog is the data buffers that could be sent now. Those behind a barrier are not counted, nor any of a
// channel that one has stopped: floating buffers of the receiver granted for them would be missing where the
// barrier is still to come.
func (c *outChannel) backlog() int {
	if c.blocked || c.ended {
		return 0
	}
	n := 0
	for _, p := range c.queue[c.head:] {
		if p.buffer != nil {
			n++
		} else if p.event.kind == barrierEvent {
			return n
		}
	}
	if c.open != nil && c.flushed {
		n++
	}
	return n
}

// resume goes on after a barrier.
func (c *outChannel) resume() (wake bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.blocked = false
	return c.head < len(c.queue) || (c.open != nil && c.flushed)
}

// attach sets the reader, and tells whether there is something to read.
func (c *outChannel) attach(r outReader) (wake, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reader != nil || c.ended {
		return false, false
	}
	c.reader = r
	return c.head < len(c.queue) || (c.open != nil && c.flushed), true
}

// drop ends the channel and gives back what it holds. It returns the reader.
func (c *outChannel) drop() outReader {
	c.mu.Lock()
	bs := c.pending()
	c.ended = true
	r := c.reader
	c.reader = nil
	c.mu.Unlock()
	for _, b := range bs {
		b.recycle()
	}
	return r
}

func (c *outChannel) pending() []*buffer {
	var bs []*buffer
	for _, p := range c.queue[c.head:] {
		if p.buffer != nil {
			bs = append(bs, p.buffer)
		}
	}
	if c.open != nil {
		bs = append(bs, c.open)
	}
	c.queue, c.head, c.open, c.flushed = nil, 0, nil, false
	return bs
}

func (c *outChannel) notify() {
	c.mu.Lock()
	r := c.reader
	c.mu.Unlock()
	if r != nil {
		r.ready(c)
	}
}
