package filesystem

import (
	"fmt"
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
	// bounds are those that what a file says of itself may decide.
	bounds []bound
	// leastSpan is the least part of a file that is a split.
	leastSpan int64
}

func newSource(t *connector.Table, o *options) *source {
	s := &source{table: t, o: o, need: make([]bool, len(t.Columns)), leastSpan: leastSpan}
	for i := range s.need {
		s.need[i] = true
	}
	return s
}

// Push takes the columns to read, and leaves out files, and parts of them, that conditions drop; the engine applies those all the
// same.
func (s *source) Push(r connector.Request) connector.Accepted {
	s.filters = pruned(s.table, r.Filters)
	if formatOf(s.o).scan != nil {
		s.bounds = bounds(s.table, r.Filters)
	}
	if r.Need == nil {
		return connector.Accepted{}
	}
	clear(s.need)
	for _, p := range r.Need {
		s.need[p[0]] = true
	}
	return connector.Accepted{}
}

// Bounded implements connector.Source.
func (s *source) Bounded() bool { return true }

// Splits divides the files, in the order of their names.
func (s *source) Splits(n int) (out []connector.Split, err error) {
	defer func() { err = troubled(s.o, err) }()
	if s.o.Path == standardPath {
		return []connector.Split{{ID: standardPath}}, nil
	}
	all, err := s.portions()
	if err != nil {
		return nil, err
	}
	return s.deal(all, n), nil
}

// portions are the files to read, each whole.
func (s *source) portions() ([]portion, error) {
	all, err := placeOf(s.o.Path).list()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 && isPattern(s.o.Path) {
		return nil, &connector.Error{Err: fmt.Errorf("no file matches %s", s.o.Path), Hint: "in 'path', * stands for any part of a name and ** for any directories"}
	}
	prune, err := s.pruner()
	if err != nil {
		return nil, fmt.Errorf("filesystem: list files: %w", err)
	}
	var out []portion
	for _, f := range all {
		drop, err := prune.drops(f.path)
		if err != nil {
			return nil, fmt.Errorf("filesystem: list files: %w", err)
		}
		if drop {
			continue
		}
		if err := s.readable(f.path); err != nil {
			return nil, err
		}
		p := portion{file: file{span: span{path: f.path}, line: 1}}
		if f.info.Mode().IsRegular() && (formatOf(s.o).scan != nil || inParts(f.path)) {
			p.bytes = f.info.Size()
		}
		out = append(out, p)
	}
	return out, nil
}

// readable refuses a file that a format of text would misread.
func (s *source) readable(path string) error {
	if formatOf(s.o).scan == nil && slices.Contains(packedOtherwise, strings.ToLower(filepath.Ext(path))) {
		return &connector.Error{Err: fmt.Errorf("not supported: the compressed file %s; unpack it first, or use gzip or zstd", path)}
	}
	return nil
}

// Fleeting implements connector.Fleeting: pipes and terminals are read once.
func (s *source) Fleeting() string {
	if s.o.Path == standardPath {
		return "the standard input"
	}
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
	if err := r.prepare(); err != nil {
		return nil, err
	}
	p, feed, err := newProgress(s, splits)
	if err != nil {
		return nil, err
	}
	r.progress = p
	if !p.over() {
		r.in = readChunks(feed)
	}
	return r, nil
}
