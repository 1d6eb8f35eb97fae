package exec

import (
	"streamsql/exec/network"
	"streamsql/exec/types"
)

// A reader without splits is idle from the beginning (W3 of the design), on both sides of an edge: rows of the
// others are as late as if it were not there, however soon it comes to say so.

// isEmpty tells that nothing but sources without splits feeds the task.
func (t *task) isEmpty() bool {
	s := t.job.graph.Stages[t.stage]
	if len(s.In) > 0 {
		return false
	}
	for i := range s.Nodes {
		if s.Nodes[i].Source != nil && len(t.nodes[i].splits) > 0 {
			return false
		}
	}
	return true
}

// restEmpty makes the sources without splits idle.
func (t *task) restEmpty() error {
	for _, e := range t.entries {
		s, ok := e.feed.(*source)
		if !ok || len(s.node.splits) > 0 || s.resting {
			continue
		}
		s.resting = true
		if err := s.node.idle(); err != nil {
			return err
		}
	}
	return nil
}

// restChannels lets channels of a gate begin idle. Where all are the gate learns it from them, and passes it on.
func restChannels(g *network.Gate, idle []bool) {
	at, some, all := network.GateTime{Passed: types.MinTime}, false, true
	for _, i := range idle {
		at.Channels = append(at.Channels, network.ChannelTime{Watermark: types.MinTime, Idle: i})
		some, all = some || i, all && i
	}
	if some && !all {
		g.Restore(at)
	}
}
