package parse

import "streamsql/planner/syntax"

// ident reads one identifier; what names it in the error if there is none.
func (p *parser) ident(what string) syntax.Ident {
	t := p.tok()
	if !t.name() || t.kind == word && structural[t.up] {
		p.unexpected(what)
	}
	if t.kind == word && reserved[t.up] {
		p.reservedAsName(t)
	}
	p.i++
	return p.identOf(t)
}

// reservedAsName passes by default and gives up in the Flink dialect.
func (p *parser) reservedAsName(t *token) {
	if !p.strict() {
		p.extended(reservedName, t.span(), asText("`"+t.val+"`"))
		return
	}
	p.fail(syntax.Errorf(syntax.CodeReserved, t.span(), "%s is a reserved word, it cannot be a name here", t.up).
		WithHint("put it into back-ticks: `%s`", t.val))
}

func (p *parser) identOf(t *token) syntax.Ident {
	return syntax.Ident{Span: t.span(), Name: t.val, Quoted: t.kind == quoted}
}

// startsName reports whether an identifier can be read here.
func (p *parser) startsName() bool { return p.peekName(0) }

func (p *parser) peekName(k int) bool {
	t := p.peek(k)
	return t.kind == quoted || t.kind == word && !structural[t.up] && !(p.strict() && reserved[t.up])
}

// parts reads identifiers joined by points. After a point any word but a structural one is
// a name where the dialect allows it.
func (p *parser) parts(what string) []syntax.Ident {
	parts := []syntax.Ident{p.ident(what)}
	for p.sign(".") && p.peek(1).name() {
		p.i++
		parts = append(parts, p.ident("a name behind the point"))
	}
	return parts
}

func spanOf(parts []syntax.Ident) syntax.Span {
	return parts[0].Span.To(parts[len(parts)-1].Span)
}

// path reads the name of a catalog object.
func (p *parser) path(what string) syntax.Path {
	parts := p.parts(what)
	if len(parts) > 3 {
		p.fail(syntax.Errorf(syntax.CodeSyntax, parts[3].Span, "%s has at most three parts: catalog, database, name", what))
	}
	return syntax.Path{Span: spanOf(parts), Parts: parts}
}

// identList reads (a, b, ..) with at least one name.
func (p *parser) identList(what string) []syntax.Ident {
	p.expectSign("(")
	names := []syntax.Ident{p.ident(what)}
	for p.listGoesOn() {
		names = append(names, p.ident(what))
	}
	p.expectSign(")")
	return names
}

// startsImplicitAlias reports whether a name without AS follows. Reserved words are none in
// any dialect, so that a clause behind it stays a clause.
func (p *parser) startsImplicitAlias() bool {
	t := p.tok()
	return t.kind == quoted || t.kind == word && !reserved[t.up]
}
