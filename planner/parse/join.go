package parse

import (
	"github.com/pingcap/tidb/pkg/parser/ast"

	"streamsql/planner/syntax"
)

var joinKinds = map[string]syntax.JoinKind{
	"INNER": syntax.Inner, "LEFT": syntax.Left, "RIGHT": syntax.Right, "FULL": syntax.Full, "CROSS": syntax.Cross,
}

// join shapes one join as JOIN right ON `n`(condition), whatever its kind; false if none
// stands here.
func (s *shaper) join() bool {
	start, j := s.i, &syntax.Join{}
	j.Natural = s.accept("NATURAL")
	if kind, ok := joinKinds[s.tok().up]; ok && s.tok().kind == word {
		j.Kind = kind
		s.i++
		if kind == syntax.Left || kind == syntax.Right || kind == syntax.Full {
			s.accept("OUTER")
		}
	} else if !j.Natural && !s.is("JOIN") {
		return false
	}
	s.expect("JOIN")
	s.emit("JOIN")
	s.factor()
	s.emit("ON")
	b := s.open()
	switch at := s.tok(); {
	case s.accept("ON"):
		s.noCondition(j, at)
		s.arg(b, &j.On)
	case s.accept("USING"):
		s.noCondition(j, at)
		j.Using = s.identList("a column name")
	case j.Kind != syntax.Cross && !j.Natural:
		s.unexpected("ON or USING, for the join needs a condition")
	}
	j.Span = s.since(start)
	s.close(b, func() syntax.Expr { return clause{of: j} })
	return true
}

// noCondition refuses a condition behind the joins that have none.
func (s *shaper) noCondition(j *syntax.Join, at *token) {
	switch {
	case j.Natural:
		s.fail(syntax.Errorf(syntax.CodeDefinition, at.span(), "a NATURAL JOIN has no %s", at.up))
	case j.Kind == syntax.Cross:
		s.fail(syntax.Errorf(syntax.CodeDefinition, at.span(), "a CROSS JOIN has no %s", at.up))
	}
}

// tableRef lowers a table reference.
func (l *lowering) tableRef(n ast.ResultSetNode) syntax.TableRef {
	switch x := n.(type) {
	case *ast.TableSource:
		return l.factor(x)
	case *ast.Join:
		if x.Right == nil {
			return l.tableRef(x.Left)
		}
		left, right := l.tableRef(x.Left), l.tableRef(x.Right)
		if x.On == nil {
			return &syntax.Join{Span: left.At().To(right.At()), Kind: syntax.Comma, Left: left, Right: right}
		}
		j := l.expr(x.On.Expr).(clause).of.(*syntax.Join)
		j.Left, j.Right = left, right
		j.Span = left.At().To(j.Span)
		return j
	}
	panic("parse: no table in the tree of the normalised text")
}

func (l *lowering) factor(x *ast.TableSource) syntax.TableRef {
	name := x.AsName.O
	if t, ok := x.Source.(*ast.TableName); ok {
		name = t.Name.O
	}
	return l.entry(name).(*factor).build(l, x.Source)
}
