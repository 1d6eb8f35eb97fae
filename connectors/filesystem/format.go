package filesystem

import (
	"io"
	"io/fs"

	"streamsql/exec/connector"
	"streamsql/exec/vector"
)

// format is how rows stand in files.
type format struct {
	name string
	// check refuses options that do not go together and columns that the format has no form for.
	check func(t *connector.Table, o *options) error
	// decoder reads into fields, the stored columns in order.
	decoder func(o *options, fields []field) decoder
	// encoder writes the stored columns, whose names it gets, in order.
	encoder func(o *options, names []string) encoder
	// bulk begins a file of the stored columns, and scan opens one, where files are no streams of rows: those formats
	// have neither encoder nor decoder.
	bulk func(o *options, columns []connector.Column, out io.Writer) bulk
	scan func(path string, fields []field) (scanner, error)
	// join writes one file of several of the stored columns, in their order; nil where one behind the other is one.
	join func(o *options, columns []connector.Column, from []string, out io.Writer) error
}

// bulk writes a file that cannot be gone on with, since its end is not known before.
type bulk interface {
	// write takes rows of the stored columns.
	write(cols []*vector.Column, from, to int) error
	// size is how many bytes are held back, about, and flush writes what can be written of them.
	size() int64
	flush() error
	// close writes the end of the file.
	close() error
}

// scanner reads a file.
type scanner interface {
	// info is what the file was when it was opened.
	info() fs.FileInfo
	// seek goes to a row, before the first read.
	seek(row int64) error
	// read appends at most n rows to outs, one for each field; it is 0 at the end.
	read(outs []*vector.Builder, n int) (int, error)
	close() error
}

// formats are those there are; the option's tag repeats their names.
var formats = []*format{csvFormat, jsonFormat, rawFormat, parquetFormat}

// formatOf is the format of a table, whose name the option's tag has checked.
func formatOf(o *options) *format {
	for _, f := range formats {
		if f.name == o.Format {
			return f
		}
	}
	panic("filesystem: no format " + o.Format)
}
