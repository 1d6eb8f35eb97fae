package parse

import (
	"github.com/pingcap/tidb/pkg/parser/ast"

	"streamsql/planner/syntax"
)

// clause carries the skeleton of a clause through the lowering, where only expressions go.
type clause struct {
	syntax.Expr
	of any
}

// startsQuery reports whether a query begins at a token.
func (p *parser) startsQuery(i int) bool {
	first := i
	for p.toks[i].sign("(") {
		i++
		p.checkNesting(i - first)
	}
	t, after := &p.toks[i], &p.toks[min(i+1, len(p.toks)-1)]
	if !t.is("SELECT", "WITH", "VALUES", "FROM") && !(t.is("TABLE") && after.name()) {
		return false
	}
	for i--; i >= first; i-- {
		if !p.queryGoesOn(p.toks[i].pair) {
			return false
		}
	}
	return true
}

// queryGoesOn reports whether what follows a closing parenthesis belongs to a query that
// began before it, so that the parentheses hold a query and no expression.
func (p *parser) queryGoesOn(end int) bool {
	t := &p.toks[min(end+1, len(p.toks)-1)]
	return t.kind == eof || t.sign(")") || t.sign(";") ||
		t.is("UNION", "INTERSECT", "EXCEPT", "ORDER", "LIMIT", "OFFSET", "FETCH")
}

// startsParenQuery reports whether the parenthesis at the cursor opens a query.
func (p *parser) startsParenQuery() bool {
	return p.sign("(") && p.startsQuery(min(p.i+1, len(p.toks)-1))
}

// query shapes a whole query: common tables, set operations, ORDER BY and LIMIT.
func (s *shaper) query() {
	start := s.i
	var with *syntax.With
	if s.is("WITH") {
		with = s.with()
	}
	body, mark := s.i, s.mark()
	s.term()
	alone := true
	for s.is("UNION", "INTERSECT", "EXCEPT") {
		alone = false
		s.emit(s.next().up)
		if s.is("ALL") {
			s.emit("ALL")
		}
		if s.is("ALL", "DISTINCT") {
			s.i++
		}
		s.term()
		s.height++
		s.checkHeight(s.height)
	}
	if s.is("ORDER", "LIMIT", "OFFSET", "FETCH") {
		if alone && s.toks[body].sign("(") {
			through := placeholder(s.register(through{}))
			s.insertAt(mark, "SELECT "+through+" FROM")
			s.emit("AS " + through)
		}
		s.ordered(body)
	}
	if with != nil {
		with.Span = s.since(start)
	}
}

// through stands for a parenthesised query that an outer ORDER BY goes over: TiDB takes
// none behind a parenthesis, so the query is written as SELECT `through` FROM (query).
type through struct{}

// term shapes one operand of a set operation.
func (s *shaper) term() {
	switch {
	case s.sign("("):
		s.emit("(")
		s.i++
		s.enter()
		s.query()
		s.leave()
		s.expectSign(")")
		s.emit(")")
	case s.is("SELECT", "FROM"):
		s.selectBlock()
	case s.is("VALUES"):
		s.values()
	case s.is("TABLE") && s.peek(1).name():
		start := s.i
		s.i++
		q := &syntax.TableQuery{Table: s.tableName()}
		q.Span = s.since(start)
		s.emit("SELECT")
		s.place(q)
	default:
		s.unexpected("a query: SELECT, VALUES, TABLE or WITH")
	}
}

// values shapes VALUES as SELECT `n`(`row`(..), ..).
func (s *shaper) values() {
	start, v := s.i, &syntax.Values{}
	s.i++
	s.emit("SELECT")
	b := s.open()
	for {
		s.argument(b, slot{take: func(e syntax.Expr) { v.Rows = append(v.Rows, e.(*syntax.Row)) }})
		s.valuesRow()
		if !s.listGoesOn() {
			break
		}
	}
	v.Span = s.since(start)
	s.close(b, func() syntax.Expr { return clause{of: v} })
}

// valuesRow shapes (a, b), ROW(a, b) or a single value.
func (s *shaper) valuesRow() {
	start, r := s.i, &syntax.Row{}
	b := s.open()
	explicit := s.is("ROW") && s.peek(1).sign("(")
	if explicit {
		s.i++
	}
	whole := s.sign("(") && !s.startsParenQuery() && !s.expressionGoesOn(s.tok().pair)
	if explicit || whole {
		r.Implicit = !explicit
		s.expectSign("(")
		s.args(b, &r.Items)
		s.expectSign(")")
	} else {
		r.Implicit = true
		s.argument(b, slot{many: &r.Items})
		s.expr()
	}
	r.Span = s.since(start)
	s.close(b, func() syntax.Expr { return r })
}

// expressionGoesOn reports whether an operator follows a closing parenthesis, so that the
// parentheses are only the start of an expression.
func (p *parser) expressionGoesOn(end int) bool {
	t := &p.toks[min(end+1, len(p.toks)-1)]
	return t.kind == symbol && (sharedSigns[t.up] != "" || t.sign(".") || t.sign("[")) ||
		t.is("AND", "OR", "IS", "IN", "NOT", "BETWEEN", "LIKE", "SIMILAR", "OVERLAPS") ||
		t.is("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")
}

// with shapes WITH name [(columns)] AS (query), ..
func (s *shaper) with() *syntax.With {
	w := &syntax.With{}
	s.emit("WITH")
	s.i++
	w.Recursive = s.accept("RECURSIVE")
	for {
		start, t := s.i, &commonTable{with: w}
		t.Name = s.ident("a name for the common table expression")
		if s.sign("(") {
			t.Columns = s.identList("a column name")
		}
		s.place(t)
		s.expect("AS")
		s.emit("AS")
		s.emit("(")
		s.expectSign("(")
		s.enter()
		s.query()
		s.leave()
		s.expectSign(")")
		s.emit(")")
		t.Span = s.since(start)
		if !s.acceptSign(",") {
			return w
		}
		s.emit(",")
	}
}

// commonTable is the entry of a common table; it leads to the WITH it belongs to.
type commonTable struct {
	syntax.CommonTable
	with *syntax.With
}

// with puts the WITH that TiDB found around a query. TiDB repeats the WITH and ORDER BY of a
// parenthesised operand at the list around it: there they are left alone.
func (l *lowering) with(w *ast.WithClause, body syntax.Query) syntax.Query {
	if w == nil {
		return body
	}
	var with *syntax.With
	for _, cte := range w.CTEs {
		t := l.entry(cte.Name.O).(*commonTable)
		if t.Query != nil {
			return body
		}
		t.Query = l.query(cte.Query.Query)
		with = t.with
		with.Tables = append(with.Tables, t.CommonTable)
	}
	with.Body = body
	return with
}
