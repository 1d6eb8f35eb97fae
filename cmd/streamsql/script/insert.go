package script

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"streamsql/exec"
	"streamsql/exec/checkpoint"
	"streamsql/planner"
	"streamsql/planner/catalog"
	"streamsql/planner/syntax"
)

// place is a statement of a script, for errors of what outlives it.
type place struct {
	text, file string
	span       syntax.Span
}

// insert runs an INSERT, to its end or in the background as 'table.dml-sync' says.
func (r *Runner) insert(ctx context.Context, res *planner.Result, at place) error {
	r.inserts++
	set, o := r.Session.Settings(), r.options()
	name := r.Folder
	if name == "" {
		name = insertName(r.inserts)
	}
	from, over, err := r.savepointOf(r.inserts)
	switch {
	case err != nil:
		return err
	case over:
		fmt.Fprintf(r.Err, "notice: %s had ended before the savepoint: it is left out\n", name)
		return nil
	}
	if o.Checkpoints, err = r.checkpoints(name, from, interval(set, res.Graph)); err != nil {
		return err
	}
	if o.Restart = restart(set); o.Restart.Type != exec.NoRestart && set.CheckpointDir == "" {
		o.Restart = exec.Restart{}
		if !r.Quiet {
			fmt.Fprintln(r.Err, "warning: the job does not start again by itself: 'execution.checkpointing.dir' is not set")
		}
	}
	if set.CheckpointInterval == 0 && o.Checkpoints != nil && o.Checkpoints.Interval > 0 && !r.Quiet {
		fmt.Fprintf(r.Err, "notice: what %s writes becomes visible at checkpoints, every %v: 'execution.checkpointing.interval' is not set\n",
			name, o.Checkpoints.Interval)
	}
	j := &job{name: name, title: title(set, res), began: time.Now(), savepoints: set.SavepointDir, status: running,
		started: make(chan struct{}), done: make(chan struct{}), apart: !set.DMLSync}
	if j.apart && r.Background != nil {
		ctx = r.Background
	}
	ctx, j.cancel = context.WithCancelCause(ctx)
	if !r.jobs.add(j) {
		j.cancel(nil)
		return nil
	}
	o.Started = func(x *exec.Job) {
		if r.Started != nil {
			r.Started(x)
		}
		if r.jobs.start(j, x) {
			r.begun(j)
		}
	}
	go r.run(ctx, res, o, j, at)
	if set.DMLSync {
		select {
		case <-j.done:
		case <-j.started:
			over := r.watch(func() *exec.Job { return r.jobs.currentOf(j) })
			<-j.done
			over()
		}
		return j.err
	}
	select {
	case <-j.done: // it may not have come to a start
		return j.err
	case <-j.started:
	}
	return nil
}

// run is the life of an INSERT's job.
func (r *Runner) run(ctx context.Context, res *planner.Result, o exec.Options, j *job, at place) {
	stats, err := exec.Supervise(ctx, res.Graph, o)
	r.notice(stats)
	if r.Ended != nil {
		r.Ended(j.title, stats)
	}
	left := errors.Is(err, ErrLeft)
	if left || errors.Is(err, errStop) {
		err = nil
		r.jobs.end(j, cancelled)
	}
	as := r.jobs.end(j, finished)
	switch c := stats.Checkpoints; {
	case err != nil:
	case c != nil && c.Savepoint != "":
		fmt.Fprintf(r.Err, "stopped %s with savepoint %s\n", j.name, c.Savepoint)
	case left && j.apart && !r.Quiet:
		fmt.Fprintf(r.Err, "job '%s' is stopped: %v\n", r.jobs.idOf(j), ErrLeft)
	case as == finished && j.apart && !r.Quiet:
		fmt.Fprintf(r.Err, "job '%s' is finished: %d rows written\n", r.jobs.idOf(j), written(stats))
	}
	if err != nil {
		r.jobs.end(j, failed)
		j.err = Moved(runtimeError(err, at.span, res.Apart), at.span.Pos)
		j.background = r.rendered(j.err, at.text, at.file)
		if id := r.jobs.idOf(j); j.apart && id != "" {
			fmt.Fprintf(r.Err, "job '%s' failed: %v\n", id, err)
		}
	}
	j.cancel(nil)
	close(j.done)
}

// begun tells of a job in the background before anything can come of it.
func (r *Runner) begun(j *job) {
	if j.apart {
		fmt.Fprintf(r.Err, "job '%s' runs in the background: %s\n", r.jobs.idOf(j), j.title)
	}
	close(j.started)
}

// written is the rows that came to the sinks of a job.
func written(s exec.Stats) (n int64) {
	for _, x := range s.Nodes {
		if x.Sink {
			n += x.RowsIn
		}
	}
	return n
}

func insertName(n int) string { return fmt.Sprintf("insert-%d", n) }

