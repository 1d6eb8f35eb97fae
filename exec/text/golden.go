package text

import (
	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// AppendGolden writes row i of c in the encoding of the reference data, over which digests are made:
// timestamps are epoch milliseconds, texts stand as they are but for \\ \t \n \r, NULL is \N, and all
// else is as AppendCell has it.
func AppendGolden(dst []byte, c *vector.Column, i int) []byte {
	if c.Null(i) {
		return append(dst, `\N`...)
	}
	f, k := c.At(i)
	switch t := f.Type; t.Kind {
	case types.Char, types.Varchar, types.Variant:
		return appendGoldenText(dst, vector.Values[vector.View](f)[k].Bytes(f.Bufs))
	case types.Timestamp, types.TimestampLTZ:
		return AppendInt(dst, kernel.FloorDiv(vector.Values[int64](f)[k], 1_000_000/t.TickNanos()))
	}
	return nestedForm.append(dst, f, k, nil)
}

func appendGoldenText(dst, t []byte) []byte {
	for _, b := range t {
		switch b {
		case '\\':
			dst = append(dst, `\\`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		default:
			dst = append(dst, b)
		}
	}
	return dst
}
