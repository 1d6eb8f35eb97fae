package network

import (
	"errors"
	"fmt"
	"sync"

	"streamsql/exec/types"
)

// Source is a channel of a writer that a gate reads.
type Source struct {
	Partition string
	Channel   int
	// Address is where the writer's environment listens; empty for this environment.
	Address string
}

// GateSpec declares one input of a task.
type GateSpec struct {
	Name    string
	Types   []types.Type
	Sources []Source
	// MaxRows is the largest batch that is delivered.
	MaxRows int
	// Wake is called, from any goroutine, when there is something to read or the input has failed. Gates of one
	// task may share it.
	Wake func()
	// Aligner is shared by the gates of one task; nil for a task with this gate alone.
	Aligner *Aligner
}

// Gate is an input of one task. All methods but Stats are for that task alone.
type Gate struct {
	env     *Environment
	spec    GateSpec
	layout  *layout
	size    Sizing
	pool    *localPool // floating segments
	aligner *Aligner
	valve   *valve
	// channels are the inputs, in the order of the sources.
	channels []*inChannel

	mu     sync.Mutex
	line   []*inChannel // ready channels; each gives one parcel a turn
	head   int
	err    error
	closed bool
	shelf  []*buffer // exclusive segments that are free

	cursor
}

func newGate(e *Environment, s GateSpec) (*Gate, error) {
	g := &Gate{env: e, spec: s, layout: newLayout(s.Types), aligner: s.Aligner, valve: newValve(len(s.Sources))}
	if g.aligner == nil {
		g.aligner = NewAligner()
	}
	remote := 0
	for i, from := range s.Sources {
		g.channels = append(g.channels, &inChannel{gate: g, index: i, from: from})
		if from.Address != "" {
			remote++
		}
	}
	g.cursor.init(g)
	if remote > 0 {
		if err := g.reserve(remote); err != nil {
			return nil, err
		}
	}
	g.aligner.open += len(s.Sources)
	return g, nil
}

// reserve gives remote channels their exclusive segments, and the gate its floating ones. Local channels lend
// the writer's.
func (g *Gate) reserve(remote int) error {
	size := g.env.options.SizeGate(remote)
	exclusive := remote * size.Exclusive
	g.size = size
	g.pool = &localPool{least: size.Min - exclusive, most: size.Max - exclusive, exclusive: exclusive}
	if err := g.env.pool.addPool("the input "+g.spec.Name, g.pool); err != nil {
		return err
	}
	bs, err := g.env.pool.takeExclusive(exclusive, g.env.options.Timeout)
	if err != nil {
		g.pool.destroy()
		return err
	}
	for _, b := range bs {
		b.reset(nil, -1)
		b.gate = g
	}
	g.shelf = bs
	for _, c := range g.channels {
		if c.from.Address != "" {
			c.credit = allowance{exclusive: size.Exclusive, own: size.Exclusive, required: size.Exclusive, shelf: &g.shelf}
		}
	}
	return nil
}

// enqueue puts a channel in line. It tells whether the task has to be woken.
func (g *Gate) enqueue(c *inChannel) (wake bool) {
	if c.queued || g.closed {
		return false
	}
	c.queued = true
	g.line = append(g.line, c)
	return len(g.line)-g.head == 1
}

func (g *Gate) signal(wake bool) {
	if wake && g.spec.Wake != nil {
		g.spec.Wake()
	}
}

