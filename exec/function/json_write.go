package function

import (
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"

	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// appendQuoted writes s as a JSON string as Jackson does.
func appendQuoted(dst, s []byte) []byte {
	dst = append(dst, '"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c >= ' ':
			dst = append(dst, c)
		default:
			dst = appendControl(dst, c)
		}
	}
	return append(dst, '"')
}

func appendControl(dst []byte, c byte) []byte {
	switch c {
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', urlHex[c>>4], urlHex[c&15])
}

// appendNode writes a parsed value without blanks.
func (d *jsonDocument) appendNode(dst []byte, n int32) []byte {
	node := &d.nodes[n]
	switch node.kind {
	case jsonNull:
		return append(dst, "null"...)
	case jsonTrue:
		return append(dst, "true"...)
	case jsonFalse:
		return append(dst, "false"...)
	case jsonNumber:
		return appendJSONNumber(dst, node.text)
	case jsonText:
		return appendQuoted(dst, node.text)
	}
	open, end := byte('['), byte(']')
	if node.kind == jsonObject {
		open, end = '{', '}'
	}
	dst = append(dst, open)
	for c := node.first; c != 0; c = d.nodes[c].next {
		if c != node.first {
			dst = append(dst, ',')
		}
		if open == '{' {
			dst = append(appendQuoted(dst, d.nodes[c].key), ':')
		}
		dst = d.appendNode(dst, c)
	}
	return append(dst, end)
}

// appendJSONNumber writes a number as Java's BigInteger or BigDecimal prints it.
func appendJSONNumber(dst, digits []byte) []byte {
	for i, c := range digits {
		switch c {
		case '.':
			continue
		case 'e', 'E':
			return appendScientific(dst, digits[:i], string(digits[i+1:]))
		}
	}
	if string(digits) == "-0" {
		digits = digits[1:]
	}
	return append(dst, digits...)
}

// appendScientific writes mantissa and exponent by the rules of BigDecimal.toString.
func appendScientific(dst, mantissa []byte, exponent string) []byte {
	e, err := strconv.Atoi(exponent)
	if err != nil || e > 1e6 || e < -1e6 {
		return append(append(append(dst, mantissa...), 'E'), exponent...)
	}
	var unscaled []byte
	scale := -e
	for i, c := range mantissa {
		if c == '.' {
			scale += len(mantissa) - i - 1
			continue
		}
		unscaled = append(unscaled, c)
	}
	v, _ := new(big.Int).SetString(string(unscaled), 10)
	if v.Sign() < 0 {
		dst = append(dst, '-')
		v.Neg(v)
	}
	digits := v.String()
	adjusted := len(digits) - 1 - scale
	if scale >= 0 && adjusted >= -6 {
		for len(digits) <= scale {
			digits = "0" + digits
		}
		dst = append(dst, digits[:len(digits)-scale]...)
		if scale > 0 {
			dst = append(append(dst, '.'), digits[len(digits)-scale:]...)
		}
		return dst
	}
	dst = append(dst, digits[0])
	if len(digits) > 1 {
		dst = append(append(dst, '.'), digits[1:]...)
	}
	dst = append(dst, 'E')
	if adjusted >= 0 {
		dst = append(dst, '+')
	}
	return strconv.AppendInt(dst, int64(adjusted), 10)
}

// jsonType refuses types that have no JSON form.
func jsonType(t types.Type) error {
	switch t.Kind {
	case types.Date, types.Time, types.IntervalDay, types.IntervalMonth, types.Symbol:
		return Refuse("%s has no JSON form; CAST it to STRING", t.WithNull(true))
	case types.Map, types.Multiset:
		if !t.Key().Kind.IsText() {
			return Refuse("the keys of %s are no texts", t.WithNull(true))
		}
	}
	for _, f := range t.Fields {
		if err := jsonType(f.Type); err != nil {
			return err
		}
	}
	return nil
}

// appendJSON writes row i of c, through any encoding.
func appendJSON(dst []byte, c *vector.Column, i int, scratch *[]byte) []byte {
	if c.Null(i) {
		return append(dst, "null"...)
	}
	c, i = c.At(i)
	switch k := c.Type.Kind; {
	case k == types.Variant:
		return append(dst, vector.Text(c, i)...)
	case k.IsText():
		return appendQuoted(dst, vector.Text(c, i))
	case k.IsBinary():
		*scratch = appendBase64((*scratch)[:0], vector.Text(c, i))
		return appendQuoted(dst, *scratch)
	case k == types.Boolean:
		return strconv.AppendBool(dst, vector.Bool(c, i))
	case k.IsTimestamp():
		return appendJSONTime(dst, c, i)
	case k == types.Row:
		dst = append(dst, '{')
		for n, f := range c.Type.Fields {
			if n > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendQuoted(dst, []byte(f.Name)), ':')
			dst = appendJSON(dst, c.Children[n], i, scratch)
		}
		return append(dst, '}')
	case k == types.Array:
		dst = append(dst, '[')
		for e := c.Offsets[i]; e < c.Offsets[i+1]; e++ {
			if e > c.Offsets[i] {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, c.Children[0], int(e), scratch)
		}
		return append(dst, ']')
	case k == types.Map || k == types.Multiset:
		dst = append(dst, '{')
		for e := c.Offsets[i]; e < c.Offsets[i+1]; e++ {
			if e > c.Offsets[i] {
				dst = append(dst, ',')
			}
			dst = append(appendJSON(dst, c.Children[0], int(e), scratch), ':')
			dst = appendJSON(dst, c.Children[1], int(e), scratch)
		}
		return append(dst, '}')
	}
	return text.Append(dst, c, i, nil)
}

