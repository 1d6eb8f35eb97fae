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

// overIn is the first call with OVER in an expression, not those in its queries; nil where there is none.
func overIn(e syntax.Expr) (found *syntax.Call) {
	walk(e, func(e syntax.Expr) {
		if c, ok := e.(*syntax.Call); ok && c.Over != nil && found == nil {
			found = c
		}
	})
	return found
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
		return childrenOfCall(e)
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
	case *syntax.Star:
		out := make([]syntax.Expr, len(e.Replace))
		for i, r := range e.Replace {
			out[i] = r.Expr
		}
		return out
	case *syntax.TableArg:
		return ordered(e.PartitionBy, e.OrderBy)
	}
	return nil
}

func childrenOfCall(e *syntax.Call) []syntax.Expr {
	out := append([]syntax.Expr{e.Filter}, e.Args...)
	out = ordered(ordered(out, e.OrderBy), e.WithinGroup)
	if o := e.Over; o != nil {
		out = ordered(append(out, o.PartitionBy...), o.OrderBy)
		if o.Frame != nil {
			out = append(out, o.Frame.Start.Offset, o.Frame.End.Offset)
		}
	}
	if j := e.JSON; j != nil {
		for _, b := range []*syntax.JSONBehavior{j.OnEmpty, j.OnError} {
			if b != nil {
				out = append(out, b.Default)
			}
		}
	}
	return out
}

// ordered appends what an ORDER BY sorts by.
func ordered(list []syntax.Expr, by []syntax.OrderItem) []syntax.Expr {
	for _, o := range by {
		list = append(list, o.Expr)
	}
	return list
}
