package text

import (
	"strconv"
	"time"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var printForm = &form{null: "null", row: "+I[", rowEnd: "]", appendPlain: appendPrint}

// AppendRow writes row i of a batch as Flink's print connector: `+I[1, a]`.
func AppendRow(dst []byte, b *vector.Batch, i int) []byte {
	dst = append(append(dst, b.Kind(i).String()...), '[')
	for k, c := range b.Cols {
		if k > 0 {
			dst = append(dst, ", "...)
		}
		dst = printForm.append(dst, c, i, nil)
	}
	return append(dst, ']')
}

// appendPrint writes values as Java's toString of the types that stand for them.
func appendPrint(dst []byte, c *vector.Column, i int, _ *time.Location) []byte {
	switch t := c.Type; t.Kind {
	case types.Boolean:
		return strconv.AppendBool(dst, kernel.Bit(vector.Bits(c), i))
	case types.Char, types.Varchar, types.Variant:
		return append(dst, vector.Values[vector.View](c)[i].Bytes(c.Bufs)...)
	case types.Binary, types.Varbinary:
		return appendSignedBytes(dst, vector.Values[vector.View](c)[i].Bytes(c.Bufs))
	case types.Time:
		ms := int64(vector.Values[int32](c)[i])
		return appendISOClock(dst, ms/1000, ms%1000*1e6, false)
	case types.Timestamp:
		days, sec, nanos := SplitTimestamp(vector.Values[int64](c)[i], t)
		return appendISOClock(append(AppendDate(dst, days), 'T'), sec, nanos, false)
	case types.TimestampLTZ:
		days, sec, nanos := SplitTimestamp(vector.Values[int64](c)[i], t)
		return append(appendISOClock(append(AppendDate(dst, days), 'T'), sec, nanos, true), 'Z')
	case types.IntervalDay:
		return appendDuration(dst, vector.Values[int64](c)[i])
	case types.IntervalMonth:
		return appendPeriod(dst, int64(vector.Values[int32](c)[i]))
	}
	return appendNumberOrDate(dst, c, i)
}

// appendISOClock writes HH:mm, the seconds unless both they and the fraction are zero, and the fraction
// in groups of three digits. An instant always has its seconds.
func appendISOClock(dst []byte, sec, nanos int64, seconds bool) []byte {
	dst = append2(append(append2(dst, sec/3600), ':'), sec/60%60)
	if !seconds && sec%60 == 0 && nanos == 0 {
		return dst
	}
	dst = append2(append(dst, ':'), sec%60)
	switch {
	case nanos == 0:
		return dst
	case nanos%1e6 == 0:
		return appendFraction(dst, nanos, 3)
	case nanos%1e3 == 0:
		return appendFraction(dst, nanos, 6)
	}
	return appendFraction(dst, nanos, 9)
}

func appendSignedBytes(dst, b []byte) []byte {
	dst = append(dst, '[')
	for k, x := range b {
		if k > 0 {
			dst = append(dst, ", "...)
		}
		dst = AppendInt(dst, int64(int8(x)))
	}
	return append(dst, ']')
}

// appendDuration writes java.time.Duration: PT36H, PT-1.5S.
func appendDuration(dst []byte, ms int64) []byte {
	dst = append(dst, "PT"...)
	if ms == 0 {
		return append(dst, "0S"...)
	}
	h, m, rest := ms/kernel.MilliHour, ms/kernel.MilliMinute%60, ms%kernel.MilliMinute
	if h != 0 {
		dst = append(AppendInt(dst, h), 'H')
	}
	if m != 0 {
		dst = append(AppendInt(dst, m), 'M')
	}
	if rest == 0 {
		return dst
	}
	if rest < 0 {
		dst, rest = append(dst, '-'), -rest
	}
	dst = AppendInt(dst, rest/1000)
	if f := rest % 1000; f != 0 {
		dst = appendFraction(dst, f*1e6, 3)
		for dst[len(dst)-1] == '0' {
			dst = dst[:len(dst)-1]
		}
	}
	return append(dst, 'S')
}

// appendPeriod writes java.time.Period: P1Y2M.
func appendPeriod(dst []byte, months int64) []byte {
	dst = append(dst, 'P')
	if months == 0 {
		return append(dst, "0D"...)
	}
	if y := months / 12; y != 0 {
		dst = append(AppendInt(dst, y), 'Y')
	}
	if m := months % 12; m != 0 {
		dst = append(AppendInt(dst, m), 'M')
	}
	return dst
}
