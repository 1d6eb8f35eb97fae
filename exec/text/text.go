// Package text turns values into text and text into values: the forms of CAST, of result cells, of
// digests and of the print connector, and the readings of CAST that file formats share.
//
// It does not know functions, expressions, formats of files, or locales.
//
// Invariants:
//
//	X1 appending never fails and, given room in dst, never allocates for scalars.
//	X2 a parse function says why it refused as a Fault, a constant: it never allocates.
//	X3 what Append writes for a number, date or timestamp, the parse function of its type reads back.
package text

import (
	"time"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Append writes row i of c, through any encoding, as CAST(x AS STRING) has it; NULL is `NULL`. Zone is
// the session's, for TIMESTAMP_LTZ; nil stands for UTC.
func Append(dst []byte, c *vector.Column, i int, zone *time.Location) []byte {
	return castForm.append(dst, c, i, zone)
}

// form is one way of writing values. Composites share their walk; scalars are its own.
type form struct {
	null        string
	row         string // what opens a ROW
	rowEnd      string
	sorted      bool // MAP and MULTISET by the text of the pairs
	appendPlain func(dst []byte, c *vector.Column, i int, zone *time.Location) []byte
}

var castForm = &form{null: "NULL", row: "(", rowEnd: ")", appendPlain: appendCast}

func (f *form) append(dst []byte, c *vector.Column, i int, zone *time.Location) []byte {
	if c.Null(i) {
		return append(dst, f.null...)
	}
	c, i = c.At(i)
	switch c.Type.Kind {
	case types.Row:
		dst = append(dst, f.row...)
		for k, child := range c.Children {
			if k > 0 {
				dst = append(dst, ", "...)
			}
			dst = f.append(dst, child, i, zone)
		}
		return append(dst, f.rowEnd...)
	case types.Array:
		dst = append(dst, '[')
		for e := c.Offsets[i]; e < c.Offsets[i+1]; e++ {
			if e > c.Offsets[i] {
				dst = append(dst, ", "...)
			}
			dst = f.append(dst, c.Children[0], int(e), zone)
		}
		return append(dst, ']')
	case types.Map, types.Multiset:
		return f.appendPairs(dst, c, i, zone)
	}
	return f.appendPlain(dst, c, i, zone)
}

func (f *form) appendPairs(dst []byte, c *vector.Column, i int, zone *time.Location) []byte {
	from, to := int(c.Offsets[i]), int(c.Offsets[i+1])
	pair := func(dst []byte, e int) []byte {
		dst = append(f.append(dst, c.Children[0], e, zone), '=')
		return f.append(dst, c.Children[1], e, zone)
	}
	dst = append(dst, '{')
	if f.sorted {
		pairs := make([]string, 0, to-from)
		for e := from; e < to; e++ {
			pairs = append(pairs, string(pair(nil, e)))
		}
		return append(appendSorted(dst, pairs), '}')
	}
	for e := from; e < to; e++ {
		if e > from {
			dst = append(dst, ", "...)
		}
		dst = pair(dst, e)
	}
	return append(dst, '}')
}

// appendCast writes a value that is not NULL and has no children.
func appendCast(dst []byte, c *vector.Column, i int, zone *time.Location) []byte {
	t := c.Type
	switch t.Kind {
	case types.Boolean:
		return AppendBool(dst, kernel.Bit(vector.Bits(c), i))
	case types.Char, types.Varchar, types.Variant, types.Symbol:
		return append(dst, vector.Values[vector.View](c)[i].Bytes(c.Bufs)...)
	case types.Binary, types.Varbinary:
		return AppendUTF8(dst, vector.Values[vector.View](c)[i].Bytes(c.Bufs))
	case types.Time:
		return AppendTimeShort(dst, vector.Values[int32](c)[i], t.Precision)
	case types.TimestampLTZ:
		return AppendTimestamp(dst, localTicks(vector.Values[int64](c)[i], t, zone), t)
	case types.IntervalDay:
		return AppendIntervalDay(dst, vector.Values[int64](c)[i])
	case types.IntervalMonth:
		return AppendIntervalMonth(dst, vector.Values[int32](c)[i])
	}
	return appendNumberOrDate(dst, c, i)
}

// appendNumberOrDate writes the kinds that look the same in every form.
func appendNumberOrDate(dst []byte, c *vector.Column, i int) []byte {
	t := c.Type
	switch t.Kind {
	case types.TinyInt:
		return AppendInt(dst, int64(vector.Values[int8](c)[i]))
	case types.SmallInt:
		return AppendInt(dst, int64(vector.Values[int16](c)[i]))
	case types.Int:
		return AppendInt(dst, int64(vector.Values[int32](c)[i]))
	case types.BigInt:
		return AppendInt(dst, vector.Values[int64](c)[i])
	case types.Float:
		return AppendFloat(dst, vector.Values[float32](c)[i])
	case types.Double:
		return AppendDouble(dst, vector.Values[float64](c)[i])
	case types.Decimal:
		if c.Wide {
			return AppendDecimal(dst, vector.Values[vector.Int128](c)[i], t.Scale)
		}
		return AppendDecimal64(dst, vector.Values[int64](c)[i], t.Scale)
	case types.Date:
		return AppendDate(dst, int64(vector.Values[int32](c)[i]))
	case types.Timestamp:
		return AppendTimestamp(dst, vector.Values[int64](c)[i], t)
	}
	panic("text: no form of " + t.String())
}

func localTicks(t int64, typ types.Type, zone *time.Location) int64 {
	if zone == nil || zone == time.UTC {
		return t
	}
	perSecond := int64(1e9) / typ.TickNanos()
	_, off := time.Unix(kernel.FloorDiv(t, perSecond), 0).In(zone).Zone()
	return t + int64(off)*perSecond
}
