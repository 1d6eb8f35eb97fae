package parse

import "streamsql/planner/syntax"

// over shapes what stands behind OVER. Its expressions become arguments of the call.
func (s *shaper) over(b *bracket) *syntax.WindowSpec {
	if s.sign("(") {
		return s.windowSpec(b)
	}
	name := s.ident("a window's name or '('")
	return &syntax.WindowSpec{Span: name.Span, Base: &name, Named: true}
}

// windowSpec shapes ([base] [PARTITION BY ..] [ORDER BY ..] [frame]).
func (s *shaper) windowSpec(b *bracket) *syntax.WindowSpec {
	start, w := s.i, &syntax.WindowSpec{}
	s.expectSign("(")
	if s.startsName() && !s.is("PARTITION", "ORDER", "ROWS", "RANGE") {
		name := s.ident("a window's name")
		w.Base = &name
	}
	if s.accept("PARTITION", "BY") {
		s.args(b, &w.PartitionBy)
	}
	if s.accept("ORDER", "BY") {
		s.orderItems(b, &w.OrderBy)
	}
	if s.is("ROWS", "RANGE") {
		w.Frame = s.frame(b)
	}
	s.expectSign(")")
	w.Span = s.since(start)
	return w
}

// frame shapes ROWS or RANGE with one bound or BETWEEN two.
func (s *shaper) frame(b *bracket) *syntax.Frame {
	start := s.i
	f := &syntax.Frame{Rows: s.next().is("ROWS")}
	if s.accept("BETWEEN") {
		s.frameBound(b, &f.Start)
		s.expect("AND")
		s.frameBound(b, &f.End)
	} else {
		s.frameBound(b, &f.Start)
		f.End = syntax.FrameBound{Span: f.Start.Span, Kind: syntax.CurrentRow}
	}
	f.Span = s.since(start)
	return f
}

// frameBound shapes one bound; its offset becomes an argument.
func (s *shaper) frameBound(b *bracket, bound *syntax.FrameBound) {
	start := s.i
	switch {
	case s.accept("CURRENT", "ROW"):
		bound.Kind = syntax.CurrentRow
	case s.accept("UNBOUNDED", "PRECEDING"):
		bound.Kind = syntax.UnboundedPreceding
	case s.accept("UNBOUNDED", "FOLLOWING"):
		bound.Kind = syntax.UnboundedFollowing
	default:
		s.argument(b, slot{one: &bound.Offset})
		s.tightExpr()
		switch {
		case s.accept("PRECEDING"):
			bound.Kind = syntax.Preceding
		case s.accept("FOLLOWING"):
			bound.Kind = syntax.Following
		default:
			s.unexpected("PRECEDING or FOLLOWING")
		}
	}
	bound.Span = s.since(start)
}

// orderItems shapes the items of an ORDER BY as arguments.
func (s *shaper) orderItems(b *bracket, to *[]syntax.OrderItem) {
	for {
		start, item := s.i, &syntax.OrderItem{}
		s.argument(b, slot{take: func(e syntax.Expr) {
			item.Expr = e
			*to = append(*to, *item)
		}})
		s.expr()
		if s.accept("DESC") {
			item.Desc = true
		} else {
			s.accept("ASC")
		}
		switch {
		case s.accept("NULLS", "FIRST"):
			item.Nulls = syntax.NullsFirst
		case s.accept("NULLS", "LAST"):
			item.Nulls = syntax.NullsLast
		}
		item.Span = s.since(start)
		if !s.listGoesOn() {
			return
		}
	}
}
