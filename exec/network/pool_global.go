package network

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// globalPool owns all segments of a process. It guarantees the minima of the local pools and divides what
// is left among those that may have more, at every creation and destruction.
type globalPool struct {
	segmentSize int
	total       int
	slab        []byte
	unmap       func()

	admin    sync.Mutex // creation, destruction, redistribution
	pools    []*localPool
	promised int // minima of the pools and exclusive segments

	mu      sync.Mutex
	buffers []buffer // one for each segment
	free    []*buffer
	fresh   int // buffers[fresh:] were never used
	out     int // segments outside the global pool
	waiting []*localPool
}

func newGlobalPool(segmentSize, total int) *globalPool {
	stride := (segmentSize + 7) &^ 7
	g := &globalPool{segmentSize: segmentSize, total: total, buffers: make([]buffer, total)}
	g.slab, g.unmap = newSlab(max(stride*total, 1))
	return g
}

// take gives a segment, or nil when there is none. A waiting pool that is not nil is told once when
// segments come back.
func (g *globalPool) take(waiting *localPool) *buffer {
	g.mu.Lock()
	defer g.mu.Unlock()
	var b *buffer
	switch n := len(g.free); {
	case n > 0:
		b, g.free = g.free[n-1], g.free[:n-1]
	case g.fresh < g.total:
		b = &g.buffers[g.fresh]
		stride := (g.segmentSize + 7) &^ 7
		b.mem = g.slab[g.fresh*stride : g.fresh*stride+g.segmentSize : (g.fresh+1)*stride]
		g.fresh++
	default:
		if waiting != nil {
			g.waiting = append(g.waiting, waiting)
		}
		return nil
	}
	g.out++
	return b
}

// give takes segments back and wakes the pools that wait.
func (g *globalPool) give(bs ...*buffer) {
	g.mu.Lock()
	g.free = append(g.free, bs...)
	g.out -= len(bs)
	wake := g.waiting
	g.waiting = nil
	g.mu.Unlock()
	for _, p := range wake {
		p.globalAvailable()
	}
}

// outside is the number of segments that are not in the global pool.
func (g *globalPool) outside() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.out
}

// promise reserves segments, or refuses.
func (g *globalPool) promise(what string, n int) error {
	if g.promised+n > g.total {
		return &ShortageError{What: what, Need: n, Have: g.total - g.promised, Total: g.total, All: g.promised + n,
			SegmentSize: g.segmentSize}
	}
	g.promised += n
	return nil
}

// addPool guarantees p its minimum and the exclusive segments besides, and starts it.
func (g *globalPool) addPool(what string, p *localPool) error {
	g.admin.Lock()
	defer g.admin.Unlock()
	if err := g.promise(what, p.least+p.exclusive); err != nil {
		return err
	}
	p.global, p.size, p.got = g, p.least, make(chan struct{}, 1)
	g.pools = append(g.pools, p)
	g.redistribute()
	return nil
}

// takeExclusive takes promised segments. Pools above their new share may hold them for a moment: they give
// back what they recycle.
func (g *globalPool) takeExclusive(n int, patience time.Duration) ([]*buffer, error) {
	out := make([]*buffer, 0, n)
	deadline := time.Now().Add(patience)
	for len(out) < n {
		b := g.take(nil)
		if b != nil {
			out = append(out, b)
			continue
		}
		if time.Now().After(deadline) {
			g.give(out...)
			return nil, fmt.Errorf("network: taking %d exclusive buffers: after %v others still hold theirs", n, patience)
		}
		time.Sleep(time.Millisecond)
	}
	return out, nil
}

func (g *globalPool) removePool(p *localPool) {
	g.admin.Lock()
	defer g.admin.Unlock()
	i := slices.Index(g.pools, p)
	if i < 0 {
		return
	}
	g.pools = slices.Delete(g.pools, i, i+1)
	g.promised -= p.least + p.exclusive
	g.redistribute()
}

// redistribute divides what is not promised in proportion to what each pool can use, rounding the running
// sum so that nothing stays over.
func (g *globalPool) redistribute() {
	spare := g.total - g.promised
	capacity := 0
	for _, p := range g.pools {
		capacity += min(spare, p.most-p.least)
	}
	if capacity == 0 {
		for _, p := range g.pools {
			p.setSize(p.least)
		}
		return
	}
	share := min(spare, capacity)
	given, parts := 0, 0
	for _, p := range g.pools {
		parts += min(spare, p.most-p.least)
		upTo := int(int64(share) * int64(parts) / int64(capacity))
		p.setSize(p.least + upTo - given)
		given = upTo
	}
}
