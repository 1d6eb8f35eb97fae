package parse

import (
	"math"
	"strings"

	"streamsql/planner/syntax"
)

// stringValue reads a string literal, with the pieces that follow on other lines.
func (p *parser) stringValue(what string) (string, syntax.Span) {
	t := p.tok()
	if t.kind != text {
		p.unexpected(what)
	}
	p.i++
	val, span := t.val, t.span()
	for next := p.tok(); next.kind == text; next = p.tok() {
		if !strings.Contains(p.src[span.End:next.pos], "\n") {
			p.fail(syntax.Errorf(syntax.CodeLiteral, next.span(), "two string literals on one line").
				WithHint("join them with ||"))
		}
		p.i++
		val += next.val
		span.End = next.end
	}
	return val, span
}

// comment reads COMMENT 'text' if it stands here.
func (p *parser) comment() *string {
	if !p.accept("COMMENT") {
		return nil
	}
	s, _ := p.stringValue("the comment's text in quotes")
	return &s
}

// integer reads an unsigned whole number.
func (p *parser) integer(what string) int {
	t := p.tok()
	if t.kind != number || strings.ContainsAny(t.val, ".eE") {
		p.unexpected(what)
	}
	n := 0
	for _, c := range t.val {
		n = n*10 + int(c-'0')
		if n > math.MaxInt32 {
			p.fail(syntax.Errorf(syntax.CodeLiteral, t.span(), "number %s is too large here", t.val))
		}
	}
	p.i++
	return n
}

// numberLiteral reads an unsigned number. 1. is an integer; the zeros of 0.908 and 1.50 count.
func (p *parser) numberLiteral() *syntax.Literal {
	t := p.next()
	lit := &syntax.Literal{Span: t.span(), Kind: syntax.IntegerLiteral, Text: t.val}
	switch {
	case strings.ContainsAny(t.val, "eE"):
		lit.Kind = syntax.DoubleLiteral
	case strings.HasSuffix(t.val, "."):
		lit.Text = strings.TrimSuffix(t.val, ".")
	case strings.Contains(t.val, "."):
		lit.Kind = syntax.DecimalLiteral
	}
	return lit
}

// startsLiteral reports whether the token and what follows spell a literal.
func (p *parser) startsLiteral() bool {
	t, after := p.tok(), p.peek(1)
	switch {
	case t.kind == text, t.kind == number:
		return true
	case t.kind != word:
		return false
	case t.is("NULL", "TRUE", "FALSE", "UNKNOWN"):
		return true
	case t.is("DATE", "TIME", "TIMESTAMP"):
		return after.kind == text || after.is("WITH", "WITHOUT") && p.peek(2).is("LOCAL", "TIME")
	case t.is("X", "N", "E"), strings.HasPrefix(t.up, "_"):
		return after.kind == text && after.pos == t.end
	case t.is("U"):
		return after.sign("&") && after.pos == t.end && p.peek(2).kind == text
	case t.is("INTERVAL"):
		return after.kind == text || (after.sign("-") || after.sign("+")) && p.peek(2).kind == text
	}
	return false
}

// literal reads a literal of any kind.
func (p *parser) literal() syntax.Expr {
	t := p.tok()
	switch {
	case t.kind == number:
		return p.numberLiteral()
	case t.kind == text:
		val, span := p.stringValue("a string")
		return &syntax.Literal{Span: span, Kind: syntax.StringLiteral, Text: val}
	}
	start := p.i
	p.i++
	lit := &syntax.Literal{}
	switch t.up {
	case "NULL":
		lit.Kind = syntax.NullLiteral
	case "TRUE", "FALSE", "UNKNOWN":
		lit.Kind, lit.Text = syntax.BoolLiteral, t.up
	case "INTERVAL":
		return p.interval(start)
	case "DATE":
		lit.Kind = syntax.DateLiteral
		lit.Text, _ = p.stringValue("a date in quotes")
	case "TIME":
		p.zone()
		lit.Kind = syntax.TimeLiteral
		lit.Text, _ = p.stringValue("a time in quotes")
	case "TIMESTAMP":
		lit.Kind = syntax.TimestampLiteral
		if p.zone() != syntax.NoZone {
			lit.Kind = syntax.TimestampLTZLiteral
		}
		lit.Text, _ = p.stringValue("a timestamp in quotes")
	case "X":
		lit.Kind = syntax.BinaryLiteral
		lit.Text = p.hexDigits()
	case "U":
		p.i++
		lit.Kind, lit.Text = syntax.StringLiteral, p.unicodeString()
	case "E":
		lit.Kind, lit.Text = syntax.StringLiteral, p.escapedString()
	default: // N'..', _UTF16'..'
		lit.Kind = syntax.StringLiteral
		lit.Text, _ = p.stringValue("a string")
	}
	lit.Span = p.since(start)
	return lit
}

// hexDigits reads the digits of X'..' and checks them.
func (p *parser) hexDigits() string {
	val, span := p.stringValue("hexadecimal digits in quotes")
	if strings.Trim(val, "0123456789abcdefABCDEF") != "" {
		p.fail(syntax.Errorf(syntax.CodeLiteral, span, "X'..' holds hexadecimal digits only"))
	}
	if len(val)%2 != 0 {
		p.fail(syntax.Errorf(syntax.CodeLiteral, span, "X'..' holds an even number of hexadecimal digits"))
	}
	return val
}
