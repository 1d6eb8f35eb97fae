package parse

import "streamsql/planner/syntax"

// extract shapes EXTRACT(unit FROM x).
func (s *shaper) extract(c callShape) {
	s.leafArg(c, s.unitArg())
	s.expect("FROM")
	s.callArg(c)
}

// floor shapes FLOOR(x) and FLOOR(x TO unit), also for CEIL.
func (s *shaper) floor(c callShape) {
	s.callArg(c)
	if s.accept("TO") {
		s.leafArg(c, s.unitArg())
	}
}

// timestampAdd shapes TIMESTAMPADD(unit, a, b) and TIMESTAMPDIFF.
func (s *shaper) timestampAdd(c callShape) {
	s.leafArg(c, s.unitArg())
	s.expectSign(",")
	s.callArg(c)
	s.expectSign(",")
	s.callArg(c)
}

// trim shapes TRIM(x), TRIM(c FROM x) and TRIM([BOTH] [c] FROM x).
func (s *shaper) trim(c callShape) {
	side := &syntax.Keyword{Word: "BOTH"}
	at := s.tok().span()
	switch {
	case s.is("BOTH", "LEADING", "TRAILING"):
		side.Word = s.next().up
	case !s.trimsFrom():
		s.callArg(c)
		return
	}
	side.Span = at
	s.leafArg(c, side)
	if s.is("FROM") {
		s.leafArg(c, &syntax.Literal{Span: s.tok().span(), Kind: syntax.StringLiteral, Text: " "})
	} else {
		s.callArg(c)
	}
	s.expect("FROM")
	s.callArg(c)
}

// trimsFrom reports whether a FROM stands inside the parentheses of TRIM itself.
func (s *shaper) trimsFrom() bool {
	for k := s.i; k < len(s.toks); k++ {
		switch t := &s.toks[k]; {
		case t.sign("(") || t.sign("["):
			k = t.pair
		case t.sign(")"):
			return false
		case t.is("FROM"):
			return true
		}
	}
	return false
}

// substring shapes SUBSTRING(x, a, n) and SUBSTRING(x FROM a FOR n).
func (s *shaper) substring(c callShape) {
	s.callArg(c)
	if s.acceptSign(",") {
		s.callArg(c)
		if s.acceptSign(",") {
			s.callArg(c)
		}
		return
	}
	s.expect("FROM")
	s.callArg(c)
	if s.accept("FOR") {
		s.callArg(c)
	}
}

// position shapes POSITION(a IN x [FROM n]).
func (s *shaper) position(c callShape) {
	s.argument(c.bracket, slot{many: &c.call.Args})
	s.tightExpr()
	s.expect("IN")
	s.callArg(c)
	if s.accept("FROM") {
		s.callArg(c)
	}
}

// overlay shapes OVERLAY(x PLACING y FROM a [FOR n]) and its form with commas.
func (s *shaper) overlay(c callShape) {
	s.callArg(c)
	if s.acceptSign(",") {
		s.plainArgs(c, "OVERLAY", false)
		return
	}
	s.expect("PLACING")
	s.callArg(c)
	s.expect("FROM")
	s.callArg(c)
	if s.accept("FOR") {
		s.callArg(c)
	}
}

// descriptor shapes DESCRIPTOR(a, b): names, not expressions.
func (s *shaper) descriptor(start int, c callShape) {
	s.i--
	d := &syntax.Descriptor{Columns: s.identList("a column")}
	d.Span = s.since(start)
	s.close(c.bracket, func() syntax.Expr { return d })
}
