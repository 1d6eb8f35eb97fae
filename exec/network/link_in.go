package network

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"runtime"
)

// inLink is the consumer's end of a connection. It reads data into segments of the channel that it is for, and
// sends credit.
type inLink struct {
	link
	env      *Environment
	address  string
	channels []*inChannel // by id, nil where one has ended; guarded by mu
	gained   []*inChannel // have credit to announce; guarded by mu
	swap     []*inChannel
	ready    int // channels of the gate read for last that wait for its task
	ahead    int // bytes read since the task was let go first
	room     [minPayload]byte
}

// When so many channels wait to be read, and so many bytes were read meanwhile, the task may go first: what it
// reads then is still in the cache.
const (
	aheadOf   = 16
	readAhead = 256 << 10
)

// request asks for a channel of a writer.
func (l *inLink) request(c *inChannel) error {
	l.mu.Lock()
	if l.err != nil {
		l.mu.Unlock()
		return l.err
	}
	c.link, c.id = l, uint32(len(l.channels))
	l.channels = append(l.channels, c)
	h := header{kind: requestFrame, channel: c.id, seq: uint32(c.from.Channel), value: uint32(c.credit.exclusive)}
	l.pending = appendFrame(l.pending, h, []byte(c.from.Partition)) // in the order of the ids
	l.mu.Unlock()
	l.nudge()
	return nil
}

// creditGained is called when a channel has credit to announce, with the gate's lock held or not.
func (l *inLink) creditGained(c *inChannel) {
	l.mu.Lock()
	l.gained = append(l.gained, c)
	l.mu.Unlock()
	l.nudge()
}

// cancel ends a channel that the gate gives up.
func (l *inLink) cancel(c *inChannel) {
	l.control(header{kind: cancelFrame, channel: c.id}, nil)
	l.forget(c)
}

func (l *inLink) forget(c *inChannel) {
	l.mu.Lock()
	l.channels[c.id] = nil
	l.mu.Unlock()
}

func (l *inLink) start() {
	l.running.Add(2)
	go func() {
		defer l.running.Done()
		if err := l.write(l.fill); err != nil {
			l.fail(err)
		}
	}()
	go func() {
		defer l.running.Done()
		l.fail(l.read())
	}()
}

// fail ends the connection, and with it the gates that read from it.
func (l *inLink) fail(err error) {
	err = l.describe(err)
	if !l.shut(err) {
		return
	}
	l.env.forgetLink(l)
	l.mu.Lock()
	lost := make([]*inChannel, 0, len(l.channels))
	for _, c := range l.channels {
		if c != nil {
			lost = append(lost, c)
		}
	}
	l.mu.Unlock()
	for _, c := range lost {
		c.gate.fail(c, err)
	}
}

// fill appends what credit there is to announce.
func (l *inLink) fill(buf []byte) []byte {
	l.mu.Lock()
	l.gained, l.swap = l.swap[:0], l.gained
	l.mu.Unlock()
	t := tally{kind: creditFrame}
	for i, c := range l.swap {
		if n := c.announcement(); n > 0 {
			buf = t.add(buf, c.id, n)
		}
		l.swap[i] = nil
	}
	t.end(buf)
	return buf
}

// read takes what the producer sends.
func (l *inLink) read() error {
	r := bufio.NewReaderSize(l, 256<<10)
	segment := l.env.pool.segmentSize
	var scratch [headSize]byte
	for {
		if l.ahead > readAhead && l.ready > aheadOf {
			l.ahead = 0
			runtime.Gosched()
		}
		h, err := readHeader(r, &scratch, segment)
		if err != nil {
			return err
		}
		if err := l.frame(r, h); err != nil {
			return err
		}
	}
}

// frame takes one frame, the head of which was read.
func (l *inLink) frame(r *bufio.Reader, h header) error {
	switch h.kind {
	case pingFrame:
		return nil
	case announceFrame:
		payload, err := l.payload(r, h)
		if err != nil {
			return err
		}
		return parseTally(h, payload, func(id uint32, backlog int) error {
			c, err := l.channel(h.kind, id)
			if c != nil {
				c.announced(backlog)
			}
			return err
		})
	}
	c, err := l.channel(h.kind, h.channel)
	switch {
	case err != nil:
		return err
	case c == nil:
		_, err := r.Discard(int(h.length))
		return err
	case h.kind == dataFrame:
		return l.data(r, c, h)
	}
	return l.take(r, c, h)
}

// channel finds the channel of a frame; it is nil once it has ended.
func (l *inLink) channel(kind frameKind, id uint32) (*inChannel, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if int(id) >= len(l.channels) {
		return nil, unrequested(kind, id)
	}
	return l.channels[id], nil
}

func unrequested(kind frameKind, channel uint32) error {
	return fmt.Errorf("frame %d for channel %d, which was not requested", kind, channel)
}

func (l *inLink) ordered(c *inChannel, h header) error {
	if h.seq != c.next {
		return fmt.Errorf("channel %d: parcel %d came where %d was expected", h.channel, h.seq, c.next)
	}
	c.next++
	return nil
}

// data reads a buffer into a segment of its channel.
func (l *inLink) data(r *bufio.Reader, c *inChannel, h header) error {
	if h.form == regional || h.form > lastPart || int(h.length) > l.env.pool.segmentSize {
		return fmt.Errorf("channel %d: a buffer of form %d and %d bytes", h.channel, h.form, h.length)
	}
	if err := l.ordered(c, h); err != nil {
		return err
	}
	b, closed := c.take()
	if closed {
		_, err := r.Discard(int(h.length))
		return err
	}
	if b == nil {
		return fmt.Errorf("channel %d: data without credit", h.channel)
	}
	if _, err := io.ReadFull(r, b.mem[:h.length]); err != nil {
		b.recycle()
		return err
	}
	b.form, b.length = h.form, int(h.length)
	l.ready, l.ahead = c.arrive(parcel{buffer: b}, int(h.value)), l.ahead+int(h.length)
	return nil
}

// payload reads what is not rows, lent until the next call.
func (l *inLink) payload(r *bufio.Reader, h header) ([]byte, error) {
	if h.length > minPayload {
		return nil, fmt.Errorf("frame %d of %d bytes", h.kind, h.length)
	}
	_, err := io.ReadFull(r, l.room[:h.length])
	return l.room[:h.length], err
}

func (l *inLink) take(r *bufio.Reader, c *inChannel, h header) error {
	payload, err := l.payload(r, h)
	if err != nil {
		return err
	}
	switch h.kind {
	case eventFrame:
		if err := l.ordered(c, h); err != nil {
			return err
		}
		e, err := decodeEvent(payload)
		if err != nil {
			return err
		}
		if e.kind == endOfPartitionEvent {
			l.forget(c)
		}
		c.arrive(parcel{event: e}, 0)
	case errorFrame:
		l.forget(c)
		c.gate.fail(c, errors.New(string(payload)))
	default:
		return fmt.Errorf("unexpected frame %d", h.kind)
	}
	return nil
}
