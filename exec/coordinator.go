package exec

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"streamsql/exec/checkpoint"
	"streamsql/exec/types"
)

// Checkpointing says how a job takes checkpoints.
type Checkpointing struct {
	// Dir is the job's directory; FS its file system, nil for the machine's.
	Dir string
	FS  checkpoint.FS
	// Restore goes on from the newest checkpoint if there is one, From from the one of this number.
	Restore bool
	From    int64
	// Interval is the time between the beginnings of checkpoints, MinPause the least between the end of
	// one and the beginning of the next. Without an interval only the end of the job makes one.
	Interval, MinPause time.Duration
	// Timeout is how long a checkpoint may take; 0 is for ever.
	Timeout time.Duration
	// Tolerable is how many checkpoints in a row may fail; Retain how many are kept.
	Tolerable, Retain int
	// Name tells the job from the others of its script; savepoints carry it.
	Name string
	// Savepoint is the directory of a savepoint to go on from, in place of a checkpoint.
	Savepoint string
	// Unclaimed says that a savepoint may be of another plan: state that the job has no use for is given up.
	Unclaimed bool
	// Transient says that the directory goes when the job ends, however it ends.
	Transient bool
}

// coordinator takes the checkpoints of a job: it asks the tasks without inputs for a barrier, collects what
// all tasks saved, completes the checkpoint and has the sinks commit it. When all input was read it takes the
// last one and lets the tasks end.
type coordinator struct {
	job       *Job
	o         Checkpointing
	directory *checkpoint.Directory
	restored  *checkpoint.Metadata

	// completed is the number of the newest complete checkpoint.
	completed atomic.Int64
	requested atomic.Pointer[request]
	// finished lets the tasks end.
	finished atomic.Bool
	// suspended ends the tasks that a savepoint holds, released lets those go on that one up to this number does.
	suspended atomic.Bool
	released  atomic.Int64
	// draining ends the sources.
	draining atomic.Bool
	opened   atomic.Int32
	stop     chan struct{}
	poke     chan struct{}
	acks     chan ack
	running  sync.WaitGroup // the coordinator and what writes for tasks

	mu       sync.Mutex
	current  *checkpoint.Epoch
	writing  int       // tasks that have begun to save and have not said how it ended
	drained  int       // tasks that have read everything
	stopping *stopping // the savepoint that was asked for, or nil
	stats    CheckpointStats

	// Known to the coordinator alone.
	began, next time.Time
	again       time.Time // not before then is the last one tried once more
	last, stops bool
	got         map[*task]*saved
	failures    int
}

// request asks for a barrier.
type request struct {
	epoch, since int64
	// stop says that a task does nothing after the barrier until it is told how it goes on, and that it saves all
	// of its state.
	stop bool
	// clock is the processing time of the checkpoint (clock.go), 0 until it is known.
	clock atomic.Int64
}

// ack is a task's answer.
type ack struct {
	task  *task
	epoch int64
	saved *saved
	err   error
}

// retryWriting is how soon it is looked again whether an abandoned checkpoint is still being written.
const retryWriting = 10 * time.Millisecond

// retryLast is the longest pause before the last checkpoint is tried again after it failed; the first ones are short.
const retryLast = 5 * time.Second

// newCoordinator opens the directory; nothing else of the job has been opened before.
func newCoordinator(j *Job) (*coordinator, error) {
	if j.options.Checkpoints == nil {
		return nil, nil
	}
	c := &coordinator{job: j, o: *j.options.Checkpoints, stop: make(chan struct{}), poke: make(chan struct{}, 1)}
	if c.o.FS == nil {
		c.o.FS = checkpoint.Disk{}
	}
	var err error
	groups, chosen := j.graph.KeyGroups()
	c.directory, err = checkpoint.Open(c.o.FS, c.o.Dir, checkpoint.Options{Plan: j.graph.Identity(), Operators: operators(j.graph),
		MaxParallelism: groups, Derived: !chosen, Parallelism: j.graph.KeyedParallelism(), Restore: c.o.Restore, From: c.o.From,
		Savepoint: c.o.Savepoint, Unclaimed: c.o.Unclaimed && c.o.Savepoint != "", Retain: c.o.Retain, Transient: c.o.Transient})
	if err != nil {
		return nil, err
	}
	if c.restored = c.directory.Restored(); c.restored != nil {
		c.completed.Store(c.restored.Epoch)
		c.stats.Restored = c.restored.Epoch
	}
	return c, nil
}

