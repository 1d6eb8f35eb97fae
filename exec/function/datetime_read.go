package function

import (
	"strings"
)

// parsedDate holds the fields that were read from a text.
type parsedDate struct {
	has   [fieldCount]bool
	value [fieldCount]int64
}

// put stores a field; a field read twice must agree.
func (d *parsedDate) put(f dateField, v int64) bool {
	if d.has[f] {
		return d.value[f] == v
	}
	d.has[f], d.value[f] = true, v
	return true
}

func (d *parsedDate) or(f dateField, v int64) int64 {
	if d.has[f] {
		return d.value[f]
	}
	return v
}

// readable refuses patterns with letters that are printed but not read.
func (p *datePattern) readable() error {
	for i := range p.parts {
		x := &p.parts[i]
		if x.kind == partZone && (x.letter == 'v' || x.letter == 'z') {
			return Refuse("not supported: pattern letter %c for reading", x.letter)
		}
	}
	return nil
}

// read reads all of s, giving the wall clock as day and nanoseconds of the day: missing fields are those
// of 1970-01-01 00:00:00, the 30th of February is the last day of that month.
func (p *datePattern) read(s []byte) (day, nanos int64, ok bool) {
	var d parsedDate
	at, ok := p.readParts(&d, 0, len(p.parts), s, 0)
	if !ok || at != len(s) {
		return 0, 0, false
	}
	return d.resolve()
}

// readParts reads parts[from:to] from s[at:].
func (p *datePattern) readParts(d *parsedDate, from, to int, s []byte, at int) (int, bool) {
	for i := from; i < to; i++ {
		x := &p.parts[i]
		if x.kind == partOpen {
			end := p.closing(i)
			trial := *d
			if n, ok := p.readParts(&trial, i+1, end, s, at); ok {
				*d, at = trial, n
			}
			i = end
			continue
		}
		var ok bool
		if at, ok = x.read(d, s, at); !ok {
			return at, false
		}
	}
	return at, true
}

// closing is the position of the ] of the [ at i.
func (p *datePattern) closing(i int) int {
	for depth := 0; ; i++ {
		switch p.parts[i].kind {
		case partOpen:
			depth++
		case partClose:
			if depth--; depth == 0 {
				return i
			}
		}
	}
}

func (x *part) read(d *parsedDate, s []byte, at int) (int, bool) {
	if x.pad == 0 {
		return x.readPlain(d, s, at)
	}
	end := at + x.pad
	if at == len(s) || end > len(s) {
		return at, false
	}
	for at < end && s[at] == ' ' {
		at++
	}
	at, ok := x.readPlain(d, s[:end], at)
	return at, ok && at == end
}

func (x *part) readPlain(d *parsedDate, s []byte, at int) (int, bool) {
	switch x.kind {
	case partLiteral:
		if len(s)-at < len(x.text) || string(s[at:at+len(x.text)]) != x.text {
			return at, false
		}
		return at + len(x.text), true
	case partNumber, partReduced:
		return x.readNumber(d, s, at)
	case partFraction:
		if len(s)-at < x.min {
			return at, false
		}
		var v int64
		for _, c := range s[at : at+x.min] {
			if c < '0' || c > '9' {
				return at, false
			}
			v = v*10 + int64(c-'0')
		}
		return at + x.min, d.put(x.field, v*powerOfTen[9-x.min])
	case partText:
		return x.readName(d, s, at)
	case partZone:
		if x.field == fieldZone {
			return readZoneName(s, at)
		}
		if x.letter == 'O' {
			n := readLocalOffset(s[at:], x.min)
			return at + n, n > 0
		}
		n := readOffset(s[at:], x.letter, x.min)
		return at + n, n > 0
	}
	return at, true
}

