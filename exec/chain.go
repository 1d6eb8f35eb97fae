package exec

import (
	"streamsql/exec/connector"
	"streamsql/exec/function"
	"streamsql/exec/invariant"
	"streamsql/exec/op"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// node is a node of the graph in one task: it stands between an operator and those that it feeds, and
// is the op.Output of the operator.
type node struct {
	task  *task
	index int // in the stage
	name  string
	op    op.Operator // nil for a source
	to    []target
	exits []*exit

	// times joins the watermarks of the inputs, passed is what was passed on.
	times  joined
	passed types.EventTime

	// store and chain are the operator's state where there are checkpoints.
	store *state.Store
	chain chain

	Counters
	splits []connector.Split // of a source
	reader connector.Reader  // of a source that was opened
	before []op.Counter      // what was counted in earlier starts of the job
}

// target is an input of a node.
type target struct {
	node  *node
	input int
}

func newNode(t *task, index int, inputs int) *node {
	return &node{task: t, index: index, times: newJoined(inputs), passed: types.MinTime}
}

// newPlace is where time is counted that is spent outside operators.
func newPlace(t *task, name string) *node {
	n := newNode(t, -1, 0)
	n.name = name
	return n
}

func (n *node) failure() *Failure {
	return &Failure{Operator: n.name, Stage: n.task.stage, Subtask: n.task.subtask}
}

// Emit implements op.Output.
func (n *node) Emit(b *vector.Batch) error {
	if invariant.Enabled {
		n.check(b)
	}
	if err := n.task.job.halted(); err != nil {
		return err
	}
	n.RowsOut += int64(b.Len)
	for i := range n.to {
		if err := n.to[i].node.process(n.to[i].input, b); err != nil {
			return err
		}
	}
	for _, x := range n.exits {
		if err := x.send(b); err != nil {
			return err
		}
	}
	return nil
}

func (n *node) process(input int, b *vector.Batch) error {
	caller := n.task.enter(n)
	n.RowsIn += int64(b.Len)
	n.Batches++
	if err := n.op.Process(input, b, n); err != nil {
		return err // without leaving: the task names the operator that it is in
	}
	n.task.enter(caller)
	return nil
}

// Advance implements op.Output: it passes a watermark on.
func (n *node) Advance(t types.EventTime) error {
	if t <= n.passed {
		return nil
	}
	n.passed = t
	for i := range n.to {
		if err := n.to[i].node.advance(n.to[i].input, t); err != nil {
			return err
		}
	}
	for _, x := range n.exits {
		if err := x.advance(t); err != nil {
			return err
		}
	}
	return nil
}

// advance takes the watermark of an input.
func (n *node) advance(input int, t types.EventTime) error {
	if !n.times.advance(input, t) {
		return nil
	}
	return n.moved()
}

// env is what the operator's expressions may know: of the session, and the time of its inputs.
func (n *node) env(session *function.Env) *function.Env {
	if session == nil {
		return nil
	}
	own := *session
	own.Watermark = func() types.EventTime { return n.times.at }
	return &own
}

// moved lets the operator see the time that its inputs have reached together.
func (n *node) moved() error {
	caller := n.task.enter(n)
	on, err := n.op.Advance(n.times.at, n)
	if err != nil {
		return err
	}
	n.task.enter(caller)
	return n.Advance(on)
}

// rest takes the idleness of an input.
func (n *node) rest(input int) error {
	moved, idle := n.times.rest(input)
	if moved {
		if err := n.moved(); err != nil {
			return err
		}
	}
	if !idle {
		return nil
	}
	return n.idle()
}

// idle passes on that nothing is to be expected for a while. Behind the end that says nothing.
func (n *node) idle() error {
	if n.passed == types.MaxTime {
		return nil
	}
	for i := range n.to {
		if err := n.to[i].node.rest(n.to[i].input); err != nil {
			return err
		}
	}
	for _, x := range n.exits {
		if err := x.rest(); err != nil {
			return err
		}
	}
	return nil
}

// wake ends the idleness of an input.
func (n *node) wake(input int) error {
	if !n.times.wake(input) {
		return nil
	}
	return n.active()
}

// active passes on that rows are to be expected again.
func (n *node) active() error {
	if n.passed == types.MaxTime {
		return nil
	}
	for i := range n.to {
		if err := n.to[i].node.wake(n.to[i].input); err != nil {
			return err
		}
	}
	for _, x := range n.exits {
		if err := x.wake(); err != nil {
			return err
		}
	}
	return nil
}

// check holds a batch to the invariants V1 and V2 of package vector.
func (n *node) check(b *vector.Batch) {
	invariant.Check(b.Len > 0 && b.Len <= n.task.job.options.MaxRows, "%s emits %d rows", n.name, b.Len)
	invariant.Check(b.Kinds == nil || len(b.Kinds) == b.Len, "%s: %d kinds for %d rows", n.name, len(b.Kinds), b.Len)
	for i, c := range b.Cols {
		invariant.Check(c.Len == b.Len, "%s: column %d has %d of %d rows", n.name, i, c.Len, b.Len)
	}
}
