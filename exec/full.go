package exec

import (
	"sync"
	"sync/atomic"

	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/exec/types"
)

// full ends the sources of a job that nobody reads any more: each way from them to a sink leads through an operator that is
// full, as a LIMIT is behind its last row.
type full struct {
	graph *graph.Graph
	// unread are the sources to end, by stage and node.
	unread [][]atomic.Bool

	mu  sync.Mutex
	ops map[nodeAt]bool // that are full
}

// nodeAt is a node of the graph.
type nodeAt struct{ stage, node int }

// filling is an operator of a task that may be full.
type filling struct {
	node *node
	op   op.Filled
	full bool
}

func newFull(g *graph.Graph) *full {
	f := &full{graph: g, unread: make([][]atomic.Bool, len(g.Stages)), ops: map[nodeAt]bool{}}
	for i, s := range g.Stages {
		f.unread[i] = make([]atomic.Bool, len(s.Nodes))
	}
	return f
}

// openFilling finds the operators of a task that may be full, once they are open.
func (t *task) openFilling() {
	for _, n := range t.nodes {
		if f, ok := n.op.(op.Filled); ok {
			t.filling = append(t.filling, filling{node: n, op: f})
		}
	}
}

// fill looks which operators of the task have become full: event time ends behind them, whoever still reads what is before
// them, and sources that nobody reads any more end too.
func (t *task) fill() error {
	for i := range t.filling {
		x := &t.filling[i]
		if x.full || !x.op.Filled() {
			continue
		}
		x.full = true
		if t.job.full.add(nodeAt{t.stage, x.node.index}) {
			for _, other := range t.job.tasks {
				other.ring()
			}
		}
		if err := x.node.Advance(types.MaxTime); err != nil {
			return err
		}
		t.enter(t.idle)
	}
	return nil
}

// add takes an operator that is full. It tells whether sources are to end for it.
func (f *full) add(at nodeAt) (some bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ops[at] = true
	read := f.read()
	for i, s := range f.graph.Stages {
		for k, n := range s.Nodes {
			if n.Source != nil && !read[nodeAt{i, k}] {
				some = !f.unread[i][k].Swap(true) || some
			}
		}
	}
	return some
}

// read are the nodes whose rows come to a sink.
func (f *full) read() map[nodeAt]bool {
	read := map[nodeAt]bool{}
	var visit func(at nodeAt)
	visit = func(at nodeAt) {
		if read[at] || f.ops[at] {
			return
		}
		read[at] = true
		s := f.graph.Stages[at.stage]
		for _, in := range s.Nodes[at.node].Inputs {
			if in != graph.FromEdge {
				visit(nodeAt{at.stage, in})
			}
		}
		for _, e := range s.In {
			if e.To == at.node {
				visit(nodeAt{e.From, e.FromNode})
			}
		}
	}
	for i, s := range f.graph.Stages {
		for k, n := range s.Nodes {
			if n.Sink != nil {
				visit(nodeAt{i, k})
			}
		}
	}
	return read
}

// ends tells that a source is to end.
func (f *full) ends(n *node) bool { return f.unread[n.task.stage][n.index].Load() }
