// Package script runs SQL scripts in a session: it replaces ${NAME}, splits statements, runs jobs to
// their end and shows results.
//
// It does not know flags, files or what is a terminal.
//
// Invariants:
//
//	R1 rows go to Out, everything else to Err.
//	R2 a script stops at the first error, which names file, line and statement.
//	R3 a job that was started has ended when the statement is over.
package script

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

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
	// Lookup gives the values of ${NAME}.
	Lookup func(name string) (string, bool)
	// Writer takes the rows of a table sink in place of the sink; nil, or a nil writer, leaves them.
	Writer func(s *graph.Sink, c *connector.Context) (connector.Writer, error)
	// Restore goes on from the newest checkpoint of each INSERT, From from the one of this number.
	Restore bool
	From    int64
	// Folder is where the checkpoints are below 'execution.checkpointing.dir'; empty is one for each INSERT.
	Folder string
	// Started is told of each job, so that it can be observed; may be nil.
	Started func(j *exec.Job)

	inserts int
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
			return rendered(err, text, file)
		}
		text = replaced
	}
	for _, p := range parse.Script(text) {
		if err := r.statement(ctx, text, p.Span); err != nil {
			return rendered(err, text, file)
		}
	}
	return nil
}

func rendered(err error, text, file string) error {
	var e *syntax.Error
	if errors.As(err, &e) {
		return &Error{e.Render(text, file), err}
	}
	return &Error{"error: " + err.Error() + "\n", err}
}

// statement runs the piece of text at p. Positions of errors are moved to the whole text.
func (r *Runner) statement(ctx context.Context, text string, p syntax.Span) error {
	prepare := r.Session.Prepare
	if r.Explain {
		prepare = r.Session.Explain
	}
	res, err := prepare(text[p.Pos:p.End])
	if err != nil {
		return moved(err, p.Pos)
	}
	if !r.Quiet {
		for _, w := range res.Warnings {
			fmt.Fprintf(r.Err, "warning: %s\n", w)
		}
	}
	switch {
	case res.Graph != nil:
		return moved(r.job(ctx, res, p), p.Pos)
	case res.Text != "":
		_, err = io.WriteString(r.Out, res.Text)
	case res.Columns != nil:
		cols := make([]render.Column, len(res.Columns))
		for i, c := range res.Columns {
			cols[i].Name = c
		}
		err = render.Texts(r.Out, r.Result, cols, res.Rows, res.Nulls)
	}
	return err
}

// moved shifts the place of a statement's error into the script.
func moved(err error, by int) error {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return err
	}
	shifted := *e
	shifted.Pos += by
	shifted.End += by
	return &shifted
}

// job runs a query or an INSERT to its end.
func (r *Runner) job(ctx context.Context, res *planner.Result, p syntax.Span) error {
	set := r.Session.Settings()
	o := exec.Options{Env: r.Session.Env(), MaxRows: set.BatchSize, IdleTimeout: set.IdleTimeout,
		StateLimit: int64(set.StateLimit), Stdout: r.Out, Stderr: r.Err, Writer: r.Writer}
	if !res.Query {
		r.inserts++
		var err error
		if o.Checkpoints, err = r.checkpoints(); err != nil {
			return err
		}
	}
	var show *render.Result
	if res.Query {
		var err error
		if show, err = r.show(res.Graph); err != nil {
			return err
		}
		o.Writer = func(*graph.Sink, *connector.Context) (connector.Writer, error) { return show.Writer(), nil }
	}
	j, err := exec.Start(ctx, res.Graph, o)
	if err != nil {
		return err
	}
	if r.Started != nil {
		r.Started(j)
	}
	stats, err := j.Wait()
	if !r.Quiet {
		notice(r.Err, stats)
	}
	if errors.Is(err, render.ErrLimit) {
		err = nil
	}
	if show != nil && (err == nil || ctx.Err() != nil) {
		if e := show.End(); err == nil {
			err = e
		}
	}
	return runtimeError(err, p)
}

// notice says what operators counted: rows that came too late, and their like.
func notice(w io.Writer, s exec.Stats) {
	for _, n := range s.Nodes {
		for _, c := range n.Noted {
			if c.Value > 0 {
				fmt.Fprintf(w, "notice: %s: %d\n  in %s\n", c.Name, c.Value, n.Name)
			}
		}
	}
}

// checkpoints says how an INSERT takes them, or nil.
func (r *Runner) checkpoints() (*exec.Checkpointing, error) {
	set := r.Session.Settings()
	if set.CheckpointDir == "" {
		if r.Restore || r.From > 0 {
			return nil, errors.New("there is nothing to restore from: 'execution.checkpointing.dir' is not set")
		}
		if set.CheckpointInterval > 0 && !r.Quiet {
			fmt.Fprintln(r.Err, "warning: no checkpoints are taken: 'execution.checkpointing.dir' is not set")
		}
		return nil, nil
	}
	folder := r.Folder
	if folder == "" {
		folder = fmt.Sprintf("insert-%d", r.inserts)
	}
	return &exec.Checkpointing{Dir: filepath.Join(set.CheckpointDir, folder), Restore: r.Restore, From: r.From,
		Interval: set.CheckpointInterval, MinPause: set.CheckpointPause, Timeout: set.CheckpointTimeout,
		Tolerable: set.CheckpointFailures, Retain: set.CheckpointRetained}, nil
}

func (r *Runner) show(g *graph.Graph) (*render.Result, error) {
	o := r.Result
	o.Zone = r.Session.Settings().Location()
	nodes := g.Stages[len(g.Stages)-1].Nodes
	sink := nodes[len(nodes)-1].Sink
	o.Updating = sink.Updating
	f, err := render.New(r.Out, o)
	if err != nil {
		return nil, err
	}
	var cols []render.Column
	for _, c := range sink.Columns {
		cols = append(cols, render.Column{Name: c.Name, Type: c.Type})
	}
	return render.NewResult(f, o.Limit), f.Begin(cols)
}

// runtimeError gives a failure of an expression the call's place in the statement.
func runtimeError(err error, p syntax.Span) error {
	var e *expr.Error
	if !errors.As(err, &e) || e.Pos < 0 {
		return err
	}
	at := syntax.Span{Pos: e.Pos, End: min(e.Pos+1, p.End-p.Pos)}
	return syntax.Errorf(planner.CodeRuntime, at, "%v", e)
}
