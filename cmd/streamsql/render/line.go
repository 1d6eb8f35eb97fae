package render

import (
	"encoding/csv"
	"io"
	"strings"
	"time"

	"streamsql/exec/text"
	"streamsql/exec/vector"
)

// csvFormat is RFC 4180 with a header; NULL is an empty field, the empty text is quoted by nobody, so
// that both look alike: use tsv or json where that matters.
type csvFormat struct {
	w    *csv.Writer
	zone *time.Location
	row  []string
}

func newCSV(w io.Writer, zone *time.Location) *csvFormat {
	return &csvFormat{w: csv.NewWriter(w), zone: zone}
}

func (f *csvFormat) Begin(cols []Column) error {
	f.row = make([]string, len(cols))
	for i, c := range cols {
		f.row[i] = c.Name
	}
	return f.flush()
}

func (f *csvFormat) Row(b *vector.Batch, i int) error {
	for k, c := range b.Cols {
		f.row[k] = cell(c, i, f.zone, "")
	}
	return f.flush()
}

func (f *csvFormat) flush() error {
	if err := f.w.Write(f.row); err != nil {
		return err
	}
	f.w.Flush()
	return f.w.Error()
}

func (f *csvFormat) End() error { return nil }

// tsvFormat writes a header and one line per row; NULL is \N, and backslash, TAB, LF and CR in texts are
// escaped, so that every value reads back.
type tsvFormat struct {
	w    io.Writer
	zone *time.Location
	line []byte
}

var tsvEscape = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

func (f *tsvFormat) Begin(cols []Column) error {
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = tsvEscape.Replace(c.Name)
	}
	_, err := io.WriteString(f.w, strings.Join(names, "\t")+"\n")
	return err
}

func (f *tsvFormat) Row(b *vector.Batch, i int) error {
	f.line = f.line[:0]
	for k, c := range b.Cols {
		if k > 0 {
			f.line = append(f.line, '\t')
		}
		if c.Null(i) {
			f.line = append(f.line, `\N`...)
		} else {
			f.line = append(f.line, tsvEscape.Replace(cell(c, i, f.zone, ""))...)
		}
	}
	_, err := f.w.Write(append(f.line, '\n'))
	return err
}

func (f *tsvFormat) End() error { return nil }

// lines writes folded rows as csv or tsv.
type lines struct {
	w   io.Writer
	tsv bool
}

// absent is NULL among folded rows: no value prints as this.
const absent = "\x00"

func (l *lines) write(cols []Column, rows [][]string) error {
	out := csv.NewWriter(l.w)
	header := make([]string, len(cols))
	for i, c := range cols {
		header[i] = c.Name
	}
	for i, row := range append([][]string{header}, rows...) {
		for k, v := range row {
			switch {
			case i > 0 && v == absent && l.tsv:
				row[k] = `\N`
			case i > 0 && v == absent:
				row[k] = ""
			case l.tsv:
				row[k] = tsvEscape.Replace(v)
			}
		}
		if !l.tsv {
			if err := out.Write(row); err != nil {
				return err
			}
		} else if _, err := io.WriteString(l.w, strings.Join(row, "\t")+"\n"); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// changelogFormat writes each change as Flink's print connector does: +I[1, a].
type changelogFormat struct {
	w    io.Writer
	zone *time.Location
	line []byte
}

func (f *changelogFormat) Begin([]Column) error { return nil }

func (f *changelogFormat) Row(b *vector.Batch, i int) error {
	f.line = append(text.AppendRow(f.line[:0], b, i), '\n')
	_, err := f.w.Write(f.line)
	return err
}

func (f *changelogFormat) End() error { return nil }
