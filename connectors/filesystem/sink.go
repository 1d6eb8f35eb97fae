package filesystem

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/types"
)

// sink writes a table into a directory: a file per subtask and partition, which the commit shows.
type sink struct {
	table *connector.Table
	o     *options
}

func (s *sink) Changelog() bool { return false }

func (s *sink) Open(c *connector.Context) (connector.Writer, error) {
	var id [8]byte
	if _, err := rand.Read(id[:]); err != nil {
		return nil, fmt.Errorf("filesystem: name a file: %w", err)
	}
	w := &writer{sink: s, root: localPath(s.o.Path), name: fmt.Sprintf("part-%s%s-%d", jobPrefix(c.Job), hex.EncodeToString(id[:]), c.Subtask),
		files: map[string]*part{}}
	if info, err := os.Stat(w.root); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("filesystem: %s is a file, and a table is written into a directory", w.root)
	}
	w.stored = storedColumns(s.table)
	names := make([]string, len(w.stored))
	for i, k := range w.stored {
		names[i] = s.table.Columns[k].Name
	}
	w.encoder = formatOf(s.o).encoder(s.o, names)
	return w, nil
}

// jobPrefix stands before the rest of a file's name, so that the files of a job can be told.
func jobPrefix(job string) string {
	if job == "" {
		return ""
	}
	return job + "."
}

// Clean implements connector.Cleaner.
func (s *sink) Clean(job string) error {
	prefix := ".part-" + jobPrefix(job)
	err := filepath.WalkDir(localPath(s.o.Path), func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the table's own directory, or one that another process removed
		}
		if err != nil {
			return err
		}
		if d.Type().IsRegular() && strings.HasPrefix(d.Name(), prefix) && strings.HasSuffix(d.Name(), hiddenSuffix) {
			return os.Remove(path)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("filesystem: remove unfinished files: %w", err)
	}
	return nil
}

// Committer implements connector.Sink.
func (s *sink) Committer() (connector.Committer, error) { return committer{}, nil }

// committer gives the files their visible names.
type committer struct{}

// Commit implements connector.Committer: a committable is the hidden and the visible name.
func (committer) Commit(_ int64, committables [][]byte, _ types.EventTime) error {
	dirs := map[string]bool{}
	for _, c := range committables {
		from, to, _ := strings.Cut(string(c), "\x00")
		err := os.Rename(from, to)
		if errors.Is(err, fs.ErrNotExist) {
			_, err = os.Stat(to) // it was renamed by an earlier try
		}
		if err != nil {
			return fmt.Errorf("filesystem: commit: %w", err)
		}
		dirs[filepath.Dir(to)] = true
	}
	for d := range dirs {
		if err := syncDir(d); err != nil {
			return fmt.Errorf("filesystem: commit: %w", err)
		}
	}
	return nil
}

func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	err = d.Sync()
	return errors.Join(err, d.Close())
}
