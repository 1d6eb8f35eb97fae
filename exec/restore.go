package exec

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"streamsql/exec/checkpoint"
	"streamsql/exec/connector"
	"streamsql/exec/graph"
	"streamsql/exec/network"
	"streamsql/exec/state"
	"streamsql/exec/vector"
)

// planText is what has to be the same for a checkpoint to fit: nodes and edges, without parallelisms.
func planText(g *graph.Graph) string {
	var b strings.Builder
	for i, s := range g.Stages {
		fmt.Fprintf(&b, "Stage %d\n", i)
		for k, n := range s.Nodes {
			fmt.Fprintf(&b, "  [%d] %s <- %v\n", k, n, n.Inputs)
		}
		for _, e := range s.In {
			fmt.Fprintf(&b, "  %s from stage %d [%d] to [%d] input %d\n", e.Partitioning, e.From, e.FromNode, e.To, e.Input)
		}
	}
	return b.String()
}

// canGoBack refuses a source that a restored job could not read again.
func (c *coordinator) canGoBack(s connector.Source) error {
	f, ok := s.(connector.Fleeting)
	if c == nil || !ok || f.Fleeting() == "" {
		return nil
	}
	return fmt.Errorf("not supported: checkpoints of a job that reads %s, which cannot be read again after a restore; "+
		"write it to a file first, or leave 'execution.checkpointing.dir' unset", f.Fleeting())
}

// resume gives splits the positions of the restored checkpoint. A split that was not there starts at its
// beginning; one that is gone cannot be gone on with.
func (c *coordinator) resume(stage, node int, name string, splits []connector.Split) error {
	if c == nil || c.restored == nil {
		return nil
	}
	at := map[string][]byte{}
	for _, s := range c.restored.SplitsOf(stage, node) {
		at[s.ID] = s.Position
	}
	for i := range splits {
		if p, ok := at[splits[i].ID]; ok {
			splits[i].Position = p
			delete(at, splits[i].ID)
		}
	}
	for id := range at {
		return fmt.Errorf("checkpoint: restore: %s has no split %q any more: it was removed, or the parallelism is another one and "+
			"the source divides its input by it", name, id)
	}
	return nil
}

// restoreStore fills the store of a node's operator, before it is opened.
func (t *task) restoreStore(n *node) error {
	c := t.job.checkpoints
	if c == nil || c.restored == nil {
		return nil
	}
	keep := state.KeyGroups{}
	if t.keyed() && c.restored.Parallelism(t.stage) != t.parallelism {
		own := checkpoint.SpanOf(t.subtask, t.parallelism, c.groups)
		keep.From, keep.To = own.From, own.To
		var h network.KeyHasher
		keep.Of = func(out []int32, keys []*vector.Column) {
			at := make([]int, len(keys))
			for i := range at {
				at[i] = i
			}
			h.Groups(out, keys, at, c.groups)
		}
	}
	for _, chain := range c.directory.Chains(t.stage, n.index, stateTable, t.subtask, t.parallelism) {
		if err := n.store.Load(keep, chain...); err != nil {
			return err
		}
	}
	return nil
}

// restoreWriter gives a sink's writer what it kept.
func (t *task) restoreWriter(n *node, w connector.Writer) error {
	c := t.job.checkpoints
	k, ok := w.(connector.Keeper)
	if !ok || c == nil || c.restored == nil {
		return nil
	}
	for _, chain := range c.directory.Chains(t.stage, n.index, sinkTable, t.subtask, t.parallelism) {
		for _, r := range chain {
			var b bytes.Buffer
			if _, err := io.Copy(&b, r); err != nil {
				return err
			}
			if err := k.Load(b.Bytes()); err != nil {
				return err
			}
		}
	}
	return nil
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
