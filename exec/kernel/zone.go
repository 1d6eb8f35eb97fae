package kernel

import (
	"math"
	"time"
)

// Zone converts between instants and wall-clock times of one time zone, in seconds. It remembers the
// period between two changes of the offset that it used last, since the times of a batch lie close
// together; it belongs to one goroutine.
type Zone struct {
	loc      *time.Location
	from, to int64 // the period, [from, to)
	off      int64
}

// NewZone makes a converter; nil stands for UTC.
func NewZone(loc *time.Location) *Zone {
	z := &Zone{loc: loc}
	if loc == nil || loc == time.UTC {
		z.loc, z.from, z.to = time.UTC, math.MinInt64, math.MaxInt64
	}
	return z
}

// Fixed tells whether the zone is UTC itself, so that nothing needs converting.
func (z *Zone) Fixed() bool { return z.loc == time.UTC }

// Offset is how far the wall clock is ahead of UTC at an instant.
func (z *Zone) Offset(sec int64) int64 {
	if sec >= z.from && sec < z.to {
		return z.off
	}
	t := time.Unix(sec, 0).In(z.loc)
	_, off := t.Zone()
	start, end := t.ZoneBounds()
	z.off, z.from, z.to = int64(off), math.MinInt64, math.MaxInt64
	if !start.IsZero() {
		z.from = start.Unix()
	}
	if !end.IsZero() {
		z.to = end.Unix()
	}
	return z.off
}

// Local is the wall clock at an instant, in seconds since 1970-01-01 00:00:00.
func (z *Zone) Local(sec int64) int64 { return sec + z.Offset(sec) }

// Instant is the instant at which the wall clock shows local. A time that occurs twice is its first
// occurrence; a time that a change skips is moved on by the length of the gap, as Java has it.
func (z *Zone) Instant(local int64) int64 {
	if at := local - z.off; at-2*86400 >= z.from && at+2*86400 < z.to {
		return at
	}
	before := local - z.Offset(local-86400)
	if z.Local(before) == local {
		return before
	}
	if after := local - z.Offset(local+86400); z.Local(after) == local {
		return after
	}
	return before
}

// LocalTicks writes the wall clock of each instant; perSecond is the ticks of a second.
func (z *Zone) LocalTicks(out, t []int64, perSecond int64) {
	t = t[:len(out)]
	var lo, hi, off int64
	for i := range out {
		x := t[i]
		if x < lo || x >= hi {
			off = z.Offset(FloorDiv(x, perSecond)) * perSecond
			lo, hi = ticksOf(z.from, perSecond), ticksOf(z.to, perSecond)
		}
		out[i] = x + off
	}
}

// ticksOf is seconds as ticks, at the ends of int64 where they do not fit.
func ticksOf(sec, perSecond int64) int64 {
	switch limit := math.MaxInt64 / perSecond; {
	case sec > limit:
		return math.MaxInt64
	case sec < -limit:
		return math.MinInt64
	}
	return sec * perSecond
}

// InstantTicks writes the instant of each wall-clock time; perSecond is the ticks of a second.
func (z *Zone) InstantTicks(out, t []int64, perSecond int64) {
	t = t[:len(out)]
	var lo, hi, off int64
	for i := range out {
		x := t[i]
		if x < lo || x >= hi {
			s := FloorDiv(x, perSecond)
			off = (z.Instant(s) - s) * perSecond
			// Two days from a change the clock reads no time twice and skips none.
			lo, hi = ticksOf(max(z.from, minSecond)+2*86400, perSecond), ticksOf(min(z.to, -minSecond)-2*86400, perSecond)
			if z.off*perSecond != -off || x < lo || x >= hi {
				lo, hi = 0, 0
			}
		}
		out[i] = x + off
	}
}

// minSecond is a second before every time that a zone is asked for.
const minSecond = -1 << 60
