//go:build unix

package filesystem

import (
	"os"

	"golang.org/x/sys/unix"
)

// tryLock takes the lock of a file that no other process, or other handle of this one, has; false where it cannot.
func tryLock(f *os.File) bool { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil }
