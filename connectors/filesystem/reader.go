package filesystem

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/vector"
)

// byteOrderMark may begin a text, of which it is no part.
const byteOrderMark = "\uFEFF"

// maxRecord is the longest row: what is longer is an error, not a full memory.
const maxRecord = 64 << 20

// decoder turns bytes into rows of builders.
type decoder interface {
	// decode reads whole records from the head of data until it made limit rows, leaving out the first
	// skip rows of the first record.
	decode(data []byte, last bool, skip, limit int) (decoded, error)
}

// beginner is a decoder that takes the head of a file for something else than rows.
type beginner interface {
	// begin says that the records of a file follow, from its head on or from somewhere else.
	begin(head bool)
}

// decoded is what a decoder did: the bytes and lines that it used and the rows that it made. It uses
// nothing when the first record is not whole, which cannot be when data is the last of its file. Skip is
// how many rows of the record behind those bytes were made too.
type decoded struct{ used, lines, rows, skip int }

// file is where the reading of a file, or of a part of it, stands: the byte and line of its next record, and how many rows of
// that were read. Lines count from the beginning of the part.
type file struct {
	span
	offset int64
	line   int
	skip   int
	// size is one more than the bytes of the file when it was opened, 0 when it was not.
	size int64
}

// reader reads the files of one subtask in turn.
type reader struct {
	source *source
	max    int
	zone   *time.Location
	*progress

	in      *chunks
	decoder decoder
	data    []byte // bytes of it that were not decoded yet
	buf     []byte // memory behind data
	last    bool   // data ends with the file

	builders []*vector.Builder // by column; nil when constant
	consts   []*vector.Column  // by column
	cols     []vector.Column
	batch    vector.Batch
}

func (r *reader) prepare() error {
	t := r.source.table
	r.builders = make([]*vector.Builder, len(t.Columns))
	r.consts = make([]*vector.Column, len(t.Columns))
	r.cols = make([]vector.Column, len(t.Columns))
	var fields []field
	for i, c := range t.Columns {
		r.batch.Cols = append(r.batch.Cols, &r.cols[i])
		stored := c.Metadata == "" && !isKey(t, i)
		f := field{name: c.Name, typ: c.Type}
		if stored && r.source.need[i] {
			f.out = vector.NewBuilder(c.Type)
			r.builders[i] = f.out
		} else {
			r.consts[i] = vector.ConstNull(c.Type, 1)
		}
		if stored {
			fields = append(fields, f)
		}
	}
	r.decoder = formatOf(r.source.o).decoder(r.source.o, fields)
	return nil
}

// Next implements connector.Reader.
func (r *reader) Next() (connector.Read, error) {
	for {
		if r.over() {
			return connector.Read{Status: connector.End}, nil
		}
		if len(r.data) > 0 {
			rows, err := r.decode()
			if err != nil || rows > 0 {
				return connector.Read{Batch: &r.batch, Split: r.split()}, err
			}
		}
		if r.last {
			r.last, r.data = false, nil
			if split, done := r.finish(); done {
				return connector.Read{Status: connector.Done, Split: split}, nil
			}
			continue
		}
		select {
		case c := <-r.in.out:
			if err := r.take(c); err != nil {
				return connector.Read{}, err
			}
		default:
			return connector.Read{Status: connector.Wait, Wake: r.in.wake}, nil
		}
	}
}

// start begins a file.
func (r *reader) start(f file) error {
	r.begin(f)
	r.file().size = f.size
	if b, ok := r.decoder.(beginner); ok {
		b.begin(f.line == 1 && f.from == 0)
	}
	return troubled(r.source.o, r.source.constants(f.path, r.consts))
}

// take puts a chunk behind the bytes that are left.
func (r *reader) take(c chunk) error {
	if c.err != nil {
		return troubled(r.source.o, c.err)
	}
	if c.begin != nil {
		if err := r.start(*c.begin); err != nil {
			return err
		}
	}
	if len(r.data)+len(c.data) > maxRecord {
		return r.wrap(fmt.Errorf("a row of more than %d MiB", maxRecord>>20))
	}
	data := c.data
	if f := r.file(); f.offset == 0 && len(r.data) == 0 {
		// A byte order mark is no part of the text.
		data = bytes.TrimPrefix(data, []byte(byteOrderMark))
		f.offset = int64(len(c.data) - len(data))
	}
	n := copy(r.buf, r.data)
	r.buf = append(r.buf[:n], data...)
	r.data, r.last = r.buf, c.last
	r.in.free <- c.data
	return nil
}

func (r *reader) decode() (int, error) {
	for _, b := range r.builders {
		if b != nil {
			b.Reset()
		}
	}
	f := r.file()
	d, err := r.decoder.decode(r.data, r.last, f.skip, r.max)
	rows := d.rows
	f.offset += int64(d.used)
	f.line += d.lines
	f.skip = d.skip
	r.data = r.data[d.used:]
	if err != nil && rows == 0 {
		return 0, r.wrap(err)
	}
	// Rows before one that fails go out first; it fails again at the next call.
	for i := range r.cols {
		if b := r.builders[i]; b != nil {
			b.Truncate(rows)
			b.Finish(&r.cols[i])
			continue
		}
		r.cols[i].Alias(r.consts[i])
		r.cols[i].Len = rows
	}
	r.batch.Len = rows
	if c, ok := r.decoder.(changer); ok {
		r.batch.Kinds = c.changes()[:rows]
	}
	return rows, nil
}

func (r *reader) wrap(err error) error {
	f := r.file()
	line := f.line + linesBefore(f.path, f.from)
	return &connector.Error{Place: fmt.Sprintf("%s, line %d", f.path, line), Hint: lenient(r.source.o, line), Err: err}
}

// Position implements connector.Reader.
func (r *reader) Position(i int) ([]byte, error) {
	return r.position(i), nil
}

// position is where a file stands, as bytes that restore reads.
func (f *file) position() []byte {
	var out []byte
	for _, v := range [4]uint64{uint64(f.offset), uint64(f.line), uint64(f.skip), uint64(f.size)} {
		out = binary.AppendUvarint(out, v)
	}
	return out
}

// restore reads a position, and gives what is behind it.
func (f *file) restore(p []byte) ([]byte, error) {
	var v [4]uint64
	for i := range v {
		n := 0
		if v[i], n = binary.Uvarint(p); n <= 0 {
			return nil, fmt.Errorf("filesystem: %s: no such position", f.path)
		}
		p = p[n:]
	}
	f.offset, f.line, f.skip, f.size = int64(v[0]), int(v[1]), int(v[2]), int64(v[3])
	return p, nil
}

// stands keeps the size of the file that is opened, and refuses one that is not what it was.
func (f *file) stands(info fs.FileInfo) error {
	if info == nil || !info.Mode().IsRegular() {
		return nil
	}
	if now := info.Size() + 1; f.size == 0 || f.size == now {
		f.size = now
		return nil
	}
	return fmt.Errorf("the file had %d bytes when it was read before and has %d now: %w", f.size-1, info.Size(), errNeverChange)
}

// Close implements connector.Reader.
func (r *reader) Close() error {
	if r.in != nil {
		r.in.close()
	}
	return nil
}
