package parse

import "streamsql/planner/syntax"

// exclude reads EXCLUDE c and EXCLUDE (c, ..) behind a star if it stands here.
func (s *shaper) exclude(star *syntax.Star) {
	start := s.i
	if !s.accept("EXCLUDE") {
		return
	}
	if s.sign("(") {
		star.Exclude = s.identList("a column name to leave out")
	} else {
		star.Exclude = []syntax.Ident{s.ident("a column name to leave out")}
	}
	star.Span = star.Span.To(s.since(start))
	s.widen(starExclude, s.since(start))
}

// replaces reports whether REPLACE (..) follows a star.
func (s *shaper) replaces() bool { return s.is("REPLACE") && s.peek(1).sign("(") }

// replace shapes a star with REPLACE (x AS c, ..) as `n`(x, ..).
func (s *shaper) replace(star *syntax.Star) {
	start, b := s.i, s.open()
	s.i += 2
	for {
		at, r := s.i, &syntax.Replacement{}
		s.arg(b, &r.Expr)
		s.expect("AS")
		r.Name = s.ident("the column to replace")
		r.Span = s.since(at)
		star.Replace = append(star.Replace, r)
		if !s.listGoesOn() {
			break
		}
	}
	s.expectSign(")")
	star.Span = star.Span.To(s.since(start))
	s.widen(starReplace, s.since(start))
	s.close(b, func() syntax.Expr { return star })
}
