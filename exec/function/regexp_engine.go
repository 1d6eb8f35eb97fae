package function

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
)

// regex is a compiled Java regular expression: run by the kernel's linear engine or, when it needs
// look-around or back references, by a backtracking library.
type regex struct {
	fast   *kernel.Regexp
	slow   *regexp2.Regexp
	groups int

	runes   []rune
	offsets []int // byte offset of each rune, and of the end
	loc     []int
}

// slowSearch bounds one search of the backtracking library, which may take time exponential in its text.
const slowSearch = 10 * time.Second

// errUnsupported wraps what neither engine can run.
var errUnsupported = errors.New("not supported")

// compileRegex compiles a pattern in Java's syntax.
func compileRegex(pattern string) (*regex, error) {
	fast, err := kernel.CompileRegexp(pattern)
	if err == nil {
		return &regex{fast: fast, groups: fast.Groups()}, nil
	}
	if err != kernel.ErrBeyond {
		return nil, err
	}
	p, _, err := kernel.FromJava(pattern)
	if err != nil {
		return nil, err
	}
	slow, err := regexp2.Compile(p, regexp2.None)
	if err != nil {
		return nil, fmt.Errorf("%w: regular expression %s", errUnsupported, pattern)
	}
	slow.MatchTimeout = slowSearch
	return &regex{slow: slow, groups: len(slow.GetGroupNumbers()) - 1}, nil
}

// find returns the boundaries of the first match at or after byte from and of its groups, or nil. The
// result is good until the next call. A search that takes too long fails the lane.
func (x *regex) find(r *row, s []byte, from int) []int {
	if x.fast != nil {
		return x.fast.Find(s, from)
	}
	x.runes, x.offsets = x.runes[:0], x.offsets[:0]
	start := 0
	for i := 0; i < len(s); {
		if i == from {
			start = len(x.runes)
		}
		p, size := utf8.DecodeRune(s[i:])
		x.runes, x.offsets = append(x.runes, p), append(x.offsets, i)
		i += size
	}
	x.offsets = append(x.offsets, len(s))
	if from == len(s) {
		start = len(x.runes)
	}
	m, err := x.slow.FindRunesMatchStartingAt(x.runes, start)
	if err != nil {
		r.fail("the regular expression %s takes more than %s on this text", x.slow, slowSearch)
		return nil
	}
	if m == nil {
		return nil
	}
	x.loc = x.loc[:0]
	for k := range x.groups + 1 {
		g := m.GroupByNumber(k)
		if g == nil || len(g.Captures) == 0 {
			x.loc = append(x.loc, -1, -1)
			continue
		}
		x.loc = append(x.loc, x.offsets[g.Index], x.offsets[g.Index+g.Length])
	}
	return x.loc
}

// next is where the search goes on behind a match: one character further when it was empty.
func next(s []byte, loc []int) int {
	if loc[1] > loc[0] {
		return loc[1]
	}
	if loc[1] >= len(s) {
		return len(s) + 1
	}
	_, size := utf8.DecodeRune(s[loc[1]:])
	return loc[1] + size
}

// regexpForm is textForm for functions whose second argument is a regular expression: one that no engine
// can run is refused when it is known at planning.
func regexpForm(form string, result func([]Arg) types.Type) func([]Arg) (Signature, error) {
	check := textForm(form, result)
	return func(args []Arg) (Signature, error) {
		sig, err := check(args)
		if p, ok := literalText(args, 1); ok && err == nil {
			if _, bad := compileRegex(p); errors.Is(bad, errUnsupported) {
				return sig, Refuse("%v", bad)
			}
		}
		return sig, err
	}
}

// patterns gives the regular expression of each lane: compiled once when it is known at planning.
type patterns struct {
	arg      int
	known    bool
	constant *regex // nil for a bad pattern
	compiled cache[*regex]
}

func patternsOf(b Binding, arg int) (*patterns, error) {
	p := &patterns{arg: arg}
	var text string
	if text, p.known = literalText(b.Args, arg); p.known {
		x, err := compileRegex(text)
		if errors.Is(err, errUnsupported) {
			return nil, err
		}
		p.constant = x
	}
	return p, nil
}

// of is the expression of lane r, or nil when it is bad.
func (p *patterns) of(r *row) *regex {
	if p.known {
		return p.constant
	}
	x, err := p.compiled.get(r.text(p.arg), 0, compileRegex)
	if errors.Is(err, errUnsupported) {
		r.fail("%v", err)
	}
	if err != nil {
		return nil
	}
	return x
}
