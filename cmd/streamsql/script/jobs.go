package script

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"streamsql/cmd/streamsql/render"
	"streamsql/exec"
	"streamsql/planner"
	"streamsql/planner/syntax"
)

// jobs are the INSERTs of a session that were started, in this order, and the query that runs, if one does.
type jobs struct {
	mu       sync.Mutex
	list     []*job
	query    context.CancelCauseFunc
	stopping bool           // nothing is started any more
	stopped  chan struct{}  // closed with stopping; made when it is asked for
	saving   sync.WaitGroup // for the savepoints of Stop
	saved    atomic.Int32   // those that were made
}

// job is an INSERT that was started.
type job struct {
	name, title string
	began       time.Time
	savepoints  string // the directory for them, may be empty
	cancel      context.CancelCauseFunc
	started     chan struct{} // closed at its first start
	done        chan struct{}
	apart       bool // it runs in the background

	// Under the mutex of jobs.
	id      string
	current *exec.Job
	status  status

	// Set before done is closed; background is err with the statement drawn.
	err, background error
}

// status is how a job stands, in Flink's words.
type status string

const (
	running   status = "RUNNING"
	finished  status = "FINISHED"
	failed    status = "FAILED"
	cancelled status = "CANCELED"
)

// ErrLeft is why jobs are cancelled whose session its user left.
var ErrLeft = errors.New("the session was left")

// errStop is why a job was cancelled that a statement stopped.
var errStop = errors.New("the job was stopped")

// errCut is why a script ends before its end, with nothing that tells how far it came.
var errCut = errors.New("the script was stopped between its statements: what ran had ended before a savepoint was taken, the rest did not run")

// add takes a job that is about to start; false when nothing is started any more.
func (s *jobs) add(j *job) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.stopping {
		s.list = append(s.list, j)
	}
	return !s.stopping
}

// ask notes how the query that runs is ended, nil when none does; false when nothing is started any more.
func (s *jobs) ask(cancel context.CancelCauseFunc) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.query = cancel
	return !s.stopping
}

// start notes a start of a job, and tells whether it is the first.
func (s *jobs) start(j *job, x *exec.Job) (first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	first, j.current = j.current == nil, x
	if j.id == "" {
		j.id = x.ID()
	}
	if j.id == "" {
		var id [8]byte
		_, _ = rand.Read(id[:]) // never fails
		j.id = hex.EncodeToString(id[:])
	}
	return first
}

// end notes how a job ended, and gives the word for it: the first one stands, but for a failure.
func (s *jobs) end(j *job, as status) status {
	s.mu.Lock()
	defer s.mu.Unlock()
	if j.status == running || as == failed {
		j.status = as
	}
	return j.status
}

// stop gives a channel that is closed when nothing is started any more.
func (s *jobs) stop() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped == nil {
		s.stopped = make(chan struct{})
		if s.stopping {
			close(s.stopped)
		}
	}
	return s.stopped
}

func (s *jobs) isStopping() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopping
}

// all lists the jobs.
func (s *jobs) all() []*job {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.list)
}

// cancel ends all jobs.
func (s *jobs) cancel(cause error) {
	for _, j := range s.all() {
		j.cancel(cause)
	}
}

// Running is how many INSERTs run.
func (r *Runner) Running() int {
	n := 0
	for _, j := range r.jobs.all() {
		if r.jobs.statusOf(j) == running {
			n++
		}
	}
	return n
}

// JobIDs are those of the jobs that run.
func (r *Runner) JobIDs() []string {
	var out []string
	for _, j := range r.jobs.all() {
		if id := r.jobs.idOf(j); id != "" && r.jobs.statusOf(j) == running {
			out = append(out, id)
		}
	}
	return out
}

// JobOf finds the job that runs under an id, or under its beginning where that is enough; nil when there is none. Ended is
// closed at its end, behind which Wait tells how.
func (r *Runner) JobOf(id string) (full string, current *exec.Job, ended <-chan struct{}) {
	for _, j := range r.jobs.all() {
		r.jobs.mu.Lock()
		match := j.status == running && id != "" && strings.HasPrefix(j.id, id)
		if match && current != nil {
			r.jobs.mu.Unlock()
			return "", nil, nil
		}
		if match {
			full, current, ended = j.id, j.current, j.done
		}
		r.jobs.mu.Unlock()
	}
	return full, current, ended
}

// Cancel ends all jobs.
func (r *Runner) Cancel(cause error) { r.jobs.cancel(cause) }

