package filesystem

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/parquet-go/parquet-go"
	pf "github.com/parquet-go/parquet-go/format"

	"streamsql/exec/vector"
)

// parquetScanner reads a file row group by row group, and of those the columns and rows that are wanted.
type parquetScanner struct {
	in      *os.File
	stat    fs.FileInfo
	groups  []parquet.RowGroup
	meta    *pf.FileMetaData
	most    int64 // bytes of a page
	levels  []levelsOf
	indexed bool  // the indexes of pages are read
	rows    int64 // of the file
	ranges  []rowRange
	group   int // that the columns are open in, or -1
	at      int64
	columns []*parquetColumn
	nested  []*nestedColumn
	missing []int // fields without a column in the file, or one without values: they are NULL
}

// openParquet implements the format's scan.
func openParquet(path string, q *scanQuery) (scanner, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s := &parquetScanner{in: in, group: -1}
	if err := s.open(q); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return s, nil
}

func (s *parquetScanner) open(q *scanQuery) error {
	var err error
	if s.stat, err = s.in.Stat(); err != nil {
		return err
	}
	s.indexed = len(q.bounds) > 0
	f, err := openChecked(s.in, s.stat.Size(), s.indexed)
	if err != nil {
		return fmt.Errorf("it is no Parquet file: %w", err)
	}
	s.meta, s.most = f.Metadata(), int64(q.o.Parquet.PageLimit)
	s.groups, s.levels = f.RowGroups(), appendLevels(nil, f.Root())
	if err := checkRows(s.meta); err != nil {
		return err
	}
	var conditions []columnBound
	for i, x := range q.fields {
		c := f.Root().Column(x.name)
		if c == nil || isNullParquet(c) {
			s.missing = append(s.missing, i)
			continue
		}
		if x.typ.Kind.IsComposite() {
			n, err := newNested(c, x, q.o)
			if err != nil {
				return fmt.Errorf("column '%s': %w", x.name, err)
			}
			n.at = i
			s.nested = append(s.nested, n)
			continue
		}
		put, err := parquetReads(c, x.typ, q.o)
		if err != nil {
			return fmt.Errorf("column '%s': %w", x.name, err)
		}
		column := &parquetColumn{field: x, at: i, leaf: c.Index(), put: put, level: byte(c.MaxDefinitionLevel()),
			copies: copiesOf(c, x.typ)}
		s.columns = append(s.columns, column)
		for _, b := range q.bounds {
			if b.column == q.columns[i] {
				conditions = append(conditions, columnBound{b, column})
			}
		}
	}
	s.plan(conditions)
	return nil
}

