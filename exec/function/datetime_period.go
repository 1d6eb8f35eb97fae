package function

// period is a part of the day, in minutes: from, and up to; where both are equal that minute alone.
type period struct{ from, to int64 }

// dayPeriods are those of periodNames.
var dayPeriods = []period{{0, 0}, {720, 720}, {360, 720}, {720, 1080}, {1080, 1260}, {1260, 360}}

func (p period) includes(minute int64) bool {
	switch {
	case p.from == p.to:
		return minute == p.from
	case p.from < p.to:
		return within(minute, p.from, p.to-1)
	}
	return minute >= p.from || minute < p.to
}

// middle is the minute in the middle.
func (p period) middle() int64 {
	if p.from > p.to {
		return (p.from + p.to + 1440) / 2 % 1440
	}
	return (p.from + p.to) / 2
}

// resolvePeriod finds the hour by the period of the day, or by its half, that was read.
func (d *parsedDate) resolvePeriod() bool {
	if d.has[fieldPeriod] && d.has[fieldHour11] && !(d.has[fieldAMPM] && d.has[fieldHour]) {
		h := d.value[fieldHour11]
		if dayPeriods[d.value[fieldPeriod]].includes((h+12)*60 + d.or(fieldMinute, 0)) {
			h += 12
		}
		d.has[fieldPeriod], d.has[fieldHour11] = false, false
		return d.put(fieldHour, h)
	}
	if d.has[fieldHour] || d.has[fieldMinute] || d.has[fieldSecond] || d.has[fieldNano] {
		return true
	}
	switch {
	case d.has[fieldAMPM]: // nothing but the half of the day: its middle
		d.put(fieldHour, d.value[fieldAMPM]*12+6)
	case d.has[fieldPeriod]:
		m := dayPeriods[d.value[fieldPeriod]].middle()
		d.put(fieldHour, m/60)
		d.put(fieldMinute, m%60)
	}
	return true
}
