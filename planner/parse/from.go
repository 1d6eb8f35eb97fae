package parse

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"streamsql/planner/syntax"
)

// factor is the entry of one table reference that is no join. build makes its node from
// what TiDB has under it.
type factor struct {
	build func(l *lowering, source ast.ResultSetNode) syntax.TableRef
}

// tableRefs shapes the items of FROM.
func (s *shaper) tableRefs() {
	s.tableRef()
	for s.acceptSign(",") {
		s.emit(",")
		s.tableRef()
		s.height++
		s.checkHeight(s.height)
	}
}

// tableRef shapes a factor and the joins behind it.
func (s *shaper) tableRef() {
	s.factor()
	for s.join() {
		s.height++
		s.checkHeight(s.height)
	}
}

// factor shapes one table reference: `n` for a plain name, (..) AS `n` for all others.
func (s *shaper) factor() {
	mark, start := s.mark(), s.i
	lateral := s.accept("LATERAL")
	switch {
	case s.sign("(") && s.startsParenQuery():
		s.derived(mark, start, lateral)
	case lateral && s.sign("("):
		s.unexpected("a query behind LATERAL (")
	case s.sign("("):
		s.emit("(")
		s.i++
		s.enter()
		s.tableRefs()
		s.leave()
		s.expectSign(")")
		s.emit(")")
	case s.is("TABLE") && s.peek(1).sign("("):
		s.i += 2
		s.tableFunction(mark, start, lateral, true)
	case s.is("UNNEST") && s.peek(1).sign("("):
		s.unnest(mark, start, lateral)
	case s.tok().kind == text && !lateral:
		s.fileTable(mark, start)
	case s.namesFunction():
		s.tableFunction(mark, start, lateral, false)
	case lateral:
		s.unexpected("TABLE(..), UNNEST(..) or a query behind LATERAL")
	default:
		s.table(mark, start)
	}
}

// namesFunction reports whether a path followed by a parenthesis stands here.
func (s *shaper) namesFunction() bool {
	k := 0
	for s.peek(k).name() && s.peek(k+1).sign(".") {
		k += 2
	}
	return s.peek(k).name() && s.peek(k+1).sign("(") && !(k == 0 && s.tok().kind == word && structural[s.tok().up])
}

// tableName reads a table's name and its hints.
func (p *parser) tableName() *syntax.TableName {
	start := p.i
	t := &syntax.TableName{Path: p.path("a table")}
	t.Hints = p.hints()
	t.Span = p.since(start)
	return t
}

// table shapes a plain table, with the time it is read at and what else may follow it.
func (s *shaper) table(mark, start int) {
	t := s.tableName()
	t.Sample = s.sample()
	f := &factor{}
	if s.accept("FOR", "SYSTEM_TIME") {
		s.expect("AS", "OF")
		s.emit("(SELECT")
		s.expr()
		s.emit(") AS")
	}
	f.build = func(l *lowering, source ast.ResultSetNode) syntax.TableRef {
		if x, ok := source.(*ast.SelectStmt); ok {
			t.AsOf = l.expr(x.Fields.Fields[0].Expr)
		}
		return t
	}
	s.place(f)
	if s.match(mark, start) {
		return
	}
	t.Alias = s.alias()
	if t.Sample == nil {
		t.Sample = s.sample()
	}
	t.Span = s.since(start)
}

// sample reads TABLESAMPLE method (size) if it stands here.
func (s *shaper) sample() *syntax.Sample {
	if !s.is("TABLESAMPLE") {
		return nil
	}
	start := s.i
	s.i++
	sample := &syntax.Sample{}
	if !s.is("BERNOULLI", "SYSTEM") {
		s.unexpected("BERNOULLI or SYSTEM")
	}
	sample.Method = s.next().up
	s.expectSign("(")
	if s.tok().kind != number {
		s.unexpected("a percentage")
	}
	sample.Size = s.numberLiteral()
	s.expectSign(")")
	sample.Span = s.since(start)
	return sample
}

// derived shapes a query in FROM.
func (s *shaper) derived(mark, start int, lateral bool) {
	d := &syntax.Derived{Lateral: lateral}
	s.emit("(")
	s.i++
	s.enter()
	s.query()
	s.leave()
	s.expectSign(")")
	s.emit(") AS")
	s.place(&factor{func(l *lowering, source ast.ResultSetNode) syntax.TableRef {
		d.Query = l.query(source)
		return d
	}})
	d.Span = s.since(start)
	if s.match(mark, start) {
		return
	}
	d.Alias = s.alias()
	d.Span = s.since(start)
}

// tableFunction shapes TABLE(f(..)) or f(..) in FROM as (SELECT f(..)) AS `n`.
func (s *shaper) tableFunction(mark, start int, lateral, wrapped bool) {
	f := &syntax.TableFunction{Lateral: lateral}
	s.emit("(SELECT")
	at, t := s.i, s.tok()
	if t.kind == word && reserved[t.up] {
		s.reservedAsName(t)
	}
	if strings.HasPrefix(t.up, "READ_") {
		s.widen(readFunction, t.span())
	}
	name := s.path("a table function")
	s.call(at, name, true)
	if wrapped {
		s.expectSign(")")
	}
	s.emit(") AS")
	s.place(&factor{func(l *lowering, source ast.ResultSetNode) syntax.TableRef {
		f.Call = l.expr(source.(*ast.SelectStmt).Fields.Fields[0].Expr).(*syntax.Call)
		return f
	}})
	f.Span = s.since(start)
	if s.match(mark, start) {
		return
	}
	f.Alias = s.alias()
	f.Span = s.since(start)
}

// unnest shapes UNNEST(x, ..) [WITH ORDINALITY] as (SELECT x, ..) AS `n`.
func (s *shaper) unnest(mark, start int, lateral bool) {
	u := &syntax.Unnest{Lateral: lateral}
	s.i += 2
	s.emit("(SELECT")
	s.expr()
	for s.acceptSign(",") {
		s.emit(",")
		s.expr()
	}
	s.expectSign(")")
	u.Ordinality = s.accept("WITH", "ORDINALITY")
	s.emit(") AS")
	s.place(&factor{func(l *lowering, source ast.ResultSetNode) syntax.TableRef {
		for _, f := range source.(*ast.SelectStmt).Fields.Fields {
			u.Exprs = append(u.Exprs, l.expr(f.Expr))
		}
		return u
	}})
	u.Span = s.since(start)
	if s.match(mark, start) {
		return
	}
	u.Alias = s.alias()
	u.Span = s.since(start)
}

// alias reads [AS] name [(columns)] if it stands here.
func (s *shaper) alias() *syntax.Alias {
	start := s.i
	if !s.accept("AS") && !s.startsImplicitAlias() {
		return nil
	}
	a := &syntax.Alias{Name: s.ident("an alias for the table")}
	if s.sign("(") {
		a.Columns = s.identList("a column name")
	}
	a.Span = s.since(start)
	return a
}
