package filesystem

import (
	"errors"
	"unicode/utf8"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// jsonEncoder writes an object per line.
type jsonEncoder struct {
	o         *jsonOptions
	heads     [][]byte // `"name":` of each column
	separator byte
	key       []byte
}

func newJSONEncoder(o *jsonOptions, names []string) *jsonEncoder {
	e := &jsonEncoder{o: o, separator: ' '}
	for _, n := range names {
		e.heads = append(e.heads, append(appendJSONText(nil, []byte(n)), ':'))
	}
	if o.Timestamps == "ISO-8601" {
		e.separator = 'T'
	}
	return e
}

func (e *jsonEncoder) appendRow(dst []byte, cols []*vector.Column, row int) ([]byte, error) {
	dst = append(dst, '{')
	first := true
	var err error
	for k, c := range cols {
		if e.o.OmitNull && c.Null(row) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		if dst, err = e.append(append(dst, e.heads[k]...), c, row); err != nil {
			return dst, err
		}
	}
	return append(dst, "}\n"...), nil
}

func (e *jsonEncoder) appendField(dst []byte, name string, c *vector.Column, i int, first *bool) ([]byte, error) {
	if e.o.OmitNull && c.Null(i) {
		return dst, nil
	}
	if !*first {
		dst = append(dst, ',')
	}
	*first = false
	return e.append(append(appendJSONText(dst, []byte(name)), ':'), c, i)
}

func (e *jsonEncoder) append(dst []byte, c *vector.Column, i int) ([]byte, error) {
	if c.Null(i) {
		return append(dst, "null"...), nil
	}
	c, i = c.At(i)
	switch k := c.Type.Kind; {
	case k == types.Variant:
		return append(dst, vector.Text(c, i)...), nil
	case k == types.Row:
		dst = append(dst, '{')
		first := true
		var err error
		for f, child := range c.Children {
			if dst, err = e.appendField(dst, c.Type.Fields[f].Name, child, i, &first); err != nil {
				return dst, err
			}
		}
		return append(dst, '}'), nil
	case k == types.Array:
		dst = append(dst, '[')
		var err error
		for x := c.Offsets[i]; x < c.Offsets[i+1]; x++ {
			if x > c.Offsets[i] {
				dst = append(dst, ',')
			}
			if dst, err = e.append(dst, c.Children[0], int(x)); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	case k == types.Map || k == types.Multiset:
		return e.appendPairs(dst, c, i)
	case k.IsText():
		return appendJSONText(dst, vector.Text(c, i)), nil
	case isQuoted(k):
		return append(appendValue(append(dst, '"'), c, i, e.separator, false), '"'), nil
	case k.IsApprox():
		at := len(dst)
		dst = appendValue(dst, c, i, e.separator, false)
		if last := dst[len(dst)-1]; last == 'N' || last == 'y' { // NaN and Infinity are no JSON numbers
			dst = append(dst[:at], '"')
			dst = append(appendValue(dst, c, i, e.separator, false), '"')
		}
		return dst, nil
	}
	return appendValue(dst, c, i, e.separator, e.o.PlainDecimal), nil
}

var errNullKey = errors.New("a MAP with a NULL key has no JSON; see the option 'json.map-null-key.mode'")

func (e *jsonEncoder) appendPairs(dst []byte, c *vector.Column, i int) ([]byte, error) {
	dst = append(dst, '{')
	first := true
	var err error
	for x := int(c.Offsets[i]); x < int(c.Offsets[i+1]); x++ {
		keys := c.Children[0]
		e.key = e.key[:0]
		switch {
		case !keys.Null(x):
			e.key = appendValue(e.key, keys, x, e.separator, e.o.PlainDecimal)
		case e.o.NullKey == "DROP":
			continue
		case e.o.NullKey == "LITERAL":
			e.key = append(e.key, e.o.NullKeyText...)
		default:
			return dst, errNullKey
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		// A NULL value is no missing key, whatever is done with fields.
		if dst, err = e.append(append(appendJSONText(dst, e.key), ':'), c.Children[1], x); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// appendJSONText writes a text in quotes: quotes, backslashes and control characters are escaped, bytes
// that are no UTF-8 become the replacement character.
func appendJSONText(dst, t []byte) []byte {
	const hex = "0123456789ABCDEF"
	dst = append(dst, '"')
	for len(t) > 0 {
		if n := kernel.JSONPlain(t); n > 0 {
			dst, t = append(dst, t[:n]...), t[n:]
			continue
		}
		b := t[0]
		switch {
		case b == '"' || b == '\\':
			dst = append(dst, '\\', b)
		case b >= ' ' && b < utf8.RuneSelf:
			dst = append(dst, b)
		case b >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(t)
			dst = utf8.AppendRune(dst, r)
			t = t[n:]
			continue
		default:
			dst = append(dst, '\\')
			switch b {
			case '\n':
				dst = append(dst, 'n')
			case '\r':
				dst = append(dst, 'r')
			case '\t':
				dst = append(dst, 't')
			case '\b':
				dst = append(dst, 'b')
			case '\f':
				dst = append(dst, 'f')
			default:
				dst = append(dst, 'u', '0', '0', hex[b>>4], hex[b&15])
			}
		}
		t = t[1:]
	}
	return append(dst, '"')
}