// title is the name of a job as SHOW JOBS has it.
func title(set *catalog.Settings, res *planner.Result) string {
	if set.Name != "" {
		return set.Name
	}
	var tables []string
	for _, s := range res.Graph.Stages {
		for _, n := range s.Nodes {
			if n.Sink != nil {
				tables = append(tables, n.Sink.Table)
			}
		}
	}
	return "insert-into_" + strings.Join(tables, ",")
}

// checkpoints says how an INSERT takes them and what it goes on from, or nil. Shows is the time between those at which
// its sinks show rows, 0 where they wait for none.
func (r *Runner) checkpoints(name, savepoint string, shows time.Duration) (*exec.Checkpointing, error) {
	set := r.Session.Settings()
	c := &exec.Checkpointing{Dir: filepath.Join(set.CheckpointDir, name), Restore: r.Restore, From: r.From,
		Interval: set.CheckpointInterval, MinPause: set.CheckpointPause, Timeout: set.CheckpointTimeout,
		Tolerable: set.CheckpointFailures, Retain: set.CheckpointRetained, Name: name, Savepoint: savepoint,
		Unclaimed: set.Unclaimed}
	if shows > 0 {
		c.Interval = shows
	}
	if set.CheckpointDir != "" {
		return c, nil
	}
	if r.Restore || r.From > 0 {
		return nil, errors.New("there is nothing to restore from: 'execution.checkpointing.dir' is not set")
	}
	if set.CheckpointInterval > 0 && !r.Quiet {
		fmt.Fprintln(r.Err, "warning: no checkpoints are kept: 'execution.checkpointing.dir' is not set")
	}
	// What a savepoint is made of, the job begins with or its sinks show rows at needs a place while it runs.
	c.Transient, c.Interval = true, shows
	switch {
	case set.SavepointDir != "":
		var id [8]byte
		if _, err := rand.Read(id[:]); err != nil {
			return nil, err
		}
		r.clear(set.SavepointDir, besideSavepoints)
		c.Dir = filepath.Join(set.SavepointDir, besideSavepoints+hex.EncodeToString(id[:]))
	case savepoint != "" || shows > 0:
		var err error
		r.clear(os.TempDir(), amongTemporary)
		if c.Dir, err = os.MkdirTemp("", amongTemporary); err != nil {
			return nil, err
		}
	default:
		return nil, nil
	}
	return c, nil
}

// How the names begin of directories that jobs take along when they end.
const (
	besideSavepoints = ".job-"
	amongTemporary   = "streamsql-job-"
)

// clear removes what jobs left whose process was killed. That it cannot is no reason not to begin.
func (r *Runner) clear(dir, prefix string) {
	if err := checkpoint.RemoveLeft(checkpoint.Disk{}, dir, prefix); err != nil && !r.Quiet {
		fmt.Fprintf(r.Err, "warning: %v\n", err)
	}
}

// restart is the strategy that the settings name.
func restart(set *catalog.Settings) exec.Restart {
	switch set.Restart {
	case "fixed-delay", "fixeddelay":
		return exec.Restart{Type: exec.FixedDelay, Attempts: set.Attempts, Delay: set.Delay}
	case "exponential-delay", "exponentialdelay":
		o := exec.Restart{Type: exec.ExponentialDelay, Attempts: math.MaxInt, Delay: set.Backoff, MaxDelay: set.Slowest,
			ResetAfter: set.Calm, Multiplier: set.Growth, Jitter: set.Jitter}
		if set.Tries != nil {
			o.Attempts = *set.Tries
		}
		return o
	}
	return exec.Restart{}
}

// resumption is what the savepoints are of, by the number of the INSERT.
type resumption struct {
	paths map[int]string
	last  int
}

// savepointOf is the savepoint that the n-th INSERT goes on from, if there is one; over says that it had ended
// when others were stopped.
func (r *Runner) savepointOf(n int) (path string, over bool, err error) {
	if len(r.Savepoints) == 0 {
		return r.Session.Settings().Savepoint, false, nil
	}
	if r.resume == nil {
		if r.resume, err = readSavepoints(r.Savepoints); err != nil {
			return "", false, err
		}
	}
	path = r.resume.paths[n]
	return path, path == "" && n < r.resume.last, nil
}

func readSavepoints(paths []string) (*resumption, error) {
	s := &resumption{paths: map[int]string{}}
	for _, path := range paths {
		m, err := checkpoint.ReadSavepoint(checkpoint.Disk{}, path)
		if err != nil {
			return nil, err
		}
		n := 1
		if number, ok := strings.CutPrefix(m.Name, "insert-"); ok {
			if n, err = strconv.Atoi(number); err != nil {
				return nil, fmt.Errorf("savepoint %s is of a job '%s', which is no INSERT of a script", path, m.Name)
			}
		}
		if s.paths[n] != "" {
			return nil, fmt.Errorf("%s and %s are both savepoints of %s", s.paths[n], path, m.Name)
		}
		s.paths[n], s.last = path, max(s.last, n)
	}
	return s, nil
}
