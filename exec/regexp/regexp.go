// Package regexp is regular expressions in Java's syntax, with what they match there: an own search whose
// time grows with the text, and a backtracking library for the patterns that need look-around, back
// references or atomic groups.
//
// It does not know columns, lanes, NULL or SQL functions.
//
// Invariants:
//
//	J1 a pattern means what java.util.regex says, whichever engine runs it.
//	J2 a search without look-around visits each choice at most once per position; one of the library ends
//	   after slowSearch.
//	J3 a Pattern keeps its scratch memory: it belongs to one goroutine, and searches of the own engine
//	   allocate nothing in steady state.
package regexp

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

// Pattern is a compiled regular expression.
type Pattern struct {
	fast   *linear
	slow   *regexp2.Regexp // where fast is nil
	groups int

	runes   []rune
	offsets []int // byte offset of each rune, and of the end
	loc     []int
}

// slowSearch bounds one search of the backtracking library, which may take time exponential in its text.
const slowSearch = 10 * time.Second

// ErrUnsupported wraps what Java could run and neither engine can.
var ErrUnsupported = errors.New("not supported")

// Compile compiles a pattern. An error that is no ErrUnsupported says that Java refuses it too.
func Compile(pattern string) (*Pattern, error) {
	fast, err := compileLinear(pattern)
	if err == nil {
		return &Pattern{fast: fast, groups: fast.groups}, nil
	}
	if err != errBeyond {
		return nil, err
	}
	p, _, err := fromJava(pattern)
	if err != nil {
		return nil, err
	}
	slow, err := regexp2.Compile(p, regexp2.None)
	if err != nil {
		return nil, fmt.Errorf("%w: regular expression %s", ErrUnsupported, pattern)
	}
	slow.MatchTimeout = slowSearch
	return &Pattern{slow: slow, groups: len(slow.GetGroupNumbers()) - 1}, nil
}

// Groups is the number of groups, the whole match not counted.
func (p *Pattern) Groups() int { return p.groups }

// Find returns the boundaries of the first match at or after byte from and of its groups, -1 where a group
// took no part, or nil. The result is good until the next call. A search that takes too long is an error.
func (p *Pattern) Find(s []byte, from int) ([]int, error) {
	if p.fast != nil {
		return p.fast.find(s, from), nil
	}
	return p.backtrack(s, from)
}

func (p *Pattern) backtrack(s []byte, from int) ([]int, error) {
	p.runes, p.offsets = p.runes[:0], p.offsets[:0]
	start := 0
	for i := 0; i < len(s); {
		if i == from {
			start = len(p.runes)
		}
		c, size := utf8.DecodeRune(s[i:])
		p.runes, p.offsets = append(p.runes, c), append(p.offsets, i)
		i += size
	}
	p.offsets = append(p.offsets, len(s))
	if from == len(s) {
		start = len(p.runes)
	}
	m, err := p.slow.FindRunesMatchStartingAt(p.runes, start)
	if err != nil {
		return nil, fmt.Errorf("the regular expression %s takes more than %s on this text", p.slow, slowSearch)
	}
	if m == nil {
		return nil, nil
	}
	p.loc = p.loc[:0]
	for k := range p.groups + 1 {
		g := m.GroupByNumber(k)
		if g == nil || len(g.Captures) == 0 {
			p.loc = append(p.loc, -1, -1)
			continue
		}
		p.loc = append(p.loc, p.offsets[g.Index], p.offsets[g.Index+g.Length])
	}
	return p.loc, nil
}

// Next is where the search goes on behind a match: one character further when it was empty.
func Next(s []byte, loc []int) int {
	if loc[1] > loc[0] {
		return loc[1]
	}
	if loc[1] >= len(s) {
		return len(s) + 1
	}
	_, size := utf8.DecodeRune(s[loc[1]:])
	return loc[1] + size
}
