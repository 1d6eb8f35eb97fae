package exec_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"streamsql/exec"
	"streamsql/exec/connector"
	"streamsql/exec/graph"
)

// flaky is a source that fails a number of times, each after some batches.
type flaky struct {
	numbers
	left  *atomic.Int32
	every int
}

var errFlaky = errors.New("connection lost")

func (s flaky) Open(c *connector.Context, splits []connector.Split) (connector.Reader, error) {
	r, err := s.numbers.Open(c, splits)
	return &flakyReader{numbersReader: r.(*numbersReader), flaky: s}, err
}

type flakyReader struct {
	*numbersReader
	flaky flaky
	reads int
}

func (r *flakyReader) Next() (connector.Read, error) {
	if r.reads++; r.reads > r.flaky.every && r.flaky.left.Add(-1) >= 0 {
		return connector.Read{}, errFlaky
	}
	return r.numbersReader.Next()
}

// unsteady is the job counted with a source that fails.
func unsteady(l *ledger, opens *atomic.Int32, times int32) *graph.Graph {
	g, left := counted(l, opens), &atomic.Int32{}
	left.Store(times)
	s := g.Stages[0].Nodes[0].Source
	s.Source = flaky{s.Source.(numbers), left, 30}
	return g
}

// TestRestart: a job whose source or sink fails is started again in the same process, and every row is committed
// once.
func TestRestart(t *testing.T) {
	fixed := exec.Restart{Type: exec.FixedDelay, Attempts: 5, Delay: time.Millisecond}
	growing := exec.Restart{Type: exec.ExponentialDelay, Attempts: math.MaxInt, Delay: time.Millisecond, MaxDelay: 4 * time.Millisecond,
		Multiplier: 2, Jitter: 0.1, ResetAfter: time.Hour}
	for _, r := range []exec.Restart{fixed, growing} {
		l, opens := newLedger(), &atomic.Int32{}
		l.deaf.Store(1) // a commit of the sink
		var told bytes.Buffer
		starts := 0
		o := exec.Options{Checkpoints: &exec.Checkpointing{Dir: t.TempDir(), Interval: 2 * time.Millisecond}, MaxRows: 8, Stderr: &told,
			Restart: r, Started: func(*exec.Job) { starts++ }}
		stats, err := exec.Supervise(t.Context(), unsteady(l, opens, 3), o)
		if err != nil {
			t.Fatal(err)
		}
		if stats.Restarts < 2 || starts != stats.Restarts+1 ||
			strings.Count(told.String(), "warning: the job failed and starts again in ") != stats.Restarts {
			t.Errorf("%d restarts, %d starts: %s", stats.Restarts, starts, &told)
		}
		if err := l.exact(); err != nil {
			t.Error(err)
		}
	}
}

// TestRestartEnds: what no start can mend, or not often enough, ends the job.
func TestRestartEnds(t *testing.T) {
	run := func(times int32, r exec.Restart, c *exec.Checkpointing) (exec.Stats, error) {
		o := exec.Options{Checkpoints: c, MaxRows: 8, Restart: r}
		return exec.Supervise(t.Context(), unsteady(newLedger(), &atomic.Int32{}, times), o)
	}
	fixed := exec.Restart{Type: exec.FixedDelay, Attempts: 2}
	stats, err := run(100, fixed, &exec.Checkpointing{Dir: t.TempDir()})
	if !errors.Is(err, errFlaky) || stats.Restarts != 2 {
		t.Errorf("%d restarts: %v", stats.Restarts, err)
	}
	if stats, err := run(1, exec.Restart{}, &exec.Checkpointing{Dir: t.TempDir()}); !errors.Is(err, errFlaky) || stats.Restarts != 0 {
		t.Errorf("no strategy: %d restarts: %v", stats.Restarts, err)
	}
	if stats, err := run(1, fixed, nil); !errors.Is(err, errFlaky) || stats.Restarts != 0 {
		t.Errorf("no checkpoints: %d restarts: %v", stats.Restarts, err)
	}
	stop := errors.New("stop")
	_, err = exec.Supervise(t.Context(), unsteady(newLedger(), &atomic.Int32{}, 0), exec.Options{Restart: fixed,
		Checkpoints: &exec.Checkpointing{Dir: t.TempDir()}, Started: func(j *exec.Job) { j.Cancel(stop) }})
	if !errors.Is(err, stop) {
		t.Error(err)
	}
}

// TestRestartSteppedBack: a job that went back to an older checkpoint, or began with a savepoint, does so again
// until it has completed one of its own.
func TestRestartSteppedBack(t *testing.T) {
	l, opens, dir := newLedger(), &atomic.Int32{}, t.TempDir()
	path := stopped(t, slow(l, opens), exec.Checkpointing{Dir: t.TempDir()}, dir, false)
	fixed := exec.Restart{Type: exec.FixedDelay, Attempts: 5}
	for _, c := range []exec.Checkpointing{{Savepoint: path}, {Savepoint: path, Interval: time.Millisecond}} {
		l := newLedger()
		c.Dir = t.TempDir()
		o := exec.Options{Checkpoints: &c, MaxRows: 8, Restart: fixed}
		if _, err := exec.Supervise(t.Context(), unsteady(l, opens, 2), o); err != nil {
			t.Fatal(err)
		}
		for row, n := range l.rows {
			if n != 1 {
				t.Errorf("row %s was committed %d times", row, n)
			}
		}
		if n := len(l.rows); n == 0 || n >= 2*rowsEach {
			t.Errorf("%d rows", n)
		}
	}
}