// readNumber follows java.time's strict rules: a number that others of fixed width follow directly leaves
// them their digits, a + stands only before years with more digits than the pattern has letters.
func (x *part) readNumber(d *parsedDate, s []byte, at int) (int, bool) {
	if at == len(s) {
		return at, false
	}
	plus, minus := s[at] == '+', s[at] == '-'
	if plus && x.sign != signExceeds || minus && x.sign == signNever {
		return at, false
	}
	if plus || minus {
		at++
	}
	digits := 0
	for at+digits < len(s) && digits < x.max+x.behind && s[at+digits] >= '0' && s[at+digits] <= '9' {
		digits++
	}
	if x.behind > 0 {
		digits = max(x.min, digits-x.behind)
	}
	if digits < x.min || at+digits > len(s) || digits > 18 {
		return at, false
	}
	var v int64
	for _, c := range s[at : at+digits] {
		if c < '0' || c > '9' {
			return at, false
		}
		v = v*10 + int64(c-'0')
	}
	switch {
	case minus && v == 0:
		return at, false
	case minus:
		v = -v
	case x.sign == signExceeds && plus != (digits > x.min):
		return at, false
	case x.kind == partReduced:
		v += 2000
	}
	return at + digits, d.put(x.field, v)
}

// readName reads the longest name that fits, of narrow names that are the same the last.
func (x *part) readName(d *parsedDate, s []byte, at int) (int, bool) {
	lo, hi := int64(0), int64(1)
	switch x.field {
	case fieldMonth:
		lo, hi = 1, 12
	case fieldWeekday:
		lo, hi = 1, 7
	case fieldQuarter:
		lo, hi = 1, 4
	case fieldPeriod:
		lo, hi = 0, int64(len(dayPeriods))-1
	}
	best, value := 0, int64(0)
	for v := lo; v <= hi; v++ {
		if n := nameOf(x.field, v, x.style); len(n) >= best && strings.HasPrefix(string(s[at:]), n) {
			best, value = len(n), v
		}
	}
	if best == 0 {
		return at, false
	}
	return at + best, d.put(x.field, value)
}

// readZoneName passes over a zone's name, which changes nothing: the text's wall clock is the value.
func readZoneName(s []byte, at int) (int, bool) {
	from := at
	for at < len(s) && (isLetter(s[at]) || s[at] >= '0' && s[at] <= ':' || strings.IndexByte("/_+-", s[at]) >= 0) {
		at++
	}
	_, err := ZoneOf(string(s[from:at]))
	return at, err == nil
}

// readOffset is the length of an offset such as Z, +01, +0100 or +01:00 at the start of s, in the form
// of n times a letter; 0 for none.
func readOffset(s []byte, letter byte, n int) int {
	if letter == 'X' && len(s) > 0 && s[0] == 'Z' {
		return 1
	}
	form := [...]string{"+00", "+0000", "+00:00", "+0000", "+00:00"}[n-1]
	if letter == 'Z' {
		form = "+0000"
		if n == 5 {
			form = "+00:00"
			if len(s) > 0 && s[0] == 'Z' {
				return 1
			}
		}
	}
	if len(s) < len(form) {
		return 0
	}
	for i := range len(form) {
		c := s[i]
		switch form[i] {
		case '+':
			if c != '+' && c != '-' {
				return 0
			}
		case '0':
			if c < '0' || c > '9' {
				return 0
			}
		default:
			if c != form[i] {
				return 0
			}
		}
	}
	if n == 1 && letter != 'Z' && len(s) >= 5 && readOffset(s, letter, 2) == 5 {
		return 5
	}
	return len(form)
}

// readLocalOffset is the length of GMT, GMT+8 or GMT+8:30 at the start of s, or of GMT+08:00 for four letters; 0 for none.
func readLocalOffset(s []byte, letters int) int {
	if !strings.HasPrefix(string(s[:min(len(s), 3)]), "GMT") {
		return 0
	}
	if len(s) == 3 || s[3] != '+' && s[3] != '-' {
		return 3
	}
	at := 4
	two := func(i int) bool { return startsDigit(s, i) && startsDigit(s, i+1) }
	switch {
	case letters == 4 && two(4) && at+2 < len(s) && s[6] == ':' && two(7):
		at = 9
	case letters == 4 || !startsDigit(s, at):
		return 0
	default:
		if at++; startsDigit(s, at) {
			at++
		}
		if at < len(s) && s[at] == ':' && two(at+1) {
			at += 3
		} else {
			return at
		}
	}
	if at < len(s) && s[at] == ':' && two(at+1) {
		at += 3
	}
	return at
}

func startsDigit(s []byte, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }
