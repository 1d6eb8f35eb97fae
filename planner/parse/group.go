package parse

import "streamsql/planner/syntax"

// groupBy shapes GROUP BY as GROUP BY `n`(expressions); how they are grouped stays in the
// entry.
func (s *shaper) groupBy() {
	start, g := s.i, &syntax.GroupBy{}
	s.i++
	s.expect("BY")
	s.emit("GROUP BY")
	if s.accept("DISTINCT") {
		g.Distinct = true
	} else if all := s.tok().span(); s.accept("ALL") && s.groupsByAll() {
		g.All = all
		s.widen(groupByAll, all)
	}
	b := s.open()
	var items []*groupItem
	if g.All == (syntax.Span{}) {
		items = s.groupItems(b)
	}
	g.Span = s.since(start)
	s.close(b, func() syntax.Expr {
		g.Items = plainItems(items)
		return clause{of: g}
	})
}

// groupsByAll reports whether nothing stands behind GROUP BY ALL.
func (s *shaper) groupsByAll() bool {
	return s.tok().kind == eof || s.sign(")") || s.sign(";") || s.clauseFollows()
}

// groupItem is a grouping item that is being filled; its parts are held by pointers until
// all are complete.
type groupItem struct {
	syntax.GroupItem
	items []*groupItem
}

func plainItems(items []*groupItem) []syntax.GroupItem {
	plain := make([]syntax.GroupItem, len(items))
	for i, it := range items {
		plain[i] = it.GroupItem
		if len(it.items) > 0 {
			plain[i].Items = plainItems(it.items)
		}
	}
	return plain
}

func (s *shaper) groupItems(b *bracket) []*groupItem {
	var items []*groupItem
	for {
		items = append(items, s.groupItem(b))
		if !s.listGoesOn() {
			return items
		}
	}
}

func (s *shaper) groupItem(b *bracket) *groupItem {
	start, g := s.i, &groupItem{}
	s.enter()
	defer s.leave()
	switch {
	case s.accept("GROUPING", "SETS"):
		g.Kind = syntax.GroupingSets
		s.groupList(b, g)
	case s.is("CUBE", "ROLLUP") && s.peek(1).sign("("):
		g.Kind = syntax.Rollup
		if s.next().is("CUBE") {
			g.Kind = syntax.Cube
		}
		s.groupList(b, g)
	case s.sign("(") && !s.startsParenQuery() && !s.expressionGoesOn(s.tok().pair):
		g.Kind = syntax.GroupTuple
		s.i++
		if !s.sign(")") {
			s.args(b, &g.Exprs)
		}
		s.expectSign(")")
	default:
		s.argument(b, slot{many: &g.Exprs})
		s.expr()
	}
	g.Span = s.since(start)
	return g
}

func (s *shaper) groupList(b *bracket, g *groupItem) {
	s.expectSign("(")
	g.items = s.groupItems(b)
	s.expectSign(")")
}
