package shell

import (
	"strings"

	"streamsql/planner/catalog"
	"streamsql/planner/parse"
)

// expand replaces :NAME by the value of a variable, :'NAME' by it as a text and :"NAME" by it as a name in back-ticks, where
// there is such a variable. It also notes what runs.
func (s *Shell) expand(text string) string {
	if t := strings.TrimSpace(text); t != "" && t != ";" {
		s.last = text
	}
	if len(s.vars) == 0 || !strings.Contains(text, ":") {
		return text
	}
	var b strings.Builder
	from := 0
	toks := parse.Tokens(text)
	for i := 0; i+1 < len(toks); i++ {
		t, name := toks[i], toks[i+1]
		if t.Upper != ":" || t.Kind != parse.SignToken || t.End != name.Pos || i > 0 && toks[i-1].End == t.Pos && !separate(toks[i-1]) {
			continue
		}
		v, ok := s.vars[name.Value]
		if !ok {
			continue
		}
		switch name.Kind {
		case parse.WordToken:
		case parse.TextToken:
			v = "'" + strings.ReplaceAll(v, "'", "''") + "'"
		case parse.DoubledToken:
			v = catalog.Quote(v)
		default:
			continue
		}
		b.WriteString(text[from:t.Pos] + v)
		from = name.End
		i++
	}
	return b.String() + text[from:]
}

// separate tells a token behind which a colon is no access to a field.
func separate(t parse.Token) bool {
	return t.Kind == parse.SignToken && t.Upper != ")" && t.Upper != "]" && t.Upper != ":"
}

func variableName(name string) bool {
	for i, r := range name {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}
