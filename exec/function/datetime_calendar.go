package function

import "streamsql/exec/kernel"

// day is the day of what was read of year y and month m, as Java's calendar finds it: by the fields that were read last
// of those that tell a day, with Sunday as the first day of a week, and weeks that begin with the year or the month.
func (d *legacyTime) day(y, m int64) int64 {
	if d.order[fieldWeekYear] > d.order[fieldYearOfEra] {
		return d.dayOfWeekYear()
	}
	dow := d.order[fieldWeekday]
	both := func(f dateField) int {
		if d.order[f] == 0 || dow == 0 {
			return 0
		}
		return max(d.order[f], dow)
	}
	ofMonth, weekOfMonth, nth := d.order[fieldDay], both(fieldWeekOfMonth), both(fieldNthOfDay)
	ofYear, weekOfYear := d.order[fieldDayOfYear], both(fieldWeek)
	best := max(ofMonth, weekOfMonth, nth, ofYear, weekOfYear)
	if best == 0 {
		weekOfMonth, nth, weekOfYear = d.order[fieldWeekOfMonth], max(d.order[fieldNthOfDay], dow), d.order[fieldWeek]
		if best = max(weekOfMonth, nth, weekOfYear); best == 0 {
			ofMonth = d.order[fieldMonth]
			best = ofMonth
		}
	}
	month := kernel.DaysFromCivil(y+kernel.FloorDiv(m-1, 12), kernel.FloorMod(m-1, 12)+1, 1)
	year := kernel.DaysFromCivil(y, 1, 1)
	switch {
	case best == ofMonth:
		return month + d.or(fieldDay, 1) - 1
	case best == weekOfMonth && d.order[fieldWeekOfMonth] >= d.order[fieldWeek],
		best == nth && d.order[fieldNthOfDay] >= d.order[fieldWeek]:
		if best == weekOfMonth && (weekOfMonth != nth || d.order[fieldWeekOfMonth] >= d.order[fieldNthOfDay]) {
			return d.inWeek(month, d.value[fieldWeekOfMonth])
		}
		return d.nthOfMonth(month, y+kernel.FloorDiv(m-1, 12), kernel.FloorMod(m-1, 12)+1)
	case best == ofYear:
		return year + d.value[fieldDayOfYear] - 1
	}
	return d.inWeek(year, d.value[fieldWeek])
}

// calendarDay is the day of the week that was read, from Sunday, 1, which it is where none was read.
func (d *legacyTime) calendarDay() int64 {
	v := d.or(fieldWeekday, 7)
	switch {
	case v == 7:
		return 1
	case within(v, 1, 6):
		return v + 1
	}
	return v
}

// onOrBefore is the last such day of the week, from Sunday, 1, up to a day.
func onOrBefore(day, weekday int64) int64 {
	return day - kernel.FloorMod(kernel.DayOfWeek(day)-(weekday-1), 7)
}

// inWeek is a day of a week that is counted from the one in which first is.
func (d *legacyTime) inWeek(first, week int64) int64 {
	start := onOrBefore(first, 1)
	return onOrBefore(start+6, d.calendarDay()) + 7*(week-1)
}

// nthOfMonth is the n-th such day of the week of the month y-m that begins at first, counted from its end where n is negative.
func (d *legacyTime) nthOfMonth(first, y, m int64) int64 {
	n := d.or(fieldNthOfDay, 1)
	if n >= 0 {
		return onOrBefore(first+7*n-1, d.calendarDay())
	}
	return onOrBefore(first+kernel.DaysInMonth(y, m)+7*(n+1)-1, d.calendarDay())
}

// dayOfWeekYear is the day of a year of weeks.
func (d *legacyTime) dayOfWeekYear() int64 {
	week, day := d.or(fieldWeek, 1), d.calendarDay()
	if !within(day, 1, 7) { // as a day from Monday, 1
		week += kernel.FloorDiv(day-1, 7)
		day = kernel.FloorMod(day-1, 7) + 1
		day = day%7 + 1
	}
	return onOrBefore(kernel.DaysFromCivil(d.value[fieldWeekYear], 1, 1), 1) + 7*(week-1) + day - 1
}
