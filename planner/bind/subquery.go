package bind

import (
	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/planner/syntax"
)

// scalarQuery binds (query) as a value.
func (w *work) scalarQuery(e *syntax.Subquery, s *scope) (expr.Expr, error) {
	q, err := w.inner(e.Query, s)
	if err != nil {
		return nil, err
	}
	if len(q.schema) != 1 {
		return nil, failf(e, CodeShape, "a query used as a value has one column, not %d", len(q.schema))
	}
	if v, ok := w.attached(q, s); ok {
		return v, nil
	}
	w.lack(e, "queries as values, but for aggregates over all rows or those equal to a column, in a SELECT without GROUP BY", "write a join")
	return &unbuilt{"(query)", q.schema[0].Type.WithNull(true)}, nil
}

// exists binds EXISTS as a value.
func (w *work) exists(e *syntax.Exists, s *scope) (expr.Expr, error) {
	q, err := w.inner(e.Query, s)
	if err != nil {
		return nil, err
	}
	if v, ok := w.existing(e, q, s); ok {
		return v, nil
	}
	w.lack(e, "EXISTS here", "as a condition of WHERE it may refer to the query around it by any condition")
	return &unbuilt{"EXISTS(query)", types.Of(types.Boolean).WithNull(false)}, nil
}

func (w *work) inQuery(e *syntax.In, s *scope) (expr.Expr, error) {
	left := []syntax.Expr{e.Expr}
	if row, ok := e.Expr.(*syntax.Row); ok {
		left = row.Items
	}
	if err := w.compareQuery(e, "IN", left, e.Query, s); err != nil {
		return nil, err
	}
	w.lack(e, "IN (query)", "")
	return &unbuilt{"IN(query)", types.Of(types.Boolean)}, nil
}

// compareQuery checks that values can be compared with the columns of a query.
func (w *work) compareQuery(at syntax.Node, what string, left []syntax.Expr, q syntax.Query, s *scope) error {
	list, err := w.exprs(left, s)
	if err != nil {
		return err
	}
	r, err := w.query(q, s)
	if err != nil {
		return err
	}
	if len(r.schema) != len(list) {
		return failf(at, CodeShape, "%s compares %d values with a query of %d columns", what, len(list), len(r.schema))
	}
	for i, x := range list {
		if _, ok := types.Common(x.Type(), r.schema[i].Type); !ok {
			return failf(at, CodeType, "%s compares %s with %s", what, typeText(x), r.schema[i].Type.WithNull(true)).
				WithHint("write a CAST")
		}
	}
	return nil
}

// quantified binds x op ALL (..) and ANY: over a list a chain of comparisons, over a query not built.
func (w *work) quantified(e *syntax.Quantified, s *scope) (expr.Expr, error) {
	if e.Query != nil {
		if err := w.compareQuery(e, e.Op.String(), []syntax.Expr{e.Expr}, e.Query, s); err != nil {
			return nil, err
		}
		w.lack(e, "ALL, ANY and SOME over a query", "")
		return &unbuilt{"ANY(query)", types.Of(types.Boolean)}, nil
	}
	list := make([]expr.Expr, len(e.List))
	for i, it := range e.List {
		x, err := w.binary(&syntax.Binary{Span: e.Span, Op: e.Op, Left: e.Expr, Right: it}, s)
		if err != nil {
			return nil, err
		}
		list[i] = x
	}
	if e.All {
		return expr.And(list...), nil
	}
	return expr.Or(list...), nil
}
