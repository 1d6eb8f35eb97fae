package exec

import (
	"streamsql/exec/connector"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/exec/types"
)

// InputStats are about a source: what it gave, and whether event time waits for it. Those of subtasks are added up.
type InputStats struct {
	Name string
	// Rows is how many it gave, Kept how many of them are left behind the filters that stand next to it.
	Rows, Kept int64
	// Watermark is the least that a subtask has reached which has not ended, MaxTime when all have.
	Watermark types.EventTime
	// Resting says that it no longer holds the watermark, having been without rows for long, Ended that it has no more.
	Resting, Ended bool
	// Bounded says that it ends by itself, Share how much of it was given, from 0 to 1, or less than 0 when that is not
	// known.
	Bounded bool
	Share   float64

	shares int // subtasks in Share
}

// inputAt is a source as its task last saw it.
type inputAt struct {
	node           int
	rows, kept     int64
	watermark      types.EventTime
	resting, ended bool
	share          float64
}

// lookAt notes how the sources of a task stand.
func (p *published) lookAt(t *task) {
	p.sources = p.sources[:0]
	for _, e := range t.entries {
		s, ok := e.feed.(*source)
		if !ok {
			continue
		}
		at := inputAt{node: s.node.index, rows: s.node.RowsOut, kept: s.node.RowsOut, watermark: s.reached(),
			resting: s.resting, ended: e.ended, share: s.share(e.ended)}
		for n := s.node; len(n.to) == 1 && n.to[0].node.filters(); {
			n = n.to[0].node
			at.kept = n.RowsOut
		}
		p.sources = append(p.sources, at)
	}
}

// filters tells that a node gives rows that it got, or fewer.
func (n *node) filters() bool {
	_, ok := n.task.job.graph.Stages[n.task.stage].Nodes[n.index].Op.(op.Passing)
	return ok
}

// addInput makes room for a source.
func (s *Stats) addInput(stage, node int, x *graph.Source) {
	s.inputs = append(s.inputs, [2]int{stage, node})
	s.Inputs = append(s.Inputs, InputStats{Name: x.Table, Watermark: types.MaxTime, Resting: true, Ended: true,
		Bounded: x.Source.Bounded()})
}

// addInputs adds what a task published of its sources, its mutex held. One that has not published has given nothing.
func (t *task) addInputs(s *Stats) {
	list := t.published.sources
	if t.published.nodes == nil {
		for i, n := range t.job.graph.Stages[t.stage].Nodes {
			if n.Source != nil {
				list = append(list, inputAt{node: i, watermark: types.MinTime, share: unknownShare})
			}
		}
	}
	for _, at := range list {
		in := &s.Inputs[s.input(t.stage, at.node)]
		in.Rows += at.rows
		in.Kept += at.kept
		in.add(at.share)
		if !at.ended {
			in.Watermark = min(in.Watermark, at.watermark)
		}
		in.Resting, in.Ended = in.Resting && (at.resting || at.ended), in.Ended && at.ended
	}
}

func (s *Stats) input(stage, node int) int {
	for i, at := range s.inputs {
		if at == [2]int{stage, node} {
			return i
		}
	}
	return -1
}

// waitsFor is what the next result waits for that a node's operator holds back, MaxTime if none does.
func (n *node) waitsFor() types.EventTime {
	if w, ok := n.op.(op.Waiting); ok {
		if at, ok := w.WaitsFor(); ok {
			return at
		}
	}
	return types.MaxTime
}

// unknownShare is that of an input which cannot tell.
const unknownShare = -1

// share is how much of its input a source has given.
func (s *source) share(ended bool) float64 {
	if ended {
		return 1
	}
	if m, ok := s.reader.(connector.Measured); ok {
		if share, known := m.Share(); known {
			return share
		}
	}
	return unknownShare
}

// add takes in the share of another subtask: all count the same.
func (in *InputStats) add(share float64) {
	if in.shares++; share < 0 || in.Share < 0 {
		in.Share = unknownShare
		return
	}
	in.Share += (share - in.Share) / float64(in.shares)
}
