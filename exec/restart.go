package exec

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"streamsql/exec/checkpoint"
	"streamsql/exec/graph"
)

// RestartType is a strategy of starting a failed job again.
type RestartType uint8

// The strategies.
const (
	// NoRestart leaves a failed job.
	NoRestart RestartType = iota
	// FixedDelay starts it again a number of times, each after the same delay.
	FixedDelay
	// ExponentialDelay starts it again as often as need be, each time after a longer delay.
	ExponentialDelay
)

// Restart is a strategy and what it goes by.
type Restart struct {
	Type RestartType
	// Attempts is how often a job is started again; 0 is never. ExponentialDelay counts anew after ResetAfter.
	Attempts int
	// Delay is that of FixedDelay, and the first one of ExponentialDelay.
	Delay time.Duration
	// MaxDelay bounds the delays of ExponentialDelay, each Multiplier times the one before, give or take the share
	// Jitter of it. A job that ran for ResetAfter begins with the first delay again.
	MaxDelay, ResetAfter time.Duration
	Multiplier, Jitter   float64
}

// backoff counts failures and finds delays.
type backoff struct {
	Restart
	failures int
	delay    time.Duration // without jitter
}

// next is the delay before the start that follows a failure after the job ran for some time; false if there is
// to be none.
func (b *backoff) next(ran time.Duration) (time.Duration, bool) {
	if b.Type == ExponentialDelay && ran >= b.ResetAfter {
		b.failures = 0
	}
	if b.failures++; b.Type == NoRestart || b.failures > b.Attempts {
		return 0, false
	}
	if b.Type == FixedDelay {
		return b.Delay, true
	}
	if b.failures == 1 {
		b.delay = min(b.Delay, b.MaxDelay)
	} else {
		b.delay = time.Duration(min(float64(b.delay)*b.Multiplier, float64(b.MaxDelay)))
	}
	off := 1 + b.Jitter*(2*rand.Float64()-1)
	return min(time.Duration(float64(b.delay)*off), b.MaxDelay), true
}

// attempts is the number of tries as text.
func (b *backoff) attempts() string {
	if b.Attempts == math.MaxInt {
		return fmt.Sprint(b.failures)
	}
	return fmt.Sprintf("%d of %d", b.failures, b.Attempts)
}

// Supervise runs a graph to its end. A job with checkpoints that fails is started again as o.Restart says: it
// goes on from its newest checkpoint, or begins again as it began if there is none yet. What is wrong with the
// first start, cancelling ctx and Job.Cancel are no failures that a start could mend. The counters are those of
// the last start.
func Supervise(ctx context.Context, g *graph.Graph, o Options) (Stats, error) {
	b := backoff{Restart: o.Restart}
	if o.Checkpoints == nil {
		b.Type = NoRestart
	} else {
		own := *o.Checkpoints
		o.Checkpoints = &own
	}
	var stats Stats
	for starts := 0; ; starts++ {
		began := time.Now()
		j, err := Start(ctx, g, o)
		if err != nil && starts == 0 {
			return Stats{}, err
		}
		if err == nil {
			if o.Started != nil {
				o.Started(j)
			}
			stats, err = j.Wait()
		}
		stats.Restarts = starts
		if err == nil || ctx.Err() != nil || j != nil && j.cancelled.Load() || !o.mayRestart(err) {
			return stats, err
		}
		delay, again := b.next(time.Since(began))
		if !again {
			return stats, err
		}
		var open *checkpoint.Uncertain
		if j != nil && j.completed() > 0 || errors.As(err, &open) {
			o.Checkpoints.Restore, o.Checkpoints.From, o.Checkpoints.Savepoint = true, 0, ""
		}
		fmt.Fprintf(lockWriter(o.Stderr), "warning: the job failed and starts again in %v (%s): %v\n",
			delay.Round(time.Millisecond), b.attempts(), err)
		select {
		case <-ctx.Done():
			return stats, context.Cause(ctx)
		case <-time.After(delay):
		}
	}
}

// mayRestart tells whether a failure is one that a start could mend, and whether it is known where to go on from.
func (o *Options) mayRestart(err error) bool {
	var damage *checkpoint.Damage
	var open *checkpoint.Uncertain
	switch {
	case errors.As(err, &damage):
		return false
	case errors.As(err, &open):
		// Whether the newest checkpoint of the directory is this job's or one that it stepped back from is open.
		return o.Checkpoints.From == 0 && o.Checkpoints.Savepoint == ""
	}
	return true
}

// completed is how many checkpoints this start has completed.
func (j *Job) completed() int {
	if j.checkpoints == nil {
		return 0
	}
	j.checkpoints.mu.Lock()
	defer j.checkpoints.mu.Unlock()
	return j.checkpoints.stats.Completed
}
