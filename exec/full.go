package exec

import (
	"sync/atomic"

	"streamsql/exec/graph"
	"streamsql/exec/op"
)

// full ends the input of a job once its sinks get no rows any more, each behind a LIMIT that is full.
type full struct {
	// open is how many sinks may get more, and over says that none does.
	open atomic.Int32
	over atomic.Bool
}

// limit is what stands before a sink in a task.
type limit struct {
	op   op.Filled
	full bool
}

// newFull counts the sinks of a job; one that has no bound keeps the input going.
func newFull(g *graph.Graph) *full {
	f := &full{}
	for _, s := range g.Stages {
		for i, n := range s.Nodes {
			if n.Sink == nil {
				continue
			}
			if n.Sink.Enough == 0 || limitOf(s, i) < 0 {
				return nil
			}
			f.open.Add(1)
		}
	}
	return f
}

// limitOf is the node before a sink that a LIMIT may be, where there is one in its stage; -1 where there is none. No node between
// them makes rows of none.
func limitOf(s *graph.Stage, sink int) int {
	for i := sink; ; {
		in := s.Nodes[i].Inputs
		if len(in) != 1 || in[0] < 0 {
			return -1
		}
		if i = in[0]; s.Nodes[i].Op == nil {
			return -1
		}
		if _, ok := s.Nodes[i].Op.(*op.Rank); ok {
			return i
		}
	}
}

// openLimits finds the limits of a task, once its operators are open.
func (t *task) openLimits() {
	if t.job.full == nil {
		return
	}
	s := t.job.graph.Stages[t.stage]
	for i, n := range s.Nodes {
		if n.Sink == nil {
			continue
		}
		if f, ok := t.nodes[limitOf(s, i)].op.(op.Filled); ok {
			t.limits = append(t.limits, limit{op: f})
		}
	}
}

// fill tells the job which limits of the task are full. The rows of a limit all meet in one subtask, so that it is that one's
// alone which can be.
func (t *task) fill() {
	for i := range t.limits {
		l := &t.limits[i]
		if l.full || !l.op.Filled() {
			continue
		}
		if l.full = true; t.job.full.open.Add(-1) == 0 {
			t.job.full.over.Store(true)
			for _, other := range t.job.tasks {
				other.ring()
			}
		}
	}
}

// isOver tells that the input is to end.
func (f *full) isOver() bool { return f != nil && f.over.Load() }