// Wait waits for the jobs in the background, and gives the first failure. Savepoints that no INSERT went on from
// are one too.
func (r *Runner) Wait() error {
	r.warned("")
	var first error
	for _, j := range r.jobs.all() {
		<-j.done
		if j.err != nil && first == nil {
			first = j.background
		}
	}
	if first == nil && r.resume != nil && r.inserts < r.resume.last && !r.jobs.isStopping() {
		first = fmt.Errorf("the savepoint %s is of INSERT number %d, there are %d", r.resume.paths[r.resume.last], r.resume.last, r.inserts)
	}
	return first
}

// Stop ends what runs, and nothing is started any more: INSERTs with a savepoint each below their directory for
// savepoints, queries at once. It is false, and nothing was done, when no INSERT runs or one has no such directory. One whose
// savepoint fails ends with that error; one that came to its end meanwhile ends as it would have.
func (r *Runner) Stop(ctx context.Context) bool {
	s := &r.jobs
	s.mu.Lock()
	var list []*job
	for _, j := range s.list {
		if j.status == running {
			list = append(list, j)
		}
	}
	if len(list) == 0 || slices.ContainsFunc(list, func(j *job) bool { return j.savepoints == "" }) {
		s.mu.Unlock()
		return false
	}
	if s.stopped != nil && !s.stopping {
		close(s.stopped)
	}
	s.stopping = true
	if s.query != nil {
		s.query(errStop)
	}
	s.mu.Unlock()
	for _, j := range list {
		s.saving.Go(func() {
			if _, err := s.savepoint(ctx, j, j.savepoints, false); err != nil {
				j.cancel(fmt.Errorf("%s was not stopped with a savepoint: %w", j.name, err))
				return
			}
			s.saved.Add(1)
		})
	}
	return true
}

// cut is why a script that was stopped ends with statements left. It is nil where a savepoint tells how far it came.
func (s *jobs) cut() error {
	s.saving.Wait()
	if s.saved.Load() > 0 {
		return nil
	}
	return errCut
}

// savepoint stops a job with one, and waits for its end.
func (s *jobs) savepoint(ctx context.Context, j *job, dir string, drain bool) (string, error) {
	select {
	case <-j.started:
	case <-j.done:
		return "", errors.New("the job has ended")
	}
	s.mu.Lock()
	x := j.current
	s.mu.Unlock()
	path, err := x.StopWithSavepoint(ctx, dir, drain)
	if err != nil {
		return "", err
	}
	<-j.done
	return path, nil
}

// manage carries out a statement about jobs.
func (r *Runner) manage(ctx context.Context, st *planner.JobStatement) error {
	if st.All {
		return r.showJobs(r.jobs.all())
	}
	at := slices.IndexFunc(r.jobs.all(), func(j *job) bool { return r.jobs.idOf(j) == st.ID })
	if at < 0 {
		return syntax.Errorf(planner.CodeJob, st.Span, "there is no job '%s'", st.ID).WithHint("SHOW JOBS lists those of the session")
	}
	j := r.jobs.all()[at]
	if !st.Stop {
		return r.showJobs([]*job{j})
	}
	if s := r.jobs.statusOf(j); s != running {
		return syntax.Errorf(planner.CodeJob, st.Span, "the job '%s' has ended: it is %s", st.ID, s)
	}
	if !st.Savepoint {
		j.cancel(errStop)
		<-j.done
		return nil
	}
	dir := r.Session.Settings().SavepointDir
	if dir == "" {
		return syntax.Errorf(planner.CodeJob, st.Span, "there is no directory for savepoints").
			WithHint("SET 'execution.checkpointing.savepoint-dir' = '…'")
	}
	path, err := r.jobs.savepoint(ctx, j, dir, st.Drain)
	if err != nil {
		return syntax.Errorf(planner.CodeJob, st.Span, "%v", err)
	}
	return render.Texts(r.Out, r.Result, []render.Column{{Name: "savepoint path"}}, [][]string{{path}}, nil)
}

func (s *jobs) idOf(j *job) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return j.id
}

func (s *jobs) currentOf(j *job) *exec.Job {
	s.mu.Lock()
	defer s.mu.Unlock()
	return j.current
}

func (s *jobs) statusOf(j *job) status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return j.status
}

func (r *Runner) showJobs(list []*job) error {
	cols := []render.Column{{Name: "job id"}, {Name: "job name"}, {Name: "status"}, {Name: "start time"}}
	zone := r.Session.Settings().Location()
	rows := make([][]string, len(list))
	for i, j := range list {
		rows[i] = []string{r.jobs.idOf(j), j.title, string(r.jobs.statusOf(j)), j.began.In(zone).Format("2006-01-02 15:04:05")}
	}
	return render.Texts(r.Out, r.Result, cols, rows, nil)
}
