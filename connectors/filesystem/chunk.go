package filesystem

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// chunkSize is how much of a file is read at a time.
const chunkSize = 256 << 10

// chunk is a piece of a file.
type chunk struct {
	begin *file // the file that begins with it
	data  []byte
	last  bool // the end of the file
	err   error
}

// chunks reads files one after the other in a goroutine of its own, so that Next never waits for a disk.
type chunks struct {
	feed feed
	out  chan chunk
	free chan []byte
	wake chan struct{}
	done chan struct{} // closed to end the goroutine
	over chan struct{} // closed by the goroutine at its end

	mu   sync.Mutex
	open *os.File
}

func readChunks(feed feed) *chunks {
	c := &chunks{
		feed: feed, out: make(chan chunk, 2), free: make(chan []byte, 3), wake: make(chan struct{}, 1),
		done: make(chan struct{}), over: make(chan struct{}),
	}
	for range cap(c.free) {
		c.free <- nil // allocated when they are first used
	}
	go c.run()
	return c
}

func (c *chunks) run() {
	defer close(c.over)
	for {
		f, ok, err := c.feed.next(c.done)
		if err == nil && ok {
			if err = c.read(f); err != nil && !errors.Is(err, errClosed) {
				err = fmt.Errorf("filesystem: read %s: %w", f.path, bare(f.path, err))
			}
		}
		if err != nil && !errors.Is(err, errClosed) {
			_ = c.send(chunk{err: err})
		}
		if err != nil || !ok {
			return
		}
	}
}

var errClosed = errors.New("reader closed")

func (c *chunks) read(f file) (err error) {
	in, err := openInput(f.path)
	if err != nil {
		return err
	}
	c.hold(in.file)
	defer func() { _ = in.close() }()
	if err := f.stands(in.info); err != nil {
		return err
	}
	if err := in.skip(f.offset); err != nil {
		return err
	}
	if f.to > 0 {
		in.Reader = io.LimitReader(in.Reader, f.to-f.offset)
	}
	begin := &f
	for {
		var buf []byte
		select {
		case buf = <-c.free:
		case <-c.done:
			return errClosed
		}
		if buf == nil {
			buf = make([]byte, chunkSize)
		}
		n, err := in.Read(buf[:cap(buf)])
		last := err == io.EOF //nolint:errorlint // one that is wrapped is a text that ends too early
		switch {
		case last:
			err = in.changed()
		case err != nil && in.unpacked:
			err = packedError(f.path, err)
		}
		if err != nil {
			return err
		}
		if err := c.send(chunk{begin: begin, data: buf[:n], last: last}); err != nil || last {
			return err
		}
		begin = nil
	}
}

func (c *chunks) send(x chunk) error {
	select {
	case c.out <- x:
	case <-c.done:
		return errClosed
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return nil
}

func (c *chunks) hold(f *os.File) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = f
}

// patience is how long close waits for a read that hangs, of a pipe or a terminal.
const patience = 200 * time.Millisecond

// close ends the goroutine. Closing the file ends a read of a pipe.
func (c *chunks) close() {
	close(c.done)
	c.mu.Lock()
	if c.open != nil {
		_ = c.open.Close()
	}
	c.mu.Unlock()
	select {
	case <-c.over:
	case <-time.After(patience):
	}
}
