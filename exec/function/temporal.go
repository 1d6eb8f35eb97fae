package function

import (
	"strings"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// What the temporal functions share: units of time, and columns of times as wall-clock ticks.

// unitOf is the unit of time that argument k names. SQL_TSI_DAY is DAY.
func unitOf(args []Arg, k int) (string, bool) {
	if k >= len(args) || args[k].Type.Kind != types.Symbol || args[k].Const == nil {
		return "", false
	}
	u := strings.TrimPrefix(strings.ToUpper(string(vector.Text(args[k].Const, 0))), "SQL_TSI_")
	if u == "FRAC_SECOND" {
		u = "MICROSECOND"
	}
	return u, true
}

// unitNanos are the units of a fixed length; months do not have one.
var unitNanos = map[string]int64{
	"WEEK": 7 * nanoDay, "DAY": nanoDay, "HOUR": kernel.MilliHour * 1e6, "MINUTE": kernel.MilliMinute * 1e6,
	"SECOND": 1e9, "MILLISECOND": 1e6, "MICROSECOND": 1e3, "NANOSECOND": 1,
}

// unitMonths are the units of whole months.
var unitMonths = map[string]int64{
	"MONTH": 1, "QUARTER": 3, "YEAR": 12, "DECADE": 120, "CENTURY": 1200, "MILLENNIUM": 12000,
}

// timestampTicks is the ticks per second and per day of a timestamp type.
func timestampTicks(t types.Type) (perSecond, perDay int64) {
	perSecond = 1e9 / t.TickNanos()
	return perSecond, perSecond * 86400
}

// longs gives the values of a BIGINT-like column as len(out) values; a constant is written to out.
func longs(c *vector.Column, out []int64) []int64 {
	v := vector.Values[int64](c)
	if c.Enc == vector.Constant {
		kernel.Repeat(out, v[0])
		return out
	}
	return v
}

// widened gives the values of an INT-like column as int64, written to out.
func widened(c *vector.Column, out []int64) []int64 {
	v := vector.Values[int32](c)
	if c.Enc == vector.Constant {
		kernel.Repeat(out, int64(v[0]))
	} else {
		kernel.Widen(out, v)
	}
	return out
}

// wallTicks gives the wall clock of a timestamp column in its ticks: the values of a TIMESTAMP, those of a
// TIMESTAMP_LTZ moved to the session's zone and written to out.
func wallTicks(c *vector.Column, out []int64, z *kernel.Zone) []int64 {
	t := longs(c, out)
	if c.Type.Kind == types.TimestampLTZ && !z.Fixed() {
		perSecond, _ := timestampTicks(c.Type)
		z.LocalTicks(out, t, perSecond)
		return out
	}
	return t
}

// wallMillis is wallTicks in milliseconds.
func wallMillis(c *vector.Column, out []int64, z *kernel.Zone) []int64 {
	t := wallTicks(c, out, z)
	if tick := c.Type.TickNanos(); tick != 1e6 {
		kernel.MillisOfTicks(out, t, tick)
		return out
	}
	return t
}

// temporalOr is t, or for a bare NULL the type that it stands for.
func temporalOr(t, or types.Type) types.Type {
	if t.Kind == types.Null {
		return or.WithNull(true)
	}
	return t
}

// narrowed writes 64-bit values to a result of 32 bits.
func narrowed(c *Call, v []int64) {
	out := vector.Alloc[int32](c.Out)
	for i := range out {
		out[i] = int32(v[i])
	}
}

// scratch is memory that a kernel keeps between batches.
type scratch struct{ long []int64 }

func (s *scratch) take(n int) []int64 {
	if cap(s.long) < n {
		s.long = make([]int64, n+n/2)
	}
	return s.long[:n]
}
