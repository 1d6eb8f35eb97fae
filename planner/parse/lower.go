package parse

import (
	"fmt"
	"sort"
	"strconv"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"streamsql/planner/syntax"
)

// lowering turns TiDB's tree of the normalised text into syntax nodes.
type lowering struct {
	s *shaper
}

// entry returns what a placeholder stands for.
func (l *lowering) entry(name string) entry {
	n, err := strconv.Atoi(name)
	if err != nil || n >= len(l.s.entries) {
		panic("parse: no placeholder: " + name)
	}
	return l.s.entries[n]
}

// expr lowers an expression.
func (l *lowering) expr(n ast.ExprNode) syntax.Expr {
	switch x := n.(type) {
	case *ast.ColumnNameExpr:
		return l.entry(x.Name.Name.O).(syntax.Expr)
	case *ast.FuncCallExpr:
		return l.fill(x)
	case *ast.BinaryOperationExpr:
		return l.binary(x)
	case *ast.UnaryOperationExpr:
		return l.not(x)
	case *ast.BetweenExpr:
		return l.between(x)
	case *ast.PatternInExpr:
		return l.in(x)
	case *ast.PatternLikeOrIlikeExpr:
		return l.like(x)
	case *ast.ParenthesesExpr:
		return l.expr(x.Expr)
	}
	panic(fmt.Sprintf("parse: %T in the tree of the normalised text", n))
}

// fill lowers the arguments of a bracket into their slots and builds its node.
func (l *lowering) fill(x *ast.FuncCallExpr) syntax.Expr {
	b := l.entry(x.FnName.O).(*bracket)
	b.filled = true
	for i, arg := range x.Args {
		switch to := &b.slots[i]; {
		case to.query != nil:
			*to.query = l.query(arg)
		case to.one != nil:
			*to.one = l.expr(arg)
		case to.many != nil:
			*to.many = append(*to.many, l.expr(arg))
		default:
			to.take(l.expr(arg))
		}
	}
	return b.build()
}

var binaryOps = map[opcode.Op]syntax.BinaryOp{
	opcode.LogicOr: syntax.Or, opcode.LogicAnd: syntax.And,
	opcode.EQ: syntax.Eq, opcode.NE: syntax.Ne, opcode.LT: syntax.Lt, opcode.LE: syntax.Le,
	opcode.GT: syntax.Gt, opcode.GE: syntax.Ge,
	opcode.Plus: syntax.Add, opcode.Minus: syntax.Sub, opcode.IntDiv: syntax.Concat, opcode.Mul: syntax.Mul,
	opcode.Div: syntax.Div, opcode.Mod: syntax.Mod,
}

func (l *lowering) binary(x *ast.BinaryOperationExpr) syntax.Expr {
	if x.Op == opcode.NullEQ {
		return l.nullSafe(x)
	}
	op, ok := binaryOps[x.Op]
	if !ok {
		panic("parse: operator " + x.Op.String() + " in the tree of the normalised text")
	}
	return l.binaryOf(op, l.expr(x.L), l.expr(x.R))
}

// binaryOf makes an operator's node; x = ANY (..) is one of its own.
func (l *lowering) binaryOf(op syntax.BinaryOp, left, right syntax.Expr) syntax.Expr {
	span := left.At().To(right.At())
	if q, ok := right.(*syntax.Quantified); ok && q.Expr == nil {
		return &syntax.Quantified{Span: span, Op: op, Expr: left, All: q.All, Query: q.Query, List: q.List}
	}
	return &syntax.Binary{Span: span, Op: op, Left: left, Right: right}
}

// not lowers NOT x. TiDB tells no position of the word: it is the token before the operand.
func (l *lowering) not(x *ast.UnaryOperationExpr) syntax.Expr {
	if x.Op != opcode.Not {
		panic("parse: operator " + x.Op.String() + " in the tree of the normalised text")
	}
	operand := l.expr(x.V)
	span := operand.At()
	span.Pos = l.tokenBefore(span.Pos).pos
	return &syntax.Unary{Span: span, Op: syntax.Not, Expr: operand}
}

// tokenBefore returns the last token that begins before an offset.
func (l *lowering) tokenBefore(offset int) *token {
	toks := l.s.toks
	i := sort.Search(len(toks), func(i int) bool { return toks[i].pos >= offset })
	return &toks[max(i-1, 0)]
}

// unmark strips the ~ that the shaper put before the leftmost operand of an expression, and
// reports whether there was one.
func unmark(n ast.ExprNode) (ast.ExprNode, bool) {
	var marked bool
	switch x := n.(type) {
	case *ast.UnaryOperationExpr:
		if x.Op == opcode.BitNeg {
			return x.V, true
		}
	case *ast.BinaryOperationExpr:
		x.L, marked = unmark(x.L)
	case *ast.BetweenExpr:
		x.Expr, marked = unmark(x.Expr)
	case *ast.PatternInExpr:
		x.Expr, marked = unmark(x.Expr)
	case *ast.PatternLikeOrIlikeExpr:
		x.Expr, marked = unmark(x.Expr)
	}
	return n, marked
}
