package filesystem

import (
	"bytes"
	"io"

	"streamsql/exec/connector"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// csvEncoder writes records as Flink's CSV format does.
type csvEncoder struct {
	o         *csvOptions
	delimiter byte
	quote     byte // 0: none
	escape    byte // 0: a quote inside is doubled
	null      string
	list      []byte
	inner     []byte
	first     []byte // the line that names the columns, or nil
}

func newCSVEncoder(o *csvOptions, names []string) *csvEncoder {
	e := &csvEncoder{o: o, delimiter: o.Delimiter[0], quote: '"'}
	if o.Quote != nil {
		e.quote = (*o.Quote)[0]
	}
	if o.NoQuote {
		e.quote = 0
	}
	if o.Escape != nil {
		e.escape = (*o.Escape)[0]
	}
	if o.Null != nil {
		e.null = *o.Null
	}
	for i, name := range names {
		if !o.Header {
			break
		}
		if i > 0 {
			e.first = append(e.first, e.delimiter)
		}
		e.first = e.quoted(e.first, []byte(name))
	}
	if o.Header {
		e.first = append(e.first, '\n')
	}
	return e
}

// head implements header.
func (e *csvEncoder) head() []byte { return e.first }

// joinCSV makes one file of several, with the line that names the columns once.
func joinCSV(o *options, columns []connector.Column, from []string, out io.Writer) error {
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return joinBehind(int64(len(newCSVEncoder(&o.CSV, names).first)), from, out)
}

func (e *csvEncoder) appendRow(dst []byte, cols []*vector.Column, row int) ([]byte, error) {
	for k, c := range cols {
		if k > 0 {
			dst = append(dst, e.delimiter)
		}
		switch {
		case c.Null(row):
			dst = append(dst, e.null...)
		case c.Type.Kind.IsText():
			dst = e.quoted(dst, vector.Text(c, row))
		case c.Type.Kind.IsComposite():
			e.list = e.appendParts(e.list[:0], c, row)
			dst = e.quoted(dst, e.list)
		case isQuoted(c.Type.Kind):
			e.inner = appendValue(e.inner[:0], c, row, ' ', !e.o.Scientific)
			dst = e.quoted(dst, e.inner)
		default:
			dst = appendValue(dst, c, row, ' ', !e.o.Scientific)
		}
	}
	return append(dst, '\n'), nil
}

// appendParts writes the elements of an ARRAY or the fields of a ROW, separated.
func (e *csvEncoder) appendParts(dst []byte, c *vector.Column, i int) []byte {
	c, i = c.At(i)
	if c.Type.Kind == types.Array {
		for k := c.Offsets[i]; k < c.Offsets[i+1]; k++ {
			if k > c.Offsets[i] {
				dst = append(dst, e.o.Element...)
			}
			dst = e.appendPart(dst, c.Children[0], int(k))
		}
		return dst
	}
	for k, child := range c.Children {
		if k > 0 {
			dst = append(dst, e.o.Element...)
		}
		dst = e.appendPart(dst, child, i)
	}
	return dst
}

func (e *csvEncoder) appendPart(dst []byte, c *vector.Column, i int) []byte {
	switch {
	case c.Null(i):
		return append(dst, e.null...)
	case c.Type.Kind.IsComposite():
		return e.appendParts(dst, c, i)
	}
	return appendValue(dst, c, i, ' ', !e.o.Scientific)
}

// longUnquoted is the longest text that is looked at for whether it needs quotes.
const longUnquoted = 24

// quoted appends t, in quotes when it is long or has a character below the delimiter or the quote in the code: so that it
// reads back, and as Flink writes it.
func (e *csvEncoder) quoted(dst, t []byte) []byte {
	if e.quote == 0 || (len(t) <= longUnquoted && !needsQuotes(t, max(e.delimiter, e.quote, '\r'), e.escape)) {
		return append(dst, t...)
	}
	dst = append(dst, e.quote)
	if bytes.IndexByte(t, e.quote) < 0 && (e.escape == 0 || bytes.IndexByte(t, e.escape) < 0) {
		return append(append(dst, t...), e.quote)
	}
	for _, b := range t {
		if b == e.quote && e.escape == 0 {
			dst = append(dst, b)
		} else if e.escape != 0 && (b == e.quote || b == e.escape) {
			dst = append(dst, e.escape)
		}
		dst = append(dst, b)
	}
	return append(dst, e.quote)
}

func needsQuotes(t []byte, unsafe, escape byte) bool {
	for _, b := range t {
		if b <= unsafe || (escape != 0 && b == escape) {
			return true
		}
	}
	return false
}
