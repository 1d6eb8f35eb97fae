package function

import (
	"errors"
	"strconv"
	"time"

	"streamsql/exec/kernel"
)

// wallClock is a point on a wall clock, taken apart on demand; the parts of a day are kept while the
// day stays.
type wallClock struct {
	day              int64
	nanos            int64 // of the day
	year, month, dom int64
	known            bool
	// offset is the zone's distance from UTC in seconds, instant the second that the clock shows and loc its
	// zone: legacy patterns print them.
	offset, instant int64
	loc             *time.Location

	// head is the text of the parts of pattern of that stay the same during minute.
	head   []byte
	of     *datePattern
	minute int64
}

func (c *wallClock) set(day, nanos int64) {
	if !c.known || day != c.day {
		c.day, c.known = day, true
		c.year, c.month, c.dom = kernel.CivilFromDays(day)
	}
	c.nanos = nanos
}

// weeksOf numbers the weeks of a span by weeks that begin on Sunday, the first of which may be short: the
// week that holds position n (from 1) when the span's position 1 falls on firstWeekday (0 is Sunday).
func weeksOf(n, firstWeekday int64) int64 { return (n-1+firstWeekday)/7 + 1 }

// localWeek is the week of the year and the year it counts for, by weeks that begin on Sunday; week 1
// holds the first of January.
func (c *wallClock) localWeek() (year, week int64) {
	sunday := c.day - kernel.DayOfWeek(c.day)
	if y, _, _ := kernel.CivilFromDays(sunday + 6); y != c.year {
		return y, 1
	}
	first := kernel.DaysFromCivil(c.year, 1, 1)
	return c.year, weeksOf(c.day-first+1, kernel.DayOfWeek(first))
}

func (c *wallClock) value(f dateField) int64 {
	switch f {
	case fieldEra:
		if c.year > 0 {
			return 1
		}
		return 0
	case fieldYear:
		return c.year
	case fieldYearOfEra:
		if c.year <= 0 {
			return 1 - c.year
		}
		return c.year
	case fieldDayOfYear:
		return c.day - kernel.DaysFromCivil(c.year, 1, 1) + 1
	case fieldMonth:
		return c.month
	case fieldDay:
		return c.dom
	case fieldJulianDay:
		return c.day + julianDay
	case fieldQuarter:
		return (c.month + 2) / 3
	case fieldWeekYear:
		y, _ := c.localWeek()
		return y
	case fieldWeek:
		_, w := c.localWeek()
		return w
	case fieldWeekOfMonth:
		return weeksOf(c.dom, kernel.DayOfWeek(c.day-c.dom+1))
	case fieldWeekday:
		return kernel.FloorMod(c.day+3, 7) + 1
	case fieldLocalDay:
		return kernel.DayOfWeek(c.day) + 1
	case fieldDayInMonth:
		return (c.dom-1)%7 + 1
	case fieldNthOfDay:
		return (c.dom-1)/7 + 1
	}
	return c.timeValue(f)
}

func (c *wallClock) timeValue(f dateField) int64 {
	hour := c.nanos / (kernel.MilliHour * 1e6)
	switch f {
	case fieldAMPM:
		return hour / 12
	case fieldHour11:
		return hour % 12
	case fieldHour12:
		return (hour+11)%12 + 1
	case fieldHour:
		return hour
	case fieldHour24:
		return (hour+23)%24 + 1
	case fieldMinute:
		return c.nanos / (kernel.MilliMinute * 1e6) % 60
	case fieldSecond:
		return c.nanos / 1e9 % 60
	case fieldNano:
		return c.nanos % 1e9
	case fieldMilli:
		return c.nanos / 1e6 % 1000
	case fieldMilliOfDay:
		return c.nanos / 1e6
	case fieldNanoOfDay:
		return c.nanos
	case fieldPeriod:
		return int64(dayPeriod(c.nanos / (kernel.MilliMinute * 1e6)))
	}
	return 0
}

