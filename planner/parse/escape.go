package parse

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"streamsql/planner/syntax"
)

// unicodeString reads the text of U&'..' [UESCAPE 'c']: \263A and \+01F600 are characters.
func (p *parser) unicodeString() string {
	val, span := p.stringValue("a string")
	escape := `\`
	if p.accept("UESCAPE") {
		var at syntax.Span
		escape, at = p.stringValue("the escape character in quotes")
		if utf8.RuneCountInString(escape) != 1 || strings.ContainsAny(escape, "0123456789abcdefABCDEF+' ") {
			p.fail(syntax.Errorf(syntax.CodeLiteral, at, "bad escape character behind UESCAPE").
				WithHint("one character that is no hexadecimal digit, plus, quote or blank"))
		}
	}
	var b strings.Builder
	for rest := val; rest != ""; {
		i := strings.Index(rest, escape)
		if i < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:i])
		rest = rest[i+len(escape):]
		if strings.HasPrefix(rest, escape) {
			b.WriteString(escape)
			rest = rest[len(escape):]
			continue
		}
		digits := 4
		if strings.HasPrefix(rest, "+") {
			rest, digits = rest[1:], 6
		}
		code, err := strconv.ParseUint(rest[:min(digits, len(rest))], 16, 32)
		if err != nil || len(rest) < digits || code > utf8.MaxRune {
			p.fail(syntax.Errorf(syntax.CodeLiteral, span, "bad escape in U&'..'").
				WithHint("write %sXXXX or %s+XXXXXX with hexadecimal digits", escape, escape))
		}
		b.WriteRune(rune(code))
		rest = rest[digits:]
	}
	return b.String()
}

var cEscapes = map[byte]string{'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t"}

// escapedString reads the text of E'..' with its C-style escapes.
func (p *parser) escapedString() string {
	val, span := p.stringValue("a string")
	var b strings.Builder
	for i := 0; i < len(val); i++ {
		if val[i] != '\\' || i+1 == len(val) {
			b.WriteByte(val[i])
			continue
		}
		i++
		c := val[i]
		if s, ok := cEscapes[c]; ok {
			b.WriteString(s)
			continue
		}
		rest, base := val[i+1:], 16
		most := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
		if c >= '0' && c <= '7' {
			rest, base, most = val[i:], 8, 3
		}
		if most == 0 {
			b.WriteByte(c)
			continue
		}
		n := leadingDigits(rest, base, most)
		code, err := strconv.ParseUint(rest[:n], base, 32)
		if err != nil || code > utf8.MaxRune || most > 3 && n < most {
			p.fail(syntax.Errorf(syntax.CodeLiteral, span, `bad escape \%c in E'..'`, c))
		}
		b.WriteRune(rune(code))
		i = len(val) - len(rest) + n - 1
	}
	return b.String()
}

// leadingDigits counts the digits of a base at the start of s, at most most.
func leadingDigits(s string, base, most int) int {
	n := 0
	for n < most && n < len(s) {
		if _, err := strconv.ParseUint(s[n:n+1], base, 8); err != nil {
			break
		}
		n++
	}
	return n
}
