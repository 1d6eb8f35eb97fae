package function

import (
	"fmt"
	"time"
)

// legacyPattern is a compiled pattern of Java's SimpleDateFormat, which FROM_UNIXTIME, UNIX_TIMESTAMP, TO_DATE,
// CONVERT_TZ and DATE_FORMAT of a text use in place of java.time's.
type legacyPattern struct {
	parts []part
	grain int64
}

var legacyFields = map[byte]dateField{
	'G': fieldEra, 'y': fieldYearOfEra, 'Y': fieldWeekYear, 'M': fieldMonth, 'L': fieldMonth, 'w': fieldWeek,
	'W': fieldWeekOfMonth, 'D': fieldDayOfYear, 'd': fieldDay, 'F': fieldNthOfDay, 'E': fieldWeekday, 'u': fieldWeekday,
	'a': fieldAMPM, 'H': fieldHour, 'k': fieldHour24, 'K': fieldHour11, 'h': fieldHour12, 'm': fieldMinute,
	's': fieldSecond, 'S': fieldMilli, 'z': fieldZone, 'Z': fieldOffset, 'X': fieldOffset,
}

// compileLegacy compiles a pattern of SimpleDateFormat.
func compileLegacy(s string) (*legacyPattern, error) {
	p := &legacyPattern{grain: nanoDay}
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case isLetter(c):
			x, err := legacyPart(c, run(s, i))
			if err != nil {
				return nil, err
			}
			i += run(s, i)
			p.parts = append(p.parts, x)
			p.grain = min(p.grain, x.grain())
			if x.kind == partZone {
				p.grain = 1
			}
		case c == '\'':
			text, n, ok := quoted(s[i:])
			if !ok {
				return nil, fmt.Errorf("unterminated quote in pattern: %s", s)
			}
			i += n
			p.parts = append(p.parts, part{kind: partLiteral, text: text})
		default:
			p.parts = append(p.parts, part{kind: partLiteral, text: s[i : i+1]})
			i++
		}
	}
	return p, nil
}

func legacyPart(c byte, n int) (part, error) {
	f, ok := legacyFields[c]
	if !ok {
		return part{}, fmt.Errorf("illegal pattern character '%c'", c)
	}
	x := part{kind: partNumber, field: f, min: n, max: n, sign: signNever, letter: c}
	switch c {
	case 'G', 'a':
		x.kind, x.style = partText, 3
	case 'E', 'M', 'L':
		if c == 'E' || n > 2 {
			x.kind, x.style = partText, 3+min(n/4, 1)
		}
	case 'y', 'Y':
		if n == 2 {
			x.kind = partReduced
		}
	case 'z', 'Z', 'X':
		x.kind = partZone
		if c == 'X' && n > 3 {
			return x, fmt.Errorf("invalid ISO 8601 format: length=%d", n)
		}
		if c == 'z' && n > 3 {
			return x, fmt.Errorf("not supported: the full name of a time zone in a pattern; use z or X")
		}
	}
	return x, nil
}

// append prints c.
func (p *legacyPattern) append(b []byte, c *wallClock) []byte {
	for i := range p.parts {
		x := &p.parts[i]
		switch x.kind {
		case partLiteral:
			b = append(b, x.text...)
		case partNumber:
			b = x.appendNumber(b, c.value(x.field))
		case partReduced:
			b = appendPadded(b, c.value(x.field)%100, 2)
		case partText:
			b = append(b, nameOf(x.field, c.value(x.field), x.style)...)
		case partZone:
			b = x.appendZone(b, c)
		}
	}
	return b
}

func (x *part) appendZone(b []byte, c *wallClock) []byte {
	switch {
	case x.letter == 'z':
		name, _ := time.Unix(c.instant, 0).In(c.loc).Zone()
		return append(b, name...)
	case x.letter == 'X' && c.offset == 0:
		return append(b, 'Z')
	}
	off := c.offset
	if off < 0 {
		b, off = append(b, '-'), -off
	} else {
		b = append(b, '+')
	}
	b = appendPadded(b, off/3600, 2)
	if x.letter == 'X' && x.min == 1 {
		return b
	}
	if x.letter == 'X' && x.min == 3 {
		b = append(b, ':')
	}
	return appendPadded(b, off/60%60, 2)
}

// readable refuses patterns with letters that are printed but not read.
func (p *legacyPattern) readable() error {
	for i := range p.parts {
		if c := p.parts[i].letter; c == 'z' {
			return Refuse("not supported: pattern letter %c for reading", c)
		}
	}
	return nil
}
