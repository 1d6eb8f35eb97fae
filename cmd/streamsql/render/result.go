package render

import (
	"errors"
	"sync"

	"streamsql/exec/connector"
	"streamsql/exec/vector"
)

// ErrLimit ends a query whose limit of rows is reached; it is no failure.
var ErrLimit = errors.New("row limit reached")

// Result takes the rows of all subtasks of a query and shows them in one format.
type Result struct {
	mu     sync.Mutex
	format Format
	limit  int64
	rows   int64
}

// NewResult shows rows in f, at most limit of them; 0 is no limit. Begin must have been called.
func NewResult(f Format, limit int64) *Result { return &Result{format: f, limit: limit} }

// Rows is how many changes were shown.
func (r *Result) Rows() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rows
}

// End closes the format.
func (r *Result) End() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.format.End()
}

// Writer makes the writer of one subtask.
func (r *Result) Writer() connector.Writer { return resultWriter{r: r} }

type resultWriter struct {
	connector.Uncommitted
	r *Result
}

func (w resultWriter) Write(b *vector.Batch) error {
	w.r.mu.Lock()
	defer w.r.mu.Unlock()
	n := b.Len
	if w.r.limit > 0 {
		n = int(min(int64(n), w.r.limit-w.r.rows))
	}
	for i := range n {
		if err := w.r.format.Row(b, i); err != nil {
			return err
		}
		w.r.rows++
	}
	if err := w.r.format.Flush(); err != nil {
		return err
	}
	if w.r.limit > 0 && w.r.rows >= w.r.limit {
		return ErrLimit
	}
	return nil
}