// start begins to take checkpoints, once what the restored one prepared is committed.
func (c *coordinator) start() error {
	c.acks = make(chan ack, len(c.job.tasks))
	if newer := c.directory.Abandoned(); len(newer) > 0 {
		fmt.Fprintf(c.job.options.Stderr, "warning: going back to chk-%d: what the job committed up to chk-%d is written again\n",
			c.restored.Epoch, newer[len(newer)-1])
	}
	for _, text := range c.directory.Dropped() {
		fmt.Fprintf(c.job.options.Stderr, "warning: the savepoint's state of %s is given up: the plan has no such operator\n", text)
	}
	if c.restored != nil {
		if err := c.job.commitAll(c.restored); err != nil {
			return err
		}
	}
	if err := c.job.clean(); err != nil {
		return err
	}
	c.next = c.job.started.Add(c.o.Interval)
	c.running.Go(c.run)
	return nil
}

// close ends everything; the tasks have ended before.
func (c *coordinator) close() error {
	if c == nil {
		return nil
	}
	close(c.stop)
	c.running.Wait()
	c.answer(ErrEnded)
	return c.directory.Close()
}

func (c *coordinator) run() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-c.stop:
			return
		case a := <-c.acks:
			c.take(a)
		case <-c.poke:
		case <-timer.C:
		}
		if left := c.step(time.Now()); left >= 0 {
			timer.Reset(left)
		}
	}
}

// step does what is due, and says when to look again; less than 0 is when something happens.
func (c *coordinator) step(now time.Time) time.Duration {
	c.mu.Lock()
	current, writing, drained := c.current, c.writing, c.drained == len(c.job.tasks)
	due := c.stopping != nil && !c.stopping.drain
	c.mu.Unlock()
	switch {
	case c.job.stopped.Load() || c.finished.Load() || int(c.opened.Load()) < len(c.job.tasks):
		return -1
	case current != nil && c.o.Timeout > 0 && now.Sub(c.began) >= c.o.Timeout:
		c.fail(current, fmt.Errorf("it took longer than 'execution.checkpointing.timeout', %v", c.o.Timeout))
		return 0
	case current != nil && c.o.Timeout > 0:
		return c.began.Add(c.o.Timeout).Sub(now)
	case current != nil:
		return -1
	case !drained && !due && c.o.Interval <= 0:
		return -1
	case !drained && !due && now.Before(c.next):
		return c.next.Sub(now)
	case drained && now.Before(c.again):
		return c.again.Sub(now)
	case writing > 0:
		return retryWriting
	}
	c.trigger(now, drained, due && !drained)
	return 0
}

// trigger begins a checkpoint: the last one, one that the job stops at, or one of many.
func (c *coordinator) trigger(now time.Time, last, stop bool) {
	e, err := c.directory.Begin()
	if err != nil {
		c.job.cancel(err)
		return
	}
	c.began, c.last, c.stops, c.got = now, last, stop, map[*task]*saved{}
	c.mu.Lock()
	c.current = e
	c.mu.Unlock()
	r := &request{epoch: e.Number(), since: now.UnixMilli(), stop: stop}
	c.requested.Store(r)
	r.clock.Store(int64(c.job.clock(time.Since(c.job.started)))) // behind the store: clock.go says why
	c.ringAll()
}

func (c *coordinator) ringAll() {
	for _, t := range c.job.tasks {
		t.ring()
	}
}

// enter is a task that begins to save for a checkpoint; false when that was given up. An ack has to follow.
func (c *coordinator) enter(epoch int64) (*checkpoint.Epoch, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == nil || c.current.Number() != epoch {
		return nil, false
	}
	c.writing++
	return c.current, true
}

