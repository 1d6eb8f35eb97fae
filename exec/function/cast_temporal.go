package function

import (
	"math"

	"streamsql/exec/kernel"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// castTemporal converts between dates, times and timestamps; instants go through the wall clock of the
// session's zone. Fractions are cut, toward the past.
func castTemporal(from, to types.Type) func(c *conversion) {
	switch {
	case from.Kind == types.Time && to.Kind == types.Time:
		return func(c *conversion) {
			out := vector.Alloc[int32](c.out)
			for i, ms := range vector.Values[int32](c.in) {
				out[i] = text.CutTime(ms, c.to.Precision)
			}
		}
	case from.Kind == types.Date:
		return (*conversion).dateToTimestamp
	case from.Kind == types.Time:
		return (*conversion).timeToTimestamp
	case to.Kind == types.Date:
		return func(c *conversion) {
			kernel.DaysOfTicks(vector.Alloc[int32](c.out), c.wallClock(), c.perDay(c.from))
		}
	case to.Kind == types.Time:
		return func(c *conversion) {
			day := c.perDay(c.from)
			cut := [...]int32{1000, 100, 10, 1}[min(c.to.Precision, 3)]
			kernel.ClockOfTicks(vector.Alloc[int32](c.out), c.wallClock(), day, day/kernel.MilliDay, cut)
		}
	}
	return (*conversion).timestamps
}

// perDay is the ticks of a day.
func (c *conversion) perDay(t types.Type) int64 { return kernel.MilliDay * 1_000_000 / t.TickNanos() }

// wallClock is in as wall-clock times: as it is, or by the session's zone for instants.
func (c *conversion) wallClock() []int64 {
	if c.from.Kind == types.TimestampLTZ {
		return c.localTicks()
	}
	return vector.Values[int64](c.in)
}

func (c *conversion) dateToTimestamp() {
	out, days := vector.Alloc[int64](c.out), vector.Values[int32](c.in)
	day := c.perDay(c.to)
	if limit := math.MaxInt64/day - 1; limit < math.MaxInt32 {
		for i, d := range days {
			if int64(d) > limit || int64(d) < -limit {
				c.fail(i)
			}
		}
	}
	kernel.TicksOfDays(out, days, day)
	c.toInstants(out)
}

// timeToTimestamp puts a time on the first day of 1970.
func (c *conversion) timeToTimestamp() {
	out := vector.Alloc[int64](c.out)
	kernel.Widen(out, vector.Values[int32](c.in))
	c.toUnit(out, out, types.TimestampOf(3))
	c.toInstants(out)
}

// timestamps changes the unit, the precision, and from wall clock to instant or back.
func (c *conversion) timestamps() {
	f, t := c.from.Kind, c.to.Kind
	out := vector.Alloc[int64](c.out)
	in := vector.Values[int64](c.in)
	if f == types.TimestampLTZ && t == types.Timestamp {
		in = c.localTicks()
	}
	c.toUnit(out, in, c.from)
	if f == types.Timestamp {
		c.toInstants(out)
	}
}

// toInstants takes wall-clock times of the session as instants, where the result wants them.
func (c *conversion) toInstants(out []int64) {
	if c.to.Kind == types.TimestampLTZ && !c.zone.Fixed() {
		c.zone.InstantTicks(out, out, 1_000_000_000/c.to.TickNanos())
	}
}

// toUnit writes ticks of a timestamp type in the result's unit and precision. A time that nanoseconds can
// not hold fails.
func (c *conversion) toUnit(out, in []int64, from types.Type) {
	mul, div := from.TickNanos()/c.to.TickNanos(), c.to.TickNanos()/from.TickNanos()
	mul, div = max(mul, 1), max(div, 1)
	if limit := math.MaxInt64 / mul; mul > 1 && !kernel.Within(in, limit) {
		for i, v := range in {
			if v >= limit || v <= -limit {
				c.fail(i)
			}
		}
	}
	kernel.RescaleTicks(out, in, mul, div, text.TickCut(c.to))
}
