package network

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// creditModel is one gate of several channels, and their senders, with wires between them that keep messages as long
// as they like; only the order on each wire is kept.
type creditModel struct {
	r         *rand.Rand
	exclusive int
	pool      int // free floating segments
	channels  []*modelChannel
	listeners []int
	shelf     []*buffer
}

type modelChannel struct {
	spend     spending
	allow     allowance
	queue     []bool // the sender's: true for data, false for an event
	toGate    []modelMessage
	toSender  []int // credit announcements
	arrived   []*buffer
	delivered int // parcels taken by the task
	total     int // parcels put so far
	inFlight  int // data on the wire
}

type modelMessage struct {
	data, announcement bool
	backlog            int
}

func (c *modelChannel) backlog() int {
	n := 0
	for _, data := range c.queue {
		if data {
			n++
		}
	}
	return n
}

// float gives a channel floating segments as far as it wants them, and registers it otherwise.
func (m *creditModel) float(i int) {
	c := m.channels[i]
	for c.allow.wants() && !c.allow.waiting {
		if m.pool == 0 {
			c.allow.waiting = true
			m.listeners = append(m.listeners, i)
			return
		}
		m.pool--
		c.allow.addFloating(&buffer{floats: true})
	}
}

// free takes a floating segment back: the first listener that wants it gets it.
func (m *creditModel) free() {
	for len(m.listeners) > 0 {
		i := m.listeners[0]
		c := m.channels[i]
		m.listeners = m.listeners[1:]
		c.allow.waiting = false
		if c.allow.wants() {
			c.allow.addFloating(&buffer{floats: true})
			m.float(i)
			return
		}
	}
	m.pool++
}

// step does one thing at random; it tells whether anything could be done.
func (m *creditModel) step(produce bool) bool {
	var all []func()
	for i, c := range m.channels {
		if produce {
			all = append(all, func() { c.put(m.r.IntN(5) > 0) })
		}
		if len(c.queue) > 0 && (!c.queue[0] || c.spend.credit > 0) {
			all = append(all, func() { c.send() })
		}
		if len(c.toGate) > 0 {
			all = append(all, func() { m.arrive(i) })
		}
		if c.allow.unannounced > 0 {
			all = append(all, func() { c.toSender = append(c.toSender, c.allow.announce()) })
		}
		if len(c.toSender) > 0 {
			all = append(all, func() { c.spend.grant(c.toSender[0]); c.toSender = c.toSender[1:] })
		}
		if len(c.arrived) > 0 {
			all = append(all, func() { m.consume(c) })
		}
	}
	if len(all) == 0 {
		return false
	}
	all[m.r.IntN(len(all))]()
	return true
}

// put queues a parcel. As a connection does, a sender without credit announces when the queue was empty and when an
// event made way for data.
func (c *modelChannel) put(data bool) {
	c.queue = append(c.queue, data)
	c.total++
	if len(c.queue) == 1 {
		c.wake()
	}
}

func (c *modelChannel) wake() {
	if len(c.queue) > 0 && c.queue[0] && c.spend.announces(c.backlog()) {
		c.toGate = append(c.toGate, modelMessage{announcement: true, backlog: c.backlog()})
	}
}

func (c *modelChannel) send() {
	data := c.queue[0]
	c.queue = c.queue[1:]
	if data {
		c.spend.spend()
		c.inFlight++
	}
	c.toGate = append(c.toGate, modelMessage{data: data, backlog: c.backlog()})
	c.wake()
}

func (m *creditModel) arrive(i int) {
	c := m.channels[i]
	x := c.toGate[0]
	c.toGate = c.toGate[1:]
	switch {
	case x.announcement:
		c.allow.backlog(x.backlog)
		m.float(i)
	case x.data:
		b := c.allow.take()
		if b == nil {
			panic("data came for which there is no segment")
		}
		c.inFlight--
		c.arrived = append(c.arrived, b)
		c.allow.backlog(x.backlog)
		m.float(i)
	default:
		c.delivered++
	}
}

