package parse

import "streamsql/planner/syntax"

// pattern reads PATTERN (..) of MATCH_RECOGNIZE behind the word.
func (p *parser) pattern(m *syntax.Match) {
	p.expectSign("(")
	m.AtStart = p.acceptSign("^")
	m.Pattern = p.patternAlt()
	if p.is("$") {
		p.i++
		m.AtEnd = true
	}
	p.expectSign(")")
}

// patternAlt reads a | b.
func (p *parser) patternAlt() syntax.Pattern {
	p.enter()
	defer p.leave()
	start := p.i
	items := []syntax.Pattern{p.patternSeq()}
	for p.acceptSign("|") {
		items = append(items, p.patternSeq())
	}
	if len(items) == 1 {
		return items[0]
	}
	return &syntax.PatternAlt{Span: p.since(start), Items: items}
}

// patternSeq reads patterns one behind the other.
func (p *parser) patternSeq() syntax.Pattern {
	start := p.i
	items := []syntax.Pattern{p.patternRepeat()}
	for p.patternStarts() {
		items = append(items, p.patternRepeat())
	}
	if len(items) == 1 {
		return items[0]
	}
	return &syntax.PatternSeq{Span: p.since(start), Items: items}
}

func (p *parser) patternStarts() bool {
	return p.tok().name() && !p.is("$") || p.sign("(") || p.sign("{") && p.peek(1).sign("-")
}

// patternRepeat reads a pattern and its quantifier.
func (p *parser) patternRepeat() syntax.Pattern {
	start := p.i
	item := p.patternItem()
	r := &syntax.PatternRepeat{Item: item, Max: syntax.Unset}
	switch {
	case p.acceptSign("*"):
	case p.acceptSign("+"):
		r.Min = 1
	case p.acceptSign("?"):
		r.Max = 1
	case p.sign("{") && !p.peek(1).sign("-"):
		p.repeatBounds(r)
	default:
		return item
	}
	r.Reluctant = p.acceptSign("?")
	r.Span = p.since(start)
	return r
}

// repeatBounds reads {n}, {n,}, {n,m} and {,m}.
func (p *parser) repeatBounds(r *syntax.PatternRepeat) {
	p.expectSign("{")
	lower := p.tok().kind == number
	if lower {
		r.Min = p.integer("a number of repetitions")
	} else {
		r.Min = syntax.Unset
	}
	switch {
	case p.acceptSign(","):
		if p.tok().kind == number || !lower {
			r.Max = p.integer("a number of repetitions")
		}
	case lower:
		r.Max = r.Min
	default:
		p.unexpected("a number of repetitions")
	}
	p.expectSign("}")
}

func (p *parser) patternItem() syntax.Pattern {
	start := p.i
	switch {
	case p.acceptSign("("):
		inner := p.patternAlt()
		p.expectSign(")")
		return &syntax.PatternSeq{Span: p.since(start), Items: []syntax.Pattern{inner}}
	case p.sign("{") && p.peek(1).sign("-"):
		p.i += 2
		inner := p.patternAlt()
		p.expectSign("-")
		p.expectSign("}")
		return &syntax.PatternExclude{Span: p.since(start), Item: inner}
	case p.is("PERMUTE") && p.peek(1).sign("("):
		return p.patternPermute()
	}
	v := p.ident("a pattern variable")
	return &syntax.PatternVar{Span: v.Span, Name: v}
}

func (p *parser) patternPermute() syntax.Pattern {
	start, perm := p.i, &syntax.PatternPermute{}
	p.i += 2
	for {
		perm.Items = append(perm.Items, p.patternAlt())
		if !p.acceptSign(",") {
			break
		}
	}
	p.expectSign(")")
	perm.Span = p.since(start)
	return perm
}
