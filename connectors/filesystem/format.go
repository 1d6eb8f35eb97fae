package filesystem

import (
	"io"
	"io/fs"

	"github.com/parquet-go/parquet-go"

	"streamsql/exec/connector"
	"streamsql/exec/vector"
)

// format is how rows stand in files.
type format struct {
	name string
	// check refuses options that do not go together and columns that the format has no form for.
	check func(t *connector.Table, o *options) error
	// changes says that rows are changes of a table, not inserts alone.
	changes bool
	// decoder reads into fields, the stored columns in order.
	decoder func(o *options, fields []field) decoder
	// encoder writes the stored columns, whose names it gets, in order.
	encoder func(o *options, names []string) encoder
	// bulk makes what begins files of the stored columns, of which one at a time is called, and scan opens one, where files are
	// no streams of rows: those formats have neither encoder nor decoder.
	bulk func(o *options, columns []connector.Column) func(out io.Writer) bulk
	scan func(path string, q *scanQuery) (scanner, error)
	// cut finds places at which a portion can be divided into so many parts, or fewer; nil where files are read whole.
	cut func(p *portion, o *options, parts int) []int64
	// join writes one file of several of the stored columns, in their order; nil where one behind the other is one.
	join func(o *options, columns []connector.Column, from []string, out io.Writer) error
}

// bulk writes a file that cannot be gone on with, since its end is not known before.
type bulk interface {
	// write takes rows of the stored columns.
	write(cols []*vector.Column, from, to int) error
	// size is how many bytes are held back, about, held how much memory they take, and flush writes what can be written of them.
	size() int64
	held() int64
	flush() error
	// close writes the end of the file.
	close() error
}

// scanner reads a file.
type scanner interface {
	// info is what the file was when it was opened.
	info() fs.FileInfo
	// seek goes to a row of the file, before the first read, which is to end before another one; 0 is the end of the file.
	seek(from, to int64) error
	// row is the number of the next row of the file; rows may be left out.
	row() int64
	// read makes columns of at most n rows, one for each field; it is 0 at the end.
	read(outs []scanOut, n int) (int, error)
	close() error
}

// scanQuery is what is wanted of a file.
type scanQuery struct {
	o      *options
	fields []field
	// columns are the fields' positions in the table.
	columns []int
	// bounds are conditions on the columns; rows that do not satisfy them may be left out.
	bounds []bound
}

// scanOut is memory for a column of a batch. A scanner makes the column, from the builder or otherwise.
type scanOut struct {
	builder *vector.Builder
	col     *vector.Column

	values []parquet.Value
	codes  []int32
	views  []vector.View
	bytes  []byte
}

// formats are those there are; the option's tag repeats their names.
var formats = []*format{csvFormat, jsonFormat, debeziumFormat, rawFormat, parquetFormat}

// formatOf is the format of a table, whose name the option's tag has checked.
func formatOf(o *options) *format {
	for _, f := range formats {
		if f.name == o.Format {
			return f
		}
	}
	panic("filesystem: no format " + o.Format)
}
