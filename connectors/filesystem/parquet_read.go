package filesystem

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/parquet-go/parquet-go"

	"streamsql/exec/vector"
)

// parquetScanner reads a file row group by row group, and of those the columns that are wanted.
type parquetScanner struct {
	in      *os.File
	stat    fs.FileInfo
	groups  []parquet.RowGroup
	group   int   // the one being read
	left    int64 // rows of it
	columns []*parquetColumn
	missing []int // fields without a column in the file: they are NULL
}

// parquetColumn reads the values of a column.
type parquetColumn struct {
	field
	at     int // among the fields
	leaf   int // in the file
	put    func(b *vector.Builder, v parquet.Value) bool
	pages  parquet.Pages
	page   parquet.Page
	values parquet.ValueReader
	buf    []parquet.Value
}

func openParquet(path string, fields []field) (scanner, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s := &parquetScanner{in: in}
	if err := s.open(fields); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return s, nil
}

func (s *parquetScanner) open(fields []field) error {
	var err error
	if s.stat, err = s.in.Stat(); err != nil {
		return err
	}
	f, err := parquet.OpenFile(s.in, s.stat.Size(), parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return fmt.Errorf("it is no Parquet file: %w", err)
	}
	s.groups = f.RowGroups()
	for i, x := range fields {
		c := f.Root().Column(x.name)
		if c == nil {
			s.missing = append(s.missing, i)
			continue
		}
		put, err := parquetReads(c, x.typ)
		if err != nil {
			return fmt.Errorf("column '%s': %w", x.name, err)
		}
		s.columns = append(s.columns, &parquetColumn{field: x, at: i, leaf: c.Index(), put: put})
	}
	s.group = -1
	return nil
}

// info implements scanner.
func (s *parquetScanner) info() fs.FileInfo { return s.stat }

// seek implements scanner.
func (s *parquetScanner) seek(row int64) error {
	for s.group+1 < len(s.groups) && row >= s.groups[s.group+1].NumRows() {
		s.group++
		row -= s.groups[s.group].NumRows()
	}
	s.left = 0
	if row == 0 || s.group+1 >= len(s.groups) {
		return nil
	}
	if err := s.enter(); err != nil {
		return err
	}
	s.left -= row
	for _, c := range s.columns {
		if err := c.pages.SeekToRow(row); err != nil {
			return err
		}
	}
	return nil
}

// enter begins the next row group.
func (s *parquetScanner) enter() error {
	s.group++
	g := s.groups[s.group]
	s.left = g.NumRows()
	chunks := g.ColumnChunks()
	for _, c := range s.columns {
		if err := c.end(); err != nil {
			return err
		}
		c.pages = chunks[c.leaf].Pages()
	}
	return nil
}

// read implements scanner.
func (s *parquetScanner) read(outs []*vector.Builder, n int) (int, error) {
	for s.left == 0 {
		if s.group+1 >= len(s.groups) {
			return 0, nil
		}
		if err := s.enter(); err != nil {
			return 0, err
		}
	}
	n = int(min(int64(n), s.left))
	for _, c := range s.columns {
		if err := c.read(outs[c.at], n); err != nil {
			return 0, err
		}
	}
	for _, i := range s.missing {
		for range n {
			outs[i].AppendNull()
		}
	}
	s.left -= int64(n)
	return n, nil
}

func (s *parquetScanner) close() error {
	var all []error
	for _, c := range s.columns {
		all = append(all, c.end())
	}
	return errors.Join(append(all, s.in.Close())...)
}

var errShortColumn = errors.New("it has fewer values than rows")

// read appends n values.
func (c *parquetColumn) read(out *vector.Builder, n int) error {
	if cap(c.buf) < n {
		c.buf = make([]parquet.Value, n)
	}
	for n > 0 {
		if err := c.next(); err != nil {
			return fmt.Errorf("column '%s': %w", c.name, err)
		}
		got, err := c.values.ReadValues(c.buf[:n])
		for _, v := range c.buf[:got] {
			if v.IsNull() {
				out.AppendNull()
			} else if !c.put(out, v) {
				return c.refuse([]byte(v.String()))
			}
		}
		n -= got
		if errors.Is(err, io.EOF) {
			parquet.Release(c.page)
			c.page, c.values = nil, nil
		} else if err != nil {
			return fmt.Errorf("column '%s': %w", c.name, err)
		}
	}
	return nil
}

// next goes to the next page where the last one is read.
func (c *parquetColumn) next() error {
	if c.values != nil {
		return nil
	}
	page, err := c.pages.ReadPage()
	if errors.Is(err, io.EOF) {
		return errShortColumn
	}
	if err != nil {
		return err
	}
	c.page, c.values = page, page.Values()
	return nil
}

// end gives back what is open.
func (c *parquetColumn) end() error {
	if c.page != nil {
		parquet.Release(c.page)
		c.page, c.values = nil, nil
	}
	if c.pages == nil {
		return nil
	}
	p := c.pages
	c.pages = nil
	return p.Close()
}
