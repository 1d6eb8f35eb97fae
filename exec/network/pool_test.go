package network

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func TestSizing(t *testing.T) {
	for _, c := range []struct {
		exclusive, channels int
		output, gate        string
		inFlight            int64
	}{
		{2, 1000, "1001..2008 buffers", "2001..2008 buffers, 2 per channel", (2013 + 2008) * 32768},
		{2, 2, "3..12 buffers", "5..12 buffers, 2 per channel", (17 + 12) * 32768},
		{2, 1, "2..10 buffers", "3..10 buffers, 2 per channel", (15 + 10) * 32768},
		{1, 1000, "1001..1008 buffers", "1001..1008 buffers, 1 per channel", (1013 + 1008) * 32768},
		{0, 1000, "1001..1008 buffers", "1..8 buffers", (1013 + 8) * 32768},
		{0, 1, "2..9 buffers", "1..8 buffers", (14 + 8) * 32768},
	} {
		o := DefaultOptions()
		o.Exclusive = c.exclusive
		if got := o.SizeOutput(c.channels).String(); got != c.output {
			t.Errorf("output of %d channels, exclusive %d: %s, want %s", c.channels, c.exclusive, got, c.output)
		}
		if got := o.SizeGate(c.channels).String(); got != c.gate {
			t.Errorf("gate of %d channels, exclusive %d: %s, want %s", c.channels, c.exclusive, got, c.gate)
		}
		if got := o.InFlight(c.channels); got != c.inFlight {
			t.Errorf("in flight over %d channels, exclusive %d: %d, want %d", c.channels, c.exclusive, got, c.inFlight)
		}
	}
	o := DefaultOptions()
	most := 1000
	o.Required = &most
	if s := o.SizeGate(600); s != (Sizing{Min: 1000, Max: 1208, Exclusive: 1}) {
		t.Errorf("with a requirement of 1000 at most: %+v", s)
	}
}

