package network

import (
	"sync/atomic"

	"streamsql/exec/invariant"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// ElementKind is what a gate delivers.
type ElementKind uint8

// The kinds. None says that there is nothing to read now.
const (
	None ElementKind = iota
	Rows
	Watermark
	Idle
	Active
	Barrier
	EndOfData
	End
)

// String is the kind's name.
func (k ElementKind) String() string {
	return [...]string{"none", "rows", "watermark", "idle", "active", "barrier", "end of data", "end"}[k]
}

// Element is what a gate delivers: rows, lent until the next call, or what stands between them.
type Element struct {
	Kind      ElementKind
	Batch     *vector.Batch
	Channel   int // that Rows came from
	Watermark types.EventTime
	Barrier   uint64
	Since     int64 // when the barrier's checkpoint began, in milliseconds
	Drained   bool  // of EndOfData: all input was read
}

// cursor is where a gate's task stands: the buffer that is lent, and the position in it.
type cursor struct {
	gate     *Gate
	reader   *reader
	channel  *inChannel
	lent     *buffer // nil for a row that came in parts
	at       int     // row
	nextMark int
	part     vector.Batch
	passing  int // marks of the valve that were delivered

	ended, dataEnded int // channels
	undrained        bool
	done             bool
	rows, buffers    atomic.Int64
}

func (k *cursor) init(g *Gate) {
	k.gate, k.reader = g, newReader(g.layout)
	for range g.layout.types {
		k.part.Cols = append(k.part.Cols, &vector.Column{})
	}
}

// Next delivers the next element without waiting. Its error ends the input.
func (g *Gate) Next() (Element, error) {
	k := &g.cursor
	for {
		if e, ok := k.pass(); ok {
			return e, nil
		}
		if k.channel != nil {
			if e, ok := k.advance(); ok {
				return e, nil
			}
			continue
		}
		if k.done {
			return Element{Kind: End}, nil
		}
		c, p, err := g.poll()
		switch {
		case err != nil:
			return Element{}, err
		case p.event != nil:
			if e, ok := k.event(c, p.event); ok {
				return e, nil
			}
		case p.buffer != nil:
			if err := k.open(c, p.buffer); err != nil {
				g.fail(c, err)
			}
		default:
			return Element{}, nil
		}
	}
}

// pass delivers what the valve lets through.
func (k *cursor) pass() (Element, bool) {
	v := k.gate.valve
	if k.passing == len(v.out) {
		return Element{}, false
	}
	if k.channel != nil && k.at < k.due() {
		return Element{}, false // rows stand before it
	}
	m := v.out[k.passing]
	if k.passing++; k.passing == len(v.out) {
		v.out, k.passing = v.out[:0], 0
	}
	switch m.kind {
	case idleMark:
		return Element{Kind: Idle}, true
	case activeMark:
		return Element{Kind: Active}, true
	}
	return Element{Kind: Watermark, Watermark: m.at}, true
}

// due is the row before which the mark stands that the valve took last.
func (k *cursor) due() int {
	if k.nextMark == 0 {
		return 0
	}
	return k.reader.marks[k.nextMark-1].row
}

// open begins with a buffer; parts are collected until their row is whole.
func (k *cursor) open(c *inChannel, b *buffer) error {
	k.buffers.Add(1)
	c.buffers.Add(1)
	c.bytes.Add(int64(k.gate.layout.sent(b)))
	var err error
	switch b.form {
	case regional:
		k.reader.show(b)
	case compact:
		err = k.reader.showWire(b.mem[:b.length])
	default:
		whole, partErr := c.parts.add(b.mem[:b.length], b.form == lastPart)
		b.recycle()
		if partErr != nil || !whole {
			return partErr
		}
		b, err = nil, k.reader.showWire(c.parts.take())
	}
	if err != nil {
		if b != nil {
			b.recycle()
		}
		return err
	}
	k.channel, k.lent, k.at, k.nextMark = c, b, 0, 0
	return nil
}

// advance delivers the next rows of the buffer: up to a mark that changes what the gate passes on, which marks
// seldom do. Without rows left it gives the buffer back.
func (k *cursor) advance() (Element, bool) {
	r, v := k.reader, k.gate.valve
	to := r.batch.Len
	if len(v.out) > 0 {
		to = k.due()
	}
	for len(v.out) == 0 && k.nextMark < len(r.marks) {
		m := r.marks[k.nextMark]
		k.nextMark++
		if v.input(k.channel.index, m); len(v.out) > 0 {
			to = m.row
		}
	}
	to = min(to, k.at+k.gate.spec.MaxRows)
	if to == k.at {
		if len(v.out) == 0 {
			k.release()
		}
		return Element{}, false
	}
	b := k.slice(k.at, to)
	k.at = to
	k.rows.Add(int64(b.Len))
	return Element{Kind: Rows, Batch: b, Channel: k.channel.index}, true
}

func (k *cursor) slice(from, to int) *vector.Batch {
	all := &k.reader.batch
	if from == 0 && to == all.Len {
		return all
	}
	k.part.Len, k.part.Kinds = to-from, nil
	if all.Kinds != nil {
		k.part.Kinds = all.Kinds[from:to]
	}
	for i, c := range all.Cols {
		vector.Slice(k.part.Cols[i], c, from, to-from)
	}
	return &k.part
}

// release gives the lent buffer back.
func (k *cursor) release() {
	if b := k.lent; b != nil {
		k.lent = nil
		if invariant.Enabled { // a batch that was kept shows (V6)
			for i := range b.mem {
				b.mem[i] = 0xa5
			}
		}
		b.recycle()
	}
	k.channel = nil
}

// event takes what stands between buffers.
func (k *cursor) event(c *inChannel, e *event) (Element, bool) {
	a := k.gate.aligner
	switch e.kind {
	case barrierEvent:
		if a.barrier(c, e) {
			return Element{Kind: Barrier, Barrier: e.barrier, Since: e.since}, true
		}
	case endOfDataEvent:
		return k.endData(c, e.drained)
	case endOfPartitionEvent:
		return k.end(c)
	}
	return Element{}, false
}

func (k *cursor) endData(c *inChannel, drained bool) (Element, bool) {
	if c.dataEnded {
		return Element{}, false
	}
	c.dataEnded = true
	k.dataEnded++
	k.undrained = k.undrained || !drained
	if k.dataEnded < len(k.gate.channels) {
		return Element{}, false
	}
	return Element{Kind: EndOfData, Drained: !k.undrained}, true
}

// end takes the end of a channel, which may complete an alignment, and of the input when it is the last one.
func (k *cursor) end(c *inChannel) (Element, bool) {
	g := k.gate
	if c.ended {
		return Element{}, false
	}
	g.mu.Lock()
	c.ended = true
	g.mu.Unlock()
	k.ended++
	k.done = k.ended == len(g.channels)
	g.valve.finish(c.index)
	if c.local != nil {
		c.local.writer.consumed(c.local)
	}
	complete := g.aligner.ended()
	if complete {
		return Element{Kind: Barrier, Barrier: g.aligner.pending, Since: g.aligner.since}, true
	}
	if k.done {
		if len(g.valve.out) > 0 {
			return Element{}, false
		}
		return Element{Kind: End}, true
	}
	return Element{}, false
}

// Acknowledge tells the writers that everything up to EndOfData was processed.
func (g *Gate) Acknowledge() {
	for _, c := range g.channels {
		switch {
		case c.local != nil:
			c.local.writer.acknowledge()
		case c.link != nil:
			c.link.control(header{kind: ackFrame, channel: c.id}, nil)
		}
	}
}

// Release gives the lent rows back before the next call; a task that parks calls it.
func (g *Gate) Release() {
	k := &g.cursor
	read := k.channel != nil && k.at == k.reader.batch.Len && k.nextMark == len(k.reader.marks)
	if read && len(g.valve.out) == 0 {
		k.release()
	}
}

// Time is the event time of the gate, for a snapshot.
func (g *Gate) Time() GateTime { return g.valve.snapshot() }

// Restore goes on from a snapshot, before the first Next.
func (g *Gate) Restore(t GateTime) { g.valve.restore(t) }
