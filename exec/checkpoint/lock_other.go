//go:build !unix || solaris || aix

package checkpoint

import (
	"errors"
	"os"
)

// takeLock refuses: without a lock that dies with its process, two jobs could write into one directory.
func takeLock(f *os.File) error {
	return &os.PathError{Op: "lock", Path: f.Name(), Err: errors.ErrUnsupported}
}
