package render

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// Style is the signs that a table is drawn with.
type Style struct {
	// Top, Middle and Bottom are the lines between rows: where one begins, what it is of, where columns meet, where it
	// ends. One that is empty is left out.
	Top, Middle, Bottom [4]string
	// Bar stands between columns.
	Bar string
	// Markdown says that the line below the names tells how columns are aligned, and that a bar in a value is escaped.
	Markdown bool
}

// styles by the names of formats.
var styles = map[string]*Style{
	"table":    {Top: [4]string{"+", "-", "+", "+"}, Middle: [4]string{"+", "-", "+", "+"}, Bottom: [4]string{"+", "-", "+", "+"}, Bar: "|"},
	"box":      {Top: [4]string{"┌", "─", "┬", "┐"}, Middle: [4]string{"├", "─", "┼", "┤"}, Bottom: [4]string{"└", "─", "┴", "┘"}, Bar: "│"},
	"markdown": {Middle: [4]string{"|", "-", "|", "|"}, Bar: "|", Markdown: true},
}

// StyleOf is the style of a format, that of table where it has none.
func StyleOf(format string) *Style {
	if s := styles[format]; s != nil {
		return s
	}
	return styles["table"]
}

// Table draws rows of texts. Characters have the width that a terminal gives them.
type Table struct {
	W     io.Writer
	Style *Style
	// MaxRows and MaxWidth are the most rows, and the most characters of a value, that are shown; 0 for all.
	MaxRows, MaxWidth int
	// Overflow has what is wider than its column move what stands behind it; otherwise it is cut.
	Overflow bool

	widths []int
	right  []bool
	buf    []byte
}

func (t *Table) write(cols []Column, rows [][]string) error {
	more := 0
	if t.MaxRows > 0 && len(rows) > t.MaxRows {
		more, rows = len(rows)-t.MaxRows, rows[:t.MaxRows]
	}
	if len(cols) == 0 {
		_, err := fmt.Fprintf(t.W, "%d rows\n", len(rows))
		return err
	}
	if err := t.Draw(cols, rows); err != nil || more == 0 {
		return err
	}
	return More(t.W, more)
}

// More says how many rows are not shown.
func More(w io.Writer, n int) error {
	_, err := fmt.Fprintf(w, "%d more %s not shown\n", n, map[bool]string{true: "row is", false: "rows are"}[n == 1])
	return err
}

// Draw draws a table of rows.
func (t *Table) Draw(cols []Column, rows [][]string) error {
	t.Fit(cols, rows)
	if err := t.Head(cols); err != nil {
		return err
	}
	for _, r := range rows {
		if err := t.Row(r); err != nil {
			return err
		}
	}
	return t.Foot()
}

// Fit sets the widths of columns by what stands in them.
func (t *Table) Fit(cols []Column, rows [][]string) {
	t.widths, t.right = make([]int, len(cols)), make([]bool, len(cols))
	for i, c := range cols {
		t.right[i] = numeric(c.Type)
		t.widths[i] = t.widthOf(c.Name)
	}
	if t.Style.Markdown {
		for i := range t.widths {
			t.widths[i] = markdownRule
		}
		return
	}
	for _, r := range rows {
		for i, v := range r {
			if len(v) > t.widths[i] {
				t.widths[i] = max(t.widths[i], t.widthOf(v))
			}
		}
	}
}

// markdownRule is how many dashes stand below a name: columns are not lined up.
const markdownRule = 3

// Width is that of the table.
func (t *Table) Width() int {
	n := 1
	for _, w := range t.widths {
		n += w + 3
	}
	return n
}

// widthOf is the width of the widest line of a value.
func (t *Table) widthOf(v string) int {
	n := 0
	for _, l := range t.split(v) {
		n = max(n, Width(l))
	}
	return n
}

// split gives the lines of a value as they are shown.
func (t *Table) split(v string) []string {
	if plain(v) && (t.MaxWidth <= 0 || len(v) <= t.MaxWidth) {
		return []string{v}
	}
	if t.Style.Markdown {
		v = strings.ReplaceAll(strings.TrimRight(v, "\n"), "\n", "<br/>")
	}
	list := []string{v}
	if strings.ContainsRune(v, '\n') {
		list = strings.Split(strings.TrimRight(v, "\n"), "\n")
	}
	for i := range list {
		list[i] = Shown(list[i])
		if t.MaxWidth > 0 {
			list[i] = Truncate(list[i], t.MaxWidth)
		}
	}
	return list
}

