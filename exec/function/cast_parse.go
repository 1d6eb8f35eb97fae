package function

import (
	"streamsql/exec/kernel"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// castFromText reads texts; what is no value of the type fails.
func castFromText(to types.Type) func(c *conversion) {
	switch to.Kind {
	case types.Boolean:
		return (*conversion).parseBooleans
	case types.TinyInt:
		return parseIntegers[int8]
	case types.SmallInt:
		return parseIntegers[int16]
	case types.Int:
		return parseIntegers[int32]
	case types.BigInt:
		return parseIntegers[int64]
	case types.Float:
		return parseFloats[float32]
	case types.Double:
		return parseFloats[float64]
	case types.Decimal:
		return (*conversion).parseDecimals
	case types.Date, types.Time:
		return (*conversion).parseDays
	}
	return (*conversion).parseTimestamps
}

// read is the text of row i.
func (c *conversion) read(v []vector.View, i int) []byte { return v[i].Bytes(c.in.Bufs) }

func (c *conversion) parseBooleans() {
	out, in := vector.AllocBits(c.out), vector.Values[vector.View](c.in)
	clear(out)
	for i := range in {
		if c.skip(i) {
			continue
		}
		v, fault := text.ParseBool(c.read(in, i))
		if fault != text.Ok {
			c.fail(i)
		} else if v {
			kernel.SetBit(out, i)
		}
	}
}

func parseIntegers[B kernel.Integer](c *conversion) {
	out, in := vector.Alloc[B](c.out), vector.Values[vector.View](c.in)
	size := c.to.Physical().Width() * 8
	for i := range in {
		if c.skip(i) {
			continue
		}
		v, fault := text.ParseInt(c.read(in, i), size)
		if fault != text.Ok {
			c.fail(i)
		}
		out[i] = B(v)
	}
}

func parseFloats[B ~float32 | ~float64](c *conversion) {
	out, in := vector.Alloc[B](c.out), vector.Values[vector.View](c.in)
	size := c.to.Physical().Width() * 8
	for i := range in {
		if c.skip(i) {
			continue
		}
		v, fault := text.ParseFloat(c.read(in, i), size)
		if fault != text.Ok {
			c.fail(i)
		}
		out[i] = B(v)
	}
}

func (c *conversion) parseDecimals() {
	in, p, s := vector.Values[vector.View](c.in), c.to.Precision, c.to.Scale
	if c.to.Wide() {
		out := vector.AllocWide(c.out)
		for i := range in {
			if c.skip(i) {
				continue
			}
			v, fault := text.ParseDecimal(c.read(in, i), p, s)
			if fault != text.Ok {
				c.fail(i)
			}
			out[i] = v
		}
		return
	}
	out := vector.Alloc[int64](c.out)
	for i := range in {
		if c.skip(i) {
			continue
		}
		v, fault := text.ParseDecimal(c.read(in, i), p, s)
		if fault != text.Ok {
			c.fail(i)
		}
		out[i] = v.Int64()
	}
}

func (c *conversion) parseDays() {
	out, in := vector.Alloc[int32](c.out), vector.Values[vector.View](c.in)
	for i := range in {
		if c.skip(i) {
			continue
		}
		var fault text.Fault
		if c.to.Kind == types.Date {
			out[i], fault = text.ParseDate(c.read(in, i))
		} else {
			out[i], fault = text.ParseTime(c.read(in, i), c.to.Precision)
		}
		if fault != text.Ok {
			c.fail(i)
		}
	}
}

func (c *conversion) parseTimestamps() {
	out, in := vector.Alloc[int64](c.out), vector.Values[vector.View](c.in)
	local := c.to.Kind == types.TimestampLTZ
	for i := range in {
		if c.skip(i) {
			continue
		}
		var fault text.Fault
		if local {
			out[i], fault = text.ParseTimestampLTZ(c.read(in, i), c.to, c.zone)
		} else {
			out[i], fault = text.ParseTimestamp(c.read(in, i), c.to)
		}
		if fault != text.Ok {
			c.fail(i)
		}
	}
}

// fault says why a text was refused.
func (c *conversion) fault(t []byte) (f text.Fault) {
	size := c.to.Physical().Width() * 8
	switch k := c.to.Kind; {
	case k == types.Boolean:
		_, f = text.ParseBool(t)
	case k.IsInteger():
		_, f = text.ParseInt(t, size)
	case k.IsApprox():
		_, f = text.ParseFloat(t, size)
	case k == types.Decimal:
		_, f = text.ParseDecimal(t, c.to.Precision, c.to.Scale)
	case k == types.Date:
		_, f = text.ParseDate(t)
	case k == types.Time:
		_, f = text.ParseTime(t, c.to.Precision)
	case k.IsTimestamp():
		_, f = text.ParseTimestamp(t, c.to)
	}
	return f
}
