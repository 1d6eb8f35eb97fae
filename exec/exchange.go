package exec

import (
	"fmt"

	"streamsql/exec/graph"
	"streamsql/exec/network"
	"streamsql/exec/option"
	"streamsql/exec/types"
)

// exchange is what the edges of a job run over.
type exchange struct {
	graph   *graph.Graph
	groups  int // of keys
	env     *network.Environment
	tasks   [][]*task // by stage and subtask
	writers []*network.Writer
}

// connect gives the tasks of a job the ends of their edges. A job whose guaranteed buffers do not fit is
// refused.
func (j *Job) connect() error {
	x := &exchange{graph: j.graph, groups: j.groups, tasks: make([][]*task, len(j.graph.Stages))}
	edges := 0
	for _, s := range j.graph.Stages {
		edges += len(s.In)
	}
	if edges == 0 {
		return nil
	}
	for _, t := range j.tasks {
		x.tasks[t.stage] = append(x.tasks[t.stage], t)
	}
	if err := x.each(x.check); err != nil {
		return err
	}
	if err := j.graph.Shortage(); err != nil {
		return err
	}
	setup := network.Setup{Options: j.graph.Exchange.Buffers()}
	_, most := j.graph.Buffers()
	setup.Options.Memory = min(setup.Options.Memory, option.Size(most)*setup.Options.SegmentSize)
	var err error
	if j.graph.Exchange.Transport != graph.Local {
		setup.Listen = "127.0.0.1:0"
	}
	if j.graph.Exchange.Transport == graph.TLS {
		if setup.ServerTLS, setup.ClientTLS, err = openTLS(j.graph.Exchange.TLS); err != nil {
			return err
		}
	}
	if x.env, err = network.NewEnvironment(setup); err != nil {
		return err
	}
	if err := x.open(); err != nil {
		x.close()
		return err
	}
	j.exchange = x
	return nil
}

// each calls f for every edge.
func (x *exchange) each(f func(stage, at int, e *graph.Edge) error) error {
	for stage, s := range x.graph.Stages {
		for at := range s.In {
			if err := f(stage, at, &s.In[at]); err != nil {
				return err
			}
		}
	}
	return nil
}

// open makes all outputs, then the inputs that read them.
func (x *exchange) open() error {
	if err := x.each(x.openExits); err != nil {
		return err
	}
	x.pair()
	return x.each(x.openInlets)
}

// pair lets the edges of a task that lead to one stage keep step.
func (x *exchange) pair() {
	for _, tasks := range x.tasks {
		for _, t := range tasks {
			for _, a := range t.exits {
				var others []*network.Writer
				for _, b := range t.exits {
					if a != b && a.stage == b.stage && a.edge.Partitioning == b.edge.Partitioning {
						others = append(others, b.writer)
					}
				}
				a.writer.Beside(others...)
			}
		}
	}
}

// check refuses an edge that cannot be.
func (x *exchange) check(stage, _ int, e *graph.Edge) error {
	s, senders, receivers := x.graph.Stages[stage], len(x.tasks[e.From]), len(x.tasks[stage])
	switch {
	case e.Partitioning == graph.Forward && senders != receivers:
		return fmt.Errorf("exec: a forward edge from %d to %d subtasks", senders, receivers)
	case e.Partitioning == graph.Hash && x.groups < receivers:
		return &option.Error{Key: "pipeline.max-parallelism",
			Msg:  fmt.Sprintf("'pipeline.max-parallelism' is %d, less than the parallelism %d", x.groups, receivers),
			Hint: "raise it, or lower 'parallelism.default'"}
	case s.Nodes[e.To].Inputs[e.Input] != graph.FromEdge:
		panic(fmt.Sprintf("exec: input %d of node %d of stage %d is fed twice", e.Input, e.To, stage))
	}
	return nil
}

// partition names the output of a subtask for an edge.
func partition(stage, edge, sender int) string {
	return fmt.Sprintf("of subtask %d to stage %d, edge %d", sender, stage, edge)
}

func (x *exchange) openExits(stage, at int, e *graph.Edge) error {
	receivers := len(x.tasks[stage])
	for i, t := range x.tasks[e.From] {
		_, n := e.Outgoing(i, len(x.tasks[e.From]), receivers)
		w, err := x.env.Writer(network.WriterSpec{Partition: partition(stage, at, i), Types: e.Types, Channels: n,
			Partitioner: partitioner(e, i, x.groups), Wake: t.ring})
		if err != nil {
			return err
		}
		x.writers = append(x.writers, w)
		out := &exit{place: newPlace(t, fmt.Sprintf("Exchange: %s to stage %d", e, stage)), edge: e, stage: stage, at: at,
			writer: w, reached: types.MinTime, sent: types.MinTime, interval: x.graph.Exchange.Interval,
			most: max(maxUnmarked, leastPerChannel*int64(n))}
		t.exits = append(t.exits, out)
		from := t.nodes[e.FromNode]
		from.exits = append(from.exits, out)
	}
	return nil
}

// partitioner makes the one of a subtask. Subtasks begin their rounds with different channels.
func partitioner(e *graph.Edge, subtask, groups int) network.Partitioner {
	switch e.Partitioning {
	case graph.Forward:
		return network.Forward()
	case graph.Hash:
		return network.Hash(e.Keys, groups)
	case graph.Broadcast:
		return network.Broadcast()
	case graph.Global:
		return network.Global()
	}
	return network.RoundFrom(subtask)
}

func (x *exchange) openInlets(stage, at int, e *graph.Edge) error {
	senders := x.tasks[e.From]
	for i, t := range x.tasks[stage] {
		var from []network.Source
		var idle []bool
		for k := range senders {
			first, n := e.Outgoing(k, len(senders), len(x.tasks[stage]))
			if i >= first && i < first+n {
				from = append(from, network.Source{Partition: partition(stage, at, k), Channel: i - first, Address: x.env.Address()})
				idle = append(idle, senders[k].isEmpty())
			}
		}
		name := fmt.Sprintf("Exchange: %s from stage %d", e, e.From)
		g, err := x.env.Gate(network.GateSpec{Name: fmt.Sprintf("of subtask %d of stage %d, edge %d", i, stage, at), Types: e.Types, Sources: from,
			MaxRows: t.job.options.MaxRows, Wake: t.ring, Aligner: t.aligner})
		if err != nil {
			return err
		}
		restChannels(g, idle)
		in := &inlet{place: newPlace(t, name), edge: at, to: target{t.nodes[e.To], e.Input}, gate: g,
			mark: types.MinTime}
		t.inlets = append(t.inlets, in)
		t.entries = append(t.entries, &entry{feed: in})
	}
	return nil
}

// stop ends all outputs, so that no task blocks in one.
func (x *exchange) stop() {
	if x == nil {
		return
	}
	for _, w := range x.writers {
		w.Close()
	}
}

func (x *exchange) close() error {
	if x == nil {
		return nil
	}
	return x.env.Close()
}
