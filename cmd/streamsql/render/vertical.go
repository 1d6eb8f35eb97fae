package render

import (
	"strconv"
	"strings"
	"time"

	"streamsql/exec/vector"
)

// vertical writes a line for each value, and one with its number above each row.
type vertical struct {
	*buffered
	zone  *time.Location
	null  string
	width int
	kinds bool
	heads []string
	rows  int
	cell  Table
}

func (f *vertical) Begin(cols []Column) error {
	longest := 0
	for _, c := range cols {
		longest = max(longest, Width(c.Name))
	}
	for _, c := range cols {
		f.heads = append(f.heads, strings.Repeat(" ", longest-Width(c.Name))+Shown(c.Name)+": ")
	}
	f.cell = Table{Style: styles["table"], MaxWidth: f.width}
	return nil
}

func (f *vertical) Row(b *vector.Batch, i int) error {
	f.rows++
	f.buf = append(strconv.AppendInt(append(f.buf, "*** row "...), int64(f.rows), 10), " ***"...)
	if f.kinds {
		f.buf = append(append(f.buf, ' '), b.Kind(i).String()...)
	}
	f.buf = append(f.buf, '\n')
	for k, c := range b.Cols {
		for n, l := range f.cell.split(cell(c, i, f.zone, f.null)) {
			head := f.heads[k]
			if n > 0 {
				head = strings.Repeat(" ", Width(head))
			}
			f.buf = append(append(append(f.buf, head...), l...), '\n')
		}
	}
	return f.more()
}

func (f *vertical) End() error { return f.Flush() }
