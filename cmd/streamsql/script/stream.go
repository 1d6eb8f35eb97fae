package script

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"streamsql/planner/parse"
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
	t := &arriving{runner: r, file: file}
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
			if err := t.take(ctx, c.data, last); err != nil || last {
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

// arriving is a text of which a part is there.
type arriving struct {
	runner  *Runner
	file    string
	ran     strings.Builder // the text of what ran, as it was run
	pending string          // what came behind it
	begun   bool
}

// take runs what a chunk completes; last says that nothing follows it.
func (t *arriving) take(ctx context.Context, data []byte, last bool) error {
	t.pending += string(data)
	if !last && bytes.IndexByte(data, ';') < 0 {
		return nil
	}
	if !t.begun {
		t.begun, t.pending = true, strings.TrimPrefix(t.pending, ByteOrderMark)
	}
	from := 0
	for _, p := range parse.Script(t.pending) {
		if !p.Terminated {
			break
		}
		ran, err := t.run(ctx, t.pending[from:p.After()], false)
		if err != nil {
			return err
		}
		if ran {
			from = p.After()
		}
	}
	t.pending = t.pending[from:]
	if !last {
		return nil
	}
	_, err := t.run(ctx, t.pending, true)
	return err
}

// run runs a piece of text, unless what variables stand for leaves its end open and more may come.
func (t *arriving) run(ctx context.Context, piece string, last bool) (ran bool, err error) {
	if t.runner.Lookup != nil {
		if !last && parse.OpenVariable(piece) {
			return false, nil
		}
		replaced, err := parse.Substitute(piece, t.runner.Lookup)
		if err != nil {
			return false, rendered(moved(err, t.ran.Len()), t.ran.String()+piece, t.file)
		}
		piece = replaced
	}
	if list := parse.Script(piece); !last && len(list) > 0 && !list[len(list)-1].Terminated {
		return false, nil
	}
	from := t.ran.Len()
	t.ran.WriteString(piece)
	return true, t.runner.statements(ctx, t.ran.String(), t.file, from)
}
