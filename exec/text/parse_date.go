package text

import (
	"bytes"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

// ParseDate reads yyyy[-M[-d]] as days since 1970-01-01; what follows a space is ignored. Years run from
// 0 to 9999 and the day must exist.
func ParseDate(t []byte) (int32, Fault) {
	if i := bytes.IndexByte(t, ' '); i > 0 {
		t = t[:i]
	}
	part := [3]int64{0, 1, 1}
	for k := range part {
		p := t
		i := bytes.IndexByte(t, '-')
		if i >= 0 && k < 2 {
			p, t = t[:i], t[i+1:]
		}
		v, ok := digits(trimBlanks(p), 9)
		if !ok {
			return 0, NotDate
		}
		part[k] = v
		if i < 0 {
			break
		}
	}
	y, m, d := part[0], part[1], part[2]
	if y > 9999 || m < 1 || m > 12 || d < 1 || d > kernel.DaysInMonth(y, m) {
		return 0, NotDate
	}
	return int32(kernel.DaysFromCivil(y, m, d)), Ok
}

// digits reads 1 to limit digits and nothing else.
func digits(t []byte, limit int) (int64, bool) {
	if len(t) == 0 || len(t) > limit {
		return 0, false
	}
	var v int64
	for _, b := range t {
		if b < '0' || b > '9' {
			return 0, false
		}
		v = v*10 + int64(b-'0')
	}
	return v, true
}

// ParseTime reads H[:m[:s[.f]]] as milliseconds of the day, cut to the precision.
func ParseTime(t []byte, precision int) (int32, Fault) {
	var part [3]int64
	limit := [3]int64{23, 59, 59}
	var ms int64
	for k := range part {
		p := t
		i := bytes.IndexByte(t, ':')
		if i >= 0 && k < 2 {
			p, t = t[:i], t[i+1:]
		}
		if k == 2 {
			if dot := bytes.IndexByte(p, '.'); dot >= 0 {
				nanos, ok := fraction(trimBlanks(p[dot+1:]))
				if !ok {
					return 0, NotTime
				}
				ms, p = nanos/1e6, p[:dot]
			}
		}
		v, ok := digits(trimBlanks(p), 9)
		if !ok || v > limit[k] {
			return 0, NotTime
		}
		part[k] = v
		if i < 0 {
			break
		}
	}
	ms += (part[0]*60+part[1])*kernel.MilliMinute + part[2]*1000
	return CutTime(int32(ms), precision), Ok
}

// CutTime cuts a TIME to its precision.
func CutTime(ms int32, precision int) int32 {
	switch precision {
	case 0:
		return ms - ms%1000
	case 1:
		return ms - ms%100
	case 2:
		return ms - ms%10
	}
	return ms
}

// fraction reads up to nine digits of a fraction of a second as nanoseconds; more are refused, none is 0.
func fraction(t []byte) (int64, bool) {
	if len(t) == 0 {
		return 0, true
	}
	v, ok := digits(t, 9)
	for i := len(t); i < 9; i++ {
		v *= 10
	}
	return v, ok
}

// ParseTimestamp reads yyyy-M-d[ H:m:s[.f]] as ticks of the timestamp type typ, cut to its precision. A
// day that its month does not have becomes the last of the month, 24:00:00 the next midnight.
func ParseTimestamp(t []byte, typ types.Type) (int64, Fault) {
	days, rest, ok := leadingDate(t)
	if !ok {
		return 0, NotInstant
	}
	var sec, nanos int64
	if len(rest) > 0 {
		if rest[0] != ' ' {
			return 0, NotInstant
		}
		if sec, nanos, ok = clock(rest[1:]); !ok {
			return 0, NotInstant
		}
	}
	return JoinTimestamp(days, sec, nanos, typ)
}

// ParseTimestampLTZ reads what ParseTimestamp does as a wall-clock time of the zone.
func ParseTimestampLTZ(t []byte, typ types.Type, zone *kernel.Zone) (int64, Fault) {
	v, fault := ParseTimestamp(t, typ)
	if fault != Ok {
		return 0, fault
	}
	perSecond := 1_000_000_000 / typ.TickNanos()
	s := kernel.FloorDiv(v, perSecond)
	return v + (zone.Instant(s)-s)*perSecond, Ok
}

// JoinTimestamp makes the ticks of a timestamp type from a day, a second of it and nanoseconds, cut to the
// type's precision.
func JoinTimestamp(days, sec, nanos int64, typ types.Type) (int64, Fault) {
	tick := typ.TickNanos()
	perSecond := 1_000_000_000 / tick
	s := days*86400 + sec
	hi, lo := (1<<63-1)/perSecond, (-1<<63)/perSecond
	if s >= hi || s <= lo {
		return 0, OutOfRange
	}
	return CutTicks(s*perSecond+nanos/tick, typ), Ok
}

// CutTicks cuts ticks of t's unit to t's precision, toward the past.
func CutTicks(v int64, t types.Type) int64 {
	u := TickCut(t)
	if u == 1 {
		return v
	}
	return v - kernel.FloorMod(v, u)
}

// TickCut is the ticks of the last digit of t's precision.
func TickCut(t types.Type) int64 {
	top := 3
	if t.Precision > 6 {
		top = 9
	} else if t.Precision > 3 {
		top = 6
	}
	u := int64(1)
	for i := t.Precision; i < top; i++ {
		u *= 10
	}
	return u
}

// leadingDate reads yyyy-M-d at the head of t: four digits of a year from 1, one or two of the others.
func leadingDate(t []byte) (days int64, rest []byte, ok bool) {
	if len(t) < 5 || t[4] != '-' {
		return 0, t, false
	}
	y, ok := digits(t[:4], 4)
	if !ok || y == 0 {
		return 0, t, false
	}
	m, t, ok := upToTwo(t[5:])
	if !ok || m < 1 || m > 12 || len(t) == 0 || t[0] != '-' {
		return 0, t, false
	}
	d, t, ok := upToTwo(t[1:])
	if !ok || d < 1 || d > 31 {
		return 0, t, false
	}
	return kernel.DaysFromCivil(y, m, min(d, kernel.DaysInMonth(y, m))), t, true
}

// upToTwo reads one or two digits.
func upToTwo(t []byte) (v int64, rest []byte, ok bool) {
	n := 0
	for n < len(t) && n < 2 && t[n] >= '0' && t[n] <= '9' {
		v = v*10 + int64(t[n]-'0')
		n++
	}
	return v, t[n:], n > 0
}

// clock reads H:m:s[.f] to the end of t.
func clock(t []byte) (sec, nanos int64, ok bool) {
	h, t, ok := upToTwo(t)
	if !ok || h > 24 || len(t) == 0 || t[0] != ':' {
		return 0, 0, false
	}
	m, t, ok := upToTwo(t[1:])
	if !ok || m > 59 || len(t) == 0 || t[0] != ':' {
		return 0, 0, false
	}
	s, t, ok := upToTwo(t[1:])
	if !ok || s > 59 {
		return 0, 0, false
	}
	if len(t) > 0 {
		if t[0] != '.' {
			return 0, 0, false
		}
		if nanos, ok = fraction(t[1:]); !ok {
			return 0, 0, false
		}
	}
	if h == 24 && (m != 0 || s != 0 || nanos != 0) {
		return 0, 0, false
	}
	return (h*60+m)*60 + s, nanos, true
}
