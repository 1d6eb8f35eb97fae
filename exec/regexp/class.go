package regexp

import (
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// class reads a bracketed class as Java does, with nested classes and intersections, into sorted ranges.
func (j *javaPattern) class() ([]rune, error) {
	j.at++
	negated := j.peek("^")
	if negated {
		j.at++
	}
	set, err := j.union()
	if err != nil {
		return nil, err
	}
	for j.peek("&&") {
		j.at += 2
		if j.peek("]") {
			break
		}
		other, err := j.union()
		if err != nil {
			return nil, err
		}
		set = complement(merge(append(complement(set), complement(other)...)))
	}
	if !j.peek("]") {
		return nil, errJava
	}
	j.at++
	if negated {
		set = complement(set)
	}
	return set, nil
}

func (j *javaPattern) peek(s string) bool { return strings.HasPrefix(j.in[j.at:], s) }

// union reads members up to a closing bracket or an intersection.
func (j *javaPattern) union() ([]rune, error) {
	var set []rune
	for first := true; ; first = false {
		switch {
		case j.at >= len(j.in):
			return nil, errJava
		case j.peek("]") && !first, j.peek("&&"):
			return merge(set), nil
		case j.peek("["):
			inner, err := j.class()
			if err != nil {
				return nil, err
			}
			set = append(set, inner...)
			continue
		case j.peek(`\Q`):
			text, _, _ := strings.Cut(j.in[j.at+2:], `\E`)
			for _, p := range text {
				set = append(set, p, p)
			}
			j.at = min(j.at+4+len(text), len(j.in))
			continue
		}
		ranges, lo, err := j.classMember()
		if err != nil {
			return nil, err
		}
		if ranges != nil {
			set = append(set, ranges...)
			continue
		}
		hi := lo
		if rest := j.in[j.at:]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']' && rest[1] != '[' {
			j.at++
			var r []rune
			if r, hi, err = j.classMember(); err != nil || r != nil || hi < lo {
				return nil, errJava
			}
		}
		set = append(set, lo, hi)
	}
}

func (j *javaPattern) classMember() ([]rune, rune, error) {
	if j.in[j.at] == '\\' {
		return j.member()
	}
	p, size := utf8.DecodeRuneInString(j.in[j.at:])
	j.at += size
	return nil, p, nil
}

// merge sorts ranges and joins those that touch.
func merge(r []rune) []rune {
	type span struct{ lo, hi rune }
	s := make([]span, 0, len(r)/2)
	for i := 0; i+1 < len(r); i += 2 {
		s = append(s, span{r[i], r[i+1]})
	}
	sort.Slice(s, func(a, b int) bool { return s[a].lo < s[b].lo })
	out := make([]rune, 0, len(r))
	for _, x := range s {
		if n := len(out); n > 0 && x.lo <= out[n-1]+1 {
			out[n-1] = max(out[n-1], x.hi)
			continue
		}
		out = append(out, x.lo, x.hi)
	}
	return out
}

// complement is every code point that sorted ranges leave out.
func complement(r []rune) []rune {
	out, next := []rune{}, rune(0)
	for i := 0; i+1 < len(r); i += 2 {
		if r[i] > next {
			out = append(out, next, r[i]-1)
		}
		next = r[i+1] + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, next, unicode.MaxRune)
	}
	return out
}

// appendClass writes ranges as a class that every dialect reads.
func appendClass(dst []byte, r []rune) []byte {
	if len(r) == 0 {
		return append(dst, `[^\x00-`+string(unicode.MaxRune)+`]`...)
	}
	dst = append(dst, '[')
	for i := 0; i+1 < len(r); i += 2 {
		dst = appendPoint(dst, r[i])
		if r[i+1] != r[i] {
			dst = appendPoint(append(dst, '-'), r[i+1])
		}
	}
	return append(dst, ']')
}

// appendPoint writes one literal code point.
func appendPoint(dst []byte, p rune) []byte {
	switch {
	case p < ' ' || p == 0x7F:
		dst = append(dst, `\x`...)
		if p < 16 {
			dst = append(dst, '0')
		}
		return strconv.AppendInt(dst, int64(p), 16)
	case p >= 0xD800 && p <= 0xDFFF:
		return append(dst, string(rune(0xE000))...)
	case p < utf8.RuneSelf && p != '_' && !unicode.IsLetter(p) && !unicode.IsDigit(p) && p != ' ':
		return append(dst, '\\', byte(p))
	}
	return utf8.AppendRune(dst, p)
}
