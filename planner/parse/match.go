package parse

import (
	"github.com/pingcap/tidb/pkg/parser/ast"

	"streamsql/planner/syntax"
)

// match shapes MATCH_RECOGNIZE behind the factor written since a mark, as
// (SELECT `n` FROM factor WHERE `n`(expressions)) AS `n`; false if it does not stand here.
func (s *shaper) match(mark, start int) bool {
	if !s.is("MATCH_RECOGNIZE") {
		return false
	}
	s.i++
	s.expectSign("(")
	m := &syntax.Match{}
	name := placeholder(s.register(&factor{func(l *lowering, source ast.ResultSetNode) syntax.TableRef {
		x := source.(*ast.SelectStmt)
		m.Input = l.tableRef(x.From.TableRefs)
		l.expr(x.Where)
		return m
	}}))
	s.insertAt(mark, "(SELECT "+name+" FROM")
	s.emit("WHERE")
	b := s.open()
	s.matchClauses(b, m)
	s.expectSign(")")
	s.close(b, func() syntax.Expr { return clause{} })
	s.emit(") AS")
	s.emit(name)
	m.Alias = s.alias()
	m.Span = s.since(start)
	return true
}

func (s *shaper) matchClauses(b *bracket, m *syntax.Match) {
	if s.accept("PARTITION", "BY") {
		s.args(b, &m.PartitionBy)
	}
	if s.accept("ORDER", "BY") {
		s.orderItems(b, &m.OrderBy)
	}
	if s.accept("MEASURES") {
		s.measures(b, m)
	}
	switch {
	case s.accept("ONE", "ROW", "PER", "MATCH"):
	case s.accept("ALL", "ROWS", "PER", "MATCH"):
		m.AllRows = true
	}
	if s.is("AFTER") {
		m.After = s.afterMatch()
	}
	s.expect("PATTERN")
	s.pattern(m)
	if s.accept("WITHIN") {
		s.arg(b, &m.Within)
	}
	if s.accept("SUBSET") {
		s.subsets(m)
	}
	s.expect("DEFINE")
	for {
		start := s.i
		d := syntax.Define{Variable: s.ident("a pattern variable")}
		s.expect("AS")
		s.argument(b, slot{take: func(e syntax.Expr) {
			d.Cond = e
			m.Define = append(m.Define, d)
		}})
		s.expr()
		d.Span = s.since(start)
		if !s.acceptSign(",") {
			return
		}
	}
}

// measures shapes expression AS name, ..
func (s *shaper) measures(b *bracket, m *syntax.Match) {
	for {
		start, item := s.i, syntax.SelectItem{}
		s.argument(b, slot{take: func(e syntax.Expr) {
			item.Expr = e
			m.Measures = append(m.Measures, item)
		}})
		s.expr()
		s.expect("AS")
		alias := s.ident("a name for the measure")
		item.Alias = &alias
		item.Span = s.since(start)
		if !s.acceptSign(",") {
			return
		}
	}
}

// afterMatch reads AFTER MATCH SKIP and where to.
func (p *parser) afterMatch() *syntax.AfterMatch {
	start, a := p.i, &syntax.AfterMatch{}
	p.expect("AFTER", "MATCH", "SKIP")
	switch {
	case p.accept("PAST", "LAST", "ROW"):
		a.Skip = syntax.SkipPastLastRow
	case p.accept("TO", "NEXT", "ROW"):
		a.Skip = syntax.SkipToNextRow
	case p.accept("TO"):
		a.Skip = syntax.SkipToLast
		if p.is("FIRST", "LAST") && p.peekName(1) && !p.peek(1).is("PATTERN") {
			if p.next().is("FIRST") {
				a.Skip = syntax.SkipToFirst
			}
		}
		v := p.ident("a pattern variable, FIRST, LAST or NEXT ROW")
		a.Variable = &v
	default:
		p.unexpected("PAST LAST ROW or TO")
	}
	a.Span = p.since(start)
	return a
}

// subsets reads name = (a, b), ..
func (p *parser) subsets(m *syntax.Match) {
	for {
		start := p.i
		sub := syntax.Subset{Name: p.ident("a name for the subset")}
		p.expectSign("=")
		sub.Variables = p.identList("a pattern variable")
		sub.Span = p.since(start)
		m.Subsets = append(m.Subsets, sub)
		if !p.acceptSign(",") {
			return
		}
	}
}