// appendJSONTime writes 2024-01-02T03:04:05.123, with a Z for an instant.
func appendJSONTime(dst []byte, c *vector.Column, i int) []byte {
	ticks, nanos := vector.Value[int64](c, i), c.Type.TickNanos()
	perSecond := int64(time.Second) / nanos
	sec := ticks / perSecond
	rest := ticks % perSecond
	if rest < 0 {
		sec, rest = sec-1, rest+perSecond
	}
	t := time.Unix(sec, rest*nanos).UTC()
	dst = append(dst, '"')
	dst = t.AppendFormat(dst, "2006-01-02T15:04:05")
	switch frac := t.Nanosecond(); {
	case frac == 0:
	case frac%1e6 == 0:
		dst = appendFraction(dst, frac/1e6, 3)
	case frac%1e3 == 0:
		dst = appendFraction(dst, frac/1e3, 6)
	default:
		dst = appendFraction(dst, frac, 9)
	}
	if c.Type.Kind == types.TimestampLTZ {
		dst = append(dst, 'Z')
	}
	return append(dst, '"')
}

// appendFraction writes a dot and the digits of n.
func appendFraction(dst []byte, n, digits int) []byte {
	dst = append(append(dst, '.'), "000000000"[:digits]...)
	for at := len(dst) - 1; n > 0; at-- {
		dst[at] = '0' + byte(n%10)
		n /= 10
	}
	return dst
}

// appendASCIIQuoted writes s as JSON_QUOTE does: in ASCII alone, with the slash escaped.
func appendASCIIQuoted(dst, s []byte) []byte {
	const lower = "0123456789abcdef"
	unit := func(dst []byte, u rune) []byte {
		return append(dst, '\\', 'u', lower[u>>12&15], lower[u>>8&15], lower[u>>4&15], lower[u&15])
	}
	dst = append(dst, '"')
	for len(s) > 0 {
		p, size := utf8.DecodeRune(s)
		s = s[size:]
		switch {
		case p == '"' || p == '\\' || p == '/':
			dst = append(dst, '\\', byte(p))
		case p == '\b' || p == '\f' || p == '\n' || p == '\r' || p == '\t':
			dst = appendControl(dst, byte(p))
		case p > 0xFFFF:
			p -= 0x10000
			dst = unit(unit(dst, 0xD800+p>>10), 0xDC00+p&0x3FF)
		case p < ' ' || p >= 0x7F:
			dst = unit(dst, p)
		default:
			dst = append(dst, byte(p))
		}
	}
	return append(dst, '"')
}
