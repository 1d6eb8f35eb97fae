package exec

import (
	"context"
	"errors"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/network"
	"streamsql/exec/op"
	"streamsql/exec/state"
)

// task runs one subtask of a stage, in one goroutine.
type task struct {
	job                         *Job
	stage, subtask, parallelism int
	nodes                       []*node // as in the graph
	entries                     []*entry
	inlets                      []*inlet // among the entries
	exits                       []*exit
	aligner                     *network.Aligner
	clocked                     []clocked
	writers                     []*sinkWriter
	pace                        *pace // of the stage's subtasks, nil where they need not keep step
	moved                       int64 // rows read, and rows sent over edges

	// current is the node whose code is running; its time is counted since clock.
	current *node
	clock   time.Duration
	// idle counts the time without input, pressed the time in which the output was full.
	idle, pressed *node
	turn          uint64
	filling       []filling
	// alarm is when something is to be done without input, bell what wakes the task.
	alarm     time.Duration
	bell      chan struct{}
	timer     *time.Timer
	waited    []<-chan struct{}
	published published

	// epoch is the last barrier that was passed on, taken the last one for which the task saved.
	epoch, taken int64
	// held is the barrier of a savepoint behind which the task does nothing, or 0.
	held int64
	// drained says that everything was read; the task waits for the last checkpoint.
	drained bool
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
	t := &task{job: j, stage: stage, subtask: subtask, parallelism: parallelism, alarm: never,
		bell: make(chan struct{}, 1), aligner: network.NewAligner()}
	t.idle, t.pressed = newPlace(t, "task"), newPlace(t, "task")
	t.current = t.idle
	for i, g := range j.graph.Stages[stage].Nodes {
		n := newNode(t, i, len(g.Inputs))
		n.name = g.String()
		t.nodes = append(t.nodes, n)
		for input, from := range g.Inputs {
			if from >= 0 {
				t.nodes[from].to = append(t.nodes[from].to, target{n, input})
			}
		}
	}
	return t
}

// run is the life of a task. Its error is errStopped or the failure of the operator that was running.
func (t *task) run(ctx context.Context) {
	at := &Failure{Stage: t.stage, Subtask: t.subtask}
	err := guard(at, func() error {
		if t.job.checkpoints.isOver() {
			return t.reopen()
		}
		if err := t.open(); err != nil {
			return err
		}
		err := t.loop(ctx)
		switch {
		case errors.Is(err, errSuspended):
			return nil
		case err != nil:
			return err
		}
		return t.finish()
	})
	at.Operator = t.current.name
	if err != nil {
		t.job.cancel(err) // before closing makes others fail for it
	}
	t.enter(t.idle)
	at = &Failure{Stage: t.stage, Subtask: t.subtask}
	err = guard(at, t.close)
	at.Operator = t.current.name
	if err != nil {
		t.job.cancel(err)
	}
	t.enter(t.idle)
	t.publish()
}

// loop is the task loop: it reads until every entry has ended, as long as there is input and the output has
// room. Without room it still does what the clock or a checkpoint asks for.
func (t *task) loop(ctx context.Context) error {
	for {
		if t.job.stopped.Load() {
			return errStopped
		}
		if t.held > 0 {
			if err := t.hold(ctx); err != nil {
				return err
			}
			continue
		}
		if err := t.tick(); err != nil {
			return err
		}
		if err := t.attend(); err != nil {
			return err
		}
		if t.held > 0 {
			continue
		}
		if !t.roomy() || t.pace.ahead(t.subtask) {
			if err := t.park(ctx); err != nil {
				return err
			}
			continue
		}
		if err := t.tend(); err != nil {
			return err
		}
		if err := t.fill(); err != nil {
			return err
		}
		more, err := t.read()
		switch {
		case err != nil:
		case more:
		case t.ended() && t.mayEnd():
			t.pace.leave(t.subtask)
			return nil
		default:
			err = t.wait(ctx)
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
			err = t.openOperator(n)
			if c, ok := n.op.(op.Clocked); ok {
				t.clocked = append(t.clocked, newClocked(n, c))
			}
		}
		if err != nil {
			return err
		}
	}
	c := t.job.checkpoints
	if c != nil && c.restored != nil {
		t.restoreMarks(c.restored)
		t.restoreCounts(c.restored)
		if err := t.resumeSinks(); err != nil {
			return err
		}
	}
	t.openFilling()
	if err := t.restEmpty(); err != nil || c == nil {
		return err
	}
	return c.hasOpened()
}

// openOperator opens an operator, with the state that it had where there are checkpoints.
func (t *task) openOperator(n *node) error {
	c := &op.Context{MaxRows: t.job.options.MaxRows, Env: n.env(t.job.options.Env), Stopped: t.job.halted}
	n.store = state.NewStore(state.Options{Operator: n.name, Limit: t.job.options.StateLimit})
	if t.job.checkpoints != nil {
		if err := t.restoreStore(n); err != nil {
			return err
		}
	}
	c.State = n.store
	if _, ok := n.op.(op.Divided); ok {
		c.Splits = t.splitsBefore(n)
	}
	return n.op.Open(c)
}

// mayEnd tells that the last checkpoint, if there are any, is complete.
func (t *task) mayEnd() bool { return t.job.checkpoints == nil || t.job.checkpoints.finished.Load() }

// context is what connectors learn of the task.
func (t *task) context() *connector.Context {
	o := &t.job.options
	k := t.job.checkpoints
	return &connector.Context{Job: k.id(), Transient: k.isTransient(), Subtask: t.subtask, Parallelism: t.parallelism,
		MaxRows: o.MaxRows, Env: o.Env, Stdout: o.Stdout, Stderr: o.Stderr}
}

// finish ends the edges and the last epoch of the writers.
func (t *task) finish() error {
	for _, x := range t.exits {
		if err := x.end(!t.drained); err != nil {
			return err
		}
	}
	if t.job.checkpoints != nil {
		return nil // the last checkpoint has prepared them
	}
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
	if t.timer != nil {
		t.timer.Stop()
	}
	var first error
	for _, e := range t.entries {
		t.enter(e.at())
		if err := e.close(); err != nil && first == nil {
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

// activity is a clock that stands while the output is full: what a source could not give then is not its
// quiet.
func (t *task) activity() time.Duration { return t.clock - t.pressed.Busy }

// ring wakes the task; anyone may call it.
func (t *task) ring() {
	select {
	case t.bell <- struct{}{}:
	default:
	}
}

// roomy tells whether every output can take a batch without waiting.
func (t *task) roomy() bool {
	for _, x := range t.exits {
		if !x.writer.Available() {
			return false
		}
	}
	return true
}

// tend sends the watermarks that were held for a moment, once there is room for them.
func (t *task) tend() error {
	if t.clock < t.alarm {
		return nil
	}
	t.alarm = never
	for _, x := range t.exits {
		if x.reached <= x.sent {
			continue
		}
		if t.clock < x.due {
			t.alarm = min(t.alarm, x.due)
		} else if err := x.mark(); err != nil {
			return err
		}
	}
	return nil
}
