package function

import (
	"bytes"
	"strings"

	"streamsql/exec/kernel"
)

// legacyTime is what a legacy pattern read: fields that may lie beyond their range and then run on.
type legacyTime struct {
	parsedDate
	order  [fieldCount]int // when a field was read, 0 for never: the later of two that say the same counts
	reads  int
	zoned  bool // an offset stood in the text
	offset int64
}

func (d *legacyTime) store(f dateField, v int64) {
	d.reads++
	d.has[f], d.value[f], d.order[f] = true, v, d.reads
}

// read reads the start of s, what follows is ignored: the wall clock as day and nanoseconds of the day.
// century is the first year of the hundred that two digits of a year fall into.
func (p *legacyPattern) read(s []byte, century int64) (d legacyTime, ok bool) {
	at := 0
	for i := range p.parts {
		x := &p.parts[i]
		if x.kind == partLiteral {
			if !bytes.HasPrefix(s[at:], []byte(x.text)) {
				return d, false
			}
			at += len(x.text)
			continue
		}
		from := at
		for at < len(s) && (s[at] == ' ' || s[at] == '\t') {
			at++
		}
		if at == len(s) {
			return d, false
		}
		if at, ok = p.readPart(&d, i, s, from, at, century); !ok {
			return d, false
		}
	}
	return d, true
}

// readPart reads part i at at; from is before the blanks that stand there. A number that another number
// follows directly takes just as many bytes as it has letters, blanks included.
func (p *legacyPattern) readPart(d *legacyTime, i int, s []byte, from, at int, century int64) (int, bool) {
	x := &p.parts[i]
	switch x.kind {
	case partText:
		return x.readLegacyName(d, s, at)
	case partZone:
		return x.readLegacyOffset(d, s, at)
	}
	end := len(s)
	if i+1 < len(p.parts) && (p.parts[i+1].kind == partNumber || p.parts[i+1].kind == partReduced) {
		end = from + x.min
		if end > len(s) || end <= at {
			return at, false
		}
	}
	negative := s[at] == '-'
	if negative {
		at++
	}
	v, digits := int64(0), 0
	for ; at < end && s[at] >= '0' && s[at] <= '9' && digits < 18; at++ {
		v = v*10 + int64(s[at]-'0')
		digits++
	}
	if digits == 0 {
		return at, false
	}
	if negative {
		v = -v
	}
	if (x.field == fieldYearOfEra || x.field == fieldWeekYear) && x.min <= 2 && digits == 2 && !negative {
		v += century / 100 * 100
		if v < century {
			v += 100
		}
	}
	d.store(x.field, int64(int32(v)))
	return at, true
}

// readLegacyName reads a name in any case, full or short.
func (x *part) readLegacyName(d *legacyTime, s []byte, at int) (int, bool) {
	lo, hi := int64(0), int64(1)
	switch x.field {
	case fieldMonth:
		lo, hi = 1, 12
	case fieldWeekday:
		lo, hi = 1, 7
	}
	for _, style := range []int{4, 3} {
		for v := lo; v <= hi; v++ {
			n := nameOf(x.field, v, style)
			if len(s)-at >= len(n) && strings.EqualFold(string(s[at:at+len(n)]), n) {
				d.store(x.field, v)
				return at + len(n), true
			}
		}
	}
	return at, false
}

func (x *part) readLegacyOffset(d *legacyTime, s []byte, at int) (int, bool) {
	n := readOffset(s[at:], x.letter, min(x.min, 3))
	if x.letter == 'Z' {
		n = readOffset(s[at:], 'Z', 1)
	} else if x.min == 1 && n == 5 {
		n = 3
	}
	if n == 0 {
		return at, false
	}
	d.zoned = true
	if n > 1 {
		t := s[at : at+n]
		hour, minute := int64(t[1]-'0')*10+int64(t[2]-'0'), int64(0)
		if n >= 5 {
			minute = int64(t[n-2]-'0')*10 + int64(t[n-1]-'0')
		}
		if hour > 23 || minute > 59 {
			return at, false
		}
		d.offset = hour*3600 + minute*60
		if t[0] == '-' {
			d.offset = -d.offset
		}
	}
	return at + n, true
}

// clock is the wall clock that was read: seconds since 1970 and milliseconds. Missing fields are those of
// 1970-01-01 00:00:00.
func (d *legacyTime) clock() (sec, milli int64) {
	y, m := d.or(fieldYearOfEra, 1970), d.or(fieldMonth, 1)
	if d.has[fieldEra] && d.value[fieldEra] == 0 {
		y = 1 - y
	}
	day := d.day(y, m)
	hour := d.hour()
	milli = d.or(fieldMilli, 0)
	sec = day*86400 + hour*3600 + d.or(fieldMinute, 0)*60 + d.or(fieldSecond, 0) + kernel.FloorDiv(milli, 1000)
	return sec, kernel.FloorMod(milli, 1000)
}

// hour is the hour of the day from what was read of it last: of the day, or of its half.
func (d *legacyTime) hour() int64 {
	day, half := fieldHour, fieldHour11
	if d.order[fieldHour24] > d.order[fieldHour] {
		day = fieldHour24
	}
	if d.order[fieldHour12] > d.order[fieldHour11] {
		half = fieldHour12
	}
	latest := max(d.order[half], d.order[fieldAMPM])
	if !d.has[half] || !d.has[fieldAMPM] {
		latest = 0
	}
	if d.has[day] && d.order[day] > latest {
		if day == fieldHour24 && d.value[day] == 24 {
			return 0
		}
		return d.value[day]
	}
	h := d.or(half, 0)
	if half == fieldHour12 && h == 12 {
		h = 0
	}
	return h + 12*d.or(fieldAMPM, 0)
}

// instant is the instant that was read: the wall clock in the zone, unless the text named an offset. A time
// that occurs twice is its second occurrence, as Java's calendar has it.
func (d *legacyTime) instant(z *kernel.Zone) (sec, milli int64) {
	sec, milli = d.clock()
	if d.zoned {
		return sec - d.offset, milli
	}
	at := z.Instant(sec)
	if later := sec - z.Offset(at+86400); later > at && z.Local(later) == sec {
		at = later
	}
	return at, milli
}
