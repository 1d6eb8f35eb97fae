package parse

import (
	"github.com/pingcap/tidb/pkg/parser/ast"

	"streamsql/planner/syntax"
)

// isTests are the single words behind IS [NOT].
var isTests = map[string]syntax.IsTest{
	"NULL": syntax.IsNull, "TRUE": syntax.IsTrue, "FALSE": syntax.IsFalse, "UNKNOWN": syntax.IsUnknown,
}

// jsonTests are the words behind IS [NOT] JSON.
var jsonTests = map[string]syntax.IsTest{
	"VALUE": syntax.IsJSON, "OBJECT": syntax.IsJSONObject, "ARRAY": syntax.IsJSONArray, "SCALAR": syntax.IsJSONScalar,
}

// testMark stands on the right of <=> in the normalised text, which TiDB ranks as Flink ranks IS.
type testMark struct {
	syntax.Span
	test syntax.IsTest
	not  bool
}

// isTest shapes IS [NOT] test and IS [NOT] DISTINCT FROM x. The first is x <=> `test`; the
// second x <=> y, marked by a ~ before y without NOT.
func (s *shaper) isTest() {
	start := s.i
	s.i++
	not := s.accept("NOT")
	s.emit("<=>")
	if s.accept("DISTINCT", "FROM") {
		if !not {
			s.emit("~")
		}
		s.rightOperand()
		return
	}
	t := &testMark{not: not}
	test, ok := isTests[s.tok().up]
	switch {
	case s.tok().kind == word && ok:
		t.test = test
		s.i++
	case s.accept("JSON"):
		t.test = syntax.IsJSON
		if test, ok := jsonTests[s.tok().up]; ok && s.tok().kind == word {
			t.test = test
			s.i++
		}
	default:
		s.unexpected("NULL, TRUE, FALSE, UNKNOWN, JSON or DISTINCT FROM")
	}
	t.Span = s.since(start)
	s.place(t)
	s.complete()
}

// complete refuses an operator that would take only the right side of a test for its operand.
func (s *shaper) complete() {
	next := s.tok()
	if next.is("NOT") {
		next = s.peek(1)
	}
	if next.kind == symbol && arithmetic[next.up] || next.is("IN", "BETWEEN", "LIKE", "SIMILAR") {
		s.unexpected("parentheses around what stands before it, for it binds tighter")
	}
}

// nullSafe lowers what was written with <=>.
func (l *lowering) nullSafe(x *ast.BinaryOperationExpr) syntax.Expr {
	right, distinct := unmark(x.R)
	if c, ok := right.(*ast.ColumnNameExpr); ok {
		if t, ok := l.entry(c.Name.Name.O).(*testMark); ok {
			operand := l.expr(x.L)
			return &syntax.Is{Span: operand.At().To(t.Span), Expr: operand, Test: t.test, Not: t.not}
		}
	}
	left, y := l.expr(x.L), l.expr(right)
	switch o, ok := y.(*overlapsRight); {
	case ok:
		return l.binaryOf(syntax.Overlaps, left, o.Expr)
	case distinct:
		return l.binaryOf(syntax.IsDistinctFrom, left, y)
	}
	return l.binaryOf(syntax.IsNotDistinctFrom, left, y)
}
