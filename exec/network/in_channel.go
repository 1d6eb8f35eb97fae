package network

import "sync/atomic"

// inChannel is one input of a gate: a channel of a writer, in this process or behind a connection. The gate's
// lock guards it.
type inChannel struct {
	gate  *Gate
	index int
	from  Source

	local  *outChannel // in this process
	link   *inLink     // or else
	id     uint32      // on the connection
	next   uint32      // sequence number
	credit allowance

	queue     []parcel // what came over the connection
	head      int
	queued    bool // among the gate's ready channels
	dataEnded bool
	ended     bool

	parts          assembly
	buffers, bytes atomic.Int64 // read
}

// ready implements outReader.
func (c *inChannel) ready(*outChannel) {
	c.gate.mu.Lock()
	wake := c.gate.enqueue(c)
	c.gate.mu.Unlock()
	c.gate.signal(wake)
}

// failed implements outReader.
func (c *inChannel) failed(_ *outChannel, err error) { c.gate.fail(c, err) }

// resume lets the sender go on after a barrier.
func (c *inChannel) resume() {
	if c.local != nil {
		if c.local.resume() {
			c.ready(c.local)
		}
		return
	}
	if c.link != nil {
		c.link.control(header{kind: resumeFrame, channel: c.id}, nil)
	}
}

// arrive takes a parcel that came over the connection, and the backlog behind it. It returns how many channels
// wait to be read.
func (c *inChannel) arrive(p parcel, backlog int) (ready int) {
	g := c.gate
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		if p.buffer != nil {
			p.buffer.recycle()
		}
		return 0
	}
	c.queue = append(c.queue, p)
	wake := g.enqueue(c)
	if p.buffer != nil {
		c.learn(backlog)
	}
	ready = len(g.line) - g.head
	g.mu.Unlock()
	g.signal(wake)
	return ready
}

// announced learns of the backlog of a sender that has no credit.
func (c *inChannel) announced(backlog int) {
	c.gate.mu.Lock()
	defer c.gate.mu.Unlock()
	if !c.gate.closed {
		c.learn(backlog)
	}
}

// learn asks for floating segments as far as the backlog needs them.
func (c *inChannel) learn(backlog int) {
	c.credit.backlog(backlog)
	c.float()
}

func (c *inChannel) float() {
	for c.credit.wants() && !c.credit.waiting {
		b, registered := c.gate.pool.listen(c)
		if b == nil {
			c.credit.waiting = registered
			return
		}
		c.lend(b)
	}
}

func (c *inChannel) lend(b *buffer) {
	b.gate, b.owner, b.floats = c.gate, c, true
	if c.credit.addFloating(b) {
		c.link.creditGained(c)
	}
}

// offer implements bufferListener.
func (c *inChannel) offer(b *buffer) bool {
	g := c.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	c.credit.waiting = false
	if g.closed || !c.credit.wants() {
		return false
	}
	c.lend(b)
	c.float()
	return true
}

// take gives a segment for data that comes, or nil when the sender exceeds its credit; closed says that nobody
// wants the data.
func (c *inChannel) take() (b *buffer, closed bool) {
	c.gate.mu.Lock()
	defer c.gate.mu.Unlock()
	if c.gate.closed {
		return nil, true
	}
	if b = c.credit.take(); b != nil {
		b.owner = c
	}
	return b, false
}

// pop takes the next parcel that came over the connection.
func (c *inChannel) pop() (p parcel, more bool) {
	p = c.queue[c.head]
	c.queue[c.head] = parcel{}
	c.head++
	if c.head == len(c.queue) {
		c.queue, c.head = c.queue[:0], 0
	}
	return p, c.head < len(c.queue)
}

// announcement is the credit to send.
func (c *inChannel) announcement() int {
	c.gate.mu.Lock()
	defer c.gate.mu.Unlock()
	if c.gate.closed {
		return 0
	}
	return c.credit.announce()
}
