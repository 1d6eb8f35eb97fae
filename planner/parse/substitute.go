package parse

import (
	"sort"
	"strings"

	"streamsql/planner/syntax"
)

// Substitute replaces each ${NAME} in a script by what lookup gives for it, and
// ${NAME:-default} by default where lookup knows no NAME, inside of strings too. $NAME is left
// alone. A name without a value is an error at its place, but in a comment it stays.
func Substitute(src string, lookup func(name string) (string, bool)) (string, error) {
	var b strings.Builder
	from := 0
	for {
		i := strings.Index(src[from:], "${")
		if i < 0 {
			b.WriteString(src[from:])
			return b.String(), nil
		}
		at := from + i
		b.WriteString(src[from:at])
		inner, _, closed := strings.Cut(src[at+2:], "}")
		name, fallback, hasFallback := strings.Cut(inner, ":-")
		if !closed || !variableName(name) {
			b.WriteString("${")
			from = at + 2
			continue
		}
		from = at + 2 + len(inner) + 1
		val, ok := lookup(name)
		if !ok && !hasFallback && inComment(src, at) {
			b.WriteString(src[at:from])
			continue
		}
		if !ok && !hasFallback {
			return "", syntax.Errorf(syntax.CodeSubstitute, syntax.Span{Pos: at, End: from}, "no value for ${%s}", name).
				WithHint("give it a value, or write ${%s:-default}", name)
		}
		if !ok {
			val = fallback
		}
		b.WriteString(val)
	}
}

// OpenVariable reports whether text ends within a ${NAME:-default}, so that more of it decides what it is.
func OpenVariable(src string) bool {
	for from := 0; ; {
		i := strings.Index(src[from:], "${")
		if i < 0 {
			return false
		}
		from += i + 2
		inner, _, closed := strings.Cut(src[from:], "}")
		name, _, _ := strings.Cut(inner, ":-")
		switch {
		case !variableName(name):
		case !closed:
			return true
		default:
			from += len(inner) + 1
		}
	}
}

// inComment reports whether no token covers a place of the text.
func inComment(src string, at int) bool {
	toks := lex(src, 0, len(src))
	i := sort.Search(len(toks), func(i int) bool { return toks[i].end > at })
	return i == len(toks) || toks[i].pos > at
}

// variableName reports whether a text is a name of letters, digits, points and underscores.
func variableName(s string) bool {
	for i, r := range s {
		letter := r == '_' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		if !letter && (i == 0 || r != '.' && (r < '0' || r > '9')) {
			return false
		}
	}
	return s != ""
}
