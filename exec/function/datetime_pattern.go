package function

import (
	"fmt"
	"strings"

	"streamsql/exec/kernel"
)

// dateField is what a pattern letter stands for.
type dateField uint8

const (
	fieldEra dateField = iota
	fieldYear
	fieldYearOfEra
	fieldDayOfYear
	fieldMonth
	fieldDay
	fieldJulianDay
	fieldQuarter
	fieldWeekYear
	fieldWeek
	fieldWeekOfMonth
	fieldWeekday  // 1 is Monday
	fieldLocalDay // 1 is Sunday
	fieldDayInMonth
	fieldAMPM
	fieldHour11 // 0..11
	fieldHour12 // 1..12
	fieldHour   // 0..23
	fieldHour24 // 1..24
	fieldMinute
	fieldSecond
	fieldNano
	fieldMilliOfDay
	fieldNanoOfDay
	fieldPeriod
	fieldOffset
	fieldZone
	fieldMilli    // of the second; legacy patterns alone
	fieldNthOfDay // the n-th such weekday of the month; legacy patterns alone
	fieldCount
)

// partKind is how a part of a pattern prints and reads.
type partKind uint8

const (
	partLiteral partKind = iota
	partNumber
	partReduced // two digits of a year
	partText
	partFraction
	partZone // an offset or a zone
	partOpen // [
	partClose
)

// signRule is java.time's SignStyle, as far as patterns use it.
type signRule uint8

const (
	signNormal signRule = iota
	signNever
	signExceeds
)

// part is one element of a compiled pattern.
type part struct {
	kind     partKind
	field    dateField
	min, max int
	sign     signRule
	// behind is how many digits the fixed-width numbers that follow directly need.
	behind int
	pad    int // width to pad to on the left with blanks, 0 for none
	style  int // of texts: the number of letters, 3 short, 4 full, 5 narrow
	text   string
	letter byte
}

// datePattern is a compiled pattern of java.time's DateTimeFormatter, locale en_US.
type datePattern struct {
	parts []part
	print []part // without the optional sections that can't be printed
	grain int64  // nanoseconds over which the printed text stays the same
	head  int    // how many parts of print stay the same for a minute at least
	err   error  // why nothing can be printed, or nil
}

var letterFields = map[byte]dateField{
	'G': fieldEra, 'u': fieldYear, 'y': fieldYearOfEra, 'D': fieldDayOfYear, 'M': fieldMonth, 'L': fieldMonth,
	'd': fieldDay, 'g': fieldJulianDay, 'Q': fieldQuarter, 'q': fieldQuarter, 'Y': fieldWeekYear, 'w': fieldWeek,
	'W': fieldWeekOfMonth, 'E': fieldWeekday, 'e': fieldLocalDay, 'c': fieldLocalDay, 'F': fieldDayInMonth,
	'a': fieldAMPM, 'B': fieldPeriod, 'h': fieldHour12, 'K': fieldHour11, 'k': fieldHour24, 'H': fieldHour,
	'm': fieldMinute, 's': fieldSecond, 'S': fieldNano, 'A': fieldMilliOfDay, 'n': fieldNano, 'N': fieldNanoOfDay,
	'V': fieldZone, 'v': fieldZone, 'z': fieldZone, 'O': fieldOffset, 'X': fieldOffset, 'x': fieldOffset, 'Z': fieldOffset,
}

// patternReader compiles a pattern.
type patternReader struct {
	parts  []part
	open   []int // positions of unclosed [
	number int   // the number that digits run on from, or -1
}

// compilePattern compiles a pattern of DateTimeFormatter.
func compilePattern(s string) (*datePattern, error) {
	r := patternReader{number: -1}
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case isLetter(c):
			n, pad := run(s, i), 0
			if c == 'p' {
				pad = n
				i += n
				if i >= len(s) || !isLetter(s[i]) || s[i] == 'p' {
					return nil, fmt.Errorf("pad letter 'p' must be followed by a pattern letter: %s", s)
				}
				c, n = s[i], run(s, i)
			}
			p, err := letterPart(c, n)
			if err != nil {
				return nil, err
			}
			p.pad, p.letter = pad, c
			r.add(p)
			i += n
		case c == '\'':
			text, n, ok := quoted(s[i:])
			if !ok {
				return nil, fmt.Errorf("pattern ends with an incomplete string literal: %s", s)
			}
			r.add(part{kind: partLiteral, text: text})
			i += n
		case c == '[':
			r.open = append(r.open, len(r.parts))
			r.add(part{kind: partOpen})
			i++
		case c == ']':
			if len(r.open) == 0 {
				return nil, fmt.Errorf("pattern has a ] without a [: %s", s)
			}
			r.open = r.open[:len(r.open)-1]
			r.add(part{kind: partClose})
			i++
		case strings.IndexByte("{}#", c) >= 0:
			return nil, fmt.Errorf("pattern includes reserved character: '%c'", c)
		default:
			n := 1
			for i+n < len(s) && s[i+n]&0xC0 == 0x80 {
				n++
			}
			r.add(part{kind: partLiteral, text: s[i : i+n]})
			i += n
		}
	}
	for range r.open {
		r.add(part{kind: partClose})
	}
	p := &datePattern{parts: r.parts}
	p.prepare()
	return p, nil
}

