// Package script runs SQL scripts in a session: it replaces ${NAME}, splits statements, runs jobs to
// their end and shows results.
//
// It does not know flags, files or what is a terminal.
//
// Invariants:
//
//	R1 rows go to Out, everything else to Err.
//	R2 a script stops at the first error, which names file, line and statement.
//	R3 a job that was started has ended when the statement is over, or when Wait returns if it runs in the
//	   background.
package script

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"streamsql/cmd/streamsql/render"
	"streamsql/exec"
	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/graph"
	"streamsql/planner"
	"streamsql/planner/parse"
	"streamsql/planner/syntax"
)

// Runner runs statements.
type Runner struct {
	Session  *planner.Session
	Out, Err io.Writer
	// Result says how rows are shown. Its zone is the session's.
	Result render.Options
	// Explain shows the plans of queries and INSERTs instead of running them.
	Explain bool
	// Quiet leaves out warnings.
	Quiet bool
	// Verbose shows where in the program its own mistakes are.
	Verbose bool
	// Draw says how errors are drawn.
	Draw syntax.Drawing
	// Lookup gives the values of ${NAME}.
	Lookup func(name string) (string, bool)
	// Expand replaces other variables in a piece of text that is about to run; may be nil.
	Expand func(text string) string
	// Command carries out lines that begin with a backslash, and gives what is left of the text before them. Without it they
	// are no SQL.
	Command func(ctx context.Context, c Command) (rest string, err error)
	// Show makes what takes the rows of a query; nil shows them as Result says.
	Show func(q Query) (Showing, error)
	// ByKey says whether Show takes rows that may change by their key, where they have one, and how often it looks at them
	// before the end, 0 for not at all; nil is never.
	ByKey func() (on bool, every time.Duration)
	// Intercept carries out a statement that is none of SQL; false leaves it to the session. May be nil.
	Intercept func(ctx context.Context, text string) (bool, error)
	// Watch is told of each job that its statement waits for, until what it gives is called: job is the one that runs at
	// the time. May be nil.
	Watch func(job func() *exec.Job) (over func())
	// Took is told how long each statement took; may be nil.
	Took func(d time.Duration)
	// Done is told of a statement that did its work and has nothing to show; may be nil.
	Done func()
	// Background is what jobs in the background run under; nil is what their statement does.
	Background context.Context
	// KeepGoing leaves jobs in the background alone when a statement fails.
	KeepGoing bool
	// Abandon, when it is closed, ends the wait for a query that was cancelled.
	Abandon func() <-chan struct{}
	// Writer takes the rows of a table sink in place of the sink; nil, or a nil writer, leaves them.
	Writer func(s *graph.Sink, c *connector.Context) (connector.Writer, error)
	// Restore goes on from the newest checkpoint of each INSERT, From from the one of this number.
	Restore bool
	From    int64
	// Folder is where the checkpoints are below 'execution.checkpointing.dir'; empty is one for each INSERT.
	Folder string
	// Savepoints are what INSERTs go on from: each tells which one it is of. An INSERT before one of them that has
	// none had ended, and is left out.
	Savepoints []string
	// Started is told of each job, so that it can be observed; may be nil.
	Started func(j *exec.Job)
	// Ended is told what the job of each INSERT did, under the job's name; may be nil. INSERTs in the background call it
	// from goroutines of their own.
	Ended func(name string, s exec.Stats)

	out     *sync.Mutex // of both streams
	pending []string    // warnings
	inserts int
	jobs    jobs
	resume  *resumption
}

// Error is a failed statement, rendered for the user.
type Error struct {
	Text string // ends in a line end
	Err  error
}

func (e *Error) Error() string { return strings.TrimRight(e.Text, "\n") }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Run runs all statements of text. file is its name in errors; empty is fine.
func (r *Runner) Run(ctx context.Context, text, file string) error {
	if r.Lookup != nil {
		replaced, err := parse.Substitute(text, r.Lookup)
		if err != nil {
			return r.rendered(err, text, file)
		}
		text = replaced
	}
	return r.statements(ctx, text, file, 0)
}

// statements runs those that text has from a place on.
func (r *Runner) statements(ctx context.Context, text, file string, from int) error {
	if r.out == nil {
		r.out = &sync.Mutex{}
		r.Out, r.Err = &shared{mu: r.out, w: r.Out}, &shared{mu: r.out, w: r.Err}
	}
	for _, p := range parse.Script(text[from:]) {
		if r.jobs.isStopping() {
			return r.jobs.cut()
		}
		span := syntax.Span{Pos: from + p.Pos, End: from + p.End}
		began := time.Now()
		err := r.statement(ctx, text, file, span)
		if r.Took != nil {
			r.Took(time.Since(began))
		}
		if err != nil {
			if !r.KeepGoing {
				r.jobs.cancel(err)
			}
			return r.rendered(err, text, file)
		}
	}
	return nil
}

// shared is a stream that statements and jobs in the background write to.
type shared struct {
	mu *sync.Mutex
	w  io.Writer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}

func (r *Runner) rendered(err error, text, file string) error {
	var done *Error
	if errors.As(err, &done) {
		return err
	}
	var e *syntax.Error
	if errors.As(err, &e) {
		return &Error{r.Draw.Error(e, text, file), err}
	}
	return &Error{r.Traced(r.Draw.Message(err), err), err}
}

// statement runs the piece of text at p. Positions of errors are moved to the whole text.
func (r *Runner) statement(ctx context.Context, text, file string, p syntax.Span) error {
	if r.Intercept != nil {
		if done, err := r.Intercept(ctx, text[p.Pos:p.End]); done || err != nil {
			return err
		}
	}
	prepare := r.Session.Prepare
	if r.Explain {
		prepare = r.Session.Explain
	}
	if r.ByKey != nil {
		r.Session.ResultByKey(r.ByKey())
	}
	res, err := prepare(text[p.Pos:p.End])
	if err != nil {
		r.warned(message(err))
		return Moved(err, p.Pos)
	}
	r.warn(res.Warnings, res.Graph != nil)
	switch {
	case res.Graph != nil && res.Query:
		return Moved(r.query(ctx, res, p), p.Pos)
	case res.Graph != nil:
		return r.insert(ctx, res, place{text, file, p})
	case res.Jobs != nil:
		return Moved(r.manage(ctx, res.Jobs), p.Pos)
	case res.Text != "":
		_, err = io.WriteString(r.Out, res.Text)
	case res.Columns != nil:
		cols := make([]render.Column, len(res.Columns))
		for i, c := range res.Columns {
			cols[i].Name = c
		}
		err = render.Texts(r.Out, r.Result, cols, res.Rows, res.Nulls)
		for _, n := range res.Notes {
			if !r.Quiet && err == nil {
				fmt.Fprintln(r.Err, n)
			}
		}
	case r.Done != nil:
		r.Done()
	}
	return err
}

// message is what an error says, without its code.
func message(err error) string {
	var e *syntax.Error
	if errors.As(err, &e) {
		return e.Msg
	}
	return err.Error()
}

// Moved shifts the place of a statement's error into the script.
func Moved(err error, by int) error {
	var e *syntax.Error
	if !errors.As(err, &e) || !e.Placed() {
		return err
	}
	shifted := *e
	shifted.Pos += by
	shifted.End += by
	return &shifted
}

// options are how a job runs under the session's settings.
func (r *Runner) options() exec.Options {
	set := r.Session.Settings()
	return exec.Options{Env: r.Session.Env(), MaxRows: set.BatchSize, IdleTimeout: set.IdleTimeout,
		StateLimit: int64(set.StateLimit), Stdout: r.Out, Stderr: r.Err, Writer: r.Writer}
}

// query runs a SELECT to its end and shows its rows.
func (r *Runner) query(ctx context.Context, res *planner.Result, p syntax.Span) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if !r.jobs.ask(cancel) {
		return nil
	}
	defer r.jobs.ask(nil)
	o := r.options()
	show, err := r.show(res.Graph, func() { cancel(ErrEnough) })
	if err != nil {
		return err
	}
	o.Writer = func(*graph.Sink, *connector.Context) (connector.Writer, error) { return show.Writer(), nil }
	j, err := exec.Start(ctx, res.Graph, o)
	if err != nil {
		return runtimeError(err, p, false)
	}
	if r.Started != nil {
		r.Started(j)
	}
	over := r.watch(func() *exec.Job { return j })
	stats, err := r.wait(j)
	over()
	r.notice(stats)
	if errors.Is(err, render.ErrLimit) || errors.Is(err, errStop) || errors.Is(err, ErrEnough) {
		err = nil
	}
	if err == nil || ctx.Err() != nil {
		if e := show.End(); err == nil {
			err = e
		}
	}
	return runtimeError(err, p, false)
}

// notice says what operators counted: rows that came too late, and their like.
func (r *Runner) notice(s exec.Stats) {
	if r.Quiet {
		return
	}
	if s.Restarts > 0 {
		fmt.Fprintf(r.Err, "notice: the job started again %d times\n", s.Restarts)
	}
	for _, n := range s.Nodes {
		for _, c := range n.Noted {
			if c.Value > 0 {
				fmt.Fprintf(r.Err, "notice: %s: %d\n  in %s\n", c.Name, c.Value, n.Name)
			}
		}
	}
}

// outside gives a failure of what a job reads or writes its code, place and hint.
func outside(err error, apart bool) error {
	var x *connector.Error
	var at *exec.Failure
	if !errors.As(err, &x) {
		return err
	}
	e := &syntax.Error{Code: syntax.CodeOutside, Place: x.Place, Msg: x.Err.Error(), Hint: x.Hint}
	if x.End > 0 && !apart {
		e.Span = syntax.Span{Pos: x.Pos, End: x.End}
		return e
	}
	if errors.As(err, &at) {
		e.Msg = at.Name() + ": " + e.Msg
	}
	return e
}

// runtimeError gives a failure its place in the statement at p, where that tells: apart says that it belongs to the text of
// another one.
func runtimeError(err error, p syntax.Span, apart bool) error {
	var e *expr.Error
	if !errors.As(err, &e) {
		return outside(err, apart)
	}
	at := syntax.Span{Pos: e.Pos, End: min(e.Pos+1, p.End-p.Pos)}
	if e.Pos < 0 || apart { // a call that the statement does not spell out
		at = syntax.Span{End: p.End - p.Pos}
	}
	hint := "WHERE leaves out the rows that it has no value for, CASE gives them another"
	var advised interface{ Hint() string }
	if errors.As(err, &advised) {
		hint = advised.Hint()
	}
	return syntax.Errorf(planner.CodeRuntime, at, "%v", e).WithHint("%s", hint)
}
