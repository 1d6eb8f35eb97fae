package parse

import (
	"strings"

	"streamsql/planner/syntax"
)

// hints reads the hint comments that stand here.
func (p *parser) hints() []syntax.Hint {
	var hints []syntax.Hint
	for p.tok().kind == hint {
		t := p.next()
		inner := &parser{src: p.src, toks: lex(p.src, t.pos+3, t.end-2), opts: p.opts, closed: true}
		for inner.tok().kind != eof {
			hints = append(hints, inner.hint())
			inner.acceptSign(",")
		}
	}
	return hints
}

func (p *parser) hint() syntax.Hint {
	start := p.i
	if p.tok().kind != word {
		p.unexpected("the name of a hint")
	}
	h := syntax.Hint{Name: p.next().up}
	if p.acceptSign("(") {
		h.Parens = true
		for !p.sign(")") {
			h.Args = append(h.Args, p.hintArg())
			if !p.acceptSign(",") {
				break
			}
		}
		p.expectSign(")")
	}
	h.Span = p.since(start)
	return h
}

// hintArg reads a word, a literal, or key = 'value'.
func (p *parser) hintArg() syntax.HintArg {
	start := p.i
	var arg syntax.HintArg
	switch t := p.tok(); {
	case t.kind == text:
		arg.Value, _ = p.stringValue("a string")
	case t.kind == number:
		arg.Value = p.next().val
		arg.Span = p.since(start)
		return arg
	default:
		var names []string
		for _, part := range p.parts("a table, a column or 'key' = 'value'") {
			names = append(names, part.Name)
		}
		arg.Value = strings.Join(names, ".")
	}
	if p.acceptSign("=") {
		arg.Key = arg.Value
		arg.Value, _ = p.stringValue("the value in quotes")
	}
	arg.Span = p.since(start)
	return arg
}

// options reads ('key' = 'value', ..), which may be empty.
func (p *parser) options() []syntax.Option {
	p.expectSign("(")
	var options []syntax.Option
	for !p.sign(")") {
		options = append(options, p.option())
		if !p.listGoesOn() {
			break
		}
	}
	p.expectSign(")")
	return options
}

// option reads 'key' = 'value'.
func (p *parser) option() syntax.Option {
	start := p.i
	var o syntax.Option
	o.Key, o.KeySpan = p.stringValue("an option's key in quotes")
	p.expectSign("=")
	o.Value, o.ValueSpan = p.stringValue("the option's value in quotes")
	o.Span = p.since(start)
	return o
}
