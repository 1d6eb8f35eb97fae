package filesystem

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// block is how much is written at a time.
const block = 1 << 20

// hiddenSuffix stands behind the name of a file being written, and the id of the job that writes it behind that.
const hiddenSuffix = ".inprogress"

// hiddenName is the name that a file has while a job writes it.
func hiddenName(visible, job string) string {
	name := "." + filepath.Base(visible) + hiddenSuffix
	if job != "" {
		name += "." + job
	}
	return filepath.Join(filepath.Dir(visible), name)
}

// part is a file being written. It is parked while too many others are open: it has no handle until it is written to.
type part struct {
	disk disk
	// unparked is called when a parked part has got its handle back; nil for one that is never parked.
	unparked        func(p *part) error
	folder          string // below the root
	hidden, visible string
	file            *os.File
	buf             []byte
	bulk            bulk // of a bulk format
	// size is that of the file, with what is in buf.
	size int64
	// begun and last are when the first and the last rows came, in milliseconds since 1970.
	begun, last int64
	used        uint64
	dirty       bool // written since it was last made durable
	rolled      bool
}

// create makes the file.
func (p *part) create() error {
	f, err := p.disk.open(p.hidden, os.O_CREATE|os.O_EXCL)
	p.file = f
	return err
}

// unpark opens the file again.
func (p *part) unpark() error {
	f, err := p.disk.open(p.hidden, os.O_APPEND)
	if errors.Is(err, fs.ErrNotExist) {
		return removedError(err)
	}
	if p.file = f; err != nil {
		return err
	}
	return p.unparked(p)
}

// removedError says what happened to a file that is gone.
func removedError(err error) error {
	return fmt.Errorf("%w: it was removed while it was being written", err)
}

// held is how much memory rows take that are not written yet, about.
func (p *part) held() int64 {
	n := int64(len(p.buf))
	if p.bulk != nil {
		n += p.bulk.held()
	}
	return n
}

// isThere fails when the file is gone, though a handle may still take what is written.
func (p *part) isThere() error {
	_, err := os.Lstat(p.hidden)
	if errors.Is(err, fs.ErrNotExist) {
		return removedError(err)
	}
	return err
}

// Write implements io.Writer for bulk formats.
func (p *part) Write(b []byte) (int, error) {
	p.buf = append(p.buf, b...)
	p.size += int64(len(b))
	if len(p.buf) >= block {
		if err := p.flush(); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// flush writes what is in buf.
func (p *part) flush() error {
	if len(p.buf) == 0 {
		return nil
	}
	if p.file == nil {
		if err := p.unpark(); err != nil {
			return err
		}
	}
	p.dirty = true
	err := p.disk.write(p.file, p.buf)
	p.buf = p.buf[:0]
	return err
}

// close gives the handle back; what is in buf is lost.
func (p *part) close() error {
	if p.file == nil {
		return nil
	}
	f := p.file
	p.file = nil
	return f.Close()
}

// remove gives the file up.
func (p *part) remove() error {
	return errors.Join(p.close(), p.disk.remove(p.hidden))
}

// resume goes on with a file as a checkpoint knows it: what was written after that is cut off. It is false when the file
// was made visible since, by a job that then went back to an older checkpoint: its rows are there.
func (p *part) resume(job string) (bool, error) {
	p.hidden = hiddenName(p.visible, job)
	info, err := os.Stat(p.hidden)
	if errors.Is(err, fs.ErrNotExist) {
		if _, e := os.Stat(p.visible); e == nil {
			return false, nil
		}
		return false, fmt.Errorf("the checkpoint goes on with %s, and it is gone", p.hidden)
	}
	switch {
	case err != nil:
		return false, err
	case info.Size() < p.size:
		return false, fmt.Errorf("%s has %d bytes and %d at the checkpoint", p.hidden, info.Size(), p.size)
	case info.Size() > p.size:
		return true, p.disk.truncate(p.hidden, p.size)
	}
	return true, nil
}
