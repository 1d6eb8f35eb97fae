package exec

import (
	"context"
	"errors"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/op"
	"streamsql/exec/types"
)

// task runs one subtask of a stage, in one goroutine.
type task struct {
	job                         *Job
	stage, subtask, parallelism int
	nodes                       []*node // as in the graph
	sources                     []*source
	writers                     []*sinkWriter

	// current is the node whose code is running; its time is counted since clock.
	current   *node
	clock     time.Duration
	idle      *node
	turn      uint64
	published published
}

// sinkWriter is a writer with what it prepared.
type sinkWriter struct {
	node         *node
	writer       connector.Writer
	committables [][]byte
}

// errStopped is how operators learn that the job was cancelled or has failed elsewhere.
var errStopped = errors.New("job stopped")

// publishEvery is how old the counters are that Stats shows of a running task.
const publishEvery = 50 * time.Millisecond

func newTask(j *Job, stage, subtask, parallelism int) *task {
	t := &task{job: j, stage: stage, subtask: subtask, parallelism: parallelism}
	t.idle = newNode(t, -1, 0)
	t.idle.name = "task"
	t.current = t.idle
	for i, g := range j.graph.Stages[stage].Nodes {
		n := newNode(t, i, len(g.Inputs))
		n.name = g.String()
		t.nodes = append(t.nodes, n)
		for input, from := range g.Inputs {
			t.nodes[from].to = append(t.nodes[from].to, target{n, input})
		}
	}
	t.published.init(len(t.nodes))
	return t
}

// run is the life of a task. Its error is errStopped or the failure of the operator that was running.
func (t *task) run(ctx context.Context) error {
	at := &Failure{Stage: t.stage, Subtask: t.subtask}
	err := guard(at, func() error {
		if err := t.open(); err != nil {
			return err
		}
		if err := t.loop(ctx); err != nil {
			return err
		}
		return t.prepare()
	})
	at.Operator = t.current.name
	t.enter(t.idle)
	at = &Failure{Stage: t.stage, Subtask: t.subtask}
	closing := guard(at, t.close)
	at.Operator = t.current.name
	t.publish()
	if err == nil {
		err = closing
	}
	return err
}

// loop is the task loop: it reads until every source has ended.
func (t *task) loop(ctx context.Context) error {
	for {
		s, read, err := t.read()
		switch {
		case err != nil:
		case t.job.stopped.Load():
			err = errStopped
		case s == nil && t.ended():
			return nil
		case s == nil:
			err = t.wait(ctx)
		case read.Status == connector.Rows:
			err = s.emit(read)
		case read.Status == connector.End:
			s.ended = true
			err = s.node.Advance(types.MaxTime)
		}
		if err != nil {
			return err
		}
		if t.clock-t.published.at > publishEvery {
			t.publish()
		}
	}
}

// open opens sinks before operators before sources, as far as the order of nodes has it.
func (t *task) open() error {
	nodes := t.job.graph.Stages[t.stage].Nodes
	for i := len(nodes) - 1; i >= 0; i-- {
		n, g := t.nodes[i], nodes[i]
		t.enter(n)
		var err error
		switch {
		case g.Source != nil:
			err = t.openSource(n, g.Source)
		case g.Sink != nil:
			err = t.openSink(n, g.Sink)
		default:
			n.op = g.Op.New()
			err = n.op.Open(&op.Context{MaxRows: t.job.options.MaxRows, Env: t.job.options.Env})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// context is what connectors learn of the task.
func (t *task) context() *connector.Context {
	o := &t.job.options
	return &connector.Context{Subtask: t.subtask, Parallelism: t.parallelism, MaxRows: o.MaxRows, Env: o.Env,
		Stdout: o.Stdout, Stderr: o.Stderr}
}

// prepare ends the last epoch of the writers.
func (t *task) prepare() error {
	for _, w := range t.writers {
		t.enter(w.node)
		c, wait, err := w.writer.Prepare(lastEpoch)
		if err == nil && wait != nil {
			err = wait()
		}
		if err != nil {
			return err
		}
		w.committables = c
	}
	return nil
}

// close closes what was opened, but for the writers, whose end the job decides.
func (t *task) close() error {
	var first error
	for _, s := range t.sources {
		t.enter(s.node)
		if err := s.reader.Close(); err != nil && first == nil {
			first = err
		}
	}
	for _, n := range t.nodes {
		if n.op == nil {
			continue
		}
		t.enter(n)
		if err := n.op.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// enter says that the code of n runs from now on, and returns whose did.
func (t *task) enter(n *node) *node {
	now := time.Since(t.job.started)
	was := t.current
	was.Busy += now - t.clock
	t.clock, t.current = now, n
	return was
}