var (
	monthNames = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September",
		"October", "November", "December"}
	weekdayNames = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
	eraNames     = [][3]string{{"BC", "Before Christ", "B"}, {"AD", "Anno Domini", "A"}}
	quarterNames = [][3]string{{"Q1", "1st quarter", "1"}, {"Q2", "2nd quarter", "2"}, {"Q3", "3rd quarter", "3"},
		{"Q4", "4th quarter", "4"}}
	periodNames = []string{"midnight", "noon", "in the morning", "in the afternoon", "in the evening", "at night"}
)

// dayPeriod is the position in periodNames of a minute of the day.
func dayPeriod(minute int64) int {
	switch hour := minute / 60; {
	case minute == 0:
		return 0
	case minute == 12*60:
		return 1
	case hour >= 21 || hour < 6:
		return 5
	case hour < 12:
		return 2
	case hour < 18:
		return 3
	}
	return 4
}

// nameOf is the text of a field's value in style 3 (short), 4 (full) or 5 (narrow).
func nameOf(f dateField, v int64, style int) string {
	switch f {
	case fieldMonth:
		return styled(monthNames[v-1], style)
	case fieldWeekday:
		return styled(weekdayNames[v-1], style)
	case fieldEra:
		return eraNames[v][style-3]
	case fieldQuarter:
		return quarterNames[v-1][style-3]
	case fieldAMPM:
		return [...]string{"AM", "PM"}[v]
	}
	if style == 5 && v < 2 {
		return [...]string{"mi", "n"}[v]
	}
	return periodNames[v]
}

func styled(name string, style int) string {
	switch style {
	case 3:
		return name[:3]
	case 5:
		return name[:1]
	}
	return name
}

var errPad = errors.New("a text is longer than the width it is padded to")

// append prints c.
func (p *datePattern) append(b []byte, c *wallClock) ([]byte, error) {
	if p.err != nil {
		return b, p.err
	}
	if p.head < 3 { // not worth keeping
		return appendParts(b, p.print, c)
	}
	var err error
	if minute := c.day*1440 + c.nanos/nanoMinute; c.head == nil || c.minute != minute || c.of != p {
		c.minute, c.of = minute, p
		if c.head, err = appendParts(c.head[:0], p.print[:p.head], c); err != nil {
			return b, err
		}
	}
	return appendParts(append(b, c.head...), p.print[p.head:], c)
}

func appendParts(b []byte, parts []part, c *wallClock) ([]byte, error) {
	for i := range parts {
		x := &parts[i]
		from := len(b)
		switch x.kind {
		case partLiteral:
			b = append(b, x.text...)
		case partNumber:
			b = x.appendNumber(b, c.value(x.field))
		case partReduced:
			v := c.value(x.field)
			b = appendPadded(b, max(v, -v)%100, 2)
		case partText:
			b = append(b, nameOf(x.field, c.value(x.field), x.style)...)
		case partFraction:
			b = appendPadded(b, c.nanos%1e9/powerOfTen[9-x.min], x.min)
		}
		if x.pad > 0 {
			n := x.pad - (len(b) - from)
			if n < 0 {
				return b, errPad
			}
			b = shiftRight(b, from, n)
		}
	}
	return b, nil
}

func (x *part) appendNumber(b []byte, v int64) []byte {
	switch {
	case v < 0:
		b = append(b, '-')
		v = -v
	case x.sign == signExceeds && x.min < 19 && v >= powerOfTen[x.min]:
		b = append(b, '+')
	}
	return appendPadded(b, v, x.min)
}

// appendPadded appends v, at least width digits.
func appendPadded(b []byte, v int64, width int) []byte {
	switch {
	case width == 2 && v < 100:
		return append(b, byte('0'+v/10), byte('0'+v%10))
	case width == 3 && v < 1000:
		return append(b, byte('0'+v/100), byte('0'+v/10%10), byte('0'+v%10))
	}
	n := 1
	for n < len(powerOfTen) && v >= powerOfTen[n] {
		n++
	}
	for ; n < width; n++ {
		b = append(b, '0')
	}
	return strconv.AppendInt(b, v, 10)
}

// shiftRight puts n blanks before what stands from position from on.
func shiftRight(b []byte, from, n int) []byte {
	for range n {
		b = append(b, ' ')
	}
	copy(b[from+n:], b[from:len(b)-n])
	for i := range n {
		b[from+i] = ' '
	}
	return b
}
