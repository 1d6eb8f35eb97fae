package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"

	"streamsql/cmd/streamsql/script"
)

// foreground is what the user waits for. Ctrl-C stops it, once more leaves it behind, and a third time ends the program.
type foreground struct {
	mu      sync.Mutex
	cancel  context.CancelCauseFunc
	asked   int
	abandon chan struct{}
	lent    bool // another program has the terminal: Ctrl-C is for it too
}

// errStopped is the cause of what Ctrl-C ended.
var errStopped = errors.New("stopped")

// exitBroken is the exit code of a program that Ctrl-C ended.
const exitBroken = 130

func (f *foreground) begin(cancel context.CancelCauseFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cancel, f.asked, f.abandon = cancel, 0, make(chan struct{})
}

// lend says whether another program has the terminal.
func (f *foreground) lend(on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lent = on
}

func (f *foreground) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cancel = nil
}

// abandoned gives a channel that is closed when the wait is to end.
func (f *foreground) abandoned() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.abandon
}

// Interrupt is Ctrl-C. It is true when the session goes on.
func (s *Shell) Interrupt() bool {
	if !s.interactive {
		return false
	}
	f := &s.run
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cancel == nil || f.lent && f.asked > 0 {
		return true
	}
	f.asked++
	switch f.asked {
	case 1:
		f.cancel(errStopped)
	case 2:
		close(f.abandon)
	default:
		s.t.Restore()
		os.Exit(exitBroken)
	}
	return true
}

// foreground runs what the user waits for, and says what became of it when it was stopped.
func (s *Shell) foreground(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.run.begin(cancel)
	s.t.Hush()
	err := survived(ctx, f)
	s.t.Loud()
	s.run.end()
	s.screen.clear()
	if s.stopped(err) {
		fmt.Fprintln(s.r.Err, stoppedText(s.r.Running()))
	}
	return err
}

// stoppedText says what goes on when a statement was stopped.
func stoppedText(jobs int) string {
	switch jobs {
	case 0:
		return "stopped: nothing of it goes on"
	case 1:
		return "stopped; " + jobsRun(1) + ` and goes on: \jobs`
	}
	return "stopped; " + jobsRun(jobs) + ` and go on: \jobs`
}

// stopped tells an error that is Ctrl-C.
func (s *Shell) stopped(err error) bool { return errors.Is(err, errStopped) }

// survived runs what may panic: a mistake of the program's ends a statement and not the session, whose jobs and history
// are its user's.
func survived(ctx context.Context, f func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &script.Mistake{What: p, Stack: debug.Stack()}
		}
	}()
	return f(ctx)
}
