package filesystem

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"streamsql/exec/vector"
)

// INSERT OVERWRITE replaces the directory of each partition that has new files, or the one of the table. The new files
// come together in a hidden directory beside it, and the two directories exchange their names: a reader sees all of the
// old files or all of the new ones. Where the system cannot do that at once the old one is renamed first, and for a
// moment there is none. Directories of partitions without new rows stay as they are, but for the partition that the
// statement names whole: that one, and a table without partitions, is empty when no rows came.
//
// Only the last commit knows all the files, so that one does it, and may do it again: it finds then that the directory has
// the first of the new files, whose name is given once only.

// What stands before the names of the two directories.
const (
	newPrefix = ".new-"
	oldPrefix = ".old-"
)

// Overwrite implements connector.Overwriter.
func (s *sink) Overwrite(partition []*vector.Column) error {
	s.overwrites = true
	switch {
	case len(s.table.PartitionKeys) == 0:
		s.static = new(string)
	case !slices.Contains(partition, nil):
		folder, err := newBuckets(s.table, s.o).folderOf(partition)
		if err != nil {
			return err
		}
		s.static = &folder
	}
	return nil
}

// replace puts all files in the place of what is in their directories.
func (s *sink) replace(all *gathered) error {
	if s.static != nil {
		dir := filepath.Join(localPath(s.o.Path), *s.static)
		if _, ok := all.files[dir]; !ok {
			all.files[dir] = nil
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(all.files)) {
		if err := s.replaceDir(dir, all.files[dir], all.writers); err != nil {
			return err
		}
	}
	return nil
}

func (s *sink) replaceDir(dir string, files []record, writers int) error {
	suffix, first := hiddenSuffix, filepath.Base(dir)
	if len(files) > 0 {
		hidden, visible := filepath.Base(files[0].fields[0]), filepath.Base(files[0].fields[1])
		suffix, first = strings.TrimPrefix(hidden, "."+visible), visible
	}
	fresh := filepath.Join(filepath.Dir(dir), newPrefix+first+suffix)
	old := filepath.Join(filepath.Dir(dir), oldPrefix+first+suffix)
	units := s.units(files, fresh)
	if len(units) == 0 || !exists(filepath.Join(dir, filepath.Base(units[0].to))) {
		if err := s.disk.makeDir(fresh); err != nil {
			return err
		}
		if err := s.publish(units, writers); err != nil {
			return err
		}
		if err := s.disk.syncDir(fresh); err != nil {
			return err
		}
		if err := s.disk.swap(fresh, dir, old); err != nil {
			return err
		}
	}
	if err := s.disk.syncDir(filepath.Dir(dir)); err != nil {
		return err
	}
	return errors.Join(s.disk.removeAll(fresh), s.disk.removeAll(old))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// swap gives a directory the name of another, which may be missing, and that one the name of either of the others.
func (d disk) swap(fresh, dir, old string) error {
	if exists(dir) {
		if err := d.try("rename", dir); err != nil {
			return err
		}
		if exchange(fresh, dir) {
			return nil
		}
		if err := os.Rename(dir, old); err != nil {
			return err
		}
	}
	if err := d.rename(fresh, dir); err != nil {
		if exists(old) {
			err = errors.Join(err, os.Rename(old, dir))
		}
		return err
	}
	return nil
}

// isReplacing tells the names of directories that were left by a process that ended while it replaced others.
func isReplacing(name, suffix string) bool {
	return strings.HasSuffix(name, suffix) && (strings.HasPrefix(name, newPrefix) || strings.HasPrefix(name, oldPrefix))
}

// cleanBeside removes what is left beside the directory of a table without partitions.
func (s *sink) cleanBeside(root, suffix string) error {
	if len(s.table.PartitionKeys) > 0 {
		return nil
	}
	entries, err := os.ReadDir(filepath.Dir(filepath.Clean(root)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if err == nil && e.IsDir() && isReplacing(e.Name(), suffix) {
			err = s.disk.removeAll(filepath.Join(filepath.Dir(filepath.Clean(root)), e.Name()))
		}
	}
	return err
}
