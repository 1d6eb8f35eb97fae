package render

import (
	"encoding/base64"
	"math"
	"time"
	"unicode/utf8"

	"streamsql/exec/kernel"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// jsonFormat writes rows as objects: one document that is a list (json), or one object per line as it
// comes (ndjson), which for changes other than inserts opens with the key "op".
type jsonFormat struct {
	*buffered
	zone  *time.Location
	array bool
	names [][]byte
	rows  int
}

func (f *jsonFormat) Begin(cols []Column) error {
	for _, c := range cols {
		f.names = append(f.names, append(appendString(nil, []byte(c.Name)), ": "...))
	}
	return nil
}

func (f *jsonFormat) Row(b *vector.Batch, i int) error {
	if f.array {
		f.buf = append(f.buf, map[bool]string{true: "[\n  ", false: ",\n  "}[f.rows == 0]...)
	}
	f.rows++
	f.buf = append(f.buf, '{')
	first := true
	if b.Kinds != nil && b.Kind(i) != vector.Insert {
		first = false
		f.buf = append(append(append(f.buf, `"op": "`...), b.Kind(i).String()...), '"')
	}
	for k, c := range b.Cols {
		if !first {
			f.buf = append(f.buf, ", "...)
		}
		first = false
		f.buf = append(f.buf, f.names[k]...)
		f.buf = appendJSON(f.buf, c, i, f.zone)
	}
	f.buf = append(f.buf, '}')
	if !f.array {
		f.buf = append(f.buf, '\n')
	}
	return f.more()
}

func (f *jsonFormat) End() error {
	if f.array {
		tail := "\n]\n"
		if f.rows == 0 {
			tail = "[]\n"
		}
		f.buf = append(f.buf, tail...)
	}
	return f.Flush()
}

// appendJSON writes a value: numbers and booleans as such, ROW and MAP as objects, ARRAY as a list,
// bytes in base64 as Flink's JSON format has them, everything else as a string. NaN and the infinities,
// which JSON lacks, are strings.
func appendJSON(dst []byte, c *vector.Column, i int, zone *time.Location) []byte {
	if c.Null(i) {
		return append(dst, "null"...)
	}
	c, i = c.At(i)
	switch k := c.Type.Kind; {
	case k.IsApprox() && !finite(c, i):
	case k == types.Boolean:
		if vector.Bool(c, i) {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case k.IsNumeric():
		return text.Append(dst, c, i, zone)
	case k == types.Variant:
		return append(dst, vector.Text(c, i)...)
	case k.IsBinary():
		dst = append(dst, '"')
		return append(base64.StdEncoding.AppendEncode(dst, vector.Text(c, i)), '"')
	case k == types.Row:
		dst = append(dst, '{')
		for n, child := range c.Children {
			dst = appendKey(dst, n, c.Type.Fields[n].Name)
			dst = appendJSON(dst, child, i, zone)
		}
		return append(dst, '}')
	case k == types.Array:
		dst = append(dst, '[')
		for e := c.Offsets[i]; e < c.Offsets[i+1]; e++ {
			if e > c.Offsets[i] {
				dst = append(dst, ", "...)
			}
			dst = appendJSON(dst, c.Children[0], int(e), zone)
		}
		return append(dst, ']')
	case k == types.Map || k == types.Multiset:
		dst = append(dst, '{')
		for e := c.Offsets[i]; e < c.Offsets[i+1]; e++ {
			dst = appendKey(dst, int(e-c.Offsets[i]), cell(c.Children[0], int(e), zone, "null"))
			dst = appendJSON(dst, c.Children[1], int(e), zone)
		}
		return append(dst, '}')
	}
	if k := c.Type.Kind; k == types.Char || k == types.Varchar {
		return appendString(dst, vector.Text(c, i))
	}
	var room [64]byte
	return appendString(dst, appendCell(room[:0], c, i, zone, ""))
}

func finite(c *vector.Column, i int) bool {
	v := 0.0
	if c.Type.Kind == types.Float {
		v = float64(vector.Value[float32](c, i))
	} else {
		v = vector.Value[float64](c, i)
	}
	return !math.IsNaN(v) && !math.IsInf(v, 0)
}

func appendKey(dst []byte, n int, name string) []byte {
	if n > 0 {
		dst = append(dst, ", "...)
	}
	return append(appendString(dst, []byte(name)), ": "...)
}

// appendString writes a text as JSON has it. Bytes that are no UTF-8 become the replacement character.
func appendString(dst, s []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := kernel.JSONPlain(s); i < len(s); i += kernel.JSONPlain(s[i:]) {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(append(dst, s[from:i]...), "\ufffd"...)
				from = i + 1
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, s[from:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\r':
			dst = append(dst, `\r`...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}