// Head draws the names.
func (t *Table) Head(cols []Column) error {
	t.rule(t.Style.Top)
	t.line(names(cols))
	t.rule(t.Style.Middle)
	return t.Flush()
}

// Row draws one row.
func (t *Table) Row(row []string) error {
	t.line(row)
	if len(t.buf) < spill {
		return nil
	}
	return t.Flush()
}

// Foot draws the end.
func (t *Table) Foot() error {
	t.rule(t.Style.Bottom)
	return t.Flush()
}

// Flush writes what was drawn.
func (t *Table) Flush() error {
	_, err := t.W.Write(t.buf)
	t.buf = t.buf[:0]
	return err
}

func (t *Table) rule(signs [4]string) {
	if signs[0] == "" {
		return
	}
	for i, w := range t.widths {
		t.buf = append(t.buf, signs[min(2*i, 2)]...)
		ends := [2]string{signs[1], signs[1]}
		if t.Style.Markdown {
			ends = [2]string{" ", " "}
			if t.right[i] {
				ends[1] = ":"
			}
		}
		t.buf = append(t.buf, ends[0]...)
		for range w {
			t.buf = append(t.buf, signs[1]...)
		}
		t.buf = append(t.buf, ends[1]...)
	}
	t.buf = append(append(t.buf, signs[3]...), '\n')
}

// line draws the lines of a row.
func (t *Table) line(row []string) {
	whole := true
	for _, v := range row {
		whole = whole && plain(v) && (t.MaxWidth <= 0 || len(v) <= t.MaxWidth)
	}
	if whole {
		for i, v := range row {
			t.cell(i, v, len(v))
		}
		t.buf = append(append(t.buf, t.Style.Bar...), '\n')
		return
	}
	values, height := make([][]string, len(row)), 1
	for i, v := range row {
		values[i] = t.split(v)
		height = max(height, len(values[i]))
	}
	for n := range height {
		for i, v := range values {
			l := ""
			if n < len(v) {
				l = v[n]
			}
			t.cell(i, l, Width(l))
		}
		t.buf = append(append(t.buf, t.Style.Bar...), '\n')
	}
}

func (t *Table) cell(i int, v string, width int) {
	t.buf = append(append(t.buf, t.Style.Bar...), ' ')
	if t.Style.Markdown {
		t.buf = append(append(t.buf, strings.ReplaceAll(v, "|", `\|`)...), ' ')
		return
	}
	if width > t.widths[i] && !t.Overflow {
		v = Truncate(v, t.widths[i])
		width = Width(v)
	}
	if t.right[i] {
		t.pad(t.widths[i] - width)
	}
	t.buf = append(t.buf, v...)
	if !t.right[i] {
		t.pad(t.widths[i] - width)
	}
	t.buf = append(t.buf, ' ')
}

func (t *Table) pad(n int) {
	for range n {
		t.buf = append(t.buf, ' ')
	}
}

// plain tells a text of printable ASCII, whose width is its length.
func plain(v string) bool {
	for i := range len(v) {
		if v[i] < ' ' || v[i] >= 0x7f {
			return false
		}
	}
	return true
}

// Width is how many places a text takes on a terminal.
func Width(v string) int {
	if plain(v) {
		return len(v)
	}
	return runewidth.StringWidth(v)
}

// Shown is a text as it may stand on a terminal: what would move the cursor or be taken for a command is written as
// an escape.
func Shown(v string) string {
	if plain(v) {
		return v
	}
	var b strings.Builder
	for i := 0; i < len(v); {
		r, n := utf8.DecodeRuneInString(v[i:])
		switch {
		case r == utf8.RuneError && n == 1, r < ' ', r >= 0x7f && r < 0xa0:
			switch r {
			case '\n':
				b.WriteString(`\n`)
			case '\t':
				b.WriteString(`\t`)
			case '\r':
				b.WriteString(`\r`)
			default:
				if n == 1 {
					fmt.Fprintf(&b, `\x%02x`, v[i])
				} else {
					fmt.Fprintf(&b, `\u%04x`, r)
				}
			}
		default:
			b.WriteString(v[i : i+n])
		}
		i += n
	}
	return b.String()
}

// Truncate is the beginning of a text that fits a width, with a sign of what is missing.
func Truncate(v string, width int) string { return runewidth.Truncate(v, width, "…") }
