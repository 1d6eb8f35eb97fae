package function

import (
	"unicode/utf8"

	"streamsql/exec/kernel"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// castToText writes values; CHAR(n) is padded and cut to n characters, VARCHAR(n) is cut.
func castToText(from, to types.Type) func(c *conversion) {
	switch {
	case from.Kind.IsText() && to.Kind == types.Varchar && from.Precision <= to.Precision:
		return (*conversion).share
	case from.Kind.IsText():
		return (*conversion).resizeTexts
	case from.Kind.IsBinary():
		return (*conversion).decodeTexts
	case from.Kind == types.TimestampLTZ:
		return (*conversion).writeLocal
	case from.Kind.IsInteger() && to.Kind == types.Varchar && to.Precision >= kernel.MaxDigits:
		return integerWriter(from.Kind)
	}
	return func(c *conversion) { c.write(c.in) }
}

// write prints every row of in.
func (c *conversion) write(in *vector.Column) {
	w, zone := vector.NewText(c.out), zoneOf(c.env)
	for i := range c.n {
		if c.skip(i) {
			continue
		}
		b := w.Begin()
		mark := len(b)
		w.End(i, fitText(text.Append(b, in, i, zone), mark, c.to))
	}
	w.Finish()
}

func integerWriter(k types.Kind) func(c *conversion) {
	switch k {
	case types.TinyInt:
		return writeIntegers[int8]
	case types.SmallInt:
		return writeIntegers[int16]
	case types.Int:
		return writeIntegers[int32]
	}
	return writeIntegers[int64]
}

// writeIntegers prints integers where there is room for all their digits.
func writeIntegers[T kernel.Integer](c *conversion) {
	w, in := vector.NewText(c.out), vector.Values[T](c.in)
	for i, v := range in {
		if !c.skip(i) {
			w.PutInteger(i, int64(v))
		}
	}
	w.Finish()
}

// writeLocal prints instants by the wall clock of the session.
func (c *conversion) writeLocal() {
	vector.SetSlice(&c.local, types.TimestampOf(c.from.Precision), c.localTicks())
	c.write(&c.local)
}

// localTicks are the wall-clock times of in's instants.
func (c *conversion) localTicks() []int64 {
	v := vector.Values[int64](c.in)
	if c.zone.Fixed() {
		return v
	}
	t := c.tickBuffer()
	c.zone.LocalTicks(t, v, 1_000_000_000/c.from.TickNanos())
	return t
}

// fitText cuts b[mark:] to the characters that to allows and pads a CHAR.
func fitText(b []byte, mark int, to types.Type) []byte {
	if to.Precision == types.MaxLength || (to.Kind == types.Varchar && len(b)-mark <= to.Precision) {
		return b
	}
	n, at := 0, mark
	for at < len(b) && n < to.Precision {
		_, size := utf8.DecodeRune(b[at:])
		at += size
		n++
	}
	b = b[:at]
	for ; to.Kind == types.Char && n < to.Precision; n++ {
		b = append(b, ' ')
	}
	return b
}

// resizeTexts cuts and pads; a text that needs no more is not copied.
func (c *conversion) resizeTexts() {
	in := vector.Values[vector.View](c.in)
	base := c.out.ShareText(c.in)
	w := vector.NewText(c.out)
	limit, char := c.to.Precision, c.to.Kind == types.Char
	for i := range in {
		if c.skip(i) {
			continue
		}
		t := c.read(in, i)
		if !char {
			n := len(t)
			if n > limit {
				n = len(fitText(t, 0, c.to))
			}
			w.PutPiece(i, &in[i], c.in.Bufs, base, 0, n)
			continue
		}
		b := w.Begin()
		w.End(i, fitText(append(b, t...), len(b), c.to))
	}
	w.Finish()
}

// decodeTexts reads binaries as UTF-8.
func (c *conversion) decodeTexts() {
	in := vector.Values[vector.View](c.in)
	base := c.out.ShareText(c.in)
	w := vector.NewText(c.out)
	whole := c.to.Precision == types.MaxLength
	for i := range in {
		if c.skip(i) {
			continue
		}
		t := c.read(in, i)
		if whole && utf8.Valid(t) {
			w.PutPiece(i, &in[i], c.in.Bufs, base, 0, len(t))
			continue
		}
		b := w.Begin()
		w.End(i, fitText(text.AppendUTF8(b, t), len(b), c.to))
	}
	w.Finish()
}

// binary makes the bytes of a text, or of another binary: VARBINARY(n) is cut, BINARY(n) is also padded
// with zeros.
func (c *conversion) binary() {
	limit, pad := c.to.Precision, c.to.Kind == types.Binary
	if limit == types.MaxLength || (!pad && c.from.Kind.IsBinary() && c.from.Precision <= limit) {
		c.share()
		return
	}
	in := vector.Values[vector.View](c.in)
	base := c.out.ShareText(c.in)
	w := vector.NewText(c.out)
	for i := range in {
		if c.skip(i) {
			continue
		}
		t := c.read(in, i)
		if len(t) >= limit || !pad {
			w.PutPiece(i, &in[i], c.in.Bufs, base, 0, min(len(t), limit))
			continue
		}
		b := append(w.Begin(), t...)
		for range limit - len(t) {
			b = append(b, 0)
		}
		w.End(i, b)
	}
	w.Finish()
}
