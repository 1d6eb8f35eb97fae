package parse

import "streamsql/planner/syntax"

// row shapes ROW(a, b).
func (s *shaper) row() {
	start, r := s.i, &syntax.Row{}
	s.i += 2
	b := s.open()
	if !s.sign(")") {
		s.args(b, &r.Items)
	}
	s.expectSign(")")
	r.Span = s.since(start)
	s.close(b, func() syntax.Expr { return r })
}

var collectionKinds = map[string]syntax.CollectionKind{
	"ARRAY": syntax.Array, "MAP": syntax.Map, "MULTISET": syntax.Multiset,
}

// collection shapes ARRAY[..], MAP[..] and MULTISET[..].
func (s *shaper) collection() {
	start, c := s.i, &syntax.Collection{Kind: collectionKinds[s.tok().up]}
	s.i += 2
	b := s.open()
	if !s.sign("]") {
		s.args(b, &c.Items)
	}
	if c.Kind == syntax.Map && len(b.slots)%2 != 0 {
		s.fail(syntax.Errorf(syntax.CodeSyntax, s.since(start), "MAP needs a value for each key"))
	}
	s.expectSign("]")
	c.Span = s.since(start)
	s.close(b, func() syntax.Expr { return c })
}

// collectionQuery shapes ARRAY(SELECT ..) and its like.
func (s *shaper) collectionQuery() {
	start, c := s.i, &syntax.Collection{Kind: collectionKinds[s.tok().up]}
	s.i += 2
	b := s.open()
	s.enter()
	s.queryArg(b, &c.Query)
	s.leave()
	s.expectSign(")")
	c.Span = s.since(start)
	s.close(b, func() syntax.Expr { return c })
}

// cast shapes CAST(x AS type) and TRY_CAST(x AS type).
func (s *shaper) cast() {
	start, c := s.i, &syntax.Cast{Try: s.is("TRY_CAST")}
	s.i += 2
	b := s.open()
	s.arg(b, &c.Expr)
	s.expect("AS")
	c.Type = s.typ()
	s.expectSign(")")
	c.Span = s.since(start)
	s.close(b, func() syntax.Expr { return c })
}

// caseExpr shapes CASE [x] WHEN .. THEN .. [ELSE ..] END.
func (s *shaper) caseExpr() {
	start, c := s.i, &syntax.Case{}
	s.i++
	b := s.open()
	simple := !s.is("WHEN")
	if simple {
		s.arg(b, &c.Operand)
	}
	if !s.is("WHEN") {
		s.unexpected("WHEN")
	}
	for s.is("WHEN") {
		s.when(b, c, simple)
	}
	if s.accept("ELSE") {
		s.arg(b, &c.Else)
	}
	s.expect("END")
	c.Span = s.since(start)
	s.close(b, func() syntax.Expr { return c })
}

// when shapes WHEN x THEN y. WHEN a, b THEN y, which a CASE with an operand may have, stands for
// one branch each, with the result shared.
func (s *shaper) when(b *bracket, c *syntax.Case, simple bool) {
	start, branches := s.i, 0
	s.i++
	for {
		s.argument(b, slot{take: func(e syntax.Expr) { c.Whens = append(c.Whens, syntax.When{Cond: e}) }})
		s.expr()
		branches++
		if !simple || !s.acceptSign(",") {
			break
		}
	}
	s.expect("THEN")
	var span syntax.Span
	s.argument(b, slot{take: func(e syntax.Expr) {
		for i := range branches {
			w := &c.Whens[len(c.Whens)-1-i]
			w.Then, w.Span = e, span
		}
	}})
	s.expr()
	span = s.since(start)
}

// exists shapes EXISTS (query).
func (s *shaper) exists() {
	start, e := s.i, &syntax.Exists{}
	s.i += 2
	b := s.open()
	s.enter()
	s.queryArg(b, &e.Query)
	s.leave()
	s.expectSign(")")
	e.Span = s.since(start)
	s.close(b, func() syntax.Expr { return e })
}

// quantified shapes ALL (..), ANY (..) and SOME (..), the right side of a comparison.
func (s *shaper) quantified() {
	start, q := s.i, &syntax.Quantified{All: s.is("ALL")}
	if s.i == 0 || !comparison[s.last().up] {
		s.unexpected("an expression")
	}
	s.i++
	b := s.open()
	isQuery := s.startsParenQuery()
	s.i++
	if isQuery {
		s.enter()
		s.queryArg(b, &q.Query)
		s.leave()
	} else {
		s.args(b, &q.List)
	}
	s.expectSign(")")
	q.Span = s.since(start)
	s.close(b, func() syntax.Expr { return q })
}

var comparison = map[string]bool{"=": true, "<>": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true}
