package kernel

// The proleptic Gregorian calendar over days since 1970-01-01, without time.Time. Years run from
// -5,877,000 to 5,877,000, more than an int32 of days can name.

// Milliseconds of the common spans.
const (
	MilliSecond = 1000
	MilliMinute = 60 * MilliSecond
	MilliHour   = 60 * MilliMinute
	MilliDay    = 24 * MilliHour
)

// FloorDiv divides rounding down; b is positive.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// FloorMod is the remainder of FloorDiv, never negative; b is positive.
func FloorMod(a, b int64) int64 {
	r := a % b
	if r < 0 {
		r += b
	}
	return r
}

// DaysFromCivil is the day number of a date. Month and day need not be in range: the 30th of February is
// the 1st or 2nd of March; month counts from 1 and must be in 1..12.
func DaysFromCivil(year, month, day int64) int64 {
	// The year is counted from March, so that the leap day is its last.
	if month <= 2 {
		year--
		month += 12
	}
	era := FloorDiv(year, 400)
	yoe := year - era*400
	doy := (153*(month-3)+2)/5 + day - 1
	return era*146097 + yoe*365 + yoe/4 - yoe/100 + doy - 719468
}

// CivilFromDays is the date of a day number: year, month 1..12 and day 1..31.
func CivilFromDays(days int64) (year, month, day int64) {
	z := days + 719468
	era := FloorDiv(z, 146097)
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day = doy - (153*mp+2)/5 + 1
	month = mp + 3
	year = yoe + era*400
	if month > 12 {
		month -= 12
		year++
	}
	return year, month, day
}

// IsLeap tells whether a year has a 29th of February.
func IsLeap(year int64) bool { return year&3 == 0 && (year%100 != 0 || year%400 == 0) }

// DaysInMonth is the length of a month 1..12.
func DaysInMonth(year, month int64) int64 {
	switch month {
	case 2:
		if IsLeap(year) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// DayOfWeek is 0 for Sunday to 6 for Saturday.
func DayOfWeek(days int64) int64 { return FloorMod(days+4, 7) }

// DayOfYear is 1 for the first of January.
func DayOfYear(days int64) int64 {
	y, _, _ := CivilFromDays(days)
	return days - DaysFromCivil(y, 1, 1) + 1
}

// ISOWeek is the ISO 8601 week and the year it belongs to.
func ISOWeek(days int64) (year, week int64) {
	// The week belongs to the year of its Thursday.
	thursday := days - FloorMod(days+3, 7) + 3
	year, _, _ = CivilFromDays(thursday)
	return year, (thursday-DaysFromCivil(year, 1, 1))/7 + 1
}

// AddMonths moves a day by months; a day past the end of the month becomes its last.
func AddMonths(days, months int64) int64 {
	y, m, d := CivilFromDays(days)
	n := y*12 + m - 1 + months
	y, m = FloorDiv(n, 12), FloorMod(n, 12)+1
	return DaysFromCivil(y, m, min(d, DaysInMonth(y, m)))
}

// SplitDay divides a time in ticks since 1970 into its day and the ticks within it; perDay is the ticks
// of a day.
func SplitDay(t, perDay int64) (day, rest int64) {
	day = FloorDiv(t, perDay)
	return day, t - day*perDay
}

// DaysOfTicks writes the day of each time in ticks; perDay is the ticks of a day.
func DaysOfTicks(out []int32, t []int64, perDay int64) {
	t = t[:len(out)]
	for i := range out {
		out[i] = int32(FloorDiv(t[i], perDay))
	}
}

// TicksOfDays writes the start of each day in ticks; perDay is the ticks of a day.
func TicksOfDays(out []int64, days []int32, perDay int64) {
	days = days[:len(out)]
	for i := range out {
		out[i] = int64(days[i]) * perDay
	}
}
