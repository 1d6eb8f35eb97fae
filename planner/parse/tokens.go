package parse

import "streamsql/planner/syntax"

// TokenKind says what a piece of text is to the lexer.
type TokenKind uint8

// The kinds of tokens. A comment, which the parser does not see, is what stands between two of them and is not blank.
const (
	WordToken    TokenKind = iota // an identifier or keyword without quotes
	NameToken                     // an identifier in back-ticks
	TextToken                     // a string literal
	NumberToken                   // digits, with point or exponent
	SignToken                     // an operator or a bracket
	HintToken                     // /*+ .. */
	DoubledToken                  // text in double quotes
	OtherToken                    // what is no SQL, or not yet closed
)

// Token is a piece of a text with its place, for whoever shows or completes text that need not be a statement.
type Token struct {
	syntax.Span
	Kind TokenKind
	// Upper is a word in upper case, or the sign.
	Upper string
	// Value is what a literal or a name in quotes stands for.
	Value string
}

var tokenKinds = map[kind]TokenKind{word: WordToken, quoted: NameToken, text: TextToken, number: NumberToken,
	symbol: SignToken, hint: HintToken, doubled: DoubledToken, unreadable: OtherToken}

// Tokens cuts text into its tokens. It never fails.
func Tokens(src string) []Token {
	toks := lex(src, 0, len(src))
	out := make([]Token, 0, len(toks))
	for i := range toks {
		t := &toks[i]
		if t.kind == eof {
			break
		}
		k := Token{Span: t.span(), Kind: tokenKinds[t.kind], Value: t.val}
		if t.kind == word || t.kind == symbol {
			k.Upper = t.up
		}
		out = append(out, k)
	}
	return out
}

// Backslash is the place of the first backslash outside of quotes and comments, where no statement can have one, or -1.
func Backslash(src string) int {
	l := &lexer{src: src}
	for seen := 0; ; {
		more := l.next()
		for ; seen < len(l.toks); seen++ {
			if t := &l.toks[seen]; t.kind == unreadable && src[t.pos] == '\\' {
				return t.pos
			}
		}
		if !more {
			return -1
		}
		if seen > maxTokensKept {
			l.toks, l.open, seen = append([]token(nil), l.toks[len(l.toks)-1]), nil, 1
		}
	}
}

// maxTokensKept bounds what Backslash remembers of a long text.
const maxTokensKept = 1 << 12

// Keywords lists the words of the grammar that are no plain names, in no order.
func Keywords() []string {
	out := make([]string, 0, len(reserved))
	for w := range reserved {
		out = append(out, w)
	}
	return out
}
