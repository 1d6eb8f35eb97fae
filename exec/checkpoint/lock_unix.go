//go:build unix && !solaris && !aix

package checkpoint

import (
	"errors"
	"os"
	"syscall"
)

// takeLock locks an open file; the lock goes with the file.
func takeLock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return &Locked{File: f.Name(), PID: readHolder(f)}
	}
	if err != nil {
		return &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return writeHolder(f)
}
