package render

import (
	"errors"
	"time"

	"streamsql/exec/vector"
)

// maxTable is how many rows a table holds before it is drawn. One with more goes on without holding them, in the widths of those.
const maxTable = 250_000

// held keeps rows as texts, until there are all of them or too many, and shows them as a table.
type held struct {
	// table is what rows go on in as they come, once there were too many to hold, and more how many of them are not shown.
	table   *Table
	flowing bool
	more    int
	zone    *time.Location
	null    string // what NULL is to the table
	cols    []Column
	rows    [][]string
	slab    []string // room for the cells of rows to come
	buf     []byte
	ends    []int
}

func (f *held) Begin(cols []Column) error {
	f.cols = cols
	return nil
}

func (f *held) Row(b *vector.Batch, i int) error {
	row := f.cells(b, i)
	switch {
	case f.flowing:
		return f.on(row)
	case len(f.rows) == maxTable:
		return errors.Join(f.begin(), f.on(row))
	}
	f.rows = append(f.rows, row)
	return nil
}

// slabRows is for how many rows room is made at once.
const slabRows = 256

// cells are the texts of a row, which lie in one.
func (f *held) cells(b *vector.Batch, i int) []string {
	f.buf, f.ends = f.buf[:0], f.ends[:0]
	for _, c := range b.Cols {
		f.buf = appendCell(f.buf, c, i, f.zone, f.null)
		f.ends = append(f.ends, len(f.buf))
	}
	n := len(b.Cols)
	if len(f.slab) < n {
		f.slab = make([]string, n*slabRows)
	}
	row := f.slab[:n:n]
	f.slab = f.slab[n:]
	text, from := string(f.buf), 0
	for k, end := range f.ends {
		row[k], from = text[from:end], end
	}
	return row
}

// Flush implements Format: what goes on leaves with its batch.
func (f *held) Flush() error {
	if f.flowing {
		return f.table.Flush()
	}
	return nil
}

// begin draws the rows that are held: those that follow are drawn as they come. What is wider than its column moves what stands
// behind it.
func (f *held) begin() error {
	rows := f.rows
	if n := f.table.MaxRows; n > 0 && len(rows) > n {
		f.more, rows = len(rows)-n, rows[:n]
	}
	f.flowing, f.rows, f.table.Overflow = true, nil, true
	f.table.Fit(f.cols, rows)
	if err := f.table.Head(f.cols); err != nil {
		return err
	}
	for _, r := range rows {
		if err := f.table.Row(r); err != nil {
			return err
		}
	}
	return nil
}

// on draws one more row, unless enough of them are seen.
func (f *held) on(row []string) error {
	if f.table.MaxRows > 0 {
		f.more++
		return nil
	}
	return f.table.Row(row)
}

func (f *held) End() error {
	if !f.flowing {
		return f.table.write(f.cols, f.rows)
	}
	err := f.table.Foot()
	if err == nil && f.more > 0 {
		err = More(f.table.W, f.more)
	}
	return err
}
