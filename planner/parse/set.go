package parse

import (
	"strings"

	"streamsql/planner/syntax"
)

// set parses SET, SET 'key' = 'value' and the shell's form SET key = value, whose key and
// value are taken as they stand.
func (p *parser) set() syntax.Statement {
	start, s := p.i, &syntax.Set{}
	p.i++
	switch {
	case p.ended():
	case p.tok().kind == text:
		o := p.option()
		s.Option = &o
	default:
		s.Option = p.rawOption()
	}
	s.Span = p.since(start)
	return s
}

func (p *parser) ended() bool { return p.tok().kind == eof || p.sign(";") }

// rawText reads all tokens up to a sign or the end, and returns the text they cover.
func (p *parser) rawText(sign string) (string, syntax.Span) {
	start := p.i
	for !p.ended() && (sign == "" || !p.sign(sign)) {
		if p.tok().incomplete() {
			p.readable(p.tok())
		}
		p.i++
	}
	if p.i == start {
		p.unexpected("a key or a value")
	}
	span := p.since(start)
	return unquote(span.Text(p.src)), span
}

// unquote strips the quotes around a text.
func unquote(s string) string {
	for _, q := range []string{"'", `"`, "`"} {
		if len(s) >= 2 && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
			return strings.ReplaceAll(s[1:len(s)-1], q+q, q)
		}
	}
	return s
}

// rawOption reads key = value without quotes.
func (p *parser) rawOption() *syntax.Option {
	start, o := p.i, &syntax.Option{}
	o.Key, o.KeySpan = p.rawText("=")
	p.expectSign("=")
	o.Value, o.ValueSpan = p.rawText("")
	o.Span = p.since(start)
	return o
}

// reset parses RESET and RESET 'key', with or without quotes.
func (p *parser) reset() syntax.Statement {
	start, r := p.i, &syntax.Reset{}
	p.i++
	switch {
	case p.ended():
	case p.tok().kind == text:
		key, _ := p.stringValue("a key in quotes")
		r.Key = &key
	default:
		key, _ := p.rawText("")
		r.Key = &key
	}
	r.Span = p.since(start)
	return r
}