func (m *creditModel) consume(c *modelChannel) {
	b := c.arrived[0]
	c.arrived = c.arrived[1:]
	c.delivered++
	if b.floats {
		m.free()
		return
	}
	if surplus, _ := c.allow.addOwn(b); surplus != nil {
		m.free()
	}
}

// check is the conservation of segments and of credit.
func (m *creditModel) check(floating int) error {
	total, free := m.pool, 0
	for i, c := range m.channels {
		own, floats := c.allow.own, len(c.allow.floating)
		free += own
		for _, b := range c.arrived {
			if b.floats {
				floats++
			} else {
				own++
			}
		}
		total += floats
		if own != m.exclusive {
			return fmt.Errorf("channel %d has %d exclusive segments, want %d", i, own, m.exclusive)
		}
		granted := c.spend.credit + c.inFlight + c.allow.unannounced
		for _, n := range c.toSender {
			granted += n
		}
		if granted != c.allow.available() {
			return fmt.Errorf("channel %d: credit, announcements and data under way make %d, free segments %d", i, granted, c.allow.available())
		}
	}
	if free != len(m.shelf) {
		return fmt.Errorf("%d exclusive segments are free, %d lie on the shelf", free, len(m.shelf))
	}
	if total != floating {
		return fmt.Errorf("%d floating segments, want %d", total, floating)
	}
	return nil
}

// TestCreditModel runs random interleavings: nothing is sent without credit (N2), segments are conserved, and once the
// senders stop everything arrives, with no exclusive segments too.
func TestCreditModel(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 400 {
		m := &creditModel{r: r, exclusive: r.IntN(3)}
		floating := 1 + r.IntN(8)
		m.pool = floating
		for range 1 + r.IntN(5) {
			c := &modelChannel{spend: spending{credit: m.exclusive, bare: m.exclusive == 0}}
			c.allow = allowance{exclusive: m.exclusive, own: m.exclusive, required: m.exclusive, shelf: &m.shelf}
			for range m.exclusive {
				m.shelf = append(m.shelf, &buffer{})
			}
			m.channels = append(m.channels, c)
		}
		for k := range 400 {
			if !m.step(k < 250) {
				break
			}
			if err := m.check(floating); err != nil {
				t.Fatal(err)
			}
		}
		for m.step(false) {
			if err := m.check(floating); err != nil {
				t.Fatal(err)
			}
		}
		for i, c := range m.channels {
			if c.delivered != c.total {
				t.Fatalf("exclusive %d, floating %d: channel %d stands with %d of %d parcels delivered, %d queued, credit %d, required %d, waiting %t",
					m.exclusive, floating, i, c.delivered, c.total, len(c.queue), c.spend.credit, c.allow.required, c.allow.waiting)
			}
		}
	}
}

// tallied is the frames that tell a number for each channel, given as pairs.
func tallied(kind frameKind, pairs ...int) (out []byte) {
	t := tally{kind: kind}
	for i := 0; i < len(pairs); i += 2 {
		out = t.add(out, uint32(pairs[i]), pairs[i+1])
	}
	t.end(out)
	return out
}

// TestTally: numbers of any number of channels arrive as they were given, in frames that a peer takes.
func TestTally(t *testing.T) {
	for _, n := range []int{0, 1, 2, minPayload / tallySize, minPayload/tallySize + 1, 3000} {
		var given, taken []int
		for i := range n {
			given = append(given, i*7, i+1)
		}
		r := bytes.NewReader(tallied(announceFrame, given...))
		for r.Len() > 0 {
			var head [headSize]byte
			h, err := readHeader(r, &head, minPayload)
			if err != nil {
				t.Fatal(err)
			}
			b := make([]byte, h.length)
			if _, err := io.ReadFull(r, b); err != nil {
				t.Fatal(err)
			}
			if err := parseTally(h, b, func(channel uint32, n int) error {
				taken = append(taken, int(channel), n)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if b[0] ^= 1; parseTally(h, b, func(uint32, int) error { return nil }) == nil {
				t.Error("a damaged tally was taken")
			}
		}
		if !slices.Equal(given, taken) {
			t.Errorf("%d channels: %v became %v", n, given, taken)
		}
	}
}
