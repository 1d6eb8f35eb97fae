package filesystem

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// writer writes the rows of one subtask. A job has a single epoch so far, so that all files are prepared
// at its end.
type writer struct {
	sink    *sink
	root    string
	name    string // of its files
	stored  []int
	encoder encoder
	files   map[string]*part // by folder below root
	cols    []*vector.Column
	folder  []byte
	value   []byte
	line    []byte
}

// part is a file being written.
type part struct {
	hidden, visible string
	file            *os.File
	buf             *bufio.Writer
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
	dir := filepath.Join(w.root, folder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	p := &part{hidden: filepath.Join(dir, "."+w.name+".inprogress"), visible: filepath.Join(dir, w.name)}
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
	for _, p := range w.files {
		if err := p.buf.Flush(); err != nil {
			return nil, nil, fmt.Errorf("filesystem: write: %w", err)
		}
		committables = append(committables, []byte(p.hidden+"\x00"+p.visible))
	}
	wait = func() error {
		for _, p := range w.files {
			if err := p.file.Sync(); err != nil {
				return fmt.Errorf("filesystem: write: %w", err)
			}
		}
		return nil
	}
	return committables, wait, nil
}

// Abort implements connector.Writer: the hidden files go.
func (w *writer) Abort() error {
	var all []error
	for _, p := range w.files {
		all = append(all, p.file.Close(), os.Remove(p.hidden))
	}
	return errors.Join(all...)
}

// Close implements connector.Writer.
func (w *writer) Close() error {
	var all []error
	for _, p := range w.files {
		all = append(all, p.file.Close())
	}
	return errors.Join(all...)
}
