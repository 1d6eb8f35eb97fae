package regexp

import (
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// dollar is Java's end without MULTILINE: the end of the text or before the line end that ends it.
const dollar syntax.EmptyOp = 1 << 6

func assertion(t *syntax.Regexp) syntax.EmptyOp {
	switch t.Op {
	case syntax.OpBeginLine:
		return syntax.EmptyBeginLine
	case syntax.OpEndLine:
		return syntax.EmptyEndLine
	case syntax.OpBeginText:
		return syntax.EmptyBeginText
	case syntax.OpWordBoundary:
		return syntax.EmptyWordBoundary
	case syntax.OpNoWordBoundary:
		return syntax.EmptyNoWordBoundary
	}
	if t.Flags&syntax.WasDollar != 0 {
		return dollar
	}
	return syntax.EmptyEndText
}

func holds(a syntax.EmptyOp, b []byte, pos int) bool {
	switch a {
	case syntax.EmptyBeginText:
		return pos == 0
	case syntax.EmptyEndText:
		return pos == len(b)
	case dollar:
		return pos == len(b) || lineEnd(b[pos:]) == len(b)-pos && !insideCRLF(b, pos)
	case syntax.EmptyBeginLine:
		return pos == 0 || pos < len(b) && behindLineEnd(b, pos)
	case syntax.EmptyEndLine:
		return pos == len(b) || lineEnd(b[pos:]) > 0 && !insideCRLF(b, pos)
	case syntax.EmptyWordBoundary:
		return wordBefore(b, pos) != wordAt(b, pos)
	}
	return wordBefore(b, pos) == wordAt(b, pos)
}

// lineEnd is the length of the line end that b starts with, or 0.
func lineEnd(b []byte) int {
	switch {
	case len(b) == 0:
		return 0
	case b[0] == '\n':
		return 1
	case b[0] == '\r':
		if len(b) > 1 && b[1] == '\n' {
			return 2
		}
		return 1
	case b[0] < utf8.RuneSelf:
		return 0
	}
	switch p, size := utf8.DecodeRune(b); p {
	case 0x85, 0x2028, 0x2029:
		return size
	}
	return 0
}

func insideCRLF(b []byte, pos int) bool { return pos > 0 && b[pos-1] == '\r' && b[pos] == '\n' }

func behindLineEnd(b []byte, pos int) bool {
	p, size := utf8.DecodeLastRune(b[:pos])
	return lineEnd(b[pos-size:pos]) == size && !(p == '\r' && b[pos] == '\n')
}

func wordBefore(b []byte, pos int) bool {
	p, size := utf8.DecodeLastRune(b[:pos])
	return size > 0 && isWord(p)
}

func wordAt(b []byte, pos int) bool {
	p, size := utf8.DecodeRune(b[pos:])
	return size > 0 && isWord(p)
}

func isWord(p rune) bool { return p == '_' || unicode.IsLetter(p) || unicode.IsDigit(p) }

// width is how many bytes the matches of t have.
func width(t *syntax.Regexp) byteRange {
	switch t.Op {
	case syntax.OpLiteral:
		var w byteRange
		for _, c := range t.Rune {
			w.min += utf8.RuneLen(c)
		}
		w.max = w.min
		return w
	case syntax.OpCharClass:
		if n := len(t.Rune); n > 0 {
			return byteRange{utf8.RuneLen(t.Rune[0]), utf8.RuneLen(t.Rune[n-1])}
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return byteRange{1, utf8.UTFMax}
	case syntax.OpCapture:
		return width(t.Sub[0])
	case syntax.OpStar:
		return byteRange{0, -1}
	case syntax.OpPlus:
		return byteRange{width(t.Sub[0]).min, -1}
	case syntax.OpQuest:
		return byteRange{0, width(t.Sub[0]).max}
	case syntax.OpConcat:
		var w byteRange
		for _, s := range t.Sub {
			w = w.plus(width(s))
		}
		return w
	case syntax.OpAlternate:
		w := width(t.Sub[0])
		for _, s := range t.Sub[1:] {
			u := width(s)
			w.min = min(w.min, u.min)
			if w.max < 0 || u.max < 0 {
				w.max = -1
			} else {
				w.max = max(w.max, u.max)
			}
		}
		return w
	}
	return byteRange{}
}

func (w byteRange) plus(u byteRange) byteRange {
	w.min += u.min
	if w.max < 0 || u.max < 0 {
		w.max = -1
	} else {
		w.max += u.max
	}
	return w
}

// requiredText finds a text that every match of t contains, and what may stand before it: the longest
// one, with a preference for those at a bounded distance from the start.
func requiredText(t *syntax.Regexp) (text []byte, before byteRange) {
	best := 0
	var walk func(t *syntax.Regexp, at byteRange)
	walk = func(t *syntax.Regexp, at byteRange) {
		switch t.Op {
		case syntax.OpLiteral:
			score := 2 * len(string(t.Rune))
			if at.max >= 0 {
				score += 7
			}
			if t.Flags&syntax.FoldCase == 0 && score > best {
				best, text, before = score, []byte(string(t.Rune)), at
			}
		case syntax.OpCapture, syntax.OpPlus:
			walk(t.Sub[0], at)
		case syntax.OpConcat:
			for _, s := range t.Sub {
				walk(s, at)
				at = at.plus(width(s))
			}
		}
	}
	walk(t, byteRange{})
	return text, before
}

// startsText tells whether a match can only start at the start of the text.
func startsText(t *syntax.Regexp) bool {
	switch t.Op {
	case syntax.OpBeginText:
		return true
	case syntax.OpCapture, syntax.OpConcat, syntax.OpPlus:
		return startsText(t.Sub[0])
	case syntax.OpAlternate:
		for _, s := range t.Sub {
			if !startsText(s) {
				return false
			}
		}
		return true
	}
	return false
}
