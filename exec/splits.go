package exec

import (
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/exec/types"
)

// splits is the event time of a reader with several splits: the least of them counts (W3 of the design). Those that
// have given nothing yet hold it, those that are done do not. The reader says where each is, or the operators behind
// it find out.
type splits struct {
	node   *node
	marked bool
	times  joined
	left   int
	finder []finder
}

// finder is an operator that goes by the splits of a source.
type finder struct {
	node *node
	op   op.Divided
}

// newSplits takes the splits of a source, whose operators are open.
func newSplits(n *node, marked bool) *splits {
	s := &splits{node: n, marked: marked, times: newJoined(len(n.splits)), left: len(n.splits)}
	if s.left > 1 {
		s.find(n)
	}
	return s
}

// find looks for operators that hang on the source alone.
func (s *splits) find(n *node) {
	for _, to := range n.to {
		if len(to.node.times.inputs) > 1 {
			continue
		}
		if d, ok := to.node.op.(op.Divided); ok {
			s.finder = append(s.finder, finder{to.node, d})
		}
		s.find(to.node)
	}
}

// turnTo says which split the next batch is of.
func (s *splits) turnTo(split int) {
	for _, f := range s.finder {
		f.op.Split(split)
	}
}

// advance takes the watermark that the reader says for a split.
func (s *splits) advance(split int, t types.EventTime) error {
	if len(s.times.inputs) == 1 {
		return s.node.Advance(t)
	}
	if !s.times.advance(split, t) {
		return nil
	}
	return s.node.Advance(s.times.at)
}

// end takes a split that is done. The last one does not end event time: the end of the reader does.
func (s *splits) end(split int) error {
	if s.left--; s.left <= 0 {
		return nil
	}
	for _, f := range s.finder {
		caller := s.node.task.enter(f.node)
		if err := f.op.EndSplit(split, f.node); err != nil {
			return err
		}
		s.node.task.enter(caller)
	}
	if !s.marked {
		return nil
	}
	return s.advance(split, types.MaxTime)
}

// splitsBefore are the splits of the source that a node hangs on alone, or nil.
func (t *task) splitsBefore(n *node) []string {
	nodes := t.job.graph.Stages[t.stage].Nodes
	i := n.index
	for nodes[i].Source == nil {
		if len(nodes[i].Inputs) != 1 || nodes[i].Inputs[0] == graph.FromEdge {
			return nil
		}
		i = nodes[i].Inputs[0]
	}
	out := make([]string, len(t.nodes[i].splits))
	for k, s := range t.nodes[i].splits {
		out[k] = s.ID
	}
	return out
}
