package filesystem

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"

	"streamsql/exec/connector"
)

// joinParquet makes one file of several of the same columns. Row groups that are together no larger than one may be
// become one.
func joinParquet(o *options, columns []connector.Column, from []string, out io.Writer) (err error) {
	w := newParquetFile(o, parquetSchema(columns, o.Parquet.UTC), out)
	var groups []parquet.RowGroup
	var size int64
	put := func() error {
		for i, c := range w.ColumnWriters() {
			for _, g := range groups {
				if err := copyColumn(c, g.ColumnChunks()[i]); err != nil {
					return err
				}
			}
		}
		groups, size = groups[:0], 0
		return w.Flush()
	}
	for _, path := range from {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		// The row groups are read when they are put, until the end.
		defer func() { err = errors.Join(err, f.Close()) }()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		p, err := parquet.OpenFile(f, info.Size(), parquet.SkipBloomFilters(true))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for i, g := range p.RowGroups() {
			n := p.Metadata().RowGroups[i].TotalByteSize
			if len(groups) > 0 && size+n > int64(o.Parquet.GroupSize) {
				if err := put(); err != nil {
					return err
				}
			}
			groups, size = append(groups, g), size+n
		}
	}
	if len(groups) > 0 {
		if err := put(); err != nil {
			return err
		}
	}
	return w.Close()
}

// copyColumn appends the values of a column of a row group.
func copyColumn(to *parquet.ColumnWriter, from parquet.ColumnChunk) (err error) {
	pages := from.Pages()
	defer func() { err = errors.Join(err, pages.Close()) }()
	var values []parquet.Value
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		// A page holds whole rows, and rows are written whole.
		if n := int(page.NumValues()); cap(values) < n {
			values = make([]parquet.Value, n)
		}
		r := page.Values()
		for at := 0; at < int(page.NumValues()); {
			n, err := r.ReadValues(values[at:page.NumValues()])
			if at += n; err != nil && (!errors.Is(err, io.EOF) || at < int(page.NumValues())) {
				return err
			}
		}
		_, err = to.WriteRowValues(values[:page.NumValues()])
		parquet.Release(page)
		if err != nil {
			return err
		}
	}
}
