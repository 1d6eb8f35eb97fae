package parse

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"streamsql/exec/option"
	"streamsql/planner/syntax"
)

// parser walks over the tokens of one statement. Its methods give up by a panic with a
// *syntax.Error, which catch turns into a returned error; nothing else panics on purpose.
type parser struct {
	src  string // the text that positions refer to
	toks []token
	i    int
	opts Options
	nest int

	closed bool // the text is a part of a larger one: more lines would not complete it
}

// catch ends a panic of fail.
func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case *syntax.Error:
		*err = r
	default:
		panic(r)
	}
}

func (p *parser) tok() *token { return &p.toks[p.i] }

// peek returns the token k places ahead; behind the end it is the eof token.
func (p *parser) peek(k int) *token { return &p.toks[min(p.i+k, len(p.toks)-1)] }

// last returns the token before the cursor.
func (p *parser) last() *token { return &p.toks[max(p.i-1, 0)] }

// since returns the span from a token to the last one read.
func (p *parser) since(start int) syntax.Span {
	return syntax.Span{Pos: p.toks[start].pos, End: max(p.last().end, p.toks[start].pos)}
}

// next reads one token.
func (p *parser) next() *token {
	t := p.tok()
	if t.kind != eof {
		p.i++
	}
	return t
}

func (p *parser) is(words ...string) bool { return p.tok().is(words...) }

func (p *parser) sign(s string) bool { return p.tok().sign(s) }

// words reports whether some words stand next, in that order.
func (p *parser) words(ws ...string) bool {
	for k, w := range ws {
		if !p.peek(k).is(w) {
			return false
		}
	}
	return true
}

// accept reads some words if they stand next, in that order.
func (p *parser) accept(ws ...string) bool {
	if !p.words(ws...) {
		return false
	}
	p.i += len(ws)
	return true
}

func (p *parser) acceptSign(s string) bool {
	if !p.sign(s) {
		return false
	}
	p.i++
	return true
}

// expect reads words that must stand next, in that order.
func (p *parser) expect(ws ...string) {
	for _, w := range ws {
		if !p.accept(w) {
			p.unexpected(w)
		}
	}
}

func (p *parser) expectSign(s string) {
	if !p.acceptSign(s) {
		p.unexpected("'" + s + "'")
	}
}

// unexpected gives up at the current token; wanted says what could stand there.
func (p *parser) unexpected(wanted string) {
	t := p.tok()
	p.readable(t)
	const ended = "unexpected end of the statement: expected %s"
	switch {
	case t.kind == eof:
		p.fail(syntax.Errorf(p.code(syntax.CodeIncomplete), p.endSpan(), ended, wanted))
	case t.sign(";"):
		p.fail(syntax.Errorf(syntax.CodeSyntax, t.span(), ended, wanted))
	case t.kind == doubled:
		p.fail(syntax.Errorf(syntax.CodeLexical, t.span(), "double quotes are not allowed").
			WithHint("write 'text' for a string, `name` for an identifier"))
	}
	err := syntax.Errorf(syntax.CodeSyntax, t.span(), "unexpected %s: expected %s", p.spell(t), wanted)
	err.Hint = p.obviousHint(t, wanted)
	p.fail(err)
}

// readable gives up if the lexer could not read a token.
func (p *parser) readable(t *token) {
	if t.kind == unreadable {
		first, _ := utf8.DecodeRuneInString(p.src[t.pos:])
		p.fail(&syntax.Error{Code: p.code(syntax.Code(t.up)), Span: t.span(), Msg: t.val, Hint: characterHints[first]})
	}
}

// code is that of an error, which says that text is missing only where more could follow.
func (p *parser) code(c syntax.Code) syntax.Code {
	if c == syntax.CodeIncomplete && p.closed {
		return syntax.CodeSyntax
	}
	return c
}

// endSpan is the place behind the last token.
func (p *parser) endSpan() syntax.Span {
	end := p.tok().end
	if p.i > 0 {
		end = p.last().end
	}
	return syntax.Span{Pos: end, End: end}
}

// spell names a token in an error.
func (p *parser) spell(t *token) string {
	const most = 30
	raw := t.span().Text(p.src)
	if r := []rune(raw); len(r) > most {
		raw = string(r[:most]) + ".."
	}
	if t.kind == hint {
		return "hint " + raw
	}
	return fmt.Sprintf("'%s'", raw)
}

// obviousHint says what was probably meant where a token cannot stand.
func (p *parser) obviousHint(t *token, wanted string) string {
	before := &token{}
	if p.i > 0 {
		before = &p.toks[p.i-1]
	}
	switch {
	case t.sign("=") && before.sign("=") && before.end == t.pos:
		return "write = instead of =="
	case t.sign(":") && p.i+1 < len(p.toks) && p.toks[p.i+1].pos == t.end && p.toks[p.i+1].name():
		name := p.toks[p.i+1].val
		return fmt.Sprintf(`the variable :%s has no value; -v %s=… or \set %s … gives it one`, name, name, name)
	case t.sign(":"):
		return "write CAST(x AS type) instead of x::type"
	case t.sign("?"):
		return "there are no parameters; put the value into the text"
	case t.sign(">") && before.sign("<=") && before.end == t.pos:
		return "write IS NOT DISTINCT FROM instead of <=>"
	case t.is("MINUS"):
		return "write EXCEPT instead of MINUS"
	case t.is("FROM") && before.sign(","):
		return "leave out the comma before FROM"
	case t.sign(",") && p.i > 1 && p.toks[p.i-2].is("LIMIT"):
		return "write LIMIT count OFFSET skip"
	case t.is("ILIKE"):
		return "write LOWER(x) LIKE LOWER(pattern)"
	case t.is("SEMI", "ANTI"):
		return "write WHERE [NOT] EXISTS (SELECT ..) or [NOT] IN (SELECT ..)"
	case t.is("INSERT") && before.sign(")"):
		return "write INSERT INTO t WITH .. SELECT .."
	case wanted == someStatement:
		if near := option.Nearest(t.val, statementWords); near != "" {
			return "did you mean " + near + "?"
		}
	case t.kind == word && structural[t.up] && namesColumn(wanted):
		return fmt.Sprintf("%s is a reserved word; as a name it needs back-ticks: `%s`", t.up, t.val)
	}
	return ""
}

// namesColumn reports whether the user was about to name something of his own.
func namesColumn(wanted string) bool {
	for _, own := range []string{"column name", "alias", "field"} {
		if strings.Contains(wanted, own) {
			return true
		}
	}
	return false
}
