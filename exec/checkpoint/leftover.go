package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// RemoveLeft removes the directories below above, with names that begin with prefix, of jobs that were to take them along
// when they end (Options.Transient) and whose process died before. One that a live process holds stays, and so does one in
// which anything stands that no job put there. A job is known to hold its directory from its file `job` on, which it
// makes under the lock: before that nothing is touched.
func RemoveLeft(fsys FS, above, prefix string) error {
	names, err := fsys.ReadDir(above)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("checkpoint: read directory %s: %w", above, err)
	}
	var all []error
	for _, name := range names {
		if strings.HasPrefix(name, prefix) {
			d := &Directory{fs: fsys, path: filepath.Join(above, name), options: Options{Transient: true}}
			all = append(all, d.removeLeft())
		}
	}
	return errors.Join(all...)
}

func (d *Directory) removeLeft() error {
	names, err := d.fs.ReadDir(d.path)
	if err != nil || !slices.Contains(names, jobName) || d.readJob() != nil {
		return nil // it is another's, or of a job that begins or ends
	}
	if slices.ContainsFunc(names, func(name string) bool { return !d.isPart(name) }) {
		return nil
	}
	d.lock, err = d.fs.Lock(d.at(lockName))
	var held *Locked
	switch {
	case errors.As(err, &held), errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return nil
	case err != nil:
		return fmt.Errorf("checkpoint: remove %s: %w", d.path, err)
	}
	// The job may have ended since, and another one begun in its place: its lock is another file then, or free.
	if names, err := d.fs.ReadDir(d.path); err != nil || !slices.Contains(names, jobName) {
		return d.lock.Close()
	}
	return errors.Join(d.discard(), d.lock.Close())
}

// isPart tells the files of a job's directory.
func (d *Directory) isPart(name string) bool {
	_, own := d.own(name)
	_, is := ParseEpoch(name)
	return own || is || name == jobName || name == jobAside || name == lockName
}

// discard removes all that is this job's, and the directory. The lock is held meanwhile, and its file goes last; a start
// that makes it anew since it looks for what was left removes it with the directory.
func (d *Directory) discard() error {
	names, err := d.fs.ReadDir(d.path)
	if err != nil {
		return fmt.Errorf("checkpoint: read directory %s: %w", d.path, err)
	}
	slices.SortFunc(names, func(a, b string) int { return last(a) - last(b) })
	for _, name := range names {
		if !d.isPart(name) {
			continue
		}
		if err := d.remove(name); err != nil {
			return err
		}
	}
	err = d.fs.Remove(d.path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if names, again := d.fs.ReadDir(d.path); again == nil && slices.Equal(names, []string{lockName}) {
		return nil
	}
	return fmt.Errorf("checkpoint: remove %s: %w", d.path, err)
}

// last orders what tells that a directory is a job's behind everything else, and the lock behind that.
func last(name string) int { return slices.Index([]string{jobName, lockName}, name) }
