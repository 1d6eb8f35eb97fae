package parse

import (
	"strings"

	"streamsql/planner/syntax"
)

// Substitute replaces each ${NAME} in a script by what lookup gives for it, and
// ${NAME:-default} by default where lookup knows no NAME. It looks neither at strings nor
// comments, and leaves $NAME alone. A name without a value is an error at its place.
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
