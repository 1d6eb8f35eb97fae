package network

import (
	"bufio"
	"fmt"
	"io"
)

// outLink is the producer's end of a connection. It sends what its channels have and their credit allows, one
// buffer from each in turn.
type outLink struct {
	link
	env   *Environment
	flows []*outFlow // by the channel's id; of the reading goroutine

	line  []*outFlow // flows that may have something; guarded by mu
	head  int
	place placing
}

// outFlow is a channel on a connection.
type outFlow struct {
	link    *outLink
	id      uint32
	ch      *outChannel // once the writer is there; set under the link's lock
	seq     uint32
	spend   spending
	queued  bool
	waiting *waiter // for the writer
}

// ready implements outReader.
func (f *outFlow) ready(*outChannel) {
	l := f.link
	l.mu.Lock()
	l.enqueue(f)
	l.mu.Unlock()
	l.nudge()
}

// failed implements outReader.
func (f *outFlow) failed(_ *outChannel, err error) { f.link.refuse(f.id, err) }

func (l *outLink) refuse(id uint32, err error) {
	text := err.Error()
	l.control(header{kind: errorFrame, channel: id}, []byte(text[:min(len(text), minPayload)]))
}

func (l *outLink) enqueue(f *outFlow) {
	if !f.queued {
		f.queued = true
		l.line = append(l.line, f)
	}
}

// next takes the flow whose turn it is.
func (l *outLink) next() *outFlow {
	if l.head == len(l.line) {
		return nil
	}
	f := l.line[l.head]
	l.line[l.head] = nil
	l.head++
	if l.head == len(l.line) {
		l.line, l.head = l.line[:0], 0
	} else if l.head >= 1024 && l.head*2 > len(l.line) {
		l.line, l.head = l.line[:copy(l.line, l.line[l.head:])], 0
	}
	f.queued = false
	return f
}

// run serves the connection until it ends.
func (l *outLink) run() {
	l.running.Add(1)
	go func() {
		defer l.running.Done()
		if err := l.write(l.fill); err != nil {
			l.fail(err)
		}
	}()
	l.fail(l.read())
	l.running.Wait()
	for _, f := range l.flows {
		l.env.giveUp(f.waiting)
		if c := f.channel(); c != nil {
			c.writer.lost(c, l.err)
		}
	}
}

func (l *outLink) fail(err error) { l.shut(l.describe(err)) }

// fill appends data and events until the write is large enough.
func (l *outLink) fill(buf []byte) []byte {
	t := tally{kind: announceFrame}
	for len(buf) < gatherSize {
		l.mu.Lock()
		f := l.next()
		if f == nil {
			l.mu.Unlock()
			break
		}
		credit := f.spend.credit
		l.mu.Unlock()
		p, ok := f.ch.poll(credit > 0)
		if !ok {
			l.mu.Lock()
			if f.spend.announces(p.backlog) {
				buf = t.add(buf, f.id, p.backlog)
			} else if p.backlog > 0 && f.spend.credit > 0 {
				l.enqueue(f) // credit came meanwhile
			}
			l.mu.Unlock()
			continue
		}
		if p.buffer != nil || p.more {
			l.mu.Lock()
			if p.buffer != nil {
				f.spend.spend()
			}
			if p.more {
				l.enqueue(f)
			}
			l.mu.Unlock()
		}
		t.end(buf)
		buf = l.encode(buf, f, p)
	}
	t.end(buf)
	return buf
}

// encode appends a parcel and gives its segment back.
func (l *outLink) encode(buf []byte, f *outFlow, t taken) []byte {
	h := header{channel: f.id, seq: f.seq, value: uint32(t.backlog)}
	f.seq++
	if t.event != nil {
		h.kind = eventFrame
		buf = appendFrame(buf, h, t.event.encode())
		if t.event.kind == endOfPartitionEvent {
			f.ch.writer.consumed(f.ch)
		}
		return buf
	}
	b := t.buffer
	h.kind, h.form = dataFrame, b.form
	at := len(buf)
	var room [headSize]byte
	buf = append(buf, room[:]...)
	if b.form == regional {
		h.form = compact
		buf = f.ch.writer.layout.appendWire(buf, b, &l.place)
	} else {
		buf = append(buf, b.mem[:b.length]...)
	}
	h.length = uint32(len(buf) - at - headSize)
	h.put(buf[at:])
	b.recycle()
	return buf
}

// read takes what the consumer sends.
func (l *outLink) read() error {
	r := bufio.NewReaderSize(l, 16<<10)
	var scratch [headSize]byte
	var room [minPayload]byte
	for {
		h, err := readHeader(r, &scratch, minPayload)
		if err != nil {
			return err
		}
		payload := room[:h.length]
		if _, err := io.ReadFull(r, payload); err != nil {
			return err
		}
		switch h.kind {
		case pingFrame:
		case requestFrame:
			err = l.request(h, string(payload))
		case creditFrame:
			err = l.granted(h, payload)
		default:
			var f *outFlow
			if f, err = l.flow(h.kind, h.channel); err == nil {
				err = l.take(f, h)
			}
		}
		if err != nil {
			return err
		}
	}
}

func (l *outLink) flow(kind frameKind, channel uint32) (*outFlow, error) {
	if int(channel) >= len(l.flows) {
		return nil, unrequested(kind, channel)
	}
	return l.flows[channel], nil
}

// granted takes what the consumer's channels gained.
func (l *outLink) granted(h header, payload []byte) error {
	l.mu.Lock()
	err := parseTally(h, payload, func(channel uint32, n int) error {
		f, err := l.flow(h.kind, channel)
		if err != nil {
			return err
		}
		if f.spend.grant(n); f.ch != nil {
			l.enqueue(f)
		}
		return nil
	})
	l.mu.Unlock()
	l.nudge()
	return err
}

func (f *outFlow) channel() *outChannel {
	f.link.mu.Lock()
	defer f.link.mu.Unlock()
	return f.ch
}

func (l *outLink) take(f *outFlow, h header) error {
	c := f.channel()
	switch h.kind {
	case resumeFrame:
		if c != nil && c.resume() {
			f.ready(c)
		}
	case ackFrame:
		if c != nil {
			c.writer.acknowledge()
		}
	case cancelFrame:
		l.env.giveUp(f.waiting)
		if c != nil {
			c.writer.lost(c, errConsumerGone)
		}
	default:
		return fmt.Errorf("unexpected frame %d", h.kind)
	}
	return nil
}

// request attaches a channel as soon as its writer is there.
func (l *outLink) request(h header, partition string) error {
	if int(h.channel) != len(l.flows) {
		return fmt.Errorf("channel %d was requested where %d was expected", h.channel, len(l.flows))
	}
	f := &outFlow{link: l, id: h.channel, spend: spending{credit: int(h.value), bare: h.value == 0}}
	l.flows = append(l.flows, f)
	f.waiting = l.env.await(partition, func(w *Writer, err error) {
		if err == nil {
			err = w.attach(int(h.seq), f, func(c *outChannel) {
				l.mu.Lock()
				f.ch = c
				l.mu.Unlock()
			})
		}
		if err != nil {
			l.refuse(h.channel, err)
		}
	})
	return nil
}
