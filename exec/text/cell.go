package text

import (
	"encoding/hex"
	"sort"
	"time"
	"unicode"
	"unicode/utf8"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var nestedForm = &form{null: "NULL", row: "(", rowEnd: ")", sorted: true, appendPlain: appendNestedCell}

// AppendCell writes row i of c as one cell of a tab-separated result that no value can be mistaken in:
// NULL is \N and the empty text \e; tabs, line ends, control characters and spaces at the ends are
// escaped; TIMESTAMP_LTZ stands in UTC with a Z; intervals are `123ms` and `14mo`; binaries `0x` and hex.
func AppendCell(dst []byte, c *vector.Column, i int) []byte {
	if c.Null(i) {
		return append(dst, `\N`...)
	}
	at := len(dst)
	if k := c.Type.Kind; k.IsText() || k == types.Variant || k == types.Symbol {
		if t := vector.Text(c, i); len(t) > 0 {
			return escapeEnds(appendEscaped(dst, t), at)
		}
		return append(dst, `\e`...)
	}
	return nestedForm.append(dst, c, i, nil)
}

func appendNestedCell(dst []byte, c *vector.Column, i int, _ *time.Location) []byte {
	switch t := c.Type; t.Kind {
	case types.Boolean:
		if kernel.Bit(vector.Bits(c), i) {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case types.Char, types.Varchar, types.Symbol:
		return appendQuoted(dst, vector.Values[vector.View](c)[i].Bytes(c.Bufs))
	case types.Variant:
		return append(dst, vector.Text(c, i)...)
	case types.Binary, types.Varbinary:
		return hex.AppendEncode(append(dst, "0x"...), vector.Values[vector.View](c)[i].Bytes(c.Bufs))
	case types.Time:
		return AppendTime(dst, vector.Values[int32](c)[i], t.Precision)
	case types.TimestampLTZ:
		return append(AppendTimestamp(dst, vector.Values[int64](c)[i], t), 'Z')
	case types.IntervalDay:
		return append(AppendInt(dst, vector.Values[int64](c)[i]), "ms"...)
	case types.IntervalMonth:
		return append(AppendInt(dst, int64(vector.Values[int32](c)[i])), "mo"...)
	}
	return appendNumberOrDate(dst, c, i)
}

// escapeEnds replaces a space at either end of dst[at:] by \s.
func escapeEnds(dst []byte, at int) []byte {
	if dst[at] == ' ' {
		dst = append(dst, 0)
		copy(dst[at+2:], dst[at+1:])
		dst[at], dst[at+1] = '\\', 's'
	}
	if n := len(dst) - 1; dst[n] == ' ' {
		dst = append(dst[:n], `\s`...)
	}
	return dst
}

func appendQuoted(dst, t []byte) []byte {
	dst = append(dst, '"')
	for _, b := range t {
		if b == '"' || b == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, b)
	}
	return append(dst, '"')
}

func appendEscaped(dst, t []byte) []byte {
	const digits = "0123456789abcdef"
	for len(t) > 0 {
		r, n := utf8.DecodeRune(t)
		switch {
		case r == '\\':
			dst = append(dst, `\\`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r < ' ' || r == 0x7F:
			dst = append(dst, '\\', 'x', digits[r>>4], digits[r&15])
		case r == utf8.RuneError || (r != ' ' && r < 0x10000 && (unicode.IsSpace(r) || unicode.IsControl(r))):
			dst = append(dst, '\\', 'u', digits[r>>12], digits[r>>8&15], digits[r>>4&15], digits[r&15])
		default:
			dst = append(dst, t[:n]...)
		}
		t = t[n:]
	}
	return dst
}

func appendSorted(dst []byte, parts []string) []byte {
	sort.Strings(parts)
	for k, p := range parts {
		if k > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, p...)
	}
	return dst
}
