package network

import "streamsql/exec/types"

// valve joins the watermarks and the idleness of channels: its watermark is the minimum over the active
// channels that have caught up with it. Idle channels do not count, and one that turns active counts again once
// it has reached what was passed on. A finished channel has left for good and sets nothing.
type valve struct {
	channels []valveChannel
	heap     []int // aligned channels, least watermark first
	active   int
	finished int
	last     types.EventTime // passed on
	idle     bool
	out      []mark // what is to be passed on
}

type valveChannel struct {
	at             types.EventTime
	place          int // in the heap, -1 for none
	idle, finished bool
}

func newValve(channels int) *valve {
	v := &valve{channels: make([]valveChannel, channels), active: channels, last: types.MinTime, idle: channels == 0}
	for i := range v.channels {
		v.channels[i].at = types.MinTime
		v.channels[i].place = i
		v.heap = append(v.heap, i)
	}
	return v
}

// input takes a mark of a channel.
func (v *valve) input(channel int, m mark) {
	switch m.kind {
	case watermarkMark:
		v.watermark(channel, m.at)
	case idleMark:
		v.rest(channel)
	default:
		v.wakeUp(channel)
	}
}

func (v *valve) watermark(channel int, t types.EventTime) {
	c := &v.channels[channel]
	if c.finished || c.idle || v.idle || t <= c.at {
		return
	}
	c.at = t
	if c.place >= 0 {
		v.down(c.place)
	} else if t >= v.last {
		v.push(channel)
	}
	v.advance()
}

// rest makes a channel idle. When it was the last active one, what the others reached is passed on first,
// whatever the order in which they came to rest.
func (v *valve) rest(channel int) {
	c := &v.channels[channel]
	if c.finished || c.idle {
		return
	}
	c.idle = true
	v.leave(c)
}

// finish lets a channel leave.
func (v *valve) finish(channel int) {
	c := &v.channels[channel]
	if c.finished {
		return
	}
	c.finished = true
	v.finished++
	if !c.idle {
		v.leave(c)
	}
}

func (v *valve) leave(c *valveChannel) {
	v.active--
	v.remove(c)
	switch {
	case v.active > 0:
		v.advance()
	case v.finished < len(v.channels) && !v.idle:
		furthest := v.last
		for i := range v.channels {
			if c := &v.channels[i]; !c.finished {
				furthest = max(furthest, c.at)
			}
		}
		v.pass(furthest)
		v.idle = true
		v.out = append(v.out, mark{kind: idleMark})
	}
}

func (v *valve) wakeUp(channel int) {
	c := &v.channels[channel]
	if c.finished || !c.idle {
		return
	}
	c.idle = false
	v.active++
	if c.at >= v.last {
		v.push(channel)
	}
	if v.idle {
		v.idle = false
		v.out = append(v.out, mark{kind: activeMark})
	}
}

func (v *valve) advance() {
	if len(v.heap) > 0 {
		v.pass(v.channels[v.heap[0]].at)
	}
}

func (v *valve) pass(t types.EventTime) {
	if t > v.last {
		v.last = t
		v.out = append(v.out, mark{kind: watermarkMark, at: t})
	}
}

func (v *valve) less(a, b int) bool { return v.channels[v.heap[a]].at < v.channels[v.heap[b]].at }

func (v *valve) swap(a, b int) {
	v.heap[a], v.heap[b] = v.heap[b], v.heap[a]
	v.channels[v.heap[a]].place, v.channels[v.heap[b]].place = a, b
}

func (v *valve) push(channel int) {
	v.channels[channel].place = len(v.heap)
	v.heap = append(v.heap, channel)
	v.up(len(v.heap) - 1)
}

func (v *valve) remove(c *valveChannel) {
	at, end := c.place, len(v.heap)-1
	if at < 0 {
		return
	}
	v.swap(at, end)
	v.heap = v.heap[:end]
	c.place = -1
	if at < end {
		v.down(at)
		v.up(at)
	}
}

func (v *valve) up(i int) {
	for i > 0 && v.less(i, (i-1)/2) {
		v.swap(i, (i-1)/2)
		i = (i - 1) / 2
	}
}

func (v *valve) down(i int) {
	for {
		least := i
		for k := 2*i + 1; k <= 2*i+2 && k < len(v.heap); k++ {
			if v.less(k, least) {
				least = k
			}
		}
		if least == i {
			return
		}
		v.swap(i, least)
		i = least
	}
}

// ChannelTime is the state of one channel of a gate in a snapshot.
type ChannelTime struct {
	Watermark types.EventTime
	Idle      bool
}

// GateTime is the event time of a gate in a snapshot: what it passed on, and where each channel stands.
type GateTime struct {
	Passed   types.EventTime
	Idle     bool
	Channels []ChannelTime
}

func (v *valve) snapshot() GateTime {
	s := GateTime{Passed: v.last, Idle: v.idle}
	for _, c := range v.channels {
		s.Channels = append(s.Channels, ChannelTime{Watermark: c.at, Idle: c.idle})
	}
	return s
}

// restore goes on from a snapshot. With another number of channels each stands at what was passed on: a row
// late before is late after.
func (v *valve) restore(s GateTime) {
	v.last, v.idle = s.Passed, false
	v.heap, v.active = v.heap[:0], 0
	same := len(s.Channels) == len(v.channels)
	for i := range v.channels {
		c := &v.channels[i]
		c.at, c.idle, c.place = s.Passed, false, -1
		if same {
			c.at, c.idle = s.Channels[i].Watermark, s.Channels[i].Idle
		}
		if c.idle || c.finished {
			continue
		}
		v.active++
		if c.at >= v.last {
			v.push(i)
		}
	}
	if v.active == 0 {
		v.idle = s.Idle || len(v.channels) == 0
	}
}
