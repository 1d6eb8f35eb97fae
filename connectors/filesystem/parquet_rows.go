package filesystem

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	pf "github.com/parquet-go/parquet-go/format"
)

// checkRows looks at how many rows the row groups say that they have, which can be counted; the library has refused those
// below zero.
func checkRows(m *pf.FileMetaData) error {
	left := int64(math.MaxInt64)
	for i := range m.RowGroups {
		n := m.RowGroups[i].NumRows
		if n > left {
			return inGroup(i, fmt.Errorf("it says that it has %d rows", n))
		}
		left -= n
	}
	return nil
}

// inGroup names the row group of an error, counted from 0 as the library does.
func inGroup(group int, err error) error { return fmt.Errorf("row group %d: %w", group, err) }

// check looks at the columns of a row group before they are read, and at one of them if none is: each row is a value at least
// of every column, so that what a group has of rows is no more than the pages of a column have of values.
func (s *parquetScanner) check(group int) error {
	g := &s.meta.RowGroups[group]
	var leaves []int
	for _, c := range s.columns {
		leaves = append(leaves, c.leaf)
	}
	for _, n := range s.nested {
		for _, l := range n.leaves {
			leaves = append(leaves, l.leaf)
		}
	}
	if len(leaves) == 0 && len(g.Columns) > 0 {
		leaves = append(leaves, leastColumn(g))
	}
	var memory pageMemory
	for _, leaf := range leaves {
		if leaf >= min(len(g.Columns), len(s.levels)) {
			continue // the library says so
		}
		m := &g.Columns[leaf].MetaData
		name := strings.Join(m.PathInSchema, ".")
		values, err := checkPages(s.in, s.stat.Size(), m, s.begins(group, leaf), s.levels[leaf], s.most, &memory)
		if err != nil {
			return inGroup(group, fmt.Errorf("column '%s': %w", name, err))
		}
		if g.NumRows > values {
			return inGroup(group, fmt.Errorf("it says that it has %d rows, and column '%s' from byte %d on has %d values",
				g.NumRows, name, firstPage(m), values))
		}
	}
	if len(g.Columns) == 0 {
		return inGroup(group, fmt.Errorf("it says that it has %d rows, and has no columns", g.NumRows))
	}
	return nil
}

// begins are the places that the reader of a column may go to: its first page of values, and those that the index names.
func (s *parquetScanner) begins(group, leaf int) []int64 {
	out := []int64{s.meta.RowGroups[group].Columns[leaf].MetaData.DataPageOffset}
	c, ok := s.groups[group].ColumnChunks()[leaf].(*parquet.FileColumnChunk)
	if !ok || !s.indexed {
		return out
	}
	if x, err := c.OffsetIndex(); err == nil {
		for p := range x.NumPages() {
			out = append(out, x.Offset(p))
		}
	}
	slices.Sort(out)
	return out
}

// leastColumn is the column of a row group whose pages are seen the fastest.
func leastColumn(g *pf.RowGroup) (least int) {
	for i := range g.Columns {
		if g.Columns[i].MetaData.TotalCompressedSize < g.Columns[least].MetaData.TotalCompressedSize {
			least = i
		}
	}
	return least
}
