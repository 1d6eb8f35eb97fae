package filesystem

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// What a job leaves behind that nobody goes on with, since it was killed, is removed by the next job that writes there. A job tells that
// it is alive by a lock on a hidden file of the table's directory, which has its id and which the system lets go with the process: hidden
// files of an id whose lock is free are nobody's, and go. Where a file system has no locks nothing is removed.

// ownerPrefix stands before the id in the name of that file.
const ownerPrefix = ".owner-"

// literal is a part of a pattern that stands for itself.
var literal = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

// own takes the lock of the sink's id, and removes what owners left that are gone. What fails is left: rows can be written
// all the same.
func (s *sink) own() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owned {
		return
	}
	s.owned = true
	root := localPath(s.o.Path)
	s.sweep(root)
	path := filepath.Join(root, ownerPrefix+s.owner)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDONLY, 0o644)
	if err != nil {
		return
	}
	if s.lock = f; !tryLock(f) {
		s.disown()
	}
}

// sweep removes what the jobs left whose locks are free.
func (s *sink) sweep(root string) {
	places := []string{filepath.Join(literal.Replace(root), ownerPrefix+"*")}
	if len(s.table.PartitionKeys) == 0 { // the directory may have been replaced, with the lock in it
		for _, prefix := range []string{newPrefix, oldPrefix} {
			places = append(places, filepath.Join(literal.Replace(filepath.Dir(root)), prefix+"*", ownerPrefix+"*"))
		}
	}
	for _, place := range places {
		found, _ := filepath.Glob(place)
		for _, path := range found {
			id := strings.TrimPrefix(filepath.Base(path), ownerPrefix)
			f, err := os.Open(path)
			if err != nil {
				continue
			}
			if id != s.owner && tryLock(f) && s.remove(id) == nil {
				_ = os.Remove(path)
			}
			_ = f.Close()
		}
	}
}

// disown lets the lock go.
func (s *sink) disown() {
	if s.lock == nil {
		return
	}
	_ = errors.Join(os.Remove(s.lock.Name()), s.lock.Close())
	s.lock = nil
}

// leave is called by each writer at its end: with the last one the job is over.
func (s *sink) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writers--; s.writers == 0 {
		s.disown()
	}
}
