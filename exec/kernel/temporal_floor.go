package kernel

// Period is a calendar span that times are rounded to.
type Period uint8

// The calendar spans. Weeks begin on Sunday, centuries and millennia with the year 1.
const (
	PeriodDay Period = iota
	PeriodWeek
	PeriodMonth
	PeriodQuarter
	PeriodYear
	PeriodDecade
	PeriodCentury
	PeriodMillennium
)

// PeriodOfDay is the span that a day lies in: its first day, and the first day after it.
func PeriodOfDay(p Period, day int64) (from, to int64) {
	switch p {
	case PeriodDay:
		return day, day + 1
	case PeriodWeek:
		from = day - DayOfWeek(day)
		return from, from + 7
	}
	y, m, _ := CivilFromDays(day)
	switch p {
	case PeriodMonth:
		from = DaysFromCivil(y, m, 1)
		return from, AddMonths(from, 1)
	case PeriodQuarter:
		from = DaysFromCivil(y, m-(m-1)%3, 1)
		return from, AddMonths(from, 3)
	}
	years, first := int64(1), y
	switch p {
	case PeriodDecade:
		years, first = 10, FloorDiv(y, 10)*10
	case PeriodCentury:
		years, first = 100, FloorDiv(y-1, 100)*100+1
	case PeriodMillennium:
		years, first = 1000, FloorDiv(y-1, 1000)*1000+1
	}
	return DaysFromCivil(first, 1, 1), DaysFromCivil(first+years, 1, 1)
}

// FloorTicks rounds times down to a multiple of size; neighbours in one span cost a comparison.
func FloorTicks(out, t []int64, size int64) {
	t = t[:len(out)]
	var lo, hi int64
	for i := range out {
		if x := t[i]; x < lo || x >= hi {
			lo = x - FloorMod(x, size)
			hi = lo + size
		}
		out[i] = lo
	}
}

// CeilTicks rounds times up to a multiple of size.
func CeilTicks(out, t []int64, size int64) {
	t = t[:len(out)]
	var lo, hi int64
	for i := range out {
		if x := t[i]; x <= lo || x > hi {
			hi = x + FloorMod(-x, size)
			lo = hi - size
		}
		out[i] = hi
	}
}

// FloorPeriods rounds times in ticks down to the start of their span.
func FloorPeriods(out, t []int64, p Period, perDay int64) {
	t = t[:len(out)]
	var lo, hi int64
	for i := range out {
		if x := t[i]; x < lo || x >= hi {
			from, to := PeriodOfDay(p, FloorDiv(x, perDay))
			lo, hi = from*perDay, to*perDay
		}
		out[i] = lo
	}
}

// CeilPeriods rounds times in ticks up by their day, as Flink does: a time on the first day of a week,
// month, quarter or year gives the start of that day, other times the start of the next span. From
// decades on it is always the next span.
func CeilPeriods(out, t []int64, p Period, perDay int64) {
	t = t[:len(out)]
	var lo, first, hi int64
	for i := range out {
		x := t[i]
		if x < lo || x >= hi {
			from, to := PeriodOfDay(p, FloorDiv(x, perDay))
			lo, first, hi = from*perDay, (from+1)*perDay, to*perDay
			if p >= PeriodDecade {
				first = lo
			}
		}
		if x < first {
			out[i] = lo
		} else {
			out[i] = hi
		}
	}
}
