package parse

import "streamsql/planner/syntax"

// kind is the kind of a token.
type kind uint8

const (
	eof        kind = iota
	word            // an identifier or keyword without quotes
	quoted          // an identifier in back-ticks
	text            // a string literal
	number          // digits, with point or exponent
	symbol          // an operator or a bracket
	hint            // /*+ .. */
	doubled         // text in double quotes, which only SET takes
	unreadable      // what the lexer could not read; val says why
)

// token is a piece of the source with its place.
type token struct {
	kind     kind
	pair     int    // index of the closing bracket of a (, [ or {
	val      string // name, digits, value of a string, inside of a hint, or why it is unreadable
	up       string // upper case of a word, the sign of a symbol, or the code of the error
	pos, end int
}

// incomplete reports whether the text ended inside the token.
func (t *token) incomplete() bool {
	return t.kind == unreadable && t.up == string(syntax.CodeIncomplete)
}

func (t *token) span() syntax.Span { return syntax.Span{Pos: t.pos, End: t.end} }

// is reports whether the token is one of some unquoted words.
func (t *token) is(words ...string) bool {
	if t.kind != word {
		return false
	}
	for _, w := range words {
		if t.up == w {
			return true
		}
	}
	return false
}

// sign reports whether the token is a certain operator or bracket.
func (t *token) sign(s string) bool { return t.kind == symbol && t.up == s }

// name reports whether the token has the form of an identifier.
func (t *token) name() bool { return t.kind == word || t.kind == quoted }