// openChecked opens a file, with the indexes of its pages if they are wanted, once nothing in it claims more than there is.
func openChecked(in *os.File, size int64, indexes bool) (*parquet.File, error) {
	if err := checkFooter(in, size); err != nil {
		return nil, err
	}
	f, err := parquet.OpenFile(in, size, parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil || !indexes {
		return f, err
	}
	if err := checkIndexes(in, size, f.Metadata()); err != nil {
		return nil, err
	}
	return parquet.OpenFile(in, size, parquet.SkipBloomFilters(true))
}

// info implements scanner.
func (s *parquetScanner) info() fs.FileInfo { return s.stat }

// seek implements scanner.
func (s *parquetScanner) seek(from, to int64) error {
	if to > 0 {
		s.ranges = slices.DeleteFunc(s.ranges, func(r rowRange) bool { return r.first+r.from >= to })
		s.rows = min(s.rows, to)
	}
	for len(s.ranges) > 0 && s.ranges[0].first+s.ranges[0].to <= from {
		s.ranges = s.ranges[1:]
	}
	if len(s.ranges) > 0 {
		r := &s.ranges[0]
		r.from = max(r.from, from-r.first)
	}
	return nil
}

// row implements scanner.
func (s *parquetScanner) row() int64 {
	if len(s.ranges) == 0 {
		return s.rows
	}
	return s.ranges[0].first + s.ranges[0].from
}

// enter goes to the first row that is left.
func (s *parquetScanner) enter() error {
	r := s.ranges[0]
	if s.group != r.group {
		s.group, s.at = r.group, 0
		chunks := s.groups[r.group].ColumnChunks()
		if err := s.check(r.group); err != nil {
			return err
		}
		for _, c := range s.columns {
			if err := c.enter(chunks[c.leaf]); err != nil {
				return err
			}
		}
		for _, n := range s.nested {
			if err := n.enter(chunks); err != nil {
				return err
			}
		}
	}
	if s.at == r.from {
		return nil
	}
	s.at = r.from
	for _, c := range s.columns {
		if err := c.seek(r.from); err != nil {
			return err
		}
	}
	for _, n := range s.nested {
		if err := n.seek(r.from); err != nil {
			return err
		}
	}
	return nil
}

// read implements scanner.
func (s *parquetScanner) read(outs []scanOut, n int) (int, error) {
	if len(s.ranges) == 0 {
		return 0, nil
	}
	if err := s.enter(); err != nil {
		return 0, err
	}
	r := &s.ranges[0]
	n = int(min(int64(n), r.to-r.from))
	for _, c := range s.columns {
		have, err := c.whole(n)
		if err != nil {
			return 0, fmt.Errorf("column '%s': %w", c.name, err)
		}
		n = have
	}
	for _, c := range s.columns {
		if err := c.read(&outs[c.at], n); err != nil {
			return 0, err
		}
	}
	for _, c := range s.nested {
		if err := c.read(outs[c.at].builder, n); err != nil {
			return 0, err
		}
		outs[c.at].builder.Finish(outs[c.at].col)
	}
	for _, i := range s.missing {
		outs[i].col.SetConstNull(outs[i].builder.Type(), n)
	}
	s.at += int64(n)
	if r.from += int64(n); r.from == r.to {
		s.ranges = s.ranges[1:]
	}
	return n, nil
}

func (s *parquetScanner) close() error {
	var all []error
	for _, c := range s.columns {
		all = append(all, c.end())
	}
	for _, n := range s.nested {
		all = append(all, n.end())
	}
	return errors.Join(append(all, s.in.Close())...)
}

var errShortColumn = errors.New("it has fewer values than rows")

// parquetColumn reads a column of values that are not nested.
type parquetColumn struct {
	field
	at     int  // among the fields
	leaf   int  // in the file
	level  byte // the definition level of values, 0 when none is NULL
	put    puts
	copies bool // values lie in pages as in columns
	pages  parquet.Pages
	page   parquet.Page
	// row is the next row of the page, and value the next of its values that are not NULL.
	row, value int
	// dict is the dictionary of the chunk as a column, of which its pages have codes.
	dict *vector.Dictionary
}

// enter begins a row group.
func (c *parquetColumn) enter(chunk parquet.ColumnChunk) error {
	if err := c.end(); err != nil {
		return err
	}
	c.pages, c.dict = chunk.Pages(), nil
	return nil
}

func (c *parquetColumn) seek(row int64) error {
	c.release()
	return c.pages.SeekToRow(row)
}

// next goes to the next page where the last one is read.
func (c *parquetColumn) next() error {
	for c.page == nil || int64(c.row) == c.page.NumRows() {
		c.release()
		page, err := c.pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return errShortColumn
		}
		if err != nil {
			return err
		}
		c.page, c.row, c.value = page, 0, 0
	}
	return nil
}

func (c *parquetColumn) release() {
	if c.page != nil {
		parquet.Release(c.page)
		c.page, c.row = nil, 0
	}
}

// end gives back what is open.
func (c *parquetColumn) end() error {
	c.release()
	if c.pages == nil {
		return nil
	}
	p := c.pages
	c.pages = nil
	return p.Close()
}
