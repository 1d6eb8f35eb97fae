package network

import (
	"sync"

	"streamsql/exec/invariant"
)

// localPool is the share of a writer, or the floating segments of a gate.
//
// An output is available when a segment lies ready and no channel holds its cap of them: the channel of
// the next row is not known, so one slow consumer stops the whole output before its next batch. Being
// unavailable does not fail a request in the middle of one.
type localPool struct {
	global      *globalPool
	least, most int
	exclusive   int // promised besides, for a gate

	mu           sync.Mutex
	available    []*buffer
	requested    int // segments that this pool owns
	size         int // how many it may own now
	perChannel   []int
	limit        int // cap for each channel
	fullChannels int
	overdraft    int
	waiting      bool // for the global pool
	destroyed    bool
	listeners    []bufferListener
	// got tells the one goroutine that blocks in request; wake tells a task that the output is available.
	got         chan struct{}
	wake        func()
	unavailable bool // the answer given last
}

// bufferListener waits for a segment of an empty pool. offer is called without locks and tells whether
// the segment was taken.
type bufferListener interface{ offer(*buffer) bool }

// tryRequest gives a segment for a channel (-1: none), by overdraft if need be, or nil.
func (p *localPool) tryRequest(channel int) *buffer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pop(channel)
}

func (p *localPool) pop(channel int) *buffer {
	if p.destroyed {
		return nil
	}
	p.prefetch()
	var b *buffer
	if n := len(p.available); n > 0 {
		b, p.available = p.available[n-1], p.available[:n-1]
	} else if p.requested >= p.size && p.requested-p.size < p.overdraft {
		if b = p.global.take(nil); b != nil {
			p.requested++
		}
	}
	if b == nil {
		p.note()
		return nil
	}
	b.reset(p, channel)
	if channel >= 0 {
		p.perChannel[channel]++
		if p.perChannel[channel] == p.limit {
			p.fullChannels++
		}
	}
	p.prefetch()
	p.note()
	return b
}

// prefetch keeps one segment ready so that availability is the truth.
func (p *localPool) prefetch() {
	if len(p.available) > 0 || p.requested >= p.size || p.destroyed {
		return
	}
	var register *localPool
	if !p.waiting {
		register = p
	}
	if b := p.global.take(register); b != nil {
		p.requested++
		p.available = append(p.available, b)
		return
	}
	p.waiting = true
}

func (p *localPool) isAvailable() bool { return len(p.available) > 0 && p.fullChannels == 0 }

// note remembers the answer and tells whether it turned from no to yes.
func (p *localPool) note() bool {
	was := p.unavailable
	p.unavailable = !p.isAvailable()
	if invariant.Enabled {
		full := 0
		for _, n := range p.perChannel {
			if n >= p.limit {
				full++
			}
		}
		invariant.Check(full == p.fullChannels, "%d full channels, counted %d", full, p.fullChannels)
	}
	return was && !p.unavailable
}

// Available tells whether the next batch can be written without waiting.
func (p *localPool) Available() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.prefetch()
	p.note()
	return !p.unavailable
}

// request waits for a segment until stop is closed; then it returns nil.
func (p *localPool) request(channel int, stop <-chan struct{}) *buffer {
	for {
		if b := p.tryRequest(channel); b != nil {
			return b
		}
		select {
		case <-p.got:
		case <-stop:
			return nil
		}
	}
}

// listen hands a segment over at once, or registers l for the next one.
func (p *localPool) listen(l bufferListener) (b *buffer, registered bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if b := p.pop(-1); b != nil || p.destroyed {
		return b, false
	}
	p.listeners = append(p.listeners, l)
	return nil, true
}

// recycle takes a segment back that was requested for a channel.
func (p *localPool) recycle(b *buffer, channel int) {
	p.mu.Lock()
	if channel >= 0 {
		if p.perChannel[channel] == p.limit {
			p.fullChannels--
		}
		p.perChannel[channel]--
	}
	if p.destroyed || p.requested > p.size {
		p.requested--
		woke := p.note()
		p.mu.Unlock()
		p.global.give(b)
		p.signal(woke)
		return
	}
	for len(p.listeners) > 0 {
		l := p.listeners[0]
		p.listeners = p.listeners[1:]
		p.mu.Unlock()
		b.reset(p, -1)
		if l.offer(b) {
			return
		}
		p.mu.Lock()
		if p.destroyed {
			p.requested--
			p.mu.Unlock()
			p.global.give(b)
			return
		}
	}
	p.available = append(p.available, b)
	woke := p.note()
	p.mu.Unlock()
	p.signal(woke)
}

// signal wakes who waits for a segment and, when the output turned available, the task.
func (p *localPool) signal(available bool) {
	select {
	case p.got <- struct{}{}:
	default:
	}
	if available && p.wake != nil {
		p.wake()
	}
}

// globalAvailable is called when segments came back to the global pool, or more of them are allowed. As many
// listeners are served as there are segments.
func (p *localPool) globalAvailable() {
	p.mu.Lock()
	p.waiting = false
	p.prefetch()
	for len(p.listeners) > 0 && len(p.available) > 0 {
		l := p.listeners[0]
		p.listeners = p.listeners[1:]
		b := p.pop(-1)
		p.mu.Unlock()
		if !l.offer(b) {
			p.recycle(b, -1)
		}
		p.mu.Lock()
	}
	woke := p.note()
	p.mu.Unlock()
	p.signal(woke)
}

// setSize changes how many segments the pool may own; surplus that lies here goes back at once.
func (p *localPool) setSize(n int) {
	p.mu.Lock()
	p.size = n
	var back []*buffer
	for p.requested > p.size && len(p.available) > 0 {
		k := len(p.available) - 1
		back = append(back, p.available[k])
		p.available = p.available[:k]
		p.requested--
	}
	p.prefetch()
	woke := p.note()
	listening := len(p.listeners) > 0 && len(p.available) > 0
	p.mu.Unlock()
	if len(back) > 0 {
		p.global.give(back...)
	}
	p.signal(woke)
	if listening {
		p.globalAvailable()
	}
}

// destroy gives back what lies here; segments in use come back when they are recycled.
func (p *localPool) destroy() {
	p.mu.Lock()
	if p.destroyed {
		p.mu.Unlock()
		return
	}
	p.destroyed = true
	back := p.available
	p.available, p.listeners = nil, nil
	p.requested -= len(back)
	p.note()
	p.mu.Unlock()
	p.global.give(back...)
	p.signal(false)
	p.global.removePool(p)
}

// usage is the segments in use and how many the pool may own.
func (p *localPool) usage() (used, size int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requested - len(p.available), p.size
}
