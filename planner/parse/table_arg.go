package parse

import "streamsql/planner/syntax"

// tableArg shapes TABLE t [PARTITION BY ..] [ORDER BY ..] as an argument.
func (s *shaper) tableArg(c callShape) {
	if s.peek(1).sign("(") {
		s.i++
		if !s.startsParenQuery() {
			s.i++
			s.unexpected("a query or the name of a table behind TABLE")
		}
		s.queryTableArg(c)
		return
	}
	start, t := s.i, &syntax.TableArg{}
	s.i++
	t.Table = s.tableName()
	s.argument(c.bracket, slot{many: &c.call.Args})
	b := s.open()
	s.tableOrder(start, b, t)
}

// queryTableArg shapes (query) [PARTITION BY ..] [ORDER BY ..] as an argument.
func (s *shaper) queryTableArg(c callShape) {
	start, t := s.i, &syntax.TableArg{}
	s.argument(c.bracket, slot{many: &c.call.Args})
	b := s.open()
	s.i++
	s.enter()
	s.queryArg(b, &t.Query)
	s.leave()
	s.expectSign(")")
	s.tableOrder(start, b, t)
}

func (s *shaper) tableOrder(start int, b *bracket, t *syntax.TableArg) {
	if s.accept("PARTITION", "BY") {
		s.partitionKeys(b, t)
	}
	if s.accept("ORDER", "BY") {
		if s.acceptSign("(") {
			s.orderItems(b, &t.OrderBy)
			s.expectSign(")")
		} else {
			s.orderItems(b, &t.OrderBy)
		}
	}
	t.Span = s.since(start)
	s.close(b, func() syntax.Expr { return t })
}

// partitionKeys shapes (a, b) or a, b. The bare list ends before what cannot be a key: the
// next arguments of the function.
func (s *shaper) partitionKeys(b *bracket, t *syntax.TableArg) {
	if s.acceptSign("(") {
		s.args(b, &t.PartitionBy)
		s.expectSign(")")
		return
	}
	for {
		s.argument(b, slot{many: &t.PartitionBy})
		s.expr()
		after := s.peek(1)
		if !s.sign(",") || !after.name() || after.is("DESCRIPTOR", "INTERVAL", "TABLE") || s.peek(2).sign("=>") {
			return
		}
		s.i++
	}
}