func newTestPool(t *testing.T, g *globalPool, least, most, channels int) *localPool {
	t.Helper()
	p := &localPool{least: least, most: most, limit: 10, overdraft: 5, perChannel: make([]int, channels)}
	if err := g.addPool("a test", p); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRedistribute(t *testing.T) {
	g := newGlobalPool(256, 100)
	defer g.unmap()
	sizes := func(ps ...*localPool) string {
		var s []string
		for _, p := range ps {
			s = append(s, fmt.Sprint(p.size))
		}
		return strings.Join(s, " ")
	}
	a := newTestPool(t, g, 10, 10, 1)
	b := newTestPool(t, g, 10, 30, 1)
	if got := sizes(a, b); got != "10 30" {
		t.Error(got)
	}
	c := newTestPool(t, g, 20, 1000, 1)
	// 60 are spare: b can use 20, c 60; b gets 60·20/80.
	if got := sizes(a, b, c); got != "10 25 65" {
		t.Error(got)
	}
	err := g.addPool("the output x", &localPool{least: 70, most: 80})
	if want := "network: insufficient number of network buffers: the output x needs 70, but only 60 of 100 buffers of 256 bytes are not " +
		"promised to others; set 'taskmanager.memory.network.max' to at least '28160 b', or lower 'taskmanager.memory.segment-size' " +
		"or 'taskmanager.network.memory.buffers-per-channel'"; err == nil || err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
	b.destroy()
	if got := sizes(a, c); got != "10 90" {
		t.Error(got)
	}
	a.destroy()
	c.destroy()
	if g.outside() != 0 || g.promised != 0 {
		t.Errorf("%d segments outside, %d promised", g.outside(), g.promised)
	}
}

func TestAvailability(t *testing.T) {
	g := newGlobalPool(256, 30)
	defer g.unmap()
	p := newTestPool(t, g, 3, 12, 2)
	woken := 0
	p.wake = func() { woken++ }
	var held []*buffer
	for p.Available() {
		held = append(held, p.tryRequest(0))
	}
	if len(held) != 10 {
		t.Errorf("unavailable after %d buffers of one channel, the cap is 10", len(held))
	}
	for range 2 + 5 { // the rest, then the overdraft
		b := p.tryRequest(1)
		if b == nil {
			t.Fatal("refused in the middle of a batch")
		}
		held = append(held, b)
	}
	if p.tryRequest(1) != nil {
		t.Error("more than the overdraft")
	}
	for range 5 {
		held[len(held)-1].recycle()
		held = held[:len(held)-1]
	}
	if woken != 0 || p.Available() {
		t.Error("available while nothing lies ready")
	}
	held[0].recycle()
	if woken != 1 || !p.Available() {
		t.Errorf("woken %d times, available %t", woken, p.Available())
	}
	p.destroy()
	for _, b := range held[1:] {
		b.recycle()
	}
	if g.outside() != 0 {
		t.Errorf("%d segments outside", g.outside())
	}
}

// taker is a listener that keeps what it gets.
type taker struct{ got []*buffer }

func (l *taker) offer(b *buffer) bool {
	l.got = append(l.got, b)
	return true
}

// TestListeners: all that wait are served when several segments come back at once, also with an empty pool at first
// (FLINK-24035), and when the pool may own more.
func TestListeners(t *testing.T) {
	g := newGlobalPool(256, 10)
	defer g.unmap()
	var other []*buffer
	for range 9 {
		other = append(other, g.take(nil))
	}
	p := newTestPool(t, g, 1, 8, 1)
	first := p.tryRequest(-1)
	if first == nil {
		t.Fatal("no segment")
	}
	takers := make([]taker, 6)
	for i := range takers {
		if b, registered := p.listen(&takers[i]); b != nil || !registered {
			t.Fatal("a segment where there is none")
		}
	}
	g.give(other[:4]...)
	first.recycle()
	g.give(other[4:]...)
	for i := range takers {
		if len(takers[i].got) != 1 {
			t.Fatalf("listener %d got %d segments", i, len(takers[i].got))
		}
		takers[i].got[0].recycle()
	}
	p.destroy()
	if g.outside() != 0 {
		t.Errorf("%d segments outside", g.outside())
	}
}

// TestPoolsConserve runs pools at random, with more and fewer of them, and checks the conservation of segments after
// every step.
func TestPoolsConserve(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	defer func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	}()
	r := rand.New(rand.NewPCG(seed, 0))
	g := newGlobalPool(256, 64)
	defer g.unmap()
	type share struct {
		p    *localPool
		held []*buffer
	}
	var live []*share
	var stray []*buffer // of destroyed pools
	for range 20000 {
		switch k := r.IntN(100); {
		case k == 0 && len(live) < 6:
			least := 1 + r.IntN(8)
			p := &localPool{least: least, most: least + r.IntN(40), limit: 1 + r.IntN(10), overdraft: r.IntN(6), perChannel: make([]int, 3)}
			if g.addPool("a test", p) == nil {
				live = append(live, &share{p: p})
			}
		case k == 1 && len(live) > 0:
			i := r.IntN(len(live))
			live[i].p.destroy()
			stray = append(stray, live[i].held...)
			live = append(live[:i], live[i+1:]...)
		case k < 60 && len(live) > 0:
			s := live[r.IntN(len(live))]
			if b := s.p.tryRequest(r.IntN(3)); b != nil {
				s.held = append(s.held, b)
			}
		case k < 65 && len(stray) > 0:
			stray[0].recycle()
			stray = stray[1:]
		case len(live) > 0:
			if s := live[r.IntN(len(live))]; len(s.held) > 0 {
				i := r.IntN(len(s.held))
				s.held[i].recycle()
				s.held = append(s.held[:i], s.held[i+1:]...)
			}
		}
		count, sizes := len(g.free)+g.total-g.fresh+len(stray), 0
		for _, s := range live {
			count += len(s.held) + len(s.p.available)
			sizes += s.p.size
			if s.p.requested != len(s.held)+len(s.p.available) {
				t.Fatalf("a pool owns %d, counted %d", len(s.held)+len(s.p.available), s.p.requested)
			}
			if s.p.unavailable == s.p.isAvailable() {
				t.Fatal("the flag of availability is not the truth")
			}
		}
		if count != g.total || sizes > g.total {
			t.Fatalf("%d segments, want %d; sizes sum to %d", count, g.total, sizes)
		}
	}
	for _, s := range live {
		s.p.destroy()
		stray = append(stray, s.held...)
	}
	for _, b := range stray {
		b.recycle()
	}
	if g.outside() != 0 {
		t.Errorf("%d segments outside", g.outside())
	}
}

// TestRefusal: a job that does not fit is refused at once.
func TestRefusal(t *testing.T) {
	o := testOptions()
	o.Memory = 100 * o.SegmentSize
	e := environment(t, Setup{Options: o, Listen: "127.0.0.1:0"})
	_, err := e.Writer(WriterSpec{Partition: "p", Types: longType, Channels: 100, Partitioner: Rebalance()})
	if err == nil || !strings.Contains(err.Error(), "the output p needs 101, but only 100 of 100") {
		t.Error(err)
	}
	_, err = e.Gate(GateSpec{Name: "g", Types: longType, Sources: make([]Source, 1), MaxRows: 1})
	if err != nil {
		t.Error("a local gate needs no segments:", err)
	}
	sources := make([]Source, 50)
	for i := range sources {
		sources[i].Address = e.Address()
	}
	_, err = e.Gate(GateSpec{Name: "g", Types: longType, Sources: sources, MaxRows: 1})
	if err == nil || !strings.Contains(err.Error(), "the input g needs 101, but only 100 of 100") {
		t.Error(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}
