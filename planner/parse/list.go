package parse

// listGoesOn reads the comma before a further item of a list. One with nothing behind it is a widening.
func (p *parser) listGoesOn() bool {
	comma := p.tok().span()
	if !p.acceptSign(",") {
		return false
	}
	if !p.listEnds() {
		return true
	}
	p.widen(trailingComma, comma, nothing)
	return false
}

// listEnds reports whether no item can begin here.
func (p *parser) listEnds() bool {
	return p.tok().kind == eof || p.sign(")") || p.sign(";") || p.is("FROM") || p.clauseFollows()
}

// clauseFollows reports whether one of the clauses behind GROUP BY stands here, or a set operator.
func (p *parser) clauseFollows() bool {
	return p.is("WHERE", "GROUP", "HAVING", "QUALIFY", "ORDER", "LIMIT", "OFFSET", "FETCH", "UNION", "INTERSECT", "EXCEPT") ||
		p.is("WINDOW") && p.peekName(1) && p.peek(2).is("AS")
}
