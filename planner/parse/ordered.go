package parse

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"streamsql/planner/syntax"
)

// ordered shapes ORDER BY, LIMIT, OFFSET and FETCH as ORDER BY `n`(items); the numbers stay
// in the entry. start is the token where the query begins.
func (s *shaper) ordered(start int) {
	o := &syntax.Ordered{}
	s.emit("ORDER BY")
	b := s.open()
	if s.accept("ORDER") {
		s.expect("BY")
		s.orderItems(b, &o.OrderBy)
	}
	switch {
	case s.accept("LIMIT"):
		s.limit(o)
		if s.accept("OFFSET") {
			s.offset(o)
		}
	case s.accept("OFFSET"):
		s.offset(o)
		if s.accept("LIMIT") {
			s.limit(o)
		}
	}
	if o.Limit == nil && s.accept("FETCH") {
		s.fetch(o)
	}
	o.Span = s.since(start)
	s.close(b, func() syntax.Expr { return clause{of: o} })
}

func (s *shaper) limit(o *syntax.Ordered) {
	if !s.accept("ALL") {
		o.Limit = s.count()
	}
}

func (s *shaper) offset(o *syntax.Ordered) {
	o.Offset = s.count()
	if s.is("ROW", "ROWS") {
		s.i++
	}
}

// fetch reads FETCH FIRST n ROWS ONLY behind FETCH.
func (s *shaper) fetch(o *syntax.Ordered) {
	if !s.accept("FIRST") {
		s.expect("NEXT")
	}
	if s.is("ROW", "ROWS") {
		s.widen(fetchOneRow, s.tok().span(), asText("1 ROW"))
		o.Limit = &syntax.Literal{Span: s.tok().span(), Kind: syntax.IntegerLiteral, Text: "1"}
	} else {
		o.Limit = s.count()
	}
	if !s.accept("ROWS") {
		s.expect("ROW")
	}
	s.expect("ONLY")
}

// count reads a number of rows.
func (s *shaper) count() syntax.Expr {
	t := s.tok()
	if t.kind != number || strings.ContainsAny(t.val, ".eE") {
		s.unexpected("a whole number of rows")
	}
	return s.numberLiteral()
}

// orderedBy puts the ORDER BY that TiDB found around a query.
func (l *lowering) orderedBy(by *ast.OrderByClause, body syntax.Query) syntax.Query {
	if by == nil {
		return body
	}
	x := by.Items[0].Expr.(*ast.FuncCallExpr)
	if l.entry(x.FnName.O).(*bracket).filled {
		return body
	}
	o := l.fill(x).(clause).of.(*syntax.Ordered)
	o.Body = body
	return o
}

// query lowers a query.
func (l *lowering) query(n ast.Node) syntax.Query {
	switch x := n.(type) {
	case *ast.SelectStmt:
		return l.with(x.With, l.orderedBy(x.OrderBy, l.block(x)))
	case *ast.SetOprStmt:
		return l.with(x.With, l.orderedBy(x.OrderBy, l.setList(x.SelectList)))
	case *ast.SetOprSelectList:
		return l.with(x.With, l.orderedBy(x.OrderBy, l.setList(x)))
	case *ast.SubqueryExpr:
		return l.query(x.Query)
	case *ast.ParenthesesExpr:
		return l.query(x.Expr)
	}
	panic("parse: no query in the tree of the normalised text")
}

// setList folds the flat list that TiDB makes of set operations: INTERSECT first, the
// others from the left.
func (l *lowering) setList(x *ast.SetOprSelectList) syntax.Query {
	var whole, part syntax.Query
	var pending ast.SetOprType
	for i, n := range x.Selects {
		q := l.query(n)
		op := afterOperator(n)
		switch {
		case i == 0:
			part = q
		case op == ast.Intersect || op == ast.IntersectAll:
			part = setOp(op, part, q)
		default:
			whole = setOp(pending, whole, part)
			pending, part = op, q
		}
	}
	return setOp(pending, whole, part)
}

// afterOperator returns the set operator before an operand, 0 before the first.
func afterOperator(n ast.Node) ast.SetOprType {
	var op *ast.SetOprType
	switch x := n.(type) {
	case *ast.SelectStmt:
		op = x.AfterSetOperator
	case *ast.SetOprSelectList:
		op = x.AfterSetOperator
	}
	if op == nil {
		return 0
	}
	return *op
}

func setOp(op ast.SetOprType, left, right syntax.Query) syntax.Query {
	if left == nil {
		return right
	}
	q := &syntax.SetOp{Span: left.At().To(right.At()), Left: left, Right: right}
	switch op {
	case ast.UnionAll, ast.IntersectAll, ast.ExceptAll:
		q.All = true
	}
	switch op {
	case ast.Intersect, ast.IntersectAll:
		q.Op = syntax.Intersect
	case ast.Except, ast.ExceptAll:
		q.Op = syntax.Except
	}
	return q
}
