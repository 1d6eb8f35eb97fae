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
		w.Frame = s.frame()
	}
	s.expectSign(")")
	w.Span = s.since(start)
	return w
}

// frame reads ROWS or RANGE with one bound or BETWEEN two.
func (p *parser) frame() *syntax.Frame {
	start := p.i
	f := &syntax.Frame{Rows: p.next().is("ROWS")}
	if p.accept("BETWEEN") {
		f.Start = p.frameBound()
		p.expect("AND")
		f.End = p.frameBound()
	} else {
		f.Start = p.frameBound()
		f.End = syntax.FrameBound{Span: f.Start.Span, Kind: syntax.CurrentRow}
	}
	f.Span = p.since(start)
	return f
}

func (p *parser) frameBound() syntax.FrameBound {
	start, b := p.i, syntax.FrameBound{}
	switch {
	case p.accept("CURRENT", "ROW"):
		b.Kind = syntax.CurrentRow
	case p.accept("UNBOUNDED", "PRECEDING"):
		b.Kind = syntax.UnboundedPreceding
	case p.accept("UNBOUNDED", "FOLLOWING"):
		b.Kind = syntax.UnboundedFollowing
	case p.startsLiteral():
		b.Offset = p.literal()
		switch {
		case p.accept("PRECEDING"):
			b.Kind = syntax.Preceding
		case p.accept("FOLLOWING"):
			b.Kind = syntax.Following
		default:
			p.unexpected("PRECEDING or FOLLOWING")
		}
	default:
		p.unexpected("a frame bound: UNBOUNDED, CURRENT ROW, or a literal with PRECEDING or FOLLOWING")
	}
	b.Span = p.since(start)
	return b
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
		if !s.acceptSign(",") {
			return
		}
	}
}
