package render

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"streamsql/exec/vector"
)

// maxTable is how many rows a table holds in memory. One whose rows stay goes on without holding them, in the widths of those.
const maxTable = 250_000

// folded keeps the rows that the changelog adds up to, in the order in which they came, and shows them at
// the end.
type folded struct {
	show view
	// flow is the table that rows go on in as they come, once there were too many to hold; nil where rows may go again. more
	// is how many of them are not shown.
	flow    *Table
	flowing bool
	more    int
	zone    *time.Location
	null    string // what NULL is to the view
	cols    []Column
	rows    [][]string
	at      map[string][]int // positions of equal rows, made with the first retraction
	gone    map[int]bool
	slab    []string // room for the cells of rows to come
	buf     []byte
	ends    []int
}

// view shows rows of texts.
type view interface {
	write(cols []Column, rows [][]string) error
}

func (f *folded) Begin(cols []Column) error {
	f.cols = cols
	return nil
}

func (f *folded) Row(b *vector.Batch, i int) error {
	row := f.cells(b, i)
	if f.flowing {
		return f.on(row)
	}
	if b.Kind(i).Adds() {
		if len(f.rows) == maxTable {
			f.compact()
		}
		if len(f.rows) == maxTable && f.flow != nil {
			return errors.Join(f.begin(), f.on(row))
		}
		if len(f.rows) == maxTable {
			return fmt.Errorf("more than %d rows, too many for a table: use --limit, or csv, tsv, json, ndjson or changelog, "+
				"which write rows as they come", maxTable)
		}
		f.rows = append(f.rows, row)
		if f.at != nil {
			f.at[keyOf(row)] = append(f.at[keyOf(row)], len(f.rows)-1)
		}
		return nil
	}
	return f.remove(row)
}

// slabRows is for how many rows room is made at once.
const slabRows = 256

// cells are the texts of a row, which lie in one.
func (f *folded) cells(b *vector.Batch, i int) []string {
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

// keyOf tells rows apart.
func keyOf(row []string) string { return strings.Join(row, "\x01") }

func (f *folded) remove(row []string) error {
	if f.at == nil {
		f.at, f.gone = map[string][]int{}, map[int]bool{}
		for n, r := range f.rows {
			f.at[keyOf(r)] = append(f.at[keyOf(r)], n)
		}
	}
	k := keyOf(row)
	list := f.at[k]
	if len(list) == 0 {
		return fmt.Errorf("the changelog takes away a row that it never gave: %v", row)
	}
	f.gone[list[len(list)-1]] = true
	if f.at[k] = list[:len(list)-1]; len(list) == 1 {
		delete(f.at, k)
	}
	return nil
}

// compact forgets the rows that were taken away.
func (f *folded) compact() {
	rows := f.rows[:0]
	for n, r := range f.rows {
		if !f.gone[n] {
			rows = append(rows, r)
		}
	}
	f.rows, f.at, f.gone = rows, nil, nil
}

// Flush implements Format: what goes on leaves with its batch.
func (f *folded) Flush() error {
	if f.flowing {
		return f.flow.Flush()
	}
	return nil
}

// begin draws the rows that are held: those that follow are drawn as they come. What is wider than its column moves what stands
// behind it.
func (f *folded) begin() error {
	rows := f.rows
	if n := f.flow.MaxRows; n > 0 && len(rows) > n {
		f.more, rows = len(rows)-n, rows[:n]
	}
	f.flowing, f.rows, f.flow.Overflow = true, nil, true
	f.flow.Fit(f.cols, rows)
	if err := f.flow.Head(f.cols); err != nil {
		return err
	}
	for _, r := range rows {
		if err := f.flow.Row(r); err != nil {
			return err
		}
	}
	return nil
}

// on draws one more row, unless enough of them are seen.
func (f *folded) on(row []string) error {
	if f.flow.MaxRows > 0 {
		f.more++
		return nil
	}
	return f.flow.Row(row)
}

func (f *folded) End() error {
	if f.flowing {
		err := f.flow.Foot()
		if err == nil && f.more > 0 {
			err = More(f.flow.W, f.more)
		}
		return err
	}
	f.compact()
	return f.show.write(f.cols, f.rows)
}
