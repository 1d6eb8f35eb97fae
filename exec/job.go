package exec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/graph"
	"streamsql/exec/vector"
)

// Job is a running graph.
type Job struct {
	graph   *graph.Graph
	options Options
	tasks   []*task
	groups  int // of keys
	started time.Time
	cancel  context.CancelCauseFunc
	// stopped says that the job was cancelled or failed: tasks look at it at every batch.
	stopped atomic.Bool
	// cancelled says that Cancel was called.
	cancelled atomic.Bool
	done      chan struct{}
	// exchange is nil for a job without edges.
	exchange *exchange
	// checkpoints is nil for a job without them.
	checkpoints *coordinator
	full        *full

	// Set before done is closed.
	err  error
	wall time.Duration
}

// lastEpoch is the number of the only epoch of a job without checkpoints.
const lastEpoch = 1

// halted is errStopped once the job is stopped.
func (j *Job) halted() error {
	if j.stopped.Load() {
		return errStopped
	}
	return nil
}

// Start checks a graph and starts its tasks. Cancelling ctx cancels the job.
func Start(ctx context.Context, g *graph.Graph, o Options) (*Job, error) {
	if o.MaxRows <= 0 {
		o.MaxRows = vector.DefaultMaxRows
	}
	o.Stdout, o.Stderr = lockWriter(o.Stdout), lockWriter(o.Stderr)
	j := &Job{graph: g, options: o, started: time.Now(), done: make(chan struct{}), full: newFull(g)}
	if err := j.prepare(); err != nil {
		return nil, err
	}
	ctx, j.cancel = context.WithCancelCause(ctx)
	halted := make(chan struct{})
	unhook := context.AfterFunc(ctx, func() {
		j.stopped.Store(true)
		j.exchange.stop()
		close(halted)
	})
	if j.checkpoints != nil {
		if err := j.checkpoints.start(); err != nil {
			j.cancel(err)
		}
	}
	var wg sync.WaitGroup
	for _, t := range j.tasks {
		wg.Go(func() { t.run(ctx) })
	}
	go func() {
		wg.Wait()
		if !unhook() {
			<-halted
		}
		j.end(context.Cause(ctx))
	}()
	return j, nil
}

// prepare makes the tasks and connects them. The directory of checkpoints comes before anything else.
func (j *Job) prepare() (err error) {
	if j.checkpoints, err = newCoordinator(j); err != nil {
		return err
	}
	j.groups, _ = j.graph.KeyGroups()
	if c := j.checkpoints; c != nil && c.restored != nil {
		j.groups = c.restored.MaxParallelism
	}
	for i := range j.graph.Stages {
		if err == nil {
			err = j.plan(i)
		}
	}
	if err == nil {
		err = j.connect()
	}
	if err != nil {
		return errors.Join(err, j.checkpoints.close())
	}
	return nil
}

// plan makes the tasks of a stage.
func (j *Job) plan(stage int) error {
	s := j.graph.Stages[stage]
	n := max(s.Parallelism, 1)
	tasks := make([]*task, n)
	for i := range tasks {
		tasks[i] = newTask(j, stage, i, n)
	}
	for k, node := range s.Nodes {
		if node.Source == nil {
			continue
		}
		var splits []connector.Split
		err := guard(&Failure{Operator: node.String(), Stage: stage}, func() (err error) {
			if err := j.checkpoints.canGoBack(node.Source.Source); err != nil {
				return err
			}
			splits, err = j.checkpoints.splits(stage, k, node.String(), node.Source.Source, n)
			return err
		})
		if err != nil {
			return err
		}
		for i, t := range tasks {
			for x := i; x < len(splits); x += n {
				t.nodes[k].splits = append(t.nodes[k].splits, splits[x])
			}
		}
	}
	j.keepStep(stage, tasks)
	j.tasks = append(j.tasks, tasks...)
	return nil
}

// end commits or aborts the writers, once every task has ended.
func (j *Job) end(cause error) {
	err := cause
	if e := j.exchange.close(); err == nil && e != nil {
		err = fmt.Errorf("exec: %w", e)
	}
	if e := j.checkpoints.close(); err == nil {
		err = e
	}
	if err == nil && j.checkpoints == nil {
		err = j.commit()
	}
	for _, t := range j.tasks {
		for _, w := range t.writers {
			finish := w.writer.Close
			if err != nil && j.checkpoints.isTransient() {
				finish = w.writer.Abort
			}
			e := guard(w.node.failure(), finish)
			if err == nil {
				err = e
			}
		}
	}
	j.err, j.wall = err, time.Since(j.started)
	j.cancel(nil)
	close(j.done)
}

// guard runs f and turns its error or panic into the failure at, which then names the place. A
// cancellation stays what it is, and so does a failure that has its place.
func guard(at *Failure, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			at.Err, at.Stack = fmt.Errorf("panic: %v", p), debug.Stack()
			err = at
		}
	}()
	err = f()
	var named *Failure
	if err == nil || errors.Is(err, errStopped) || errors.As(err, &named) {
		return err
	}
	at.Err = err
	return at
}

// Cancel ends the job early: Wait then returns cause.
func (j *Job) Cancel(cause error) {
	j.cancelled.Store(true)
	j.cancel(cause)
}

// ID is the id of a job with checkpoints, the same after a restore, and empty otherwise.
func (j *Job) ID() string { return j.checkpoints.id() }

// Wait waits for the end.
func (j *Job) Wait() (Stats, error) {
	<-j.done
	return j.Stats(), j.err
}

// lockedWriter lets the tasks of a job share a stream.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func lockWriter(w io.Writer) io.Writer {
	if w == nil {
		return io.Discard
	}
	return &lockedWriter{w: w}
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
