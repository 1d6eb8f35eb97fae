package exec

import (
	"sync"
	"time"

	"streamsql/exec/types"
)

// published are the counters of a task as others may see them. The task copies its own into it now and
// then, so that counting needs no atomics.
type published struct {
	at time.Duration // known to the task alone

	mu    sync.Mutex
	nodes []Counters
	marks []types.EventTime
	idle  time.Duration
}

func (p *published) init(n int) {
	p.nodes, p.marks = make([]Counters, n), make([]types.EventTime, n)
	for i := range p.marks {
		p.marks[i] = types.MinTime
	}
}

func (t *task) publish() {
	p := &t.published
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at, p.idle = t.clock, t.idle.Busy
	for i, n := range t.nodes {
		p.nodes[i], p.marks[i] = n.Counters, n.passed
	}
}

func (p *published) addTo(out []NodeStats, idle *time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*idle += p.idle
	for i, c := range p.nodes {
		o := &out[i]
		o.RowsIn += c.RowsIn
		o.RowsOut += c.RowsOut
		o.Batches += c.Batches
		o.Busy += c.Busy
		o.Watermark = min(o.Watermark, p.marks[i])
	}
}
