package regexp

import (
	"errors"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// javaPattern rewrites one pattern.
type javaPattern struct {
	in     string
	at     int
	out    []byte
	atom   int   // where in out the last atom starts, or -1
	open   []int // where in out the open groups start
	beyond bool
}

var errJava = errors.New("bad regular expression")

// fromJava rewrites a pattern of java.util.regex so that both Go's and .NET's dialects read it: classes
// are written out, with their nested ones and intersections, possessive quantifiers become atomic
// groups. beyond says that it needs a backtracking engine with look-around.
func fromJava(pattern string) (out string, beyond bool, err error) {
	j := javaPattern{in: pattern, atom: -1}
	for j.at < len(j.in) {
		if err := j.item(); err != nil {
			return "", false, err
		}
	}
	if len(j.open) > 0 {
		return "", false, errJava
	}
	return string(j.out), j.beyond, nil
}

func (j *javaPattern) add(s string) { j.out = append(j.out, s...) }

func (j *javaPattern) startAtom() { j.atom = len(j.out) }

func (j *javaPattern) item() error {
	switch c := j.in[j.at]; c {
	case '\\':
		return j.escape()
	case '[':
		j.startAtom()
		ranges, err := j.class()
		if err != nil {
			return err
		}
		j.out = appendClass(j.out, ranges)
	case '(':
		return j.group()
	case ')':
		if len(j.open) == 0 {
			return errJava
		}
		j.atom = j.open[len(j.open)-1]
		j.open = j.open[:len(j.open)-1]
		j.add(")")
		j.at++
	case '*', '+', '?':
		j.at++
		return j.quantifier(string(c))
	case '{':
		end := strings.IndexByte(j.in[j.at:], '}')
		if end < 0 || !isRepeat(j.in[j.at+1:j.at+end]) {
			return errJava
		}
		q := j.in[j.at : j.at+end+1]
		j.at += end + 1
		return j.quantifier(q)
	case '|', '^', '$':
		j.atom = -1
		if c != '|' {
			j.startAtom()
		}
		j.out = append(j.out, c)
		j.at++
	case '.':
		j.startAtom()
		j.out = append(j.out, c)
		j.at++
	default:
		r, size := utf8.DecodeRuneInString(j.in[j.at:])
		j.at += size
		j.startAtom()
		j.out = appendPoint(j.out, r)
	}
	return nil
}

func isRepeat(s string) bool {
	a, b, two := strings.Cut(s, ",")
	if _, err := strconv.ParseUint(a, 10, 31); err != nil {
		return false
	}
	if two && b != "" {
		_, err := strconv.ParseUint(b, 10, 31)
		return err == nil
	}
	return true
}

// quantifier writes q with what may follow it: ? makes it lazy, + possessive.
func (j *javaPattern) quantifier(q string) error {
	if j.atom < 0 {
		return errJava
	}
	j.add(q)
	if j.at < len(j.in) {
		switch j.in[j.at] {
		case '?':
			j.add("?")
			j.at++
		case '+':
			j.beyond = true
			j.at++
			atom := string(j.out[j.atom:])
			j.out = append(append(append(j.out[:j.atom], "(?>"...), atom...), ')')
		}
	}
	j.atom = -1
	return nil
}

func (j *javaPattern) group() error {
	rest := j.in[j.at:]
	for _, p := range []string{"(?=", "(?!", "(?<=", "(?<!", "(?>"} {
		if strings.HasPrefix(rest, p) {
			j.beyond = true
			j.openGroup(p)
			return nil
		}
	}
	switch {
	case strings.HasPrefix(rest, "(?<"):
		end := strings.IndexByte(rest, '>')
		if end < 4 {
			return errJava
		}
		j.openGroup(rest[:end+1])
		return nil
	case strings.HasPrefix(rest, "(?"):
		n := 2
		for n < len(rest) && strings.IndexByte("idmsuxU-", rest[n]) >= 0 {
			n++
		}
		if n == len(rest) || rest[n] != ':' && rest[n] != ')' {
			return errJava
		}
		flags := rest[2:n]
		j.beyond = j.beyond || strings.ContainsAny(flags, "x")
		flags = strings.Map(func(c rune) rune {
			if c == 'd' || c == 'u' || c == 'U' {
				return -1
			}
			return c
		}, flags)
		switch {
		case rest[n] == ':':
			j.at += n + 1 - len("(?"+flags+":")
			j.openGroup("(?" + flags + ":")
		default:
			j.at += n + 1
			if flags != "" && flags != "-" {
				j.add("(?" + flags + ")")
			}
		}
		return nil
	}
	j.openGroup("(")
	return nil
}

func (j *javaPattern) openGroup(s string) {
	j.open = append(j.open, len(j.out))
	j.add(s)
	j.at += len(s)
	j.atom = -1
}

// escape rewrites a backslash outside a class.
func (j *javaPattern) escape() error {
	if j.at+1 == len(j.in) {
		return errJava
	}
	c := j.in[j.at+1]
	j.startAtom()
	switch {
	case c == 'Q':
		text, _, _ := strings.Cut(j.in[j.at+2:], `\E`)
		for _, r := range text {
			j.startAtom()
			j.out = appendPoint(j.out, r)
		}
		j.at = min(j.at+4+len(text), len(j.in))
	case c >= '1' && c <= '9', c == 'k', c == 'G', c == 'X':
		j.beyond = true
		j.add(j.in[j.at : j.at+2])
		j.at += 2
	case c == 'b', c == 'B', c == 'A', c == 'z':
		j.add(j.in[j.at : j.at+2])
		j.at += 2
	case c == 'Z':
		j.add("$")
		j.at += 2
	case c == 'R':
		j.add(`(?:\r\n|` + string(appendClass(nil, verticalSpace)) + `)`)
		j.at += 2
	default:
		ranges, point, err := j.member()
		if err != nil {
			return err
		}
		if ranges != nil {
			j.out = appendClass(j.out, ranges)
		} else {
			j.out = appendPoint(j.out, point)
		}
	}
	return nil
}

var (
	verticalSpace   = []rune{10, 13, 0x85, 0x85, 0x2028, 0x2029}
	horizontalSpace = []rune{9, 9, ' ', ' ', 0xA0, 0xA0, 0x1680, 0x1680, 0x180E, 0x180E, 0x2000, 0x200A,
		0x202F, 0x202F, 0x205F, 0x205F, 0x3000, 0x3000}
	shorthands = map[byte][]rune{
		'd': {'0', '9'}, 'w': {'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}, 's': {9, 13, ' ', ' '},
		'h': horizontalSpace, 'v': verticalSpace,
	}
	controls   = map[byte]rune{'t': 9, 'n': 10, 'r': 13, 'f': 12, 'a': 7, 'e': 27}
	properties = map[string]string{
		"Lower": "[:lower:]", "Upper": "[:upper:]", "ASCII": "[:ascii:]", "Alpha": "[:alpha:]", "Digit": "[:digit:]",
		"Alnum": "[:alnum:]", "Punct": "[:punct:]", "Graph": "[:graph:]", "Print": "[:print:]", "Blank": "[:blank:]",
		"Cntrl": "[:cntrl:]", "XDigit": "[:xdigit:]", "Space": "[:space:]",
		"javaLowerCase": `\p{Ll}`, "javaUpperCase": `\p{Lu}`, "javaWhitespace": `\s`, "IsAlphabetic": `\p{L}\p{Nl}`,
		"IsLetter": `\p{L}`, "IsDigit": `\p{Nd}`, "IsUppercase": `\p{Lu}`, "IsLowercase": `\p{Ll}`,
		"IsPunctuation": `\p{P}`, "IsWhite_Space": `\s\x{85}\x{A0}\p{Z}`,
	}
)

// member reads one escaped thing that may also stand in a class: a set or a code point.
func (j *javaPattern) member() (set []rune, point rune, err error) {
	if j.at+1 >= len(j.in) {
		return nil, 0, errJava
	}
	c := j.in[j.at+1]
	if s := shorthands[c]; s != nil {
		j.at += 2
		return s, 0, nil
	}
	if s := shorthands[c|32]; s != nil && c >= 'A' && c <= 'Z' {
		j.at += 2
		return complement(s), 0, nil
	}
	if p, ok := controls[c]; ok {
		j.at += 2
		return nil, p, nil
	}
	switch c {
	case 'p', 'P':
		set, err = j.property()
		return set, 0, err
	case 'x':
		if rest := j.in[j.at+2:]; strings.HasPrefix(rest, "{") {
			digits, _, ok := strings.Cut(rest[1:], "}")
			if !ok {
				return nil, 0, errJava
			}
			j.at += 1
			return j.number(3+len(digits), digits, 16)
		}
		return j.digits(2, 16)
	case 'u':
		return j.digits(4, 16)
	case '0':
		n := 0
		for n < 3 && j.at+2+n < len(j.in) && j.in[j.at+2+n] >= '0' && j.in[j.at+2+n] <= '7' {
			n++
		}
		return j.digits(n, 8)
	case 'c':
		if j.at+2 >= len(j.in) {
			return nil, 0, errJava
		}
		j.at += 3
		return nil, rune(j.in[j.at-1] ^ 64), nil
	}
	if c|32 >= 'a' && c|32 <= 'z' || c >= '1' && c <= '9' {
		return nil, 0, errJava
	}
	p, size := utf8.DecodeRuneInString(j.in[j.at+1:])
	j.at += 1 + size
	return nil, p, nil
}

func (j *javaPattern) digits(n, base int) ([]rune, rune, error) {
	if j.at+2+n > len(j.in) {
		return nil, 0, errJava
	}
	return j.number(2+n, j.in[j.at+2:j.at+2+n], base)
}

func (j *javaPattern) number(skip int, digits string, base int) ([]rune, rune, error) {
	v, err := strconv.ParseUint(digits, base, 32)
	if err != nil || v > unicode.MaxRune {
		return nil, 0, errJava
	}
	j.at += skip
	return nil, rune(v), nil
}

// property reads \p{Name}, \pL and their complements.
func (j *javaPattern) property() ([]rune, error) {
	negated := j.in[j.at+1] == 'P'
	rest := j.in[j.at+2:]
	if rest == "" {
		return nil, errJava
	}
	name := rest[:1]
	j.at += 3
	if name == "{" {
		var ok bool
		if name, _, ok = strings.Cut(rest[1:], "}"); !ok {
			return nil, errJava
		}
		j.at += len(name) + 1
	}
	class, ok := properties[name]
	if !ok {
		for _, p := range []string{"Is", "In", "script=", "sc=", "general_category=", "gc="} {
			name = strings.TrimPrefix(name, p)
		}
		class = `\p{` + name + `}`
	}
	t, err := syntax.Parse("["+class+"]", syntax.Perl)
	if err != nil {
		return nil, errJava
	}
	set := setRanges(t)
	if negated {
		set = complement(set)
	}
	return set, nil
}

func setRanges(t *syntax.Regexp) []rune {
	switch t.Op {
	case syntax.OpAnyChar:
		return []rune{0, unicode.MaxRune}
	case syntax.OpLiteral:
		return []rune{t.Rune[0], t.Rune[0]}
	}
	return t.Rune
}
