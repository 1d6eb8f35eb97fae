package render

import (
	"fmt"
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"streamsql/exec/vector"
)

// maxTable is how many rows a table holds in memory.
const maxTable = 250_000

// folded keeps the rows that the changelog adds up to, in the order in which they came, and shows them at
// the end.
type folded struct {
	show view
	zone *time.Location
	null string // what NULL is to the view
	cols []Column
	rows [][]string
	at   map[string][]int // positions of equal rows, made with the first retraction
	gone map[int]bool
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
	row := make([]string, len(b.Cols))
	for k, c := range b.Cols {
		row[k] = cell(c, i, f.zone, f.null)
	}
	if b.Kind(i).Adds() {
		if len(f.rows) == maxTable {
			f.compact()
		}
		if len(f.rows) == maxTable {
			return fmt.Errorf("more than %d rows, too many for a table: use --limit, or csv, tsv, json, ndjson or changelog, "+
				"which write rows as they come", maxTable)
		}
		f.rows = append(f.rows, row)
		if f.at != nil {
			f.at[fmt.Sprint(row)] = append(f.at[fmt.Sprint(row)], len(f.rows)-1)
		}
		return nil
	}
	return f.remove(row)
}

func (f *folded) remove(row []string) error {
	if f.at == nil {
		f.at, f.gone = map[string][]int{}, map[int]bool{}
		for n, r := range f.rows {
			f.at[fmt.Sprint(r)] = append(f.at[fmt.Sprint(r)], n)
		}
	}
	k := fmt.Sprint(row)
	list := f.at[k]
	if len(list) == 0 {
		return fmt.Errorf("the changelog takes away a row that it never gave: %v", row)
	}
	f.gone[list[len(list)-1]] = true
	f.at[k] = list[:len(list)-1]
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

func (f *folded) End() error {
	f.compact()
	return f.show.write(f.cols, f.rows)
}

// tableView draws a table.
type tableView struct {
	w        io.Writer
	markdown bool
}

// style is lines of plain ASCII, as most SQL shells draw them.
var style = table.Style{
	Name: "plain",
	Box:  table.StyleBoxDefault,
	Format: table.FormatOptions{
		Header: text.FormatDefault, Row: text.FormatDefault, Footer: text.FormatDefault,
	},
	Options: table.OptionsDefault,
}

func (t *tableView) write(cols []Column, rows [][]string) error {
	w := table.NewWriter()
	w.SetStyle(style)
	header := make(table.Row, len(cols))
	configs := make([]table.ColumnConfig, len(cols))
	for i, c := range cols {
		header[i] = c.Name
		configs[i] = table.ColumnConfig{Number: i + 1}
		if numeric(c.Type) {
			configs[i].Align, configs[i].AlignHeader = text.AlignRight, text.AlignRight
		}
	}
	w.AppendHeader(header)
	w.SetColumnConfigs(configs)
	for _, r := range rows {
		line := make(table.Row, len(r))
		for i, v := range r {
			line[i] = v
		}
		w.AppendRow(line)
	}
	out := ""
	if t.markdown {
		out = w.RenderMarkdown()
	} else {
		out = w.Render()
	}
	if len(cols) == 0 {
		out = fmt.Sprintf("%d rows", len(rows))
	}
	_, err := io.WriteString(t.w, out+"\n")
	return err
}
