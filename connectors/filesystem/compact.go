package filesystem

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"streamsql/exec/connector"
	"streamsql/exec/option"
)

// With 'auto-compaction' the files of a checkpoint that lie in one directory become few before anybody sees them. Which
// become one follows from the checkpoint alone: they are taken in the order of their names until the next is too many,
// and what is made of them has a name after the first. So a commit that is repeated makes the same files, or finds
// them: a file with the name is whole, and what it was made of goes once its name is durable.

type compactionOptions struct {
	Size        *option.Size `opt:"file-size" min:"1" doc:"how large files become at most that are made of smaller ones; sink.rolling-policy.file-size if absent"`
	Parallelism *int64       `opt:"parallelism" min:"1" doc:"how many are made at the same time; as many as there are subtasks if absent"`
}

// compactedPrefix stands before the names of files that were made of others.
const compactedPrefix = "compacted-"

// unit is what becomes one file with a name in a directory, which is that of the files or one that takes its place.
type unit struct {
	from []record
	to   string
}

// units says which files become one, in dir; they are in order, and of one directory. Without compaction each is by itself.
func (s *sink) units(files []record, dir string) (out []unit) {
	limit, prefix := int64(0), ""
	if s.o.Compact {
		limit, prefix = int64(s.o.Rolling.Size), compactedPrefix
		if s.o.Compaction.Size != nil {
			limit = int64(*s.o.Compaction.Size)
		}
	}
	var size int64
	for _, r := range files {
		n := r.number(2)
		if size += n; len(out) == 0 || size > limit {
			out, size = append(out, unit{to: filepath.Join(dir, prefix+filepath.Base(r.fields[1]))}), n
		}
		last := &out[len(out)-1]
		last.from = append(last.from, r)
	}
	return out
}

// publish makes units visible, many side by side when files are made of several.
func (s *sink) publish(units []unit, writers int) error {
	n := 1
	if s.o.Compact {
		n = max(writers, 1)
	}
	if p := s.o.Compaction.Parallelism; s.o.Compact && p != nil {
		n = int(*p)
	}
	var group sync.WaitGroup
	failed := make([]error, min(n, len(units)))
	for k := range failed {
		group.Go(func() {
			for i := k; i < len(units) && failed[k] == nil; i += len(failed) {
				failed[k] = s.show(units[i])
			}
		})
	}
	group.Wait()
	return errors.Join(failed...)
}

// show gives a unit its name, unless an earlier try did.
func (s *sink) show(u unit) error {
	if len(u.from) == 1 {
		return s.rename(u.from[0], u.to)
	}
	switch _, err := os.Stat(u.to); {
	case errors.Is(err, fs.ErrNotExist):
		if err := s.merge(u); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	if err := s.disk.syncDir(filepath.Dir(u.to)); err != nil {
		return err
	}
	for _, r := range u.from {
		if err := s.disk.remove(r.fields[0]); err != nil {
			return err
		}
	}
	return nil
}

// rename gives a finished file its name, unless an earlier try did.
func (s *sink) rename(r record, to string) error {
	err := s.disk.rename(r.fields[0], to)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if info, e := os.Stat(to); e != nil {
		return err
	} else if info.Size() != r.number(2) {
		return fmt.Errorf("%s has %d bytes, but %d were written", to, info.Size(), r.number(2))
	}
	return nil
}

// merge makes the file of a unit.
func (s *sink) merge(u unit) (err error) {
	first := u.from[0]
	// Behind its hidden name the file has the id of the job, as the ones that it is made of have it.
	suffix := strings.TrimPrefix(filepath.Base(first.fields[0]), "."+filepath.Base(first.fields[1]))
	p := &part{disk: s.disk, visible: u.to, hidden: filepath.Join(filepath.Dir(u.to), "."+filepath.Base(u.to)+suffix)}
	if p.file, err = s.disk.open(p.hidden, os.O_CREATE|os.O_TRUNC); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.remove())
		}
	}()
	var from []string
	for _, r := range u.from {
		info, err := os.Stat(r.fields[0])
		if err != nil {
			return err
		}
		if info.Size() != r.number(2) {
			return fmt.Errorf("%s has %d bytes, but %d were written", r.fields[0], info.Size(), r.number(2))
		}
		from = append(from, r.fields[0])
	}
	join := formatOf(s.o).join
	if join == nil {
		join = joinStreams
	}
	if err := join(s.o, s.columns(), from, p); err != nil {
		return err
	}
	if err := errors.Join(p.flush(), s.disk.sync(p.file), p.close()); err != nil {
		return err
	}
	return s.disk.rename(p.hidden, u.to)
}

// columns are those that stand in files.
func (s *sink) columns() (out []connector.Column) {
	for _, k := range storedColumns(s.table) {
		out = append(out, s.table.Columns[k])
	}
	return out
}

// joinStreams makes one file of files that are streams of rows.
func joinStreams(_ *options, _ []connector.Column, from []string, out io.Writer) error {
	return joinBehind(0, from, out)
}

// joinBehind makes one file of several, without the heads of all but the first.
func joinBehind(head int64, from []string, out io.Writer) error {
	for i, path := range from {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		if i > 0 {
			_, err = f.Seek(head, io.SeekStart)
		}
		if err == nil {
			_, err = io.Copy(out, f)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}
