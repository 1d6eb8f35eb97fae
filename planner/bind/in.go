package bind

import (
	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/planner/syntax"
)

// between is a pair of comparisons; SYMMETRIC tries both orders of the bounds.
func (w *work) between(e *syntax.Between, s *scope) (expr.Expr, error) {
	list, err := w.exprs([]syntax.Expr{e.Expr, e.Low, e.High}, s)
	if err != nil {
		return nil, err
	}
	inside := func(low, high expr.Expr) (expr.Expr, error) {
		a, err := w.call(e, ">=", list[0], low)
		if err != nil {
			return nil, err
		}
		b, err := w.call(e, "<=", list[0], high)
		if err != nil {
			return nil, err
		}
		return expr.And(a, b), nil
	}
	out, err := inside(list[1], list[2])
	if err == nil && e.Symmetric {
		var swapped expr.Expr
		swapped, err = inside(list[2], list[1])
		out = expr.Or(out, swapped)
	}
	if err != nil {
		return nil, err
	}
	if e.Not {
		return w.call(e, "NOT", out)
	}
	return out, nil
}

// in is x IN (list): a set lookup where the list is many constants, otherwise comparisons.
func (w *work) in(e *syntax.In, s *scope) (expr.Expr, error) {
	if e.Query != nil {
		return w.inQuery(e, s)
	}
	var out expr.Expr
	var err error
	if row, ok := e.Expr.(*syntax.Row); ok {
		out, err = w.rowIn(e, row, s)
	} else {
		out, err = w.valueIn(e, s)
	}
	if err != nil {
		return nil, err
	}
	if e.Not {
		return w.call(e, "NOT", out)
	}
	return out, nil
}

func (w *work) rowIn(e *syntax.In, row *syntax.Row, s *scope) (expr.Expr, error) {
	list := make([]expr.Expr, len(e.List))
	for i, it := range e.List {
		r, ok := it.(*syntax.Row)
		if !ok || len(r.Items) != len(row.Items) {
			return nil, failf(it, CodeType, "IN takes rows of %d values here", len(row.Items)).
				WithHint("write each of them in parentheses: (a, b) IN ((1, 2), (3, 4))")
		}
		x, err := w.compareRows(&syntax.Binary{Span: e.Span, Op: syntax.Eq}, row, r, s)
		if err != nil {
			return nil, err
		}
		list[i] = x
	}
	return expr.Or(list...), nil
}

// fewMembers is the length up to which IN is written as comparisons.
const fewMembers = 3

func (w *work) valueIn(e *syntax.In, s *scope) (expr.Expr, error) {
	x, err := w.expr(e.Expr, s)
	if err != nil {
		return nil, err
	}
	list, err := w.exprs(e.List, s)
	if err != nil {
		return nil, err
	}
	x, list, err = w.inTypes(e, x, list)
	if err != nil {
		return nil, err
	}
	constant := len(list) > fewMembers
	for _, m := range list {
		c, ok := m.(*expr.Const)
		constant = constant && ok && !c.Value.IsConstNull()
	}
	if constant {
		return w.call(e, "IN", append([]expr.Expr{x}, list...)...)
	}
	for i, m := range list {
		if list[i], err = w.call(e, "=", x, m); err != nil {
			return nil, err
		}
	}
	return expr.Or(list...), nil
}

// inTypes brings both sides of IN to one type. As in Flink a text meets numbers by becoming one of them
// when it stands in the list, and by turning the list into texts when it stands in front.
func (w *work) inTypes(e *syntax.In, x expr.Expr, list []expr.Expr) (expr.Expr, []expr.Expr, error) {
	t := x.Type()
	ok := true
	for _, m := range list {
		var next types.Type
		if next, ok = types.Common(t, m.Type()); !ok {
			break
		}
		t = next
	}
	if ok && (t.Kind.IsText() || t.Kind.IsBinary()) {
		return x, list, nil
	}
	if !ok {
		t = x.Type()
		for i, m := range list {
			if _, same := types.Common(t, m.Type()); !same && !convertible(m.Type(), t) {
				return nil, nil, failf(e.List[i], CodeType, "IN compares %s with %s", typeText(x), typeText(m)).
					WithHint("write a CAST")
			}
		}
		if t.Kind.IsText() {
			t = types.String()
		}
	}
	cx, err := w.coerce(x, t, e.Expr)
	if err != nil {
		return nil, nil, err
	}
	out := make([]expr.Expr, len(list))
	for i, m := range list {
		if out[i], err = w.coerce(m, t, e.List[i]); err != nil {
			return nil, nil, err
		}
	}
	return cx, out, nil
}

// convertible tells the pairs that IN converts although they have no common type.
func convertible(from, to types.Type) bool {
	text := func(t types.Type) bool { return t.Kind.IsText() }
	plain := func(t types.Type) bool { return t.Kind.IsNumeric() || t.Kind.IsTemporal() || t.Kind == types.Boolean }
	return (text(from) && plain(to)) || (plain(from) && text(to) && from.Kind != types.Boolean)
}
