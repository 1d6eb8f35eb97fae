package script

import (
	"context"
	"errors"
	"io"
)

// chunkBytes is the most that is read at once: what a pipe holds.
const chunkBytes = 64 << 10

// ByteOrderMark is what some editors put in front of UTF-8 text.
const ByteOrderMark = "\ufeff"

// Stream runs the statements of a text as they come: each when its semicolon has, the last one at the end. It does the
// same as Run with the whole text, but that ${NAME} is replaced statement by statement. It ends, without waiting
// for more text, when ctx does, with its cause, and when the jobs are stopped; a read that is under way is left behind.
// All text stays in memory: errors show the lines around them.
func (r *Runner) Stream(ctx context.Context, in io.Reader, file string) error {
	done := make(chan struct{})
	defer close(done)
	chunks := read(in, done)
	t := r.Text(file)
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-r.jobs.stop():
			return nil
		case c := <-chunks:
			last := errors.Is(c.err, io.EOF)
			if c.err != nil && !last {
				return c.err
			}
			if err := t.Take(ctx, c.data, last); err != nil || last {
				return err
			}
		}
	}
}

// chunk is a piece of text, or how it ended.
type chunk struct {
	data []byte
	err  error
}

// read reads until the end, an error or done.
func read(in io.Reader, done <-chan struct{}) <-chan chunk {
	out := make(chan chunk)
	go func() {
		for {
			buf := make([]byte, chunkBytes)
			n, err := in.Read(buf)
			if n == 0 && err == nil {
				continue
			}
			select {
			case out <- chunk{data: buf[:n], err: err}:
			case <-done:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return out
}
