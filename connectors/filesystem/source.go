package filesystem

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
)

type source struct {
	table *connector.Table
	o     *options
	// need tells which columns are read.
	need []bool
	// filters are the conditions that the path of a file decides.
	filters []expr.Expr
}

func newSource(t *connector.Table, o *options) *source {
	s := &source{table: t, o: o, need: make([]bool, len(t.Columns))}
	for i := range s.need {
		s.need[i] = true
	}
	return s
}

// Push takes the columns to read, and leaves out files that conditions on partition keys drop; conditions stay with the
// engine.
func (s *source) Push(r connector.Request) connector.Accepted {
	s.filters = pruned(s.table, r.Filters)
	if r.Need == nil {
		return connector.Accepted{}
	}
	clear(s.need)
	for _, p := range r.Need {
		s.need[p[0]] = true
	}
	return connector.Accepted{}
}

func (s *source) Bounded() bool { return true }

// Splits lists the files, in the order of their names.
func (s *source) Splits(int) ([]connector.Split, error) {
	root := localPath(s.o.Path)
	info, err := os.Stat(root)
	switch {
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(root, "*?["):
		return nil, fmt.Errorf("file %s does not exist; not supported: patterns in 'path', give the directory", root)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("file %s does not exist", root)
	case err != nil:
		return nil, fmt.Errorf("filesystem: list files: %w", err)
	case !info.IsDir():
		return []connector.Split{{ID: root}}, s.readable(root)
	}
	prune, err := s.pruner()
	if err != nil {
		return nil, fmt.Errorf("filesystem: list files: %w", err)
	}
	var out []connector.Split
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || path == root:
			return err
		case hidden(d.Name()) && d.IsDir() && !strings.Contains(d.Name(), "="):
			return fs.SkipDir
		case d.IsDir() || hidden(d.Name()):
			return nil
		}
		drop, err := prune.drops(path)
		if !drop {
			out = append(out, connector.Split{ID: path})
			err = errors.Join(err, s.readable(path))
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("filesystem: list files: %w", err)
	}
	return out, nil
}

// compressed are the extensions of files that hold no text.
var compressed = []string{".gz", ".zst", ".bz2", ".xz", ".snappy", ".sz", ".s2", ".lz4"}

// readable refuses a file that a format of text would misread.
func (s *source) readable(path string) error {
	if formatOf(s.o).scan == nil && slices.Contains(compressed, filepath.Ext(path)) {
		return fmt.Errorf("not supported: the compressed file %s; unpack it first", path)
	}
	return nil
}

// Fleeting implements connector.Fleeting: pipes and terminals are read once.
func (s *source) Fleeting() string {
	root := localPath(s.o.Path)
	if info, err := os.Stat(root); err != nil || info.IsDir() || info.Mode().IsRegular() {
		return ""
	}
	return root
}

// hidden tells files that are not part of a table.
func hidden(name string) bool { return strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") }

// localPath takes the scheme off a path: file:///a/b and file:/a/b are /a/b.
func localPath(p string) string {
	rest, ok := strings.CutPrefix(p, "file:")
	if !ok {
		return filepath.Clean(p)
	}
	return filepath.Clean("/" + strings.TrimLeft(rest, "/"))
}

func (s *source) Open(c *connector.Context, splits []connector.Split) (connector.Reader, error) {
	if formatOf(s.o).scan != nil {
		return newScanReader(s, c, splits)
	}
	r := &reader{source: s, max: c.MaxRows, zone: c.Env.Zone}
	for _, split := range splits {
		f := file{path: split.ID, line: 1}
		if len(split.Position) > 0 {
			if err := f.restore(split.Position); err != nil {
				return nil, err
			}
		}
		r.files = append(r.files, f)
	}
	if err := r.start(); err != nil {
		return nil, err
	}
	return r, nil
}