// add appends a part and keeps the book about numbers that stand side by side: all but the first have a
// fixed width when read.
func (r *patternReader) add(p part) {
	numeric := p.kind == partNumber || p.kind == partFraction || p.kind == partReduced
	at := len(r.parts)
	r.parts = append(r.parts, p)
	switch {
	case !numeric || p.pad > 0:
		r.number = -1
	case r.number < 0:
		r.number = at
	case p.min == p.max && p.sign == signNever:
		r.parts[r.number].behind += p.max
	default:
		r.number = at
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// run is how often s[i] stands there.
func run(s string, i int) int {
	n := 1
	for i+n < len(s) && s[i+n] == s[i] {
		n++
	}
	return n
}

// quoted reads a quoted literal at the start of s; ” is a quote.
func quoted(s string) (text string, n int, ok bool) {
	if strings.HasPrefix(s, "''") {
		return "'", 2, true
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		if s[i] != '\'' {
			b.WriteByte(s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == '\'' {
			b.WriteByte('\'')
			i++
			continue
		}
		return b.String(), i + 1, true
	}
	return "", 0, false
}

// letterPart is what n times a letter means.
func letterPart(c byte, n int) (part, error) {
	f, ok := letterFields[c]
	if !ok {
		return part{}, fmt.Errorf("unknown pattern letter: %c", c)
	}
	tooMany := fmt.Errorf("too many pattern letters: %c", c)
	number := part{kind: partNumber, field: f, min: n, max: n, sign: signNever}
	switch {
	case c == 'e' || c == 'c':
	case c == 'w' || c == 'W':
		number.max = 2
	case n == 1:
		number.max, number.sign = 19, signNormal
	}
	switch c {
	case 'u', 'y', 'Y':
		return yearPart(f, n)
	case 'g':
		return part{kind: partNumber, field: f, min: min(n, 19), max: 19}, nil
	case 'A', 'n', 'N':
		if n > 19 {
			return part{}, tooMany
		}
		return part{kind: partNumber, field: f, min: n, max: 19, sign: signNever}, nil
	case 'S':
		if n > 9 {
			return part{}, tooMany
		}
		return part{kind: partFraction, field: f, min: n, max: n, sign: signNever}, nil
	case 'D':
		if n > 1 {
			number.max = 3
		}
		return number, unless(n <= 3, tooMany)
	case 'd', 'h', 'K', 'k', 'H', 'm', 's', 'w':
		return number, unless(n <= 2, tooMany)
	case 'F', 'W':
		return number, unless(n == 1, tooMany)
	case 'a':
		return part{kind: partText, field: f, style: 3}, unless(n == 1, tooMany)
	case 'B':
		return part{kind: partText, field: f, style: max(n, 3)}, unless(n == 1 || n == 4 || n == 5, tooMany)
	case 'V':
		return part{kind: partZone, field: f}, unless(n == 2, fmt.Errorf("pattern letter count must be 2: V"))
	case 'v', 'O':
		return part{kind: partZone, field: f, min: n}, unless(n == 1 || n == 4, tooMany)
	case 'z':
		return part{kind: partZone, field: f}, unless(n <= 4, tooMany)
	case 'X', 'x', 'Z':
		return part{kind: partZone, field: f, min: n}, unless(n <= 5, tooMany)
	case 'c':
		if n == 2 {
			return part{}, fmt.Errorf(`invalid pattern "cc"`)
		}
	}
	switch {
	case n > 5:
		return part{}, tooMany
	case c == 'G' || c == 'E' || n > 2:
		if f == fieldLocalDay {
			f = fieldWeekday
		}
		return part{kind: partText, field: f, style: max(n, 3)}, nil
	}
	return number, nil
}

func yearPart(f dateField, n int) (part, error) {
	p := part{kind: partNumber, field: f, min: n, max: max(n, 19)}
	switch {
	case n == 2:
		return part{kind: partReduced, field: f, min: 2, max: 2, sign: signNever}, nil
	case n >= 4:
		p.sign = signExceeds
	}
	if n > 19 && f != fieldWeekYear {
		return p, fmt.Errorf("too many pattern letters for a year: %d", n)
	}
	return p, nil
}

func unless(ok bool, err error) error {
	if ok {
		return nil
	}
	return err
}

// prepare makes the printing form: an optional section that holds a zone prints nothing, and a zone
// outside of one makes printing fail, since a wall clock has none.
func (p *datePattern) prepare() {
	type section struct {
		start int
		dead  bool
	}
	var open []section
	p.grain = nanoDay
	for _, x := range p.parts {
		switch x.kind {
		case partOpen:
			open = append(open, section{start: len(p.print)})
			continue
		case partClose:
			if s := open[len(open)-1]; s.dead {
				p.print = p.print[:s.start]
			}
			open = open[:len(open)-1]
			continue
		case partZone:
			if len(open) == 0 && p.err == nil {
				p.err = fmt.Errorf("pattern letter %c needs a zone, which the value does not have", x.letter)
			} else if len(open) > 0 {
				open[len(open)-1].dead = true
			}
			continue
		}
		p.print = append(p.print, x)
		if x.kind != partLiteral {
			p.grain = min(p.grain, x.grain())
		}
	}
	for p.head < len(p.print) && (p.print[p.head].kind == partLiteral || p.print[p.head].grain() >= nanoMinute) {
		p.head++
	}
}

const (
	nanoDay    = kernel.MilliDay * 1_000_000
	nanoMinute = kernel.MilliMinute * 1_000_000
)

// grain is the nanoseconds over which a part stays the same.
func (x *part) grain() int64 {
	switch x.field {
	case fieldAMPM, fieldHour, fieldHour11, fieldHour12, fieldHour24:
		return kernel.MilliHour * 1e6
	case fieldMinute, fieldPeriod:
		return kernel.MilliMinute * 1e6
	case fieldSecond:
		return 1e9
	case fieldMilliOfDay, fieldMilli:
		return 1e6
	case fieldNanoOfDay:
		return 1
	case fieldNano:
		if x.kind == partFraction {
			return powerOfTen[9-x.min]
		}
		return 1
	}
	return nanoDay
}

var powerOfTen = [...]int64{
	1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
}
