package network

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"streamsql/exec/types"
)

// ErrClosed is the error of writing to or reading from what was closed.
var ErrClosed = errors.New("network: closed")

// WriterSpec declares the output of one task.
type WriterSpec struct {
	// Partition names the output; gates find it by this name. It is unique in the job's life.
	Partition   string
	Types       []types.Type
	Channels    int
	Partitioner Partitioner
	// Wake is called, from any goroutine, when the output turned available, was acknowledged or has failed.
	Wake func()
}

// Writer is the output of one task. All methods but Available, Err, Stats and Close are for that task alone.
// They block while no segment is free, and return an error once the writer was closed or a consumer is lost.
type Writer struct {
	env      *Environment
	spec     WriterSpec
	channels []*outChannel
	pool     *localPool
	stop     chan struct{}

	// mu is held by the task within a call and by the timer while it flushes.
	mu        sync.Mutex
	layout    *layout
	sheet     *sheet
	stage     *stage
	to        []int32
	order     []int32
	ends      []int32
	textBytes int // of a row, smoothed
	pending   types.EventTime
	hasMark   bool
	late      []int32
	beside    []*Writer
	written   bool // within this call
	due       atomic.Bool
	scheduled atomic.Bool

	ended, acked atomic.Int32
	closing      sync.Once
	failure      atomic.Pointer[error]
	blocked      atomic.Int64
	rows         atomic.Int64
}

func newWriter(e *Environment, s WriterSpec) (*Writer, error) {
	o := &e.options
	size := o.SizeOutput(s.Channels)
	w := &Writer{env: e, spec: s, stop: make(chan struct{}), layout: newLayout(s.Types), ends: make([]int32, s.Channels+1)}
	w.pool = &localPool{least: size.Min, most: size.Max, perChannel: make([]int, s.Channels), limit: o.channelCap(),
		overdraft: o.Overdraft, wake: w.wake}
	if err := e.pool.addPool("the output "+s.Partition, w.pool); err != nil {
		return nil, err
	}
	w.layout.lends = e.listener == nil
	w.sheet = newSheet(w.layout)
	w.stage = newStage(w.layout, s.Channels, int(o.SegmentSize))
	for i := range s.Channels {
		w.channels = append(w.channels, &outChannel{writer: w, index: i})
	}
	return w, nil
}

// Beside names the other outputs of the task that lead to the same consumers. A buffer that is full lets what these hold
// for its consumer leave as well: rows of an edge that fills slowly do not stay behind those of a fast one, which may
// have to wait for them in a join.
func (w *Writer) Beside(others ...*Writer) { w.beside = others }

// keepStep lets what the writers beside hold for a consumer leave.
func (w *Writer) keepStep(channel int) {
	for _, o := range w.beside {
		if channel < len(o.channels) {
			if c := o.channels[channel]; c.flush() {
				c.notify()
			}
		}
	}
}

func (w *Writer) wake() {
	if w.spec.Wake != nil {
		w.spec.Wake()
	}
}

// Available tells whether the next batch can be written without waiting. A task asks before it takes input.
func (w *Writer) Available() bool { return w.pool.Available() || w.failure.Load() != nil }

// Err is why the writer can't go on, or nil.
func (w *Writer) Err() error {
	if e := w.failure.Load(); e != nil {
		return *e
	}
	return nil
}

// enter and leave stand around every call of the task.
func (w *Writer) enter() error {
	w.mu.Lock()
	if err := w.Err(); err != nil {
		w.mu.Unlock()
		return err
	}
	return nil
}

// leave unlocks; a flush that became due meanwhile is done here, since the timer found the lock taken.
func (w *Writer) leave(err error) error {
	if err == nil && w.written && w.env.options.timeout() == 0 {
		w.written = false
		w.flush()
	}
	for {
		if w.due.Load() && w.due.Swap(false) {
			w.flush()
		}
		w.mu.Unlock()
		if !w.due.Load() || !w.mu.TryLock() {
			return err
		}
	}
}

// timeout is called by the timer.
func (w *Writer) timeout() {
	w.scheduled.Store(false)
	w.due.Store(true)
	if w.mu.TryLock() {
		_ = w.leave(nil)
	}
}

// touched starts the time after which what was written has to leave.
func (w *Writer) touched() {
	w.written = true
	if d := w.env.options.timeout(); d > 0 {
		w.schedule(d)
	}
}

// schedule has the timer flush after d, if it is not about to.
func (w *Writer) schedule(d time.Duration) {
	if !w.scheduled.Load() && !w.scheduled.Swap(true) {
		w.env.timer.schedule(w, d)
	}
}

// flush lets everything written leave, as far as segments are free for it. It does not block. Where what left
// before was not taken yet, staged rows stay for the next time: they could not go now.
func (w *Writer) flush() {
	left := false
	for i, c := range w.channels {
		if w.stage != nil && w.stage.fill[i] > 0 && (c.behind() || w.empty(int32(i), false) != nil) {
			left = true
		}
		if c.flush() {
			c.notify()
		}
	}
	if d := w.env.options.timeout(); left && d >= 0 && w.Err() == nil {
		w.schedule(max(d, time.Millisecond))
	}
}

// Flush lets everything written leave at once.
func (w *Writer) Flush() error {
	if err := w.enter(); err != nil {
		return err
	}
	var err error
	for i := range w.channels {
		if w.stage != nil && w.stage.fill[i] > 0 && err == nil {
			err = w.empty(int32(i), true)
		}
	}
	w.flush()
	return w.leave(err)
}

// segment waits for a segment for a channel. Before it blocks it lets everything written go, which is what
// brings segments back.
func (w *Writer) segment(channel int, block bool) (*buffer, error) {
	if b := w.pool.tryRequest(channel); b != nil {
		return b, nil
	}
	if !block {
		return nil, errNoSegment
	}
	for _, c := range w.channels {
		if c.flush() {
			c.notify()
		}
	}
	start := time.Now()
	b := w.pool.request(channel, w.stop)
	w.blocked.Add(int64(time.Since(start)))
	if b == nil {
		if err := w.Err(); err != nil {
			return nil, err
		}
		return nil, ErrClosed
	}
	return b, nil
}

var errNoSegment = errors.New("network: no segment is free")

// Close gives everything up: consumers that have not taken the end get an error.
func (w *Writer) Close() { w.fail(ErrClosed) }

// fail ends the writer for good. It may be called from anywhere, without locks.
func (w *Writer) fail(err error) {
	w.closing.Do(func() {
		w.failure.Store(&err)
		close(w.stop)
		w.mu.Lock()
		for _, c := range w.channels {
			if r := c.drop(); r != nil {
				r.failed(c, err)
			}
		}
		w.mu.Unlock()
		w.pool.destroy()
		w.env.forget(w)
		w.wake()
	})
}

// attach gives a channel its consumer; before is called first with it.
func (w *Writer) attach(channel int, r outReader, before func(*outChannel)) error {
	if channel < 0 || channel >= len(w.channels) {
		return fmt.Errorf("partition %s has no channel %d", w.spec.Partition, channel)
	}
	c := w.channels[channel]
	before(c)
	wake, ok := c.attach(r)
	if !ok {
		return fmt.Errorf("channel %d of partition %s has a consumer already or has ended", channel, w.spec.Partition)
	}
	if wake {
		r.ready(c)
	}
	return nil
}

// lost is called when a consumer is gone; after the end that is as it should be.
func (w *Writer) lost(c *outChannel, err error) {
	c.mu.Lock()
	ended := c.ended
	c.mu.Unlock()
	if !ended {
		w.fail(fmt.Errorf("network: output %s, channel %d: %w", w.spec.Partition, c.index, err))
	}
}

// consumed is called when a consumer took the end of a channel.
func (w *Writer) consumed(c *outChannel) {
	c.drop()
	if int(w.ended.Add(1)) == len(w.channels) {
		w.pool.destroy()
		w.env.forget(w)
		w.wake()
	}
}

// Consumed tells whether all consumers took the end.
func (w *Writer) Consumed() bool { return int(w.ended.Load()) == len(w.channels) }

// acknowledge is called when a consumer has processed all of a channel's data.
func (w *Writer) acknowledge() {
	if int(w.acked.Add(1)) == len(w.channels) {
		w.wake()
	}
}

// Acknowledged tells whether all consumers have processed everything up to EndOfData.
func (w *Writer) Acknowledged() bool { return int(w.acked.Load()) == len(w.channels) }

// ChannelStats are the counts of one channel.
type ChannelStats struct {
	Queued         int // buffers and events that wait
	Buffers, Bytes int64
}

// WriterStats are the counts of a writer.
type WriterStats struct {
	Rows     int64
	Blocked  time.Duration // hard back-pressure: waiting in the middle of a batch
	Used     int           // segments in use, of Size that the pool may own now
	Size     int
	Channels []ChannelStats
}

// Stats counts what was written; it may be called from any goroutine.
func (w *Writer) Stats() WriterStats {
	s := WriterStats{Rows: w.rows.Load(), Blocked: time.Duration(w.blocked.Load())}
	s.Used, s.Size = w.pool.usage()
	for _, c := range w.channels {
		c.mu.Lock()
		s.Channels = append(s.Channels, ChannelStats{Queued: len(c.queue) - c.head, Buffers: c.buffers, Bytes: c.bytes})
		c.mu.Unlock()
	}
	return s
}
