package bind

import (
	"strconv"

	"streamsql/exec/expr"
	"streamsql/planner/syntax"
)

// ordered binds ORDER BY, LIMIT and OFFSET.
func (w *work) ordered(q *syntax.Ordered, outer *scope) (result, error) {
	var r result
	var err error
	s := &scope{outer: outer}
	if block, ok := q.Body.(*syntax.Select); ok {
		r, s, err = w.selectBlock(block, outer)
	} else {
		r, err = w.query(q.Body, outer)
	}
	if err != nil {
		return result{}, err
	}
	if err := w.orderBy(q.OrderBy, r, s); err != nil {
		return result{}, err
	}
	for _, n := range []syntax.Expr{q.Limit, q.Offset} {
		if n == nil {
			continue
		}
		e, err := w.expr(n, &scope{})
		if err != nil {
			return result{}, err
		}
		if !e.Type().Kind.IsInteger() {
			return result{}, failf(n, CodeType, "LIMIT and OFFSET take an integer, not %s", typeText(e))
		}
	}
	switch {
	case len(q.OrderBy) > 0:
		w.lack(q.OrderBy[0], "ORDER BY", "")
	case q.Limit != nil:
		w.lack(q.Limit, "LIMIT", "")
	case q.Offset != nil:
		w.lack(q.Offset, "OFFSET", "")
	}
	return r, nil
}

// orderBy checks the sort keys: result columns by name or number, or expressions over the FROM clause.
func (w *work) orderBy(list []syntax.OrderItem, r result, s *scope) error {
	inner := *s
	inner.relations = append([]relation{{schema: r.schema}}, s.relations...)
	inner.aliases = map[string]expr.Expr{}
	for i, c := range r.schema {
		inner.aliases[c.Name] = &expr.Column{Index: i, Name: c.Name, T: c.Type}
	}
	for _, it := range list {
		if lit, ok := it.Expr.(*syntax.Literal); ok && lit.Kind == syntax.IntegerLiteral {
			n, err := strconv.Atoi(lit.Text)
			if err != nil || n < 1 || n > len(r.schema) {
				return failf(lit, CodeShape, "ORDER BY %s: the result has %d columns", lit.Text, len(r.schema))
			}
			continue
		}
		if _, err := w.expr(it.Expr, &inner); err != nil {
			return err
		}
	}
	return nil
}
