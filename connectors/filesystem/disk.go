package filesystem

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"syscall"

	"streamsql/exec/option"
)

// disk is the file system that tables are written to.
type disk struct {
	// before, when not nil, is called before each change with its name and path; what it returns is the change's error.
	before func(op, path string) error
	// lazy leaves out the waiting for the device: for tests, which lose no power.
	lazy bool
}

// together is how many calls wait for the device at the same time: what it does for one it does for all of them.
const together = 16

// each does something for every number below n, several at the same time, and stops at an error.
func (d disk) each(n int, do func(i int) error) error {
	workers := min(n, together)
	if d.before != nil {
		workers = min(n, 1) // changes come in an order
	}
	var group sync.WaitGroup
	var next atomic.Int64
	failed := make([]error, workers)
	for k := range failed {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && failed[k] == nil; i = int(next.Add(1)) - 1 {
				failed[k] = do(i)
			}
		})
	}
	group.Wait()
	return errors.Join(failed...)
}

func (d disk) try(op, path string) error {
	if d.before == nil {
		return nil
	}
	return d.before(op, path)
}

// open opens a file for writing.
func (d disk) open(path string, flag int) (*os.File, error) {
	if err := d.try("open", path); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|flag, 0o644)
}

// write may have written a part when it fails.
func (d disk) write(f *os.File, b []byte) error {
	err := d.try("write", f.Name())
	if err != nil {
		b = b[:len(b)/2]
	}
	_, e := f.Write(b)
	return needed(errors.Join(err, e), len(b))
}

// needed adds to the error of a full device how much was to be written.
func needed(err error, n int) error {
	if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT) {
		return err
	}
	return fmt.Errorf("%w; %s are to be written there, and more to come: once there is room the job goes on from its last checkpoint",
		err, option.Size(n))
}

func (d disk) sync(f *os.File) error {
	if err := d.try("sync", f.Name()); err != nil {
		return err
	}
	if d.lazy {
		return nil
	}
	return f.Sync()
}

// syncFile makes the content of a file durable.
func (d disk) syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return removedError(err)
	case err != nil:
		return err
	}
	return errors.Join(d.sync(f), f.Close())
}

// syncDir makes durable what was made, renamed and removed in a directory.
func (d disk) syncDir(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.sync(f), f.Close())
}

func (d disk) makeDir(path string) error {
	if err := d.try("mkdir", path); err != nil {
		return err
	}
	return os.MkdirAll(path, 0o755)
}

func (d disk) rename(from, to string) error {
	if err := d.try("rename", to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// remove removes a file that may be gone.
func (d disk) remove(path string) error {
	if err := d.try("remove", path); err != nil {
		return err
	}
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// removeAll removes a directory that may be gone, and what is in it.
func (d disk) removeAll(path string) error {
	if err := d.try("remove", path); err != nil {
		return err
	}
	return os.RemoveAll(path)
}

func (d disk) truncate(path string, size int64) error {
	if err := d.try("truncate", path); err != nil {
		return err
	}
	return os.Truncate(path, size)
}
