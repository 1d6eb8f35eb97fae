package parse

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"streamsql/planner/syntax"
)

// lexer cuts text into tokens. It never fails: what it cannot read becomes an unreadable
// token, which the parser reports when it gets there.
type lexer struct {
	src  string
	at   int
	toks []token
	open []int // indices of brackets not yet closed
}

func newLexer(src string, pos, end int) *lexer {
	const mark = "\ufeff" // some editors begin a file with it
	if pos == 0 && strings.HasPrefix(src[:end], mark) {
		pos = len(mark)
	}
	return &lexer{src: src[:end], at: pos}
}

// lex returns the tokens of src from pos on, the last one eof.
func lex(src string, pos, end int) []token {
	l := newLexer(src, pos, end)
	l.toks = make([]token, 0, 16+(end-l.at)/5)
	for l.next() {
	}
	l.add(token{kind: eof, pos: end, end: end})
	last := len(l.toks) - 1
	for _, i := range l.open {
		l.toks[i].pair = last
	}
	return l.toks
}

func (l *lexer) add(t token) { l.toks = append(l.toks, t) }

// unreadable adds a token for text that cannot be read, with the error the parser will give.
func (l *lexer) unreadable(start int, code syntax.Code, why string) {
	l.add(token{kind: unreadable, val: why, up: string(code), pos: start, end: l.at})
}

func (l *lexer) byteAt(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

// next reads one token, or skips blanks or a comment; false at the end.
func (l *lexer) next() bool {
	if l.at >= len(l.src) {
		return false
	}
	c, after := l.src[l.at], l.byteAt(l.at+1)
	switch {
	case c == ' ' || c >= '\t' && c <= '\r':
		l.at++
	case c == '-' && after == '-', c == '/' && after == '/':
		l.skipLine()
	case c == '/' && after == '*':
		l.blockComment()
	case c == '\'':
		l.quoted(c, text, "string literal")
	case c == '`':
		l.quoted(c, quoted, "quoted identifier")
	case c == '"':
		l.quoted(c, doubled, "text in double quotes")
	case digit(c), c == '.' && digit(after) && !l.afterName():
		l.number()
	default:
		l.wordOrSymbol()
	}
	return true
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func (l *lexer) skipLine() {
	if i := strings.IndexByte(l.src[l.at:], '\n'); i >= 0 {
		l.at += i
		return
	}
	l.at = len(l.src)
}

func (l *lexer) blockComment() {
	start := l.at
	i := strings.Index(l.src[start+2:], "*/")
	if i < 0 {
		l.at = len(l.src)
		l.unreadable(start, syntax.CodeIncomplete, "unterminated comment")
		return
	}
	l.at = start + 2 + i + 2
	if i > 0 && l.src[start+2] == '+' {
		l.add(token{kind: hint, val: l.src[start+3 : l.at-2], pos: start, end: l.at})
	}
}

// quoted reads text between two quotes, in which the quote is written twice.
func (l *lexer) quoted(quote byte, k kind, what string) {
	start := l.at
	i := start + 1
	doubles := false
	for {
		j := strings.IndexByte(l.src[i:], quote)
		if j < 0 {
			l.at = len(l.src)
			l.unreadable(start, syntax.CodeIncomplete, "unterminated "+what)
			return
		}
		i += j + 1
		if l.byteAt(i) != quote {
			break
		}
		doubles = true
		i++
	}
	val := l.src[start+1 : i-1]
	if doubles {
		q := string(quote)
		val = strings.ReplaceAll(val, q+q, q)
	}
	l.at = i
	l.add(token{kind: k, val: val, pos: start, end: i})
}

// number reads digits, a fraction and an exponent. A letter right behind starts the next
// token: 1a is 1 and a.
func (l *lexer) number() {
	start := l.at
	l.digits()
	if l.byteAt(l.at) == '.' {
		l.at++
		l.digits()
	}
	if c := l.byteAt(l.at); c == 'e' || c == 'E' {
		i := l.at + 1
		if s := l.byteAt(i); s == '+' || s == '-' {
			i++
		}
		if digit(l.byteAt(i)) {
			l.at = i
			l.digits()
		}
	}
	l.add(token{kind: number, val: l.src[start:l.at], pos: start, end: l.at})
}

func (l *lexer) digits() {
	for digit(l.byteAt(l.at)) {
		l.at++
	}
}

// afterName reports whether the text goes on right behind a name or a closing bracket, so
// that a point starts a field and no fraction.
func (l *lexer) afterName() bool {
	if len(l.toks) == 0 {
		return false
	}
	t := &l.toks[len(l.toks)-1]
	return t.end == l.at && (t.name() || t.sign("]") || t.sign(")"))
}

func nameStart(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) }

func namePart(r rune) bool { return nameStart(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) }

func (l *lexer) wordOrSymbol() {
	start := l.at
	r, width := utf8.DecodeRuneInString(l.src[start:])
	if !nameStart(r) {
		l.symbol(r, width)
		return
	}
	for l.at < len(l.src) {
		r, width = utf8.DecodeRuneInString(l.src[l.at:])
		if !namePart(r) {
			break
		}
		l.at += width
	}
	raw := l.src[start:l.at]
	l.add(token{kind: word, val: raw, up: strings.ToUpper(raw), pos: start, end: l.at})
}

func (l *lexer) symbol(r rune, width int) {
	start := l.at
	if start+1 < len(l.src) {
		switch two := l.src[start : start+2]; two {
		case "<=", ">=", "<>", "!=", "||", "=>":
			l.at += 2
			l.add(token{kind: symbol, up: two, pos: start, end: l.at})
			return
		}
	}
	l.at += width
	if !strings.ContainsRune("()[]{},.;:+-*/%=<>?|^&", r) || r == '&' && !l.afterU() {
		l.unreadable(start, syntax.CodeLexical, fmt.Sprintf("unexpected character %q", r))
		return
	}
	sign := l.src[start:l.at]
	l.add(token{kind: symbol, up: sign, pos: start, end: l.at})
	l.match(sign)
}

// afterU reports whether the & stands in U&'..'.
func (l *lexer) afterU() bool {
	if len(l.toks) == 0 {
		return false
	}
	t := &l.toks[len(l.toks)-1]
	return t.is("U") && t.end == l.at-1
}

// characterHints say what to write instead of a character that SQL does not have.
var characterHints = map[rune]string{
	'#':  "a comment starts with -- or //",
	'!':  "write NOT, or <> for !=",
	'&':  "write AND",
	'@':  "there are no variables; put the value into the text",
	'\'': "a quote ends it, and stands twice inside of it: 'it''s'",
	'`':  "a back-tick ends it, and stands twice inside of it",
}

var opening = map[string]string{")": "(", "]": "[", "}": "{"}

// match notes for an opening bracket where it closes.
func (l *lexer) match(sign string) {
	at := len(l.toks) - 1
	switch sign {
	case "(", "[", "{":
		l.open = append(l.open, at)
	case ")", "]", "}":
		if n := len(l.open); n > 0 && l.toks[l.open[n-1]].up == opening[sign] {
			l.toks[l.open[n-1]].pair = at
			l.open = l.open[:n-1]
		}
	}
}
