package kernel

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
	"unicode/utf8"
)

// Like is a compiled LIKE pattern: pieces that stand between the percent signs, found by byte search.
// A piece with an underscore, which stands for one code point, is compared point by point.
type Like struct {
	pieces []likePiece
	// first and last say that the pattern does not start or end with a percent sign.
	first, last bool
}

type likePiece struct {
	text   []byte
	any    []bool // at the bytes of text that stand for any code point; nil when none does
	points int
}

// ErrLike says what is wrong with a pattern's escapes.
var ErrLike = errors.New("the escape character stands before neither %, _ nor itself")

// CompileLike reads a pattern; escape is the escape character, or a negative number for none.
func CompileLike(pattern string, escape rune) (*Like, error) {
	l := &Like{first: true, last: true}
	var p likePiece
	flush := func() {
		if len(p.text) > 0 {
			p.points = CodePoints(p.text)
			l.pieces = append(l.pieces, p)
		}
		p = likePiece{}
	}
	for i, n := 0, len(pattern); i < n; {
		r, size := utf8.DecodeRuneInString(pattern[i:])
		from := i
		i += size
		switch {
		case r == escape:
			next, size := utf8.DecodeRuneInString(pattern[i:])
			if i == n || next != '%' && next != '_' && next != escape {
				return nil, ErrLike
			}
			from = i
			i += size
		case r == '%':
			if from == 0 {
				l.first = false
			}
			l.last = i < n
			flush()
			continue
		case r == '_':
			for len(p.any) < len(p.text) {
				p.any = append(p.any, false)
			}
			p.any = append(p.any, true)
		}
		p.text = append(p.text, pattern[from:i]...)
	}
	flush()
	for i := range l.pieces {
		if q := &l.pieces[i]; q.any != nil {
			for len(q.any) < len(q.text) {
				q.any = append(q.any, false)
			}
		}
	}
	return l, nil
}

// Match tells whether b is like the pattern.
func (l *Like) Match(b []byte) bool {
	p := l.pieces
	if len(p) == 0 {
		return !l.first || len(b) == 0
	}
	if l.first {
		n := p[0].prefix(b)
		if n < 0 {
			return false
		}
		if b, p = b[n:], p[1:]; len(p) == 0 {
			return !l.last || len(b) == 0
		}
	}
	if l.last {
		q := &p[len(p)-1]
		k := q.suffixAt(b)
		if k < 0 || q.prefix(b[k:]) < 0 {
			return false
		}
		b, p = b[:k], p[:len(p)-1]
	}
	for i := range p {
		k := p[i].find(b)
		if k < 0 {
			return false
		}
		b = b[k:]
	}
	return true
}

// prefix returns how many bytes of b the piece takes at its start, or -1.
func (p *likePiece) prefix(b []byte) int {
	if p.any == nil {
		if len(b) < len(p.text) || string(b[:len(p.text)]) != string(p.text) {
			return -1
		}
		return len(p.text)
	}
	at := 0
	for i, c := range p.text {
		if at == len(b) {
			return -1
		}
		if p.any[i] {
			_, size := utf8.DecodeRune(b[at:])
			at += size
			continue
		}
		if b[at] != c {
			return -1
		}
		at++
	}
	return at
}

// suffixAt returns where in b a piece that ends it would start, or -1.
func (p *likePiece) suffixAt(b []byte) int {
	if p.any == nil {
		return max(len(b)-len(p.text), -1)
	}
	k := len(b)
	for range p.points {
		if k == 0 {
			return -1
		}
		_, size := utf8.DecodeLastRune(b[:k])
		k -= size
	}
	return k
}

// find returns the end of the piece's first occurrence in b, or -1.
func (p *likePiece) find(b []byte) int {
	if p.any == nil {
		k := bytes.Index(b, p.text)
		if k < 0 {
			return -1
		}
		return k + len(p.text)
	}
	for k := 0; k < len(b); k++ {
		if !p.any[0] {
			n := bytes.IndexByte(b[k:], p.text[0])
			if n < 0 {
				return -1
			}
			k += n
		} else if b[k]&0xC0 == 0x80 {
			continue
		}
		if n := p.prefix(b[k:]); n >= 0 {
			return k + n
		}
	}
	return -1
}

// MatchLike writes for the texts whose bit is set in want whether they are like the pattern.
func MatchLike(out []uint64, v []View, bufs [][]byte, want []uint64, l *Like) {
	want = want[:len(out)]
	switch one := len(l.pieces) == 1 && l.pieces[0].any == nil; {
	case one && l.first && !l.last:
		matchPrefix(out, v, bufs, want, l.pieces[0].text)
	case one && !l.first && !l.last:
		matchInside(out, v, bufs, want, l.pieces[0].text)
	default:
		for w, m := range want {
			var x uint64
			for ; m != 0; m &= m - 1 {
				if l.Match(v[w<<6|bits.TrailingZeros64(m)].Bytes(bufs)) {
					x |= m & -m
				}
			}
			out[w] = x
		}
	}
}

// matchPrefix looks at the four bytes inside the view before it reads the text.
func matchPrefix(out []uint64, v []View, bufs [][]byte, want []uint64, text []byte) {
	var head [4]byte
	n := copy(head[:], text)
	mask, first := uint32(1<<(8*uint(n))-1), binary.LittleEndian.Uint32(head[:])
	for w, m := range want {
		var x uint64
		for ; m != 0; m &= m - 1 {
			p := &v[w<<6|bits.TrailingZeros64(m)]
			if int(p.Len) >= len(text) && p.Prefix&mask == first && bytes.HasPrefix(p.Bytes(bufs), text) {
				x |= m & -m
			}
		}
		out[w] = x
	}
}

func matchInside(out []uint64, v []View, bufs [][]byte, want []uint64, text []byte) {
	for w, m := range want {
		var x uint64
		for ; m != 0; m &= m - 1 {
			if bytes.Contains(v[w<<6|bits.TrailingZeros64(m)].Bytes(bufs), text) {
				x |= m & -m
			}
		}
		out[w] = x
	}
}
