package kernel

// Parts of times and dates. Times are milliseconds of wall clock unless a parameter says ticks.

// far is a whole number of days, weeks excepted, near the end of int64: added to a time it makes every
// date that matters positive, so that unsigned division by constants rounds down.
const (
	farDays = 106751991167
	far     = farDays * MilliDay
)

// MillisOfTicks writes milliseconds, rounding down; a tick is tickNanos nanoseconds: 1, 1000 or 1000000.
func MillisOfTicks(out, t []int64, tickNanos int64) {
	t = t[:len(out)]
	switch tickNanos {
	case 1:
		for i := range out {
			out[i] = FloorDiv(t[i], 1_000_000)
		}
	case 1000:
		for i := range out {
			out[i] = FloorDiv(t[i], 1000)
		}
	default:
		copy(out, t)
	}
}

// HoursOfMillis writes the hour 0..23.
func HoursOfMillis(out, t []int64) {
	t = t[:len(out)]
	for i := range out {
		out[i] = int64((uint64(t[i]) + far) / MilliHour % 24)
	}
}

// MinutesOfMillis writes the minute 0..59.
func MinutesOfMillis(out, t []int64) {
	t = t[:len(out)]
	for i := range out {
		out[i] = int64((uint64(t[i]) + far) / MilliMinute % 60)
	}
}

// SecondsOfMillis writes the second 0..59.
func SecondsOfMillis(out, t []int64) {
	t = t[:len(out)]
	for i := range out {
		out[i] = int64((uint64(t[i]) + far) / MilliSecond % 60)
	}
}

// DaysOfMillis writes the day number.
func DaysOfMillis(out, t []int64) {
	t = t[:len(out)]
	for i := range out {
		out[i] = int64((uint64(t[i])+far)/MilliDay) - farDays
	}
}

// FractionOfTicks writes the part below a second of times in ticks, times scale over div: with ticks of
// a microsecond, scale 1000 and div 1 it is the nanoseconds.
func FractionOfTicks(out, t []int64, perSecond, scale, div int64) {
	t = t[:len(out)]
	for i := range out {
		out[i] = FloorMod(t[i], perSecond) * scale / div
	}
}

// Quotients writes t / div rounded down.
func Quotients(out, t []int64, div int64) {
	t = t[:len(out)]
	for i := range out {
		out[i] = FloorDiv(t[i], div)
	}
}

// Truncated writes t / div % mod as Go divides, toward zero; mod 0 leaves the quotient.
func Truncated(out, t []int64, div, mod int64) {
	t = t[:len(out)]
	if mod == 0 {
		for i := range out {
			out[i] = t[i] / div
		}
		return
	}
	for i := range out {
		out[i] = t[i] / div % mod
	}
}

// Widen writes int32 as int64.
func Widen(out []int64, v []int32) {
	v = v[:len(out)]
	for i := range out {
		out[i] = int64(v[i])
	}
}

// DatePart is a part of a date.
type DatePart uint8

// The parts of a date.
const (
	PartYear DatePart = iota
	PartQuarter
	PartMonth
	PartWeek // ISO
	PartDay
	PartDayOfYear
	PartDayOfWeek // 1 is Sunday
	PartISODay    // 1 is Monday
	PartISOYear
	PartDecade
	PartCentury
	PartMillennium
)

// PartOfDay is one part of a day number.
func PartOfDay(p DatePart, day int64) int64 {
	switch p {
	case PartDayOfWeek:
		return DayOfWeek(day) + 1
	case PartISODay:
		return FloorMod(day+3, 7) + 1
	case PartWeek:
		_, w := ISOWeek(day)
		return w
	case PartISOYear:
		y, _ := ISOWeek(day)
		return y
	case PartDayOfYear:
		return DayOfYear(day)
	}
	y, m, d := CivilFromDays(day)
	switch p {
	case PartQuarter:
		return (m + 2) / 3
	case PartMonth:
		return m
	case PartDay:
		return d
	case PartDecade:
		return FloorDiv(y, 10)
	case PartCentury:
		return countedFromOne(y, 100)
	case PartMillennium:
		return countedFromOne(y, 1000)
	}
	return y
}

// countedFromOne numbers spans of years where the first begins with year 1 and there is no span 0.
func countedFromOne(y, n int64) int64 {
	if y > 0 {
		return (y + n - 1) / n
	}
	return (y - n + 1) / n
}

// PartsOfDays writes a part of each day number, computing it anew only where the day changes.
func PartsOfDays(out, days []int64, p DatePart) {
	if len(out) == 0 {
		return
	}
	days = days[:len(out)]
	last := days[0]
	v := PartOfDay(p, last)
	for i := range out {
		if d := days[i]; d != last {
			last, v = d, PartOfDay(p, d)
		}
		out[i] = v
	}
}

// MonthsBetween is the number of whole months from a to b, cut toward zero; both are times in ticks.
func MonthsBetween(a, b, perDay int64) int64 {
	if a > b {
		return -MonthsBetween(b, a, perDay)
	}
	da, ra := SplitDay(a, perDay)
	db, rb := SplitDay(b, perDay)
	ya, ma, _ := CivilFromDays(da)
	yb, mb, _ := CivilFromDays(db)
	n := (yb-ya)*12 + mb - ma
	if end := AddMonths(da, n); end > db || (end == db && ra > rb) {
		n--
	}
	return n
}

// UnitsBetween is the number of whole units of size ticks from a to b, cut toward zero, without the
// overflow that b - a may have.
func UnitsBetween(a, b, size int64) int64 {
	qa, qb := FloorDiv(a, size), FloorDiv(b, size)
	ra, rb := a-qa*size, b-qb*size
	n := qb - qa
	if n > 0 && rb < ra {
		n--
	} else if n < 0 && rb > ra {
		n++
	}
	return n
}
