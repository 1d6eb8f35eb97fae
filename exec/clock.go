package exec

import (
	"time"

	"streamsql/exec/op"
	"streamsql/exec/types"
)

// A checkpoint has one processing time, in all tasks. What an operator gave by the clock before the barrier is of its
// state; where subtasks stood at different times, one that takes over keys of several could only give something twice or
// not at all. So the clock of a task stands at the time of the checkpoint from the moment at which that is asked for until
// the barrier has passed, and is brought up to it right before. The time is read after the request is published, and a
// task looks for a request after it has read its own clock: one that sees none is not ahead of the checkpoint.
//
// Operators that only hold rows back for a moment (op.Holder) give them at the barrier anyway, and go on meanwhile.

// clocked is an operator that goes by the clock.
type clocked struct {
	node *node
	op   op.Clocked
	// kept says that what it gives by the clock changes what it keeps.
	kept bool
}

func newClocked(n *node, c op.Clocked) clocked {
	_, holds := c.(op.Holder)
	return clocked{n, c, !holds}
}

// tick calls the operators that go by the clock and are due.
func (t *task) tick() error {
	for _, c := range t.clocked {
		now := min(t.now(), t.limit(c))
		if c.op.NextTick() > now {
			continue
		}
		caller := t.enter(c.node)
		if err := c.op.Tick(now, c.node); err != nil {
			return err
		}
		t.enter(caller)
	}
	return nil
}

// limit is the time that an operator must not be told of before the barrier of the checkpoint that was asked for.
func (t *task) limit(c clocked) types.EventTime {
	k := t.job.checkpoints
	if k == nil || !c.kept {
		return types.MaxTime
	}
	r := k.requested.Load()
	if r == nil || r.epoch <= t.epoch {
		return types.MaxTime
	}
	if at := r.clock.Load(); at > 0 {
		return types.EventTime(at)
	}
	return types.MinTime // in a moment, and then the task is woken
}

// tickAt brings an operator up to the time of a checkpoint. Of one that was given up nobody asks what is in it.
func (t *task) tickAt(epoch int64, n *node) error {
	r := t.job.checkpoints.requested.Load()
	for _, c := range t.clocked {
		if c.node == n && c.kept && r.epoch == epoch {
			return c.op.Tick(types.EventTime(r.clock.Load()), n)
		}
	}
	return nil
}

// now is processing time as the task last looked at it.
func (t *task) now() types.EventTime { return t.job.clock(t.clock) }

// clock is processing time: it runs on from the start of the job, however the wall clock is set.
func (j *Job) clock(since time.Duration) types.EventTime {
	return types.EventTime(j.started.Add(since).UnixMilli())
}
