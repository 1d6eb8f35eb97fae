package function

import (
	"streamsql/exec/kernel"
)

// resolve makes a date and a time of the fields, as java.time's SMART style does.
func (d *parsedDate) resolve() (day, nanos int64, ok bool) {
	if !d.resolveHour() || !d.resolveYear() {
		return 0, 0, false
	}
	day, whole, ok := d.resolveDay()
	if !ok {
		return 0, 0, false
	}
	h, m, s, n := d.or(fieldHour, 0), d.or(fieldMinute, 0), d.or(fieldSecond, 0), d.or(fieldNano, 0)
	if h == 24 && m == 0 && s == 0 && n == 0 {
		h = 0
		if whole {
			day++
		}
	}
	if d.has[fieldHour] && (d.or(fieldAMPM, h/12) != h/12 || d.or(fieldHour11, h%12) != h%12) {
		return 0, 0, false
	}
	if d.has[fieldPeriod] && d.has[fieldHour] && !dayPeriods[d.value[fieldPeriod]].includes(h*60+m) {
		return 0, 0, false
	}
	ok = within(h, 0, 23) && within(m, 0, 59) && within(s, 0, 59) && within(n, 0, 999_999_999)
	return day, (h*3600+m*60+s)*1e9 + n, ok
}

func within(v, lo, hi int64) bool { return v >= lo && v <= hi }

// resolveHour brings all that speaks of time down to hour, minute, second and nanosecond.
func (d *parsedDate) resolveHour() bool {
	if d.has[fieldHour24] {
		if v := d.value[fieldHour24]; !within(v, 0, 24) || !d.put(fieldHour, v%24) {
			return false
		}
	}
	if d.has[fieldHour12] {
		if v := d.value[fieldHour12]; !within(v, 0, 12) || !d.put(fieldHour11, v%12) {
			return false
		}
	}
	if d.has[fieldHour11] && !within(d.value[fieldHour11], 0, 11) {
		return false
	}
	if d.has[fieldHour11] && d.has[fieldAMPM] && !d.put(fieldHour, d.value[fieldAMPM]*12+d.value[fieldHour11]) {
		return false
	}
	n := int64(-1)
	switch {
	case d.has[fieldNanoOfDay]:
		n = d.value[fieldNanoOfDay]
	case d.has[fieldMilliOfDay]:
		n = d.value[fieldMilliOfDay] * 1e6
	default:
		return d.resolvePeriod()
	}
	return within(n, 0, nanoDay-1) && d.put(fieldHour, n/3600e9) && d.put(fieldMinute, n/60e9%60) &&
		d.put(fieldSecond, n/1e9%60) && d.put(fieldNano, n%1e9)
}

func (d *parsedDate) resolveYear() bool {
	if !d.has[fieldYearOfEra] {
		return true
	}
	y := d.value[fieldYearOfEra]
	if y < 1 {
		return false
	}
	if d.or(fieldEra, 1) == 0 || !d.has[fieldEra] && d.or(fieldYear, 1) <= 0 {
		y = 1 - y
	}
	return d.put(fieldYear, y)
}

// resolveDay finds the day; whole tells that the text named one in full. A part of a date is completed
// from 1970-01-01.
func (d *parsedDate) resolveDay() (day int64, whole, ok bool) {
	y, m, dom := d.or(fieldYear, 1970), d.or(fieldMonth, 1), d.or(fieldDay, 1)
	if !within(y, -292_000, 292_000) || !within(m, 1, 12) || !within(dom, 1, 31) || !within(d.or(fieldLocalDay, 1), 1, 7) {
		return 0, false, false
	}
	switch {
	case d.has[fieldYear] && d.has[fieldMonth] && d.has[fieldDay]:
		day, whole = kernel.DaysFromCivil(y, m, min(dom, kernel.DaysInMonth(y, m))), true
	case d.has[fieldYear] && d.has[fieldDayOfYear]:
		n := d.value[fieldDayOfYear]
		if !within(n, 1, 365) && !(n == 366 && kernel.IsLeap(y)) {
			return 0, false, false
		}
		day, whole = kernel.DaysFromCivil(y, 1, 1)+n-1, true
	case d.has[fieldJulianDay]:
		if day, whole = d.value[fieldJulianDay]-julianDay, true; !within(day, -106_000_000, 106_000_000) {
			return 0, false, false
		}
	case d.has[fieldYear] && d.has[fieldMonth] && d.has[fieldWeekOfMonth] && (d.has[fieldLocalDay] || d.has[fieldWeekday]):
		return d.resolveWeekOfMonth(y, m)
	case d.has[fieldWeekYear] && d.has[fieldWeek] && (d.has[fieldLocalDay] || d.has[fieldWeekday]):
		first := kernel.DaysFromCivil(d.value[fieldWeekYear], 1, 1)
		sunday := first - kernel.DayOfWeek(first) + (d.value[fieldWeek]-1)*7
		day, whole = sunday+d.localDay()-1, within(d.value[fieldWeek], 1, 53)
		if !whole {
			return 0, false, false
		}
	default:
		if dom > kernel.DaysInMonth(y, m) {
			return 0, false, false
		}
		return kernel.DaysFromCivil(y, m, dom), false, true
	}
	return day, true, d.agrees(day)
}

// checkedFields must be true of the day once it is known.
var checkedFields = []dateField{fieldYear, fieldMonth, fieldDayOfYear, fieldQuarter, fieldWeekday, fieldLocalDay,
	fieldWeek, fieldWeekYear, fieldWeekOfMonth, fieldDayInMonth, fieldJulianDay}

// julianDay is the modified Julian day of 1970-01-01.
const julianDay = 40587

// localDay is the day of the week that was read, from Sunday, 1.
func (d *parsedDate) localDay() int64 { return d.or(fieldLocalDay, d.or(fieldWeekday, 0)%7+1) }

// resolveWeekOfMonth finds the day by its week, which may lie beyond the month.
func (d *parsedDate) resolveWeekOfMonth(y, m int64) (day int64, whole, ok bool) {
	week := d.value[fieldWeekOfMonth]
	if !within(week, 0, 6) {
		return 0, false, false
	}
	first := kernel.DaysFromCivil(y, m, 1)
	day = first - kernel.DayOfWeek(first) + (week-1)*7 + d.localDay() - 1
	for _, f := range []dateField{fieldYear, fieldMonth, fieldWeekOfMonth} {
		d.has[f] = false
	}
	return day, true, d.agrees(day)
}

// agrees tells whether what else was read about the date is true of the day.
func (d *parsedDate) agrees(day int64) bool {
	var c wallClock
	c.set(day, 0)
	for _, f := range checkedFields {
		if d.has[f] && c.value(f) != d.value[f] {
			return false
		}
	}
	return true
}
