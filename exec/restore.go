package exec

import (
	"fmt"

	"streamsql/exec/checkpoint"
	"streamsql/exec/connector"
	"streamsql/exec/graph"
	"streamsql/exec/network"
	"streamsql/exec/state"
	"streamsql/exec/vector"
)

// operators lists the nodes of a graph for its checkpoints.
func operators(g *graph.Graph) []checkpoint.Operator {
	var out []checkpoint.Operator
	for i, s := range g.Stages {
		for k, n := range s.Nodes {
			text := n.String()
			if n.Source != nil {
				text = n.Source.Name() // what is pushed into a scan does not change where it stands
			}
			out = append(out, checkpoint.Operator{Stage: i, Node: k, ID: g.ID(i, k), Text: text, Keyed: n.Op != nil && s.Keyed()})
		}
	}
	return out
}

// canGoBack refuses a source that a restored job could not read again.
func (c *coordinator) canGoBack(s connector.Source) error {
	f, ok := s.(connector.Fleeting)
	if c == nil || !ok || f.Fleeting() == "" {
		return nil
	}
	return fmt.Errorf("not supported: checkpoints of a job that reads %s, which cannot be read again after a restore; "+
		"write it to a file first, or take neither checkpoints nor savepoints", f.Fleeting())
}

// splits divides the input of a source, or what a restored checkpoint says is left of it.
func (c *coordinator) splits(stage, node int, name string, s connector.Source, n int) ([]connector.Split, error) {
	if c == nil || c.restored == nil {
		return s.Splits(n)
	}
	var saved []connector.Split
	for _, k := range c.restored.SplitsOf(stage, node) {
		saved = append(saved, connector.Split{ID: k.ID, Position: k.Position})
	}
	if r, ok := s.(connector.Resumer); ok && len(saved) > 0 {
		out, err := r.Resume(n, saved)
		if err != nil {
			return nil, fmt.Errorf("checkpoint: restore: %w", err)
		}
		return out, nil
	}
	out, err := s.Splits(n)
	if err != nil {
		return nil, err
	}
	return resume(name, out, saved)
}

// resume gives splits the positions that were saved. A split that was not there starts at its beginning; one that
// is gone cannot be gone on with.
func resume(name string, splits, saved []connector.Split) ([]connector.Split, error) {
	at := map[string][]byte{}
	for _, s := range saved {
		at[s.ID] = s.Position
	}
	for i := range splits {
		if p, ok := at[splits[i].ID]; ok {
			splits[i].Position = p
			delete(at, splits[i].ID)
		}
	}
	for _, s := range saved {
		if _, gone := at[s.ID]; gone {
			return nil, fmt.Errorf("checkpoint: restore: %s has no split %q any more: it was removed, or the source divides its "+
				"input by the parallelism and that is another one", name, s.ID)
		}
	}
	return splits, nil
}

// restoreStore fills the store of a node's operator, before it is opened.
func (t *task) restoreStore(n *node) error {
	c := t.job.checkpoints
	if c == nil || c.restored == nil {
		return nil
	}
	keep, rescaled := state.KeyGroups{}, c.restored.Parallelism(t.stage, n.index) != t.parallelism
	if t.keyed() && rescaled {
		own := checkpoint.SpanOf(t.subtask, t.parallelism, t.job.groups)
		keep.From, keep.To = own.From, own.To
		var h network.KeyHasher
		keep.Of = func(out []int32, keys []*vector.Column) {
			h.Groups(out, keys, t.hashed(n, len(keys)), t.job.groups)
		}
	}
	if rescaled && !t.keyed() {
		// Rows stay in one piece; what time it was is of all.
		for _, chain := range c.directory.Chains(t.stage, n.index, stateTable, 0, 1) {
			if err := n.store.LoadTimes(chain...); err != nil {
				return err
			}
		}
	}
	for _, chain := range c.directory.Chains(t.stage, n.index, stateTable, t.subtask, t.parallelism) {
		if err := n.store.Load(keep, chain...); err != nil {
			return err
		}
	}
	return nil
}

// hashed are the keys of a node, of which there are as many, that its rows came by.
func (t *task) hashed(n *node, keys int) []int {
	if by := t.job.graph.Stages[t.stage].Nodes[n.index].Hashed; by != nil {
		return by
	}
	at := make([]int, keys)
	for i := range at {
		at[i] = i
	}
	return at
}

// openKept gives a sink's writer the store of what it keeps.
func (t *task) openKept(n *node, w connector.Writer) error {
	k, ok := w.(connector.Keeper)
	if !ok {
		return nil
	}
	n.store = state.NewStore(state.Options{Operator: n.name})
	if c := t.job.checkpoints; c != nil && c.restored != nil {
		for _, chain := range c.directory.Chains(t.stage, n.index, sinkTable, t.subtask, t.parallelism) {
			if err := n.store.Load(state.KeyGroups{}, chain...); err != nil {
				return err
			}
		}
	}
	return k.Keep(n.store)
}

// reopen is all that a task of a job does that had ended: sinks show what they kept.
func (t *task) reopen() error {
	for i, g := range t.job.graph.Stages[t.stage].Nodes {
		if g.Sink == nil {
			continue
		}
		t.enter(t.nodes[i])
		if err := t.openSink(t.nodes[i], g.Sink); err != nil {
			return err
		}
	}
	t.enter(t.idle)
	return nil
}
