package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Export copies a complete checkpoint of the directory, the newest, into a new directory: a savepoint. It is
// there when its metadata file is, which comes last. After an error nothing of it is left, unless removing it
// fails too.
func (d *Directory) Export(m *Metadata, path string) error {
	s := &Directory{fs: d.fs, path: path, job: d.job, visible: true, next: m.Epoch}
	names, err := s.fs.ReadDir(path)
	switch {
	case err == nil && len(names) > 0:
		return fmt.Errorf("checkpoint: savepoint: directory %s is not empty", path)
	case errors.Is(err, fs.ErrNotExist):
		err = s.fs.MakeDir(path)
	}
	if err != nil {
		return fmt.Errorf("checkpoint: savepoint: open directory %s: %w", path, err)
	}
	if err := s.copy(d, m); err != nil {
		s.undo()
		return fmt.Errorf("checkpoint: savepoint: %w", err)
	}
	return nil
}

// copy writes the job's id, the blocks of a checkpoint of another directory and its metadata. What stood in
// one file stands in one file again, so that streams keep their bounds.
func (s *Directory) copy(from *Directory, m *Metadata) error {
	if err := writeFile(s.fs, s.at(jobAside), s.at(jobName), []byte(jobText+s.job+"\n")); err != nil {
		return fmt.Errorf("write %s: %w", s.at(jobName), err)
	}
	e, err := s.Begin()
	if err != nil {
		return err
	}
	defer e.Abort() // of what is committed it does nothing
	own := *m
	own.Blocks = make([]Block, len(m.Blocks))
	files := map[string]*Data{}
	var buf []byte
	for i, k := range m.Blocks {
		f := files[k.File]
		if f == nil {
			f = e.Data(len(files), 0)
			files[k.File] = f
		}
		if buf, err = from.block(k, buf[:0]); err == nil {
			own.Blocks[i], err = f.Append(k, buf)
		}
		if err != nil {
			break
		}
	}
	all := []error{err, from.EndRestore()}
	for _, f := range files {
		all = append(all, f.Close())
	}
	if err := errors.Join(all...); err != nil {
		return err
	}
	return e.Commit(&own)
}

// undo removes what a savepoint that came to nothing left. Its error would hide the reason.
func (s *Directory) undo() {
	names, err := s.fs.ReadDir(s.path)
	if err != nil {
		return
	}
	for _, name := range names {
		_, own := s.own(name)
		_, is := ParseEpoch(name)
		if own || is || name == jobName || name == jobAside {
			_ = s.remove(name)
		}
	}
	_ = s.fs.Remove(s.path)
}

// ReadSavepoint reads the metadata of a savepoint, for who wants to know of it before the job starts.
func ReadSavepoint(fsys FS, path string) (*Metadata, error) {
	_, m, err := openSavepoint(fsys, path)
	return m, err
}

// openSavepoint finds the one checkpoint of a savepoint. The directory is not changed, nor locked.
func openSavepoint(fsys FS, path string) (*Directory, *Metadata, error) {
	s := &Directory{fs: fsys, path: path, visible: true, readers: map[string]Reader{}}
	names, err := fsys.ReadDir(path)
	if err != nil {
		return nil, nil, fmt.Errorf("checkpoint: open savepoint %s: %w", path, err)
	}
	var epochs []int64
	for _, name := range names {
		if n, is := ParseEpoch(name); is {
			epochs = append(epochs, n)
		}
	}
	switch {
	case slices.Contains(names, lockName):
		return nil, nil, fmt.Errorf("checkpoint: %s is a directory of checkpoints, no savepoint: go on from it with --restore", path)
	case !slices.Contains(names, jobName) || len(epochs) != 1:
		return nil, nil, fmt.Errorf("checkpoint: %s is no savepoint: it holds no file %q with one file chk-N beside it", path, jobName)
	}
	if err := s.readJob(); err != nil {
		return nil, nil, err
	}
	m, err := s.read(epochs[0])
	if err != nil {
		return nil, nil, fmt.Errorf("checkpoint: savepoint: %w", err)
	}
	return s, m, nil
}

// fromSavepoint goes on from a savepoint, if there is to be one: it is checked as a whole.
func (d *Directory) fromSavepoint() error {
	if d.options.Savepoint == "" {
		return nil
	}
	s, m, err := openSavepoint(d.fs, d.options.Savepoint)
	if err != nil {
		return err
	}
	s.options = d.options
	if err = s.fits(m); err == nil {
		err = s.verify(m)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("checkpoint: restore: %w", err), s.EndRestore())
	}
	d.restored, d.origin, d.dropped = m, s, s.dropped
	// Tasks tell a checkpoint that completed from one that did not by its number.
	d.next = max(d.next, m.Epoch+1)
	d.first = d.next
	return nil
}
