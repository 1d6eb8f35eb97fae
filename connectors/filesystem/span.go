package filesystem

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"streamsql/exec/connector"
)

// A span is what a split is of a file: all of it, or a part between two places, which are bytes of text or rows of Parquet.
type span struct {
	path     string
	from, to int64 // to is 0 for the end of the file
}

// id is the name of a split: of a whole file its path. No path has a NUL.
func (s span) id() string {
	if s.from == 0 && s.to == 0 {
		return s.path
	}
	return fmt.Sprintf("%s\x00%d-%d", s.path, s.from, s.to)
}

var errSpan = errors.New("filesystem: a checkpoint has something else than parts of files")

func spanOf(id string) (span, error) {
	path, places, part := strings.Cut(id, "\x00")
	if !part {
		return span{path: path}, nil
	}
	first, second, _ := strings.Cut(places, "-")
	from, err1 := strconv.ParseInt(first, 10, 64)
	to, err2 := strconv.ParseInt(second, 10, 64)
	if err := errors.Join(err1, err2); err != nil || from < 0 || to < 0 || to > 0 && to < from {
		return span{}, errSpan
	}
	return span{path, from, to}, nil
}

// fileOf is where the reading of a split stands.
func fileOf(x connector.Split) (file, error) {
	s, err := spanOf(x.ID)
	if err != nil {
		return file{}, err
	}
	f := file{span: s, line: 1}
	if len(x.Position) > 0 {
		_, err = f.restore(x.Position)
	}
	return f, err
}

// splitOf is fileOf turned round.
func splitOf(f file) connector.Split {
	out := connector.Split{ID: f.id()}
	if f != (file{span: span{path: f.path}, line: 1}) {
		out.Position = f.position()
	}
	return out
}

// portion is what is to be read of a file.
type portion struct {
	file
	// bytes is how many the file has, 0 where it cannot be read in parts.
	bytes int64
}

// left is how many bytes are to be read, about. A part of a Parquet file has no more parts.
func (p *portion) left(rows bool) int64 {
	switch {
	case p.size > 0 && p.size != p.bytes+1, rows && p.to > 0:
		return 0 // it was changed, which its reader says
	case rows:
		return p.bytes
	}
	return cmp.Or(p.to, p.bytes) - p.offset
}

const (
	// leastSpan is how many bytes of a file are worth a split of their own.
	leastSpan = 4 << 20
	// spansEach is how many splits a subtask is to have, so that files of several sizes come out even.
	spansEach = 2
)

// deal makes splits for n subtasks, in the order of what is to be read: a large portion becomes several of about the same size.
// Tables with a watermark are left alone, since the order within a file tells which rows are late, and so are changes, which
// follow each other.
func (s *source) deal(all []portion, n int) []connector.Split {
	f := formatOf(s.o)
	total := int64(0)
	for i := range all {
		total += all[i].left(f.scan != nil)
	}
	share := max(total/int64(n*spansEach), s.leastSpan)
	var out []connector.Split
	for _, p := range all {
		if parts := (p.left(f.scan != nil) + share/2) / share; n > 1 && parts > 1 && f.cut != nil && !s.table.Watermark {
			for _, at := range f.cut(&p, s.o, int(parts)) {
				head := p.file
				head.to, head.size = at, p.bytes+1
				out = append(out, splitOf(head))
				p.file = file{span: span{p.path, at, p.to}, line: 1, size: head.size}
				if f.scan != nil {
					p.skip = int(at)
				} else {
					p.offset = at
				}
			}
		}
		out = append(out, splitOf(p.file))
	}
	return out
}

// Resume implements connector.Resumer: what is left of splits is dealt out to any number of subtasks. Files that were not there
// are read from their beginning.
func (s *source) Resume(n int, saved []connector.Split) (out []connector.Split, err error) {
	defer func() { err = troubled(s.o, err) }()
	if s.o.Path == standardPath {
		return saved, nil
	}
	begun := map[string][]file{}
	for _, x := range saved {
		f, err := fileOf(x)
		if err != nil {
			return nil, err
		}
		begun[f.path] = append(begun[f.path], f)
	}
	now, err := s.portions()
	if err != nil {
		return nil, err
	}
	var all []portion
	for _, p := range now {
		files, ok := begun[p.path]
		if !ok {
			all = append(all, p)
		}
		for _, f := range files {
			all = append(all, portion{f, p.bytes})
		}
		delete(begun, p.path)
	}
	for path := range begun {
		return nil, fmt.Errorf("the file %s, of which a part was read, is not there any more: %w", path, errNeverChange)
	}
	return s.deal(all, n), nil
}
