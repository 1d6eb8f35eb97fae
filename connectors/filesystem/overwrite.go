package filesystem

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
)

// INSERT OVERWRITE replaces the directory of each partition that has new files, or the one of the table. The new files
// come together in a hidden directory beside it, which then takes its name: a reader sees all of the old files or all of
// the new ones, or for a moment none. Directories of partitions without new rows stay as they are, and so does a table
// without partitions that no row came for.

// replace puts the files of records in the place of what is in their directories.
func (s *sink) replace(records []record) error {
	files := map[string][]record{}
	for _, r := range records {
		if r.kind == recordFile {
			dir := filepath.Dir(r.fields[1])
			files[dir] = append(files[dir], r)
		}
	}
	var dirs []string
	for dir := range files {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	for _, dir := range dirs {
		if err := s.replaceDir(dir, files[dir]); err != nil {
			return err
		}
	}
	return nil
}

func (s *sink) replaceDir(dir string, files []record) error {
	// The name of a file is given once only, and so are these.
	name := filepath.Base(files[0].fields[1])
	fresh, old := filepath.Join(filepath.Dir(dir), ".new-"+name), filepath.Join(filepath.Dir(dir), ".old-"+name)
	if err := s.disk.makeDir(fresh); err != nil {
		return err
	}
	for _, r := range files {
		if err := s.disk.rename(r.fields[0], filepath.Join(fresh, filepath.Base(r.fields[1]))); err != nil {
			return err
		}
	}
	if err := s.disk.syncDir(fresh); err != nil {
		return err
	}
	if err := s.disk.rename(dir, old); err != nil {
		return err
	}
	if err := s.disk.rename(fresh, dir); err != nil {
		return errors.Join(err, s.disk.rename(old, dir))
	}
	if err := s.disk.syncDir(filepath.Dir(dir)); err != nil {
		return err
	}
	return os.RemoveAll(old)
}
