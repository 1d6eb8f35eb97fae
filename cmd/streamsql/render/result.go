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
	if err := w.r.take(b, n); err != nil {
		return err
	}
	if w.r.limit > 0 && w.r.rows >= w.r.limit {
		return ErrLimit
	}
	return nil
}

// take shows the first n rows of a batch.
func (r *Result) take(b *vector.Batch, n int) error {
	if t, ok := r.format.(Taker); ok {
		r.rows += int64(n)
		return t.Take(First(b, n))
	}
	for i := range n {
		if err := r.format.Row(b, i); err != nil {
			return err
		}
		r.rows++
	}
	return r.format.Flush()
}

// First is the first n rows of a batch, lent as that is.
func First(b *vector.Batch, n int) *vector.Batch {
	if n == b.Len {
		return b
	}
	out := &vector.Batch{Len: n, Cols: make([]*vector.Column, len(b.Cols))}
	for i, c := range b.Cols {
		out.Cols[i] = &vector.Column{}
		vector.Slice(out.Cols[i], c, 0, n)
	}
	if b.Kinds != nil {
		out.Kinds = b.Kinds[:n]
	}
	return out
}
