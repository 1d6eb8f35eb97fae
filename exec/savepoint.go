package exec

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"

	"streamsql/exec/checkpoint"
)

// A job is stopped with a savepoint by a checkpoint behind whose barrier no task does anything more. When it is
// complete and committed it is copied, and the tasks end as they stand; if anything fails they go on. A job that
// is drained before reads its input as ended, and its last checkpoint is copied.

// stopping is a savepoint that was asked for.
type stopping struct {
	dir   string
	drain bool
	done  chan struct{}
	// Set before done is closed.
	path string
	err  error
}

// ErrEnded says that a job came to its end, or failed, before a savepoint of it was taken.
var ErrEnded = errors.New("the job ended before a savepoint was taken")

// errSuspended ends the loop of a task that a savepoint holds.
var errSuspended = errors.New("stopped with a savepoint")

// nameLength is how many digits of the job's id stand in the name of a savepoint.
const nameLength = 6

// StopWithSavepoint stops a job with checkpoints: it makes a savepoint in a new directory below dir and gives its
// path, once the savepoint is durable and the sinks have committed what it stands for. With drain the input ends
// first: windows fire, and there is nothing left to go on with. After an error the job goes on, but for a drained
// one. With ErrEnded it has ended by itself, whatever its last checkpoint is. Giving ctx up leaves the request standing.
func (j *Job) StopWithSavepoint(ctx context.Context, dir string, drain bool) (path string, err error) {
	c := j.checkpoints
	if c == nil {
		return "", errors.New("the job takes no checkpoints, and so no savepoint: set 'execution.checkpointing.dir'")
	}
	s := &stopping{dir: dir, drain: drain, done: make(chan struct{})}
	c.mu.Lock()
	if c.stopping != nil {
		c.mu.Unlock()
		return "", errors.New("the job is being stopped with a savepoint already")
	}
	c.stopping = s
	c.mu.Unlock()
	if drain {
		c.draining.Store(true)
		c.ringAll()
	}
	c.wake()
	select {
	case <-s.done:
		if errors.Is(s.err, ErrEnded) { // its tasks may be about to
			<-j.done
		}
		return s.path, s.err
	case <-j.done:
		c.answer(ErrEnded)
		<-s.done
		return s.path, s.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// answer tells whoever asked for a savepoint that it is there, or why there is none.
func (c *coordinator) answer(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopping != nil {
		if err == nil && c.stopping.path == "" {
			err = ErrEnded // with a last checkpoint of its own
		}
		c.stopping.err = err
		close(c.stopping.done)
		c.stopping = nil
	}
}

// stopsAt tells that a job does nothing behind a barrier.
func (c *coordinator) stopsAt(epoch int64) bool {
	r := c.requested.Load()
	return r != nil && r.epoch == epoch && r.stop
}

// goOn gives up the savepoint that the barrier of a checkpoint was for: the tasks are let go.
func (c *coordinator) goOn(epoch int64, err error) {
	c.answer(err)
	c.released.Store(epoch)
	c.ringAll()
}

// conclude is the end of a complete checkpoint, committed by the sinks, that may have been the job's last one.
func (c *coordinator) conclude(m *checkpoint.Metadata) {
	if !c.stops && !c.last {
		return
	}
	c.mu.Lock()
	s := c.stopping
	c.mu.Unlock()
	var err error
	if s != nil && (c.stops || s.drain) {
		if err = c.export(s, m); err != nil {
			err = fmt.Errorf("%w; chk-%d in %s is complete", err, m.Epoch, c.o.Dir)
		}
	}
	switch {
	case c.stops && err != nil:
		c.goOn(m.Epoch, err)
		return
	case c.stops:
		c.suspended.Store(true)
	}
	c.answer(err)
	c.finished.Store(true)
	c.ringAll()
}

// export copies a checkpoint to where it was asked for. What the sinks have committed is no part of it, so that
// it does not matter what becomes of their output.
func (c *coordinator) export(s *stopping, m *checkpoint.Metadata) error {
	var id [6]byte
	if _, err := rand.Read(id[:]); err != nil {
		return fmt.Errorf("checkpoint: name a savepoint: %w", err)
	}
	path := filepath.Join(s.dir, "savepoint-"+c.id()[:nameLength]+"-"+hex.EncodeToString(id[:]))
	own := *m
	own.Committables = nil
	if err := c.directory.Export(&own, path); err != nil {
		return err
	}
	s.path = path
	c.mu.Lock()
	c.stats.Savepoint = path
	c.mu.Unlock()
	return nil
}

// isDraining tells that the input is to end.
func (c *coordinator) isDraining() bool { return c != nil && c.draining.Load() }

// hold waits behind the barrier of a savepoint for what becomes of it.
func (t *task) hold(ctx context.Context) error {
	c := t.job.checkpoints
	switch {
	case c.suspended.Load():
		return errSuspended
	case c.released.Load() >= t.held:
		t.held = 0
		return nil
	}
	t.enter(t.idle)
	t.rest()
	select {
	case <-ctx.Done():
		return errStopped
	case <-t.bell:
	}
	t.enter(t.idle)
	return nil
}
