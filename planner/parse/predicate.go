package parse

import (
	"github.com/pingcap/tidb/pkg/parser/ast"

	"streamsql/planner/syntax"
)

// between shapes BETWEEN [SYMMETRIC] a AND b; a ~ before a marks SYMMETRIC.
func (s *shaper) between() {
	s.emit("BETWEEN")
	s.i++
	if s.accept("SYMMETRIC") {
		s.emit("~")
	} else {
		s.accept("ASYMMETRIC")
	}
	s.tightExpr()
	if !s.is("AND") {
		s.unexpected("AND and the upper bound of BETWEEN")
	}
	s.emit("AND")
	s.i++
	s.tightExpr()
}

func (l *lowering) between(x *ast.BetweenExpr) syntax.Expr {
	b := &syntax.Between{Not: x.Not}
	low, symmetric := unmark(x.Left)
	b.Symmetric = symmetric
	b.Expr, b.Low, b.High = l.expr(x.Expr), l.expr(low), l.expr(x.Right)
	b.Span = b.Expr.At().To(b.High.At())
	return b
}

// in shapes IN (list) and IN (query) as IN (`n`(..)).
func (s *shaper) in() {
	s.emit("IN")
	s.i++
	s.emit("(")
	start, b, in := s.i, s.open(), &syntax.In{}
	if !s.sign("(") {
		s.unexpected("'(' and the values of IN")
	}
	if s.startsParenQuery() {
		s.i++
		s.queryArg(b, &in.Query)
	} else {
		s.i++
		s.args(b, &in.List)
	}
	s.expectSign(")")
	in.Span = s.since(start)
	s.close(b, func() syntax.Expr { return in })
	s.emit(")")
}

func (l *lowering) in(x *ast.PatternInExpr) syntax.Expr {
	in := l.expr(x.List[0]).(*syntax.In)
	in.Expr, in.Not = l.expr(x.Expr), x.Not
	in.Span = in.Expr.At().To(in.Span)
	return in
}

// like shapes LIKE and SIMILAR TO as LIKE `n`(pattern, escape): Flink takes any arithmetic
// or concatenation as the pattern, TiDB one operand.
func (s *shaper) like() {
	start, like := s.i, &syntax.Like{}
	s.emit("LIKE")
	b := s.open()
	if s.next().is("SIMILAR") {
		s.expect("TO")
		like.Kind = syntax.SimilarTo
	}
	s.argument(b, slot{one: &like.Pattern})
	s.tightExpr()
	if s.accept("ESCAPE") {
		s.argument(b, slot{one: &like.Escape})
		s.tightExpr()
	}
	like.Span = s.since(start)
	s.close(b, func() syntax.Expr { return like })
}

func (l *lowering) like(x *ast.PatternLikeOrIlikeExpr) syntax.Expr {
	like := l.expr(x.Pattern).(*syntax.Like)
	like.Expr, like.Not = l.expr(x.Expr), x.Not
	like.Span = like.Expr.At().To(like.Span)
	return like
}
