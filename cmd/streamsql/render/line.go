package render

import (
	"bytes"
	"strings"
	"time"

	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// csvFormat is RFC 4180 with a header; NULL is an empty field, the empty text is quoted by nobody, so
// that both look alike: use tsv or json where that matters.
type csvFormat struct {
	*buffered
	zone *time.Location
	bare []bool // columns of which no value needs quotes
}

func (f *csvFormat) Begin(cols []Column) error {
	for _, c := range cols {
		f.bare = append(f.bare, numeric(c.Type) || c.Type.Kind == types.Boolean)
	}
	f.buf = appendCSV(f.buf, names(cols))
	return f.Flush()
}

func names(cols []Column) []string {
	out := make([]string, len(cols))
	for i, c := range cols {
		out[i] = c.Name
	}
	return out
}

func (f *csvFormat) Row(b *vector.Batch, i int) error {
	for k, c := range b.Cols {
		if k > 0 {
			f.buf = append(f.buf, ',')
		}
		from := len(f.buf)
		if f.buf = appendCell(f.buf, c, i, f.zone, ""); !f.bare[k] {
			f.buf = quoteCSV(f.buf, from)
		}
	}
	f.buf = append(f.buf, '\n')
	return f.more()
}

// quoteCSV puts what stands in dst behind from in quotes if it needs them: for what would end a field, and for a blank
// at its beginning, which readers drop.
func quoteCSV(dst []byte, from int) []byte {
	v := dst[from:]
	if len(v) == 0 || !quotable(v) {
		return dst
	}
	value := string(v)
	dst = append(dst[:from], '"')
	dst = append(dst, strings.ReplaceAll(value, `"`, `""`)...)
	return append(dst, '"')
}

// quotable tells a text that needs quotes: also the one that ends the input of some readers.
func quotable(v []byte) bool {
	if v[0] == ' ' || v[0] == '\t' || string(v) == `\.` {
		return true
	}
	for _, c := range v {
		if c <= ',' && (c == ',' || c == '"' || c == '\n' || c == '\r') {
			return true
		}
	}
	return false
}

func appendCSV(dst []byte, fields []string) []byte {
	for i, v := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		from := len(dst)
		dst = quoteCSV(append(dst, v...), from)
	}
	return append(dst, '\n')
}

func (f *csvFormat) End() error { return f.Flush() }

// tsvFormat writes a header and one line per row; NULL is \N, and backslash, TAB, LF and CR in texts are
// escaped, so that every value reads back.
type tsvFormat struct {
	*buffered
	zone *time.Location
}

var tsvEscape = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

func (f *tsvFormat) Begin(cols []Column) error {
	list := names(cols)
	for i := range list {
		list[i] = tsvEscape.Replace(list[i])
	}
	f.buf = append(append(f.buf, strings.Join(list, "\t")...), '\n')
	return f.Flush()
}

func (f *tsvFormat) Row(b *vector.Batch, i int) error {
	for k, c := range b.Cols {
		if k > 0 {
			f.buf = append(f.buf, '\t')
		}
		if c.Null(i) {
			f.buf = append(f.buf, `\N`...)
			continue
		}
		from := len(f.buf)
		f.buf = appendCell(f.buf, c, i, f.zone, "")
		if bytes.ContainsAny(f.buf[from:], "\\\t\n\r") {
			f.buf = append(f.buf[:from], tsvEscape.Replace(string(f.buf[from:]))...)
		}
	}
	f.buf = append(f.buf, '\n')
	return f.more()
}

func (f *tsvFormat) End() error { return f.Flush() }

// changelogFormat writes each change as Flink's print connector does: +I[1, a].
type changelogFormat struct{ *buffered }

func (f *changelogFormat) Begin([]Column) error { return nil }

func (f *changelogFormat) Row(b *vector.Batch, i int) error {
	f.buf = append(text.AppendRow(f.buf, b, i), '\n')
	return f.more()
}

func (f *changelogFormat) End() error { return f.Flush() }
