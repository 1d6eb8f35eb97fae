//go:build !unix

package filesystem

import "os"

// tryLock is false where the system has no such locks.
func tryLock(*os.File) bool { return false }
