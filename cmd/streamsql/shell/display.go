package shell

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"streamsql/cmd/streamsql/render"
	"streamsql/cmd/streamsql/script"
	"streamsql/exec/connector"
	"streamsql/exec/vector"
)

// Modes are how a terminal shows rows that may change: a table that is drawn again, each change as a row, or the same
// without a table.
var Modes = []string{"table", "changelog", "append"}

// mode is the one that is set.
func (s *Shell) mode() string {
	if s.o.Mode != "" {
		return s.o.Mode
	}
	if m := strings.ToLower(s.r.Session.Settings().ResultMode); m != "tableau" {
		return m
	}
	return "append"
}

// byKey says whether a query whose rows may change is shown by its key, and how often it is drawn before its end.
func (s *Shell) byKey() (on bool, every time.Duration) {
	switch format := s.r.Result.Format; {
	case s.r.Result.Limit > 0 || !render.Folds(format) || s.changes(format):
		return false, 0
	case s.draws(format):
		return true, redraw
	}
	return true, 0
}

// changes says whether rows that may change are shown as a row for each change.
func (s *Shell) changes(format string) bool {
	return tabular(format) && (s.mode() == "changelog" || s.out.terminal() && s.mode() == "append")
}

// draws says whether a query whose rows may change is drawn again and again.
func (s *Shell) draws(format string) bool {
	return tabular(format) && s.out.terminal() && s.t.Interactive() && !s.changes(format)
}

func tabular(format string) bool { return format == "table" || format == "box" }

// show chooses how the rows of a query are shown.
func (s *Shell) show(q script.Query) (script.Showing, error) {
	s.endless.Store(q.Endless)
	s.held.Store(false)
	o := q.Options
	switch {
	case s.isParquet():
		return s.newParquet(q)
	case tabular(o.Format) && s.mode() == "changelog", o.Updating && s.changes(o.Format):
		o.Changes = true
		return s.counted(newRolling(s, q, o)), nil
	case o.Updating && s.draws(o.Format):
		return s.counted(newLive(s, q, o)), nil
	case !o.Updating && tabular(o.Format) && (s.out.terminal() || q.Endless && o.Limit == 0): // no end is waited for that does not come
		return s.counted(newRolling(s, q, o)), nil
	}
	s.held.Store(o.Updating && !o.Changes && render.Folds(o.Format))
	f, err := render.New(s.r.Out, o)
	if err != nil {
		return nil, err
	}
	return render.NewResult(f, o.Limit), f.Begin(q.Columns)
}

// counting is a showing of which the shell tells how many rows it had.
type counting interface {
	script.Showing
	rows() int
}

type counter struct {
	counting
	s *Shell
}

// counted tells the number of rows behind them, to a user that waits for them.
func (s *Shell) counted(c counting) script.Showing { return &counter{c, s} }

func (c *counter) End() error {
	err := c.counting.End()
	if err == nil && c.s.interactive && !c.s.o.Quiet {
		fmt.Fprintf(c.s.r.Err, "(%s)\n", numbered(c.rows()))
	}
	return err
}

func numbered(n int) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

// taker takes batches, one at a time.
type taker interface {
	take(b *vector.Batch) error
}

// writer lets all subtasks of a query write to one taker.
type writer struct {
	connector.Uncommitted
	mu *sync.Mutex
	to taker
}

func (w writer) Write(b *vector.Batch) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.take(b)
}
