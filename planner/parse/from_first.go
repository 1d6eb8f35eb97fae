package parse

import "streamsql/planner/syntax"

// fromFirst shapes FROM .. SELECT .. and FROM .. alone, behind which the other clauses follow as ever. The items of FROM
// are shaped where they stand in SELECT .. FROM ..
func (s *shaper) fromFirst() {
	start, sel, from := s.i, &syntax.Select{}, s.tok().span()
	s.widen(fromFirst, from)
	list := s.selectBehind()
	if list < 0 {
		s.rewrite(from, asText("SELECT * FROM"))
		s.emit("SELECT")
		s.place(sel)
		s.emit(",")
		s.place(&syntax.Star{Span: from})
		s.emit(".*")
	} else {
		s.i = list
		s.selectList(sel)
	}
	end, items := s.i, s.since(max(list, 0))
	s.i = start + 1
	s.emit("FROM")
	s.tableRefs()
	if list >= 0 {
		if s.i != list {
			s.unexpected("SELECT, a join or a comma")
		}
		tables := s.since(start)
		s.rewrite(tables.To(items), syntax.Piece{Span: items}, asText(" "), syntax.Piece{Span: tables})
		s.i = end
	}
	s.filters(sel)
	sel.Span = s.since(start)
}

// selectBehind finds the SELECT that belongs to the FROM at the cursor, or gives -1.
func (s *shaper) selectBehind() int {
	for k := s.i + 1; k < len(s.toks); k++ {
		switch t := &s.toks[k]; {
		case t.sign("(") || t.sign("[") || t.sign("{"):
			k = max(k, t.pair)
		case t.is("SELECT"):
			return k
		case t.sign(")") || t.sign(";") || t.is("WHERE", "GROUP", "HAVING", "QUALIFY", "ORDER", "LIMIT", "UNION", "INTERSECT", "EXCEPT"):
			return -1
		}
	}
	return -1
}
