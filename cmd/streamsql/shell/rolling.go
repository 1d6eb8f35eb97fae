package shell

import (
	"errors"
	"io"
	"sync"
	"syscall"
	"time"

	"streamsql/cmd/streamsql/render"
	"streamsql/cmd/streamsql/script"
	"streamsql/exec/connector"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// rolling is a table that grows at its end. Its columns are as wide as its first rows need: those that come within a
// moment, or all where they are few. What is wider later on moves the rest of its line.
type rolling struct {
	s     *Shell
	q     script.Query
	o     render.Options
	cols  []render.Column
	table *render.Table

	mu    sync.Mutex
	held  [][]string
	timer *time.Timer
	drawn bool
	n     int64
	pager sink
	err   error
}

// What is waited for before columns get their widths.
const (
	heldRows = 1000
	heldTime = 300 * time.Millisecond
)

func newRolling(s *Shell, q script.Query, o render.Options) *rolling {
	r := &rolling{s: s, q: q, o: o, cols: q.Columns}
	if o.Changes {
		r.cols = append([]render.Column{{Name: "op", Type: types.String()}}, r.cols...)
	}
	r.table = &render.Table{W: s.r.Out, Style: render.StyleOf(o.Format), MaxWidth: o.MaxWidth, Overflow: true}
	return r
}

// Writer makes the writer of one subtask.
func (r *rolling) Writer() connector.Writer { return writer{mu: &r.mu, to: r} }

func (r *rolling) rows() int { return int(r.n) }

// take shows a batch.
func (r *rolling) take(b *vector.Batch) error {
	for i := range b.Len {
		if r.o.Limit > 0 && r.n >= r.o.Limit {
			break
		}
		row := render.Cells(b, i, r.o)
		r.n++
		if !r.drawn {
			r.held = append(r.held, row)
			continue
		}
		if r.o.MaxRows > 0 && r.n > int64(r.o.MaxRows) {
			continue
		}
		if err := r.table.Row(row); err != nil {
			return r.ended(err)
		}
	}
	switch {
	case r.drawn:
		if err := r.table.Flush(); err != nil {
			return r.ended(err)
		}
	case len(r.held) >= heldRows:
		if err := r.begin(); err != nil {
			return r.ended(err)
		}
	case r.timer == nil:
		r.timer = time.AfterFunc(heldTime, r.late)
	}
	if r.err != nil {
		return r.ended(r.err)
	}
	if r.o.Limit > 0 && r.n >= r.o.Limit {
		return render.ErrLimit
	}
	return nil
}

// ended is an error, but that a pager that was left ends the query.
func (r *rolling) ended(err error) error {
	if r.pager != nil && errors.Is(err, syscall.EPIPE) {
		return script.ErrEnough
	}
	return err
}

// late draws what there is, when no more rows came.
func (r *rolling) late() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.drawn {
		r.err = r.begin()
	}
}

// begin draws the rows that there are.
func (r *rolling) begin() error {
	r.drawn = true
	r.table.Fit(r.cols, r.held)
	r.page()
	if err := r.table.Head(r.cols); err != nil {
		return err
	}
	for i, row := range r.held {
		if r.o.MaxRows > 0 && i >= r.o.MaxRows {
			break
		}
		if err := r.table.Row(row); err != nil {
			return err
		}
	}
	r.held = nil
	return r.table.Flush()
}

// page sends the table through a pager where it does not fit the terminal and ends by itself.
func (r *rolling) page() {
	if r.q.Endless || !r.s.out.terminal() {
		return
	}
	if w, h := r.s.t.Size(); len(r.held)+tableLines < h && r.table.Width() <= w {
		return
	}
	if r.pager = r.s.pager(); r.pager != nil {
		r.table.W = r.pager
	}
}

// tableLines are those of a table beside its rows, and of the prompt.
const tableLines = 6

// End draws the end.
func (r *rolling) End() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.timer != nil {
		r.timer.Stop()
	}
	err := r.err
	if !r.drawn {
		err = r.begin()
	}
	if err == nil {
		err = r.table.Foot()
	}
	if more := r.n - int64(r.o.MaxRows); err == nil && r.o.MaxRows > 0 && more > 0 {
		err = render.More(r.table.W, int(more))
	}
	if r.pager == nil {
		return err
	}
	if e := r.pager.Close(); err == nil {
		err = e
	}
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return nil
	}
	return err
}
