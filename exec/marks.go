package exec

import (
	"fmt"
	"strings"

	"streamsql/exec/checkpoint"
	"streamsql/exec/network"
	"streamsql/exec/types"
)

// Event time is part of a checkpoint (W4 of the design): what every node has seen and passed on, and what
// stands on the edges. After a restore a row is late that was late before. All of it goes by nodes, since edges
// come and go with the parallelism.

const (
	outMark  = "out"     // what a node passed on
	atMark   = "at"      // what its inputs have reached together
	inMark   = "in %d"   // what one of them has
	restMark = "source"  // whether a source rests
	exitMark = "exit %d" // whether an edge out of the node does
	edgeMark = "edge %d" // what the gate before an input passed on
)

func channelMark(input, channel int) string {
	return fmt.Sprintf(edgeMark+" channel %d", input, channel)
}

// marks lists the event time of a task.
func (t *task) marks(out []checkpoint.Mark) []checkpoint.Mark {
	add := func(n *node, name string, at types.EventTime, idle bool) {
		out = append(out, checkpoint.Mark{Place: n.place(), Name: name, Time: int64(at), Idle: idle})
	}
	for _, n := range t.nodes {
		add(n, outMark, n.passed, false)
		if len(n.times.inputs) > 0 {
			add(n, atMark, n.times.at, n.times.idle)
		}
		for i, in := range n.times.inputs {
			add(n, fmt.Sprintf(inMark, i), in.at, in.idle)
		}
		for i, x := range n.exits {
			add(n, fmt.Sprintf(exitMark, i), x.reached, x.resting)
		}
	}
	for _, e := range t.entries {
		switch f := e.feed.(type) {
		case *source:
			add(f.node, restMark, 0, f.resting)
		case *inlet:
			g, n := f.gate.Time(), f.to.node
			add(n, fmt.Sprintf(edgeMark, f.to.input), g.Passed, g.Idle)
			for k, c := range g.Channels {
				add(n, channelMark(f.to.input, k), c.Watermark, c.Idle)
			}
		}
	}
	return out
}

// restoreMarks sets the event time of a task that was opened.
func (t *task) restoreMarks(m *checkpoint.Metadata) {
	own := map[*node]map[string]checkpoint.Mark{}
	for _, n := range t.nodes {
		own[n] = map[string]checkpoint.Mark{}
		for _, k := range m.MarksOf(t.stage, n.index, t.subtask, t.parallelism) {
			own[n][k.Name] = k
			n.restore(k)
		}
		for i := range n.times.inputs {
			in := &n.times.inputs[i]
			in.behind = !in.idle && in.at < n.times.at
		}
		for i, x := range n.exits {
			x.restore(n.passed, own[n][fmt.Sprintf(exitMark, i)].Idle)
		}
	}
	for _, e := range t.entries {
		switch f := e.feed.(type) {
		case *source:
			f.resting = own[f.node][restMark].Idle
		case *inlet:
			f.restore(own[f.to.node])
		}
	}
}

// sunk is the event time at a sink as of a checkpoint: the least over its subtasks, of which idle ones only count where
// all are.
func sunk(m *checkpoint.Metadata, stage, node int) types.EventTime {
	at := [2]types.EventTime{types.MaxTime, types.MaxTime} // of those that are not idle, of those that are
	var some [2]bool
	for _, k := range m.Marks {
		if k.Stage != stage || k.Node != node || k.Name != atMark {
			continue
		}
		i := 0
		if k.Idle {
			i = 1
		}
		at[i], some[i] = min(at[i], types.EventTime(k.Time)), true
	}
	switch {
	case some[0]:
		return at[0]
	case some[1]:
		return at[1]
	}
	return types.MinTime
}

// resumeSinks tells writers the event time that they had before a restore: it may not move any more.
func (t *task) resumeSinks() error {
	for _, s := range t.writers {
		if at := s.node.times.at; at > types.MinTime {
			t.enter(s.node)
			if err := s.writer.Advance(at); err != nil {
				return err
			}
		}
	}
	t.enter(t.idle)
	return nil
}

func (n *node) restore(k checkpoint.Mark) {
	at := types.EventTime(k.Time)
	var input int
	switch {
	case k.Name == outMark:
		n.passed = at
	case k.Name == atMark:
		n.times.at, n.times.idle = at, k.Idle
	case strings.HasPrefix(k.Name, "in "):
		if _, err := fmt.Sscanf(k.Name, inMark, &input); err == nil && input < len(n.times.inputs) {
			n.times.inputs[input] = inputTime{at: at, idle: k.Idle}
		}
	}
}

// restore lets an edge go on from what its node passed on. The other end may not know of it, where there was no
// such edge or not as many channels, and is told once more.
func (x *exit) restore(passed types.EventTime, resting bool) {
	x.reached, x.resting = passed, resting
	if !resting && x.reached > x.sent {
		x.place.task.alarm = 0
	}
}

// restore sets the event time of a gate; with another number of channels they start at what it passed on. Where
// there was no gate before the input it goes on from the input's.
func (g *inlet) restore(own map[string]checkpoint.Mark) {
	k, ok := own[fmt.Sprintf(edgeMark, g.to.input)]
	if !ok {
		if k, ok = own[fmt.Sprintf(inMark, g.to.input)]; !ok {
			return
		}
	}
	s := network.GateTime{Passed: types.EventTime(k.Time), Idle: k.Idle}
	for i := 0; ; i++ {
		c, ok := own[channelMark(g.to.input, i)]
		if !ok {
			break
		}
		s.Channels = append(s.Channels, network.ChannelTime{Watermark: types.EventTime(c.Time), Idle: c.Idle})
	}
	g.mark = s.Passed
	g.gate.Restore(s)
}
