package filesystem

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// writer writes the rows of one subtask. Prepare ends its files; the rows after it go to new ones.
type writer struct {
	sink    *sink
	root    string
	name    string // of its files
	stored  []int
	encoder encoder
	files   map[string]*part // by folder below root
	round   int              // of files; part of their names
	made    bool             // the root did not exist
	// prepared are the files of the last Prepare.
	prepared []*part
	cols     []*vector.Column
	folder   []byte
	value    []byte
	line     []byte
}

// part is a file being written.
type part struct {
	hidden, visible string
	file            *os.File
	buf             *bufio.Writer
	closed          bool
}

const hiddenSuffix = ".inprogress"

func (p *part) close() error {
	if p.closed {
		return nil
	}
	p.closed = true
	return p.file.Close()
}

// Write implements connector.Writer.
func (w *writer) Write(b *vector.Batch) error {
	w.cols = w.cols[:0]
	for _, k := range w.stored {
		w.cols = append(w.cols, b.Cols[k])
	}
	for i := range b.Len {
		if k := b.Kind(i); k != vector.Insert {
			return fmt.Errorf("filesystem: a file cannot take back rows, but %s came", k)
		}
		w.folder = w.appendFolder(w.folder[:0], b, i)
		p := w.files[string(w.folder)]
		if p == nil {
			var err error
			if p, err = w.create(string(w.folder)); err != nil {
				return fmt.Errorf("filesystem: create a file: %w", err)
			}
		}
		var err error
		if w.line, err = w.encoder.appendRow(w.line[:0], w.cols, i); err != nil {
			return err
		}
		if _, err = p.buf.Write(w.line); err != nil {
			return fmt.Errorf("filesystem: write: %w", err)
		}
	}
	return nil
}

// appendFolder writes `key=value/key=value` for the partition of row i.
func (w *writer) appendFolder(dst []byte, b *vector.Batch, i int) []byte {
	for _, k := range w.sink.table.PartitionKeys {
		if len(dst) > 0 {
			dst = append(dst, '/')
		}
		dst = append(dst, escapePath(w.sink.table.Columns[k].Name)...)
		dst = append(dst, '=')
		c := b.Cols[k]
		w.value = w.value[:0]
		if !c.Null(i) {
			w.value = appendValue(w.value, c, i, ' ', true)
		}
		if len(w.value) == 0 {
			dst = append(dst, w.sink.o.Null...)
			continue
		}
		dst = append(dst, escapePath(string(w.value))...)
	}
	return dst
}

func (w *writer) create(folder string) (*part, error) {
	if _, err := os.Stat(w.root); errors.Is(err, fs.ErrNotExist) {
		w.made = true
	}
	dir := filepath.Join(w.root, folder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	name := w.name
	if w.round > 0 {
		name += fmt.Sprintf("-%d", w.round)
	}
	p := &part{hidden: filepath.Join(dir, "."+name+hiddenSuffix), visible: filepath.Join(dir, name)}
	f, err := os.OpenFile(p.hidden, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	p.file, p.buf = f, bufio.NewWriterSize(f, 64<<10)
	w.files[folder] = p
	return p, nil
}

// Advance implements connector.Writer.
func (w *writer) Advance(types.EventTime) error { return nil }

// Prepare implements connector.Writer.
func (w *writer) Prepare(int64) (committables [][]byte, wait func() error, err error) {
	if len(w.files) == 0 {
		w.prepared = nil
		return nil, func() error { return nil }, nil
	}
	var parts []*part
	for _, p := range w.files {
		if err := p.buf.Flush(); err != nil {
			return nil, nil, fmt.Errorf("filesystem: write: %w", err)
		}
		committables = append(committables, []byte(p.hidden+"\x00"+p.visible))
		parts = append(parts, p)
	}
	w.prepared, w.files = parts, map[string]*part{}
	w.round++
	return committables, func() error { return w.durable(parts) }, nil
}

// durable syncs files and the directories that they were made in.
func (w *writer) durable(parts []*part) error {
	dirs := map[string]bool{}
	for _, p := range parts {
		if err := errors.Join(p.file.Sync(), p.close()); err != nil {
			return fmt.Errorf("filesystem: write: %w", err)
		}
		above := filepath.Dir(filepath.Clean(w.root))
		for dir := filepath.Dir(p.hidden); dir != above && !dirs[dir]; dir = filepath.Dir(dir) {
			dirs[dir] = true
		}
	}
	if w.made {
		dirs[filepath.Dir(filepath.Clean(w.root))] = true
	}
	for dir := range dirs {
		if err := syncDir(dir); err != nil {
			return fmt.Errorf("filesystem: write: %w", err)
		}
	}
	return nil
}

// Abort implements connector.Writer: the hidden files go.
func (w *writer) Abort() error {
	var all []error
	for _, p := range w.prepared {
		all = append(all, p.close(), os.Remove(p.hidden))
	}
	for _, p := range w.files {
		all = append(all, p.close(), os.Remove(p.hidden))
	}
	return errors.Join(all...)
}

// Close implements connector.Writer.
func (w *writer) Close() error {
	var all []error
	for _, p := range w.files {
		all = append(all, p.close())
	}
	return errors.Join(all...)
}
