package filesystem

import (
	"streamsql/exec/kernel"
	"streamsql/exec/text"
	"streamsql/exec/types"
)

// appendTime appends a DATE, TIME or timestamp written with all its digits, as files have it.
func (f *field) appendTime(t []byte, form *forms) bool {
	switch f.typ.Kind {
	case types.Date:
		days, rest, ok := scanDate(t)
		if !ok || len(rest) > 0 {
			return false
		}
		f.out.AppendInt(days)
		return true
	case types.Time:
		sec, nanos, ok := scanClock(t, form.noSeconds)
		if !ok {
			return false
		}
		f.out.AppendInt(int64(text.CutTime(int32(sec*1000+nanos/1e6), f.typ.Precision)))
		return true
	case types.TimestampLTZ:
		if len(t) == 0 || t[len(t)-1] != 'Z' {
			return false
		}
		return f.appendTimestamp(t[:len(t)-1], form)
	case types.Timestamp:
		return f.appendTimestamp(t, form)
	}
	return false
}

func (f *field) appendTimestamp(t []byte, form *forms) bool {
	days, rest, ok := scanDate(trim(t))
	if !ok || len(rest) == 0 || rest[0] != form.separator {
		return false
	}
	sec, nanos, ok := scanClock(rest[1:], form.noSeconds && form.separator == 'T')
	if !ok {
		return false
	}
	v, fault := text.JoinTimestamp(days, sec, nanos, f.typ)
	if fault != text.Ok {
		return false
	}
	f.out.AppendInt(v)
	return true
}

// scanDate reads yyyy-MM-dd.
func scanDate(t []byte) (days int64, rest []byte, ok bool) {
	if len(t) < 10 || t[4] != '-' || t[7] != '-' {
		return 0, nil, false
	}
	y, ok1 := number(t[:4])
	m, ok2 := number(t[5:7])
	d, ok3 := number(t[8:10])
	if !ok1 || !ok2 || !ok3 || m < 1 || m > 12 || d < 1 || d > kernel.DaysInMonth(y, m) {
		return 0, nil, false
	}
	return kernel.DaysFromCivil(y, m, d), t[10:], true
}

// scanClock reads HH:mm:ss[.fraction], or HH:mm where that is a time.
func scanClock(t []byte, noSeconds bool) (sec, nanos int64, ok bool) {
	if len(t) < 5 || t[2] != ':' {
		return 0, 0, false
	}
	h, ok1 := number(t[:2])
	m, ok2 := number(t[3:5])
	if !ok1 || !ok2 || h > 23 || m > 59 {
		return 0, 0, false
	}
	sec, t = h*3600+m*60, t[5:]
	if len(t) == 0 {
		return sec, 0, noSeconds
	}
	if len(t) < 3 || t[0] != ':' {
		return 0, 0, false
	}
	s, ok := number(t[1:3])
	if !ok || s > 59 {
		return 0, 0, false
	}
	sec, t = sec+s, t[3:]
	if len(t) == 0 {
		return sec, 0, true
	}
	nanos, ok = number(t[1:])
	if !ok || t[0] != '.' || len(t) > 10 {
		return 0, 0, false
	}
	for range 10 - len(t) {
		nanos *= 10
	}
	return sec, nanos, true
}

// number reads digits and nothing else.
func number(t []byte) (int64, bool) {
	var v int64
	for _, c := range t {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	return v, len(t) > 0
}
