package bind

import "streamsql/planner/syntax"

// walk visits an expression and all in it, parents first, without entering queries.
func walk(e syntax.Expr, visit func(syntax.Expr)) {
	if e == nil {
		return
	}
	visit(e)
	for _, c := range children(e) {
		walk(c, visit)
	}
}

// children are the direct subexpressions; some may be nil.
func children(e syntax.Expr) []syntax.Expr {
	switch e := e.(type) {
	case *syntax.Unary:
		return []syntax.Expr{e.Expr}
	case *syntax.Binary:
		return []syntax.Expr{e.Left, e.Right}
	case *syntax.Between:
		return []syntax.Expr{e.Expr, e.Low, e.High}
	case *syntax.In:
		return append([]syntax.Expr{e.Expr}, e.List...)
	case *syntax.Like:
		return []syntax.Expr{e.Expr, e.Pattern, e.Escape}
	case *syntax.Is:
		return []syntax.Expr{e.Expr}
	case *syntax.Case:
		out := []syntax.Expr{e.Operand, e.Else}
		for _, w := range e.Whens {
			out = append(out, w.Cond, w.Then)
		}
		return out
	case *syntax.Cast:
		return []syntax.Expr{e.Expr}
	case *syntax.Call:
		return append([]syntax.Expr{e.Filter}, e.Args...)
	case *syntax.Row:
		return e.Items
	case *syntax.Collection:
		return e.Items
	case *syntax.Index:
		return []syntax.Expr{e.Expr, e.Index}
	case *syntax.Field:
		return []syntax.Expr{e.Expr}
	case *syntax.Quantified:
		return append([]syntax.Expr{e.Expr}, e.List...)
	case *syntax.IntervalOf:
		return []syntax.Expr{e.Left, e.Right}
	}
	return nil
}
