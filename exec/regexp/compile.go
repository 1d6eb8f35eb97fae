package regexp

import (
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) has(c byte) bool { return s[c>>6]>>(c&63)&1 != 0 }
func (s *byteSet) add(c byte)      { s[c>>6] |= 1 << (c & 63) }

func (s *byteSet) union(t *byteSet) {
	for i := range s {
		s[i] |= t[i]
	}
}

func (s *byteSet) meets(t *byteSet) bool {
	for i := range s {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

// pointSet is a set of code points. low holds the ASCII ones and, when whole is set, every byte of the
// others too: then the set has none or all code points from U+0080 on, and may be tested by bytes.
type pointSet struct {
	low   byteSet
	high  []rune // ranges from U+0080 on, as pairs
	whole bool
}

func newPointSet(ranges []rune) *pointSet {
	s := &pointSet{}
	for i := 0; i+1 < len(ranges); i += 2 {
		lo, hi := ranges[i], ranges[i+1]
		for c := lo; c <= min(hi, utf8.RuneSelf-1); c++ {
			s.low.add(byte(c))
		}
		if hi >= utf8.RuneSelf {
			s.high = append(s.high, max(lo, utf8.RuneSelf), hi)
		}
	}
	switch n := len(s.high); {
	case n == 0:
		s.whole = true
	case n == 2 && s.high[0] == utf8.RuneSelf && s.high[1] == unicode.MaxRune:
		s.whole = true
		for c := utf8.RuneSelf; c < 256; c++ {
			s.low.add(byte(c))
		}
	}
	return s
}

func (s *pointSet) hasHigh(p rune) bool {
	for i := 0; i < len(s.high); i += 2 {
		if p >= s.high[i] && p <= s.high[i+1] {
			return true
		}
	}
	return false
}

// starts is the set of bytes that encodings of the set's code points start with.
func (s *pointSet) starts() *byteSet {
	f := s.low
	for i := 0; i < len(s.high); i += 2 {
		var lo, hi [utf8.UTFMax]byte
		utf8.EncodeRune(lo[:], s.high[i])
		utf8.EncodeRune(hi[:], s.high[i+1])
		for c := int(lo[0]); c <= int(hi[0]); c++ {
			f.add(byte(c))
		}
	}
	return &f
}

func (r *linear) emit(in instruction) int32 {
	r.prog = append(r.prog, in)
	return int32(len(r.prog) - 1)
}

// compile emits t so that next follows it, and returns where it starts. Programs are made from the end,
// so that what may follow a repetition is known when it is made.
func (r *linear) compile(t *syntax.Regexp, next int32) int32 {
	switch t.Op {
	case syntax.OpNoMatch:
		return r.emit(instruction{op: opFail})
	case syntax.OpEmptyMatch:
		return next
	case syntax.OpLiteral:
		return r.compileText(t, next)
	case syntax.OpCharClass, syntax.OpAnyCharNotNL, syntax.OpAnyChar:
		return r.emit(instruction{op: opPoint, set: setOf(t), next: next})
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return r.emit(instruction{op: opAssert, assert: assertion(t), next: next})
	case syntax.OpCapture:
		end := r.emit(instruction{op: opGroup, slot: 2*t.Cap + 1, next: next})
		body := r.compile(t.Sub[0], end)
		return r.emit(instruction{op: opGroup, slot: 2 * t.Cap, next: body})
	case syntax.OpStar, syntax.OpPlus:
		return r.compileLoop(t, next)
	case syntax.OpQuest:
		body := r.compile(t.Sub[0], next)
		return r.split(body, next, t.Flags&syntax.NonGreedy != 0)
	case syntax.OpConcat:
		for i := len(t.Sub) - 1; i >= 0; i-- {
			next = r.compile(t.Sub[i], next)
		}
		return next
	case syntax.OpAlternate:
		at := r.compile(t.Sub[len(t.Sub)-1], next)
		for i := len(t.Sub) - 2; i >= 0; i-- {
			at = r.split(r.compile(t.Sub[i], next), at, false)
		}
		return at
	}
	panic("regexp: regular expression with " + t.Op.String())
}

func (r *linear) split(a, b int32, lazy bool) int32 {
	if lazy {
		a, b = b, a
	}
	r.splits++
	return r.emit(instruction{op: opSplit, next: a, other: b, slot: r.splits - 1})
}

func (r *linear) compileText(t *syntax.Regexp, next int32) int32 {
	if t.Flags&syntax.FoldCase == 0 {
		return r.emit(instruction{op: opText, text: string(t.Rune), next: next})
	}
	for i := len(t.Rune) - 1; i >= 0; i-- {
		c := t.Rune[i]
		ranges := []rune{c, c}
		if u := unicode.ToUpper(c); c < utf8.RuneSelf && u < utf8.RuneSelf {
			l := unicode.ToLower(c)
			ranges = []rune{u, u, l, l}
		}
		next = r.emit(instruction{op: opPoint, set: newPointSet(ranges), next: next})
	}
	return next
}

func (r *linear) compileLoop(t *syntax.Regexp, next int32) int32 {
	lazy, least := t.Flags&syntax.NonGreedy != 0, 0
	if t.Op == syntax.OpPlus {
		least = 1
	}
	if isSet(t.Sub[0]) && !lazy {
		if s := setOf(t.Sub[0]); s.whole && !r.mayGoOn(next, s) {
			return r.emit(instruction{op: opRun, set: s, min: least, next: next})
		}
	}
	loop := r.split(0, 0, false)
	body := r.compile(t.Sub[0], loop)
	r.prog[loop].next, r.prog[loop].other = body, next
	if lazy {
		r.prog[loop].next, r.prog[loop].other = next, body
	}
	switch {
	case least == 1:
		return body
	case width(t.Sub[0]).min == 0:
		// A body that matched nothing must come to a choice not yet made, which is to go on.
		return r.split(body, next, lazy)
	}
	return loop
}

// mayGoOn tells whether giving back bytes of a run of s could help what stands at pc.
func (r *linear) mayGoOn(pc int32, s *pointSet) bool {
	in := &r.prog[pc]
	switch in.op {
	case opMatch, opFail:
		return false
	case opText:
		return s.low.has(in.text[0])
	case opPoint, opRun:
		if in.set.starts().meets(&s.low) {
			return true
		}
		return in.op == opRun && in.min == 0 && r.mayGoOn(in.next, s)
	case opGroup:
		return r.mayGoOn(in.next, s)
	case opAssert:
		// An end that does not hold behind the run holds nowhere inside it.
		return in.assert != syntax.EmptyEndText && in.assert != dollar || r.mayGoOn(in.next, s)
	}
	return true
}

// firstBytes is the set of bytes that a match from pc on starts with; ok is false when it may be empty.
func (r *linear) firstBytes(pc int32) (f *byteSet, ok bool) {
	f, seen := &byteSet{}, map[int32]bool{}
	var walk func(pc int32) bool
	walk = func(pc int32) bool {
		if seen[pc] {
			return true
		}
		seen[pc] = true
		switch in := &r.prog[pc]; in.op {
		case opText:
			f.add(in.text[0])
		case opPoint:
			f.union(in.set.starts())
		case opRun:
			f.union(in.set.starts())
			return in.min > 0 || walk(in.next)
		case opSplit:
			return walk(in.next) && walk(in.other)
		case opGroup, opAssert:
			return walk(in.next)
		case opMatch:
			return false
		}
		return true
	}
	return f, walk(pc)
}

func isSet(t *syntax.Regexp) bool {
	switch t.Op {
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return true
	case syntax.OpLiteral:
		return len(t.Rune) == 1 && (t.Rune[0] < utf8.RuneSelf || t.Flags&syntax.FoldCase == 0)
	}
	return false
}

// setOf is the set of a node that stands for one code point. The dot leaves out Java's line ends.
func setOf(t *syntax.Regexp) *pointSet {
	switch t.Op {
	case syntax.OpAnyChar:
		return newPointSet([]rune{0, unicode.MaxRune})
	case syntax.OpAnyCharNotNL:
		return newPointSet([]rune{0, 9, 11, 12, 14, 0x84, 0x86, 0x2027, 0x202A, unicode.MaxRune})
	case syntax.OpLiteral:
		c := t.Rune[0]
		if t.Flags&syntax.FoldCase != 0 {
			return newPointSet([]rune{unicode.ToUpper(c), unicode.ToUpper(c), unicode.ToLower(c), unicode.ToLower(c)})
		}
		return newPointSet([]rune{c, c})
	}
	return newPointSet(t.Rune)
}
