package function

import (
	"bytes"

	"streamsql/exec/kernel"
)

// readLoosely reads `2024-1-2` or `2024-1-2 3:4:5.6`, blanks around it ignored. It is what TO_TIMESTAMP with a
// pattern tries when the text does not fit the pattern: numbers beyond their range run on, so that the
// 30th of February is the first or second of March and 25:00:00 is one o'clock of the next day.
func readLoosely(s []byte) (day, nanos int64, ok bool) {
	s = bytes.TrimSpace(s)
	date, clock, timed := bytes.Cut(s, []byte(" "))
	day, ok = looseDate(date)
	if !ok || !timed {
		return day, 0, ok
	}
	clock = bytes.TrimLeft(clock, " ")
	clock, frac, dotted := bytes.Cut(clock, []byte("."))
	parts, ok := threeParts(clock, ':')
	if !ok || dotted && (len(frac) == 0 || len(frac) > 9) {
		return 0, 0, false
	}
	seconds := int64(0)
	for _, p := range parts {
		v, ok := digitsOf(p, 1, 4)
		if !ok {
			return 0, 0, false
		}
		seconds = seconds*60 + v
	}
	if dotted {
		v, ok := digitsOf(frac, 1, 9)
		if !ok {
			return 0, 0, false
		}
		nanos = v * powerOfTen[9-len(frac)]
	}
	return day + seconds/86400, seconds%86400*1e9 + nanos, true
}

func looseDate(s []byte) (day int64, ok bool) {
	parts, ok := threeParts(s, '-')
	if !ok {
		return 0, false
	}
	y, ok1 := digitsOf(parts[0], 4, 4)
	m, ok2 := digitsOf(parts[1], 1, 2)
	d, ok3 := digitsOf(parts[2], 1, 2)
	if !ok1 || !ok2 || !ok3 || y == 0 || !within(m, 1, 12) || !within(d, 1, 31) {
		return 0, false
	}
	return kernel.DaysFromCivil(y, m, d), true
}

// threeParts cuts s at each separator, of which there must be two.
func threeParts(s []byte, separator byte) (parts [3][]byte, ok bool) {
	for k := range 2 {
		i := bytes.IndexByte(s, separator)
		if i < 0 {
			return parts, false
		}
		parts[k], s = s[:i], s[i+1:]
	}
	parts[2] = s
	return parts, bytes.IndexByte(s, separator) < 0
}

// digitsOf reads a number of lo to hi digits.
func digitsOf(s []byte, lo, hi int) (v int64, ok bool) {
	if len(s) < lo || len(s) > hi {
		return 0, false
	}
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	return v, true
}
