package exec

import (
	"fmt"
	"strings"

	"streamsql/exec/checkpoint"
	"streamsql/exec/network"
	"streamsql/exec/types"
)

// Event time is part of a checkpoint (W4 of the design): what every node has seen and passed on, and what
// stands on the edges. After a restore a row is late that was late before.

const (
	outMark  = "out"     // what a node passed on
	atMark   = "at"      // what its inputs have reached together
	inMark   = "in %d"   // what one of them has
	restMark = "source"  // whether a source rests
	exitMark = "exit %d" // what an edge was told
	edgeMark = "edge %d" // what a gate passed on
)

func channelMark(edge, channel int) string { return fmt.Sprintf(edgeMark+" channel %d", edge, channel) }

// marks lists the event time of a task.
func (t *task) marks(out []checkpoint.Mark) []checkpoint.Mark {
	for _, n := range t.nodes {
		p := n.place()
		add := func(name string, at types.EventTime, idle bool) {
			out = append(out, checkpoint.Mark{Place: p, Name: name, Time: int64(at), Idle: idle})
		}
		add(outMark, n.passed, false)
		if len(n.times.inputs) > 0 {
			add(atMark, n.times.at, n.times.idle)
		}
		for i, in := range n.times.inputs {
			add(fmt.Sprintf(inMark, i), in.at, in.idle)
		}
	}
	p := checkpoint.Place{Stage: t.stage, Node: checkpoint.AnyNode, Subtask: t.subtask}
	add := func(name string, at types.EventTime, idle bool) {
		out = append(out, checkpoint.Mark{Place: p, Name: name, Time: int64(at), Idle: idle})
	}
	for i, e := range t.entries {
		switch f := e.feed.(type) {
		case *source:
			add(fmt.Sprintf("%s %d", restMark, i), 0, f.resting)
		case *inlet:
			g := f.gate.Time()
			add(fmt.Sprintf(edgeMark, f.edge), g.Passed, g.Idle)
			for k, c := range g.Channels {
				add(channelMark(f.edge, k), c.Watermark, c.Idle)
			}
		}
	}
	for i, x := range t.exits {
		add(fmt.Sprintf(exitMark, i), x.reached, x.resting)
	}
	return out
}

// restoreMarks sets the event time of a task that was opened.
func (t *task) restoreMarks(m *checkpoint.Metadata) {
	for _, n := range t.nodes {
		for _, k := range m.MarksOf(t.stage, n.index, t.subtask, t.parallelism) {
			n.restore(k)
		}
		for i := range n.times.inputs {
			in := &n.times.inputs[i]
			in.behind = !in.idle && in.at < n.times.at
		}
	}
	own := map[string]checkpoint.Mark{}
	for _, k := range m.MarksOf(t.stage, checkpoint.AnyNode, t.subtask, t.parallelism) {
		own[k.Name] = k
	}
	for i, e := range t.entries {
		switch f := e.feed.(type) {
		case *source:
			f.resting = own[fmt.Sprintf("%s %d", restMark, i)].Idle
		case *inlet:
			f.restore(own)
		}
	}
	for i, x := range t.exits {
		if k, ok := own[fmt.Sprintf(exitMark, i)]; ok {
			x.reached, x.sent, x.resting = types.EventTime(k.Time), types.EventTime(k.Time), k.Idle
		}
	}
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

// restore sets the event time of a gate; with another number of channels they start at what it passed on.
func (g *inlet) restore(own map[string]checkpoint.Mark) {
	k, ok := own[fmt.Sprintf(edgeMark, g.edge)]
	if !ok {
		return
	}
	s := network.GateTime{Passed: types.EventTime(k.Time), Idle: k.Idle}
	for i := 0; ; i++ {
		c, ok := own[channelMark(g.edge, i)]
		if !ok {
			break
		}
		s.Channels = append(s.Channels, network.ChannelTime{Watermark: types.EventTime(c.Time), Idle: c.Idle})
	}
	g.mark = s.Passed
	g.gate.Restore(s)
}
