package filesystem

import (
	"encoding/base64"
	"strconv"

	"streamsql/exec/kernel"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// encoder writes rows as a format has them, line end included.
type encoder interface {
	appendRow(dst []byte, cols []*vector.Column, row int) ([]byte, error)
}

// header is an encoder whose files begin with something else than rows.
type header interface {
	// head is that; may be empty.
	head() []byte
}

// isQuoted tells the kinds whose text may need quotes: all but numbers and booleans.
func isQuoted(k types.Kind) bool { return !k.IsNumeric() && k != types.Boolean && !k.IsInterval() }

// appendValue writes a value without children that is not NULL: both formats have the same texts.
func appendValue(dst []byte, c *vector.Column, i int, separator byte, plain bool) []byte {
	c, i = c.At(i)
	switch t := c.Type; t.Kind {
	case types.Boolean:
		return strconv.AppendBool(dst, kernel.Bit(vector.Bits(c), i))
	case types.Char, types.Varchar, types.Variant:
		return append(dst, vector.Values[vector.View](c)[i].Bytes(c.Bufs)...)
	case types.Binary, types.Varbinary:
		return base64.StdEncoding.AppendEncode(dst, vector.Values[vector.View](c)[i].Bytes(c.Bufs))
	case types.TinyInt:
		return text.AppendInt(dst, int64(vector.Values[int8](c)[i]))
	case types.SmallInt:
		return text.AppendInt(dst, int64(vector.Values[int16](c)[i]))
	case types.Int, types.IntervalMonth:
		return text.AppendInt(dst, int64(vector.Values[int32](c)[i]))
	case types.BigInt, types.IntervalDay:
		return text.AppendInt(dst, vector.Values[int64](c)[i])
	case types.Float:
		return text.AppendFloat(dst, vector.Values[float32](c)[i])
	case types.Double:
		return text.AppendDouble(dst, vector.Values[float64](c)[i])
	case types.Decimal:
		return appendDecimal(dst, c, i, plain)
	case types.Date:
		return text.AppendDate(dst, int64(vector.Values[int32](c)[i]))
	case types.Time:
		ms := int64(vector.Values[int32](c)[i])
		return appendClock(dst, ms/1000, ms%1000*1e6)
	case types.Timestamp, types.TimestampLTZ:
		days, sec, nanos := text.SplitTimestamp(vector.Values[int64](c)[i], t)
		dst = appendClock(append(text.AppendDate(dst, days), separator), sec, nanos)
		if t.Kind == types.TimestampLTZ {
			dst = append(dst, 'Z')
		}
		return dst
	}
	panic("filesystem: no text for " + c.Type.String())
}

// appendClock writes HH:mm:ss and the digits of a fraction that there are.
func appendClock(dst []byte, sec, nanos int64) []byte {
	for k, v := range [3]int64{sec / 3600, sec / 60 % 60, sec % 60} {
		if k > 0 {
			dst = append(dst, ':')
		}
		dst = append(dst, byte('0'+v/10), byte('0'+v%10))
	}
	if nanos == 0 {
		return dst
	}
	dst = append(dst, '.')
	for unit := int64(1e8); nanos > 0; unit /= 10 {
		dst = append(dst, byte('0'+nanos/unit))
		nanos %= unit
	}
	return dst
}

// appendDecimal writes a DECIMAL without the zeros at its end: 1.50 is 1.5 and 100.00 is 1E+2, or 100 when
// it is to be plain.
func appendDecimal(dst []byte, c *vector.Column, i int, plain bool) []byte {
	at := len(dst)
	scale := c.Type.Scale
	if c.Wide {
		dst = text.AppendDecimal(dst, vector.Values[vector.Int128](c)[i], 0)
	} else {
		dst = text.AppendDecimal64(dst, vector.Values[int64](c)[i], 0)
	}
	first := at
	if dst[at] == '-' {
		first++
	}
	for len(dst) > first+1 && dst[len(dst)-1] == '0' {
		dst, scale = dst[:len(dst)-1], scale-1
	}
	if dst[first] == '0' {
		scale = 0
	}
	digits := len(dst) - first
	exponent := digits - 1 - scale
	switch {
	case scale == 0:
		return dst
	case scale < 0 && plain:
		for ; scale < 0; scale++ {
			dst = append(dst, '0')
		}
		return dst
	case scale > 0 && (plain || exponent >= -6):
		return insertPoint(dst, first, scale)
	}
	if digits > 1 {
		dst = insertPoint(dst, first, digits-1)
	}
	dst = append(dst, 'E')
	if exponent > 0 {
		dst = append(dst, '+')
	}
	return strconv.AppendInt(dst, int64(exponent), 10)
}

// insertPoint puts a decimal point before the last scale digits of dst[first:].
func insertPoint(dst []byte, first, scale int) []byte {
	for len(dst)-first <= scale {
		dst = append(dst, 0)
		copy(dst[first+1:], dst[first:])
		dst[first] = '0'
	}
	point := len(dst) - scale
	dst = append(dst, 0)
	copy(dst[point+1:], dst[point:])
	dst[point] = '.'
	return dst
}
