package bind

import (
	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/planner/syntax"
)

// logic binds a chain of ANDs or of ORs without going one level deeper for each.
func (w *work) logic(e *syntax.Binary, s *scope) (expr.Expr, error) {
	var list []syntax.Expr
	var spread func(x syntax.Expr)
	spread = func(x syntax.Expr) {
		if b, ok := x.(*syntax.Binary); ok && b.Op == e.Op {
			spread(b.Left)
			spread(b.Right)
			return
		}
		list = append(list, x)
	}
	spread(e)
	out := make([]expr.Expr, len(list))
	for i, x := range list {
		b, err := w.boolean(x, s, e.Op.String())
		if err != nil {
			return nil, err
		}
		out[i] = b
	}
	if e.Op == syntax.Or {
		return expr.Or(out...), nil
	}
	return expr.And(out...), nil
}

// asBoolean is a BOOLEAN, or NULL as one; ok is false for all else.
func asBoolean(x expr.Expr) (_ expr.Expr, ok bool) {
	switch x.Type().Kind {
	case types.Boolean:
		return x, true
	case types.Null:
		return expr.Null(types.Of(types.Boolean)), true
	}
	return nil, false
}

// boolean binds an operand of a logical operator.
func (w *work) boolean(e syntax.Expr, s *scope, op string) (expr.Expr, error) {
	x, err := w.expr(e, s)
	if err != nil {
		return nil, err
	}
	if c, ok := asBoolean(x); ok {
		return c, nil
	}
	return nil, failf(e, CodeType, "%s takes BOOLEAN, not %s", op, typeText(x)).
		WithHint("compare it with something: %s <> …", shortText(x))
}

// compareRows is (a, b) = (c, d): a conjunction of comparisons, and <> its negation.
func (w *work) compareRows(e *syntax.Binary, l, r *syntax.Row, s *scope) (expr.Expr, error) {
	list := make([]expr.Expr, len(l.Items))
	for i := range l.Items {
		x, err := w.binary(&syntax.Binary{Span: e.Span, Op: e.Op, Left: l.Items[i], Right: r.Items[i]}, s)
		if err != nil {
			return nil, err
		}
		list[i] = x
	}
	if e.Op == syntax.Ne {
		return expr.Or(list...), nil
	}
	return expr.And(list...), nil
}

// overlaps is (a, b) OVERLAPS (c, d).
func (w *work) overlaps(e *syntax.Binary, s *scope) (expr.Expr, error) {
	l, lok := e.Left.(*syntax.Row)
	r, rok := e.Right.(*syntax.Row)
	if !lok || !rok || len(l.Items) != 2 || len(r.Items) != 2 {
		return nil, failf(e, CodeType, "OVERLAPS takes two pairs: (start, end) OVERLAPS (start, end)").
			WithHint("such as (a, b) OVERLAPS (DATE '2024-01-01', DATE '2024-02-01')")
	}
	return w.construct(e, "OVERLAPS", append(append([]syntax.Expr(nil), l.Items...), r.Items...), s)
}

func (w *work) like(e *syntax.Like, s *scope) (expr.Expr, error) {
	name := "LIKE"
	if e.Kind == syntax.SimilarTo {
		name = "SIMILAR TO"
	}
	args := []syntax.Expr{e.Expr, e.Pattern}
	if e.Escape != nil {
		args = append(args, e.Escape)
	}
	out, err := w.construct(e, name, args, s)
	if err == nil && e.Not {
		return w.call(e, "NOT", out)
	}
	return out, err
}

func (w *work) is(e *syntax.Is, s *scope) (expr.Expr, error) {
	name := "IS "
	if e.Not {
		name = "IS NOT "
	}
	switch e.Test {
	case syntax.IsNull:
		name += "NULL"
	case syntax.IsUnknown:
		x, err := w.boolean(e.Expr, s, "IS UNKNOWN")
		if err != nil {
			return nil, err
		}
		return w.call(e, name+"NULL", x)
	case syntax.IsTrue, syntax.IsFalse:
		name += e.Test.String()
		x, err := w.boolean(e.Expr, s, name)
		if err != nil {
			return nil, err
		}
		return w.call(e, name, x)
	default:
		out, err := w.construct(e, "IS "+e.Test.String(), []syntax.Expr{e.Expr}, s)
		if err == nil && e.Not {
			return w.call(e, "NOT", out)
		}
		return out, err
	}
	return w.construct(e, name, []syntax.Expr{e.Expr}, s)
}
