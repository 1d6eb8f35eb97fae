package filesystem

import (
	"bufio"
	"errors"
	"io"

	"streamsql/exec/connector"
	"streamsql/exec/option"
	"streamsql/exec/vector"
)

// Export writes rows as one parquet file that belongs to no table. It takes one batch at a time.
type Export struct {
	out  *bufio.Writer
	rows bulk
}

// exportBuffer gathers small writes, in bytes.
const exportBuffer = 64 << 10

// NewExport begins a file of columns on w. An error says which column the format has no form for.
func NewExport(w io.Writer, columns []connector.Column) (*Export, error) {
	o := &options{}
	if err := option.Decode(o, map[string]string{"path": "-", "format": parquetFormat.name}); err != nil {
		return nil, err
	}
	if err := parquetFormat.check(&connector.Table{Columns: columns}, o); err != nil {
		return nil, err
	}
	out := bufio.NewWriterSize(w, exportBuffer)
	return &Export{out, parquetFormat.bulk(o, columns)(out)}, nil
}

// Write adds the first n rows of columns.
func (e *Export) Write(cols []*vector.Column, n int) error {
	if n == 0 {
		return nil
	}
	return e.rows.write(cols, 0, n)
}

// Close writes the end of the file, without which nobody can read it.
func (e *Export) Close() error { return errors.Join(e.rows.close(), e.out.Flush()) }