// hasDrained is a task that has read everything and saw the end of event time.
func (c *coordinator) hasDrained() {
	c.mu.Lock()
	c.drained++
	c.mu.Unlock()
	c.wake()
}

// hasOpened is a task that took what it needs of the restored checkpoint.
func (c *coordinator) hasOpened() error {
	if int(c.opened.Add(1)) < len(c.job.tasks) {
		return nil
	}
	c.wake()
	return c.directory.EndRestore()
}

func (c *coordinator) wake() {
	select {
	case c.poke <- struct{}{}:
	default:
	}
}

func (c *coordinator) take(a ack) {
	c.mu.Lock()
	c.writing--
	c.stats.Pause = max(c.stats.Pause, a.saved.pause)
	c.stats.Bytes += a.saved.written
	e := c.current
	c.mu.Unlock()
	switch {
	case e == nil || e.Number() != a.epoch, errors.Is(a.err, errUnsaved):
		return
	case a.err != nil:
		c.fail(e, a.err)
		return
	}
	if c.got[a.task] = a.saved; len(c.got) == len(c.job.tasks) {
		c.complete(e)
	}
}

// leave ends the checkpoint for the tasks.
func (c *coordinator) leave() {
	c.mu.Lock()
	c.current = nil
	c.mu.Unlock()
	now := time.Now()
	c.next = c.began.Add(c.o.Interval)
	if least := now.Add(c.o.MinPause); c.next.Before(least) {
		c.next = least
	}
}

func (c *coordinator) fail(e *checkpoint.Epoch, err error) {
	c.leave()
	c.mu.Lock()
	c.stats.Failed++
	c.mu.Unlock()
	e.Abort()
	err = fmt.Errorf("checkpoint chk-%d failed: %w", e.Number(), err)
	if c.stops {
		c.goOn(e.Number(), err)
		return
	}
	if c.failures++; c.failures > c.o.Tolerable {
		c.job.cancel(err)
		return
	}
	c.again = time.Now().Add(min(retryWriting<<min(c.failures, 10), retryLast))
	fmt.Fprintf(c.job.options.Stderr, "warning: %v\n", err)
}

// complete makes a checkpoint of what all tasks saved.
func (c *coordinator) complete(e *checkpoint.Epoch) {
	m := &checkpoint.Metadata{Began: c.began.UnixMilli(), Finished: c.last, Name: c.o.Name, Plan: c.job.graph.Identity(),
		Operators: operators(c.job.graph), MaxParallelism: c.job.groups, Watermark: int64(types.MaxTime)}
	for _, t := range c.job.tasks {
		s := c.got[t]
		m.Splits, m.Marks = append(m.Splits, s.splits...), append(m.Marks, s.marks...)
		m.Counts = append(m.Counts, s.counts...)
		m.Committables, m.Blocks = append(m.Committables, s.committables...), append(m.Blocks, s.blocks...)
		m.Watermark = min(m.Watermark, int64(s.sunk))
	}
	err := e.Commit(m)
	var open *checkpoint.Uncertain
	switch {
	case errors.As(err, &open):
		c.leave()
		c.job.cancel(err)
		return
	case err != nil:
		c.fail(e, err)
		return
	}
	c.leave()
	c.failures = 0
	c.mu.Lock()
	c.stats.Completed++
	c.stats.Longest = max(c.stats.Longest, time.Since(c.began))
	c.mu.Unlock()
	c.completed.Store(m.Epoch)
	if err := c.job.commitAll(m); err != nil {
		c.job.cancel(err)
		return
	}
	if err := c.directory.Retire(); err != nil {
		fmt.Fprintf(c.job.options.Stderr, "warning: %v\n", err)
	}
	c.conclude(m)
}

// id is the job's, empty without checkpoints.
func (c *coordinator) id() string {
	if c == nil {
		return ""
	}
	return c.directory.Job()
}

// isTransient tells that nothing goes on from the checkpoints of the job, if there are any.
func (c *coordinator) isTransient() bool { return c == nil || c.o.Transient }

// isOver tells that the job had ended when its newest checkpoint was made.
func (c *coordinator) isOver() bool { return c != nil && c.restored != nil && c.restored.Finished }
