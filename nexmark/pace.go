package nexmark

import (
	"sort"
	"time"
)

// pace holds events back until their time has come on the clock, unless speed is free. The clock of a part starts at
// its first event; after a restart it starts anew, at the event it goes on with.
type pace struct {
	free   bool
	starts []start
	timer  *time.Timer
	bell   chan struct{}
}

// start is a moment on the clock and the event time that belongs to it.
type start struct {
	clock time.Time
	event int64
}

func (c *pace) open(free bool, parts int) {
	c.free, c.starts, c.bell = free, make([]start, parts), make(chan struct{}, 1)
}

// due is the number of events of part i, up to n, whose time has come.
func (c *pace) due(i int, p *part, n int64) int64 {
	if c.free || n == 0 {
		return n
	}
	st := &c.starts[i]
	next := p.g.cfg.FirstNumber + p.g.count
	if st.clock.IsZero() {
		*st = start{time.Now(), p.time.base}
		if p.g.count > 0 {
			st.event = p.time.at(next)
		}
	}
	reached := st.event + time.Since(st.clock).Milliseconds()
	return int64(sort.Search(int(n), func(k int) bool { return p.time.at(next+int64(k)) > reached }))
}

// wake returns a channel that is sent to when the first event of any part is due.
func (c *pace) wake(parts []*part) <-chan struct{} {
	var first time.Duration = -1
	for i, p := range parts {
		st := &c.starts[i]
		if p.g.Remaining() == 0 || st.clock.IsZero() {
			continue
		}
		ahead := p.time.at(p.g.cfg.FirstNumber+p.g.count) - st.event
		wait := max(time.Until(st.clock.Add(time.Duration(ahead)*time.Millisecond)), 0)
		if first < 0 || wait < first {
			first = wait
		}
	}
	c.close()
	c.timer = time.AfterFunc(max(first, 0), func() {
		select {
		case c.bell <- struct{}{}:
		default:
		}
	})
	return c.bell
}

func (c *pace) close() {
	if c.timer != nil {
		c.timer.Stop()
	}
}