// poll takes one parcel from the next channel in line, which then stands at its end.
func (g *Gate) poll() (c *inChannel, p parcel, err error) {
	g.mu.Lock()
	for {
		if g.err != nil || g.closed {
			err = g.err
			if err == nil {
				err = ErrClosed
			}
			g.mu.Unlock()
			return nil, parcel{}, err
		}
		if g.head == len(g.line) {
			g.mu.Unlock()
			return nil, parcel{}, nil
		}
		c = g.line[g.head]
		g.line[g.head] = nil
		g.head++
		if g.head == len(g.line) {
			g.line, g.head = g.line[:0], 0
		} else if g.head >= 1024 && g.head*2 > len(g.line) {
			g.line, g.head = g.line[:copy(g.line, g.line[g.head:])], 0
		}
		c.queued = false
		if c.local == nil {
			if c.head == len(c.queue) {
				continue
			}
			var more bool
			if p, more = c.pop(); more {
				g.enqueue(c)
			}
			g.mu.Unlock()
			return c, p, nil
		}
		g.mu.Unlock()
		t, ok := c.local.poll(true)
		g.mu.Lock()
		if t.more {
			g.enqueue(c)
		}
		if ok {
			g.mu.Unlock()
			return c, t.parcel, nil
		}
	}
}

// recycle takes back a segment that carried data over a connection.
func (g *Gate) recycle(b *buffer) {
	if b.floats {
		b.reset(g.pool, -1)
		g.pool.recycle(b, -1)
		return
	}
	c := b.owner
	b.form, b.length = regional, 0
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		g.env.pool.give(b)
		return
	}
	surplus, first := c.credit.addOwn(b)
	g.mu.Unlock()
	if surplus != nil {
		surplus.reset(g.pool, -1)
		g.pool.recycle(surplus, -1)
	}
	if first {
		c.link.creditGained(c)
	}
}

// fail ends the input; the task learns it at its next call.
func (g *Gate) fail(c *inChannel, err error) {
	g.mu.Lock()
	if g.err == nil && !g.closed && !c.ended {
		g.err = fmt.Errorf("network: input %s, channel %d (partition %s): %w", g.spec.Name, c.index,
			c.from.Partition, err)
	}
	g.mu.Unlock()
	g.signal(true)
}

var errConsumerGone = errors.New("the consumer is gone")

// Close gives all segments back, those of the lent rows too. Writers whose end was not taken get an error.
func (g *Gate) Close() {
	g.cursor.release()
	g.shut()
}

// shut is Close but for the lent rows, which may be in use: it may be called from anywhere.
func (g *Gate) shut() {
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return
	}
	g.closed = true
	var floating, own []*buffer
	var locals []*outChannel
	for _, c := range g.channels {
		if c.local != nil && !c.ended {
			locals = append(locals, c.local)
		}
		for _, p := range c.queue[c.head:] {
			switch {
			case p.buffer == nil:
			case p.buffer.floats:
				floating = append(floating, p.buffer)
			default:
				own = append(own, p.buffer)
			}
		}
		floating = append(floating, c.credit.floating...)
		c.queue, c.head, c.credit = nil, 0, allowance{}
	}
	own, g.shelf = append(own, g.shelf...), nil
	g.line, g.head = nil, 0
	g.mu.Unlock()
	for _, c := range locals {
		c.writer.lost(c, errConsumerGone)
	}
	for _, c := range g.channels {
		if c.link != nil && !c.ended {
			c.link.cancel(c)
		}
	}
	if g.pool != nil {
		g.env.pool.give(own...)
		for _, b := range floating {
			b.reset(g.pool, -1)
			g.pool.recycle(b, -1)
		}
		g.pool.destroy()
	}
	g.env.forgetGate(g)
}

// GateStats are the counts of a gate.
type GateStats struct {
	Rows, Buffers int64
	Queued        int // buffers and events that came over connections and wait
	Used, Size    int // floating segments
	Channels      []ChannelStats
}

// Stats counts what was read; it may be called from any goroutine.
func (g *Gate) Stats() GateStats {
	s := GateStats{Rows: g.rows.Load(), Buffers: g.buffers.Load()}
	if g.pool != nil {
		s.Used, s.Size = g.pool.usage()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.channels {
		n := len(c.queue) - c.head
		s.Queued += n
		s.Channels = append(s.Channels, ChannelStats{Queued: n, Buffers: c.buffers.Load(), Bytes: c.bytes.Load()})
	}
	return s
}
