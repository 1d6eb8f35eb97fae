package bind

import (
	"fmt"
	"slices"
	"strconv"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// ordered binds ORDER BY, LIMIT and OFFSET.
func (w *work) ordered(q *syntax.Ordered, outer *scope) (result, error) {
	r, keys, err := w.orderedBody(q, outer)
	if err != nil {
		return result{}, err
	}
	limit, err := w.count(q.Limit, "LIMIT", logical.Unlimited)
	if err != nil {
		return result{}, err
	}
	offset, err := w.count(q.Offset, "OFFSET", 0)
	if err != nil {
		return result{}, err
	}
	if q.Offset != nil && limit == logical.Unlimited && (len(keys) > 0 || !w.batch()) {
		return result{}, failf(q.Offset, CodeShape, "OFFSET needs LIMIT or FETCH").WithHint("LIMIT 100 OFFSET %d", offset)
	}
	if w.missing != nil || len(keys) == 0 && limit == logical.Unlimited && offset == 0 {
		return r, nil
	}
	plan, err := w.sorted(q, r.plan, keys, offset, limit)
	if err != nil {
		return result{}, err
	}
	if n := len(r.schema); n < len(plan.Schema()) {
		plan = w.project(plan, columnsOf(plan.Schema()[:n]), r.schema.Names())
	}
	return result{plan, r.schema}, nil
}

// orderedBody binds what is sorted, and the sort keys over its rows.
func (w *work) orderedBody(q *syntax.Ordered, outer *scope) (result, []op.SortKey, error) {
	if block, ok := q.Body.(*syntax.Select); ok {
		return w.selectBlock(block, outer, q.OrderBy)
	}
	r, err := w.query(q.Body, outer)
	if err != nil {
		return r, nil, err
	}
	s := &scope{outer: outer, relations: []relation{{schema: r.schema}}, clause: "ORDER BY"}
	closed := s.attachable(r.plan)
	keys, err := w.keysOver(q.OrderBy, r.schema, s)
	r.plan = closed()
	return r, keys, err
}

// keysOver binds keys over the rows of a query that is no SELECT.
func (w *work) keysOver(order []syntax.OrderItem, schema logical.Schema, s *scope) ([]op.SortKey, error) {
	var keys []op.SortKey
	for _, o := range order {
		at, err := ordinal(o, len(schema))
		if err != nil {
			return nil, err
		}
		if at >= 0 {
			c := schema[at]
			keys = append(keys, w.sortKey(o, &expr.Column{Index: at, Name: c.Name, T: c.Type}))
			continue
		}
		e, err := w.expr(o.Expr, s)
		if err != nil {
			return nil, err
		}
		keys = append(keys, w.sortKey(o, e))
	}
	return keys, nil
}

// count is the number of a LIMIT or OFFSET.
func (w *work) count(n syntax.Expr, clause string, absent int64) (int64, error) {
	if n == nil {
		return absent, nil
	}
	e, err := w.expr(n, &scope{})
	if err != nil {
		return 0, err
	}
	if !e.Type().Kind.IsInteger() {
		return 0, failf(n, CodeType, "LIMIT and OFFSET take an integer, not %s", typeText(e)).
			WithHint("a whole number, as in %s 10", clause)
	}
	v, ok := w.whole(e)
	if !ok || v < 0 {
		return 0, failf(n, CodeType, "%s takes a number that is not negative", clause).
			WithHint("a literal, as in %s 10", clause)
	}
	return v, nil
}

// ordinal is the column that an ORDER BY item names by its number, from 0, or -1.
func ordinal(o syntax.OrderItem, columns int) (int, error) {
	lit, ok := o.Expr.(*syntax.Literal)
	if !ok || lit.Kind != syntax.IntegerLiteral {
		return -1, nil
	}
	n, err := strconv.Atoi(lit.Text)
	if err != nil || n < 1 || n > columns {
		return -1, failf(lit, CodeShape, "ORDER BY %s: the result has %d columns", lit.Text, columns).
			WithHint("%s", numbered(columns))
	}
	return n - 1, nil
}

// numbered is the hint for the number of a column that there is not.
func numbered(columns int) string {
	if columns == 1 {
		return "write 1, or the name of a column"
	}
	return fmt.Sprintf("write a number from 1 to %d, or the name of a column", columns)
}

// orderKeys binds the keys of the ORDER BY behind a SELECT: columns of its result by name or number, or
// expressions over its FROM clause. An expression that is none of the items becomes one behind them.
func (w *work) orderKeys(q *syntax.Select, order []syntax.OrderItem, items []item, s *scope) ([]item, []op.SortKey, error) {
	visible := len(items)
	inner := *s
	inner.aliases = aliasesOf(items)
	out := items[:visible:visible]
	var keys []op.SortKey
	for _, o := range order {
		at, err := ordinal(o, visible)
		if err != nil {
			return nil, nil, err
		}
		if at < 0 {
			e, err := w.expr(o.Expr, &inner)
			if err != nil {
				return nil, nil, err
			}
			at = slices.IndexFunc(out, func(it item) bool { return it.e == e || expr.Pure(e) && expr.Equal(it.e, e) })
			if at < 0 && q.Distinct {
				return nil, nil, failf(o, CodeAggregate, "ORDER BY sorts the rows of a SELECT DISTINCT by its columns alone").
					WithHint("add the expression to the select list")
			}
			if at < 0 {
				at, out = len(out), append(out, item{e: e, name: "ORDER$" + strconv.Itoa(len(out)), at: o.Expr})
			}
		}
		e := out[at].e
		keys = append(keys, w.sortKey(o, &expr.Column{Index: at, Name: out[at].name, T: e.Type()}))
	}
	return out, keys, nil
}

// sorted puts sort and limit over a plan. The keys are over it.
func (w *work) sorted(q *syntax.Ordered, plan logical.Plan, keys []op.SortKey, offset, limit int64) (logical.Plan, error) {
	batch := w.batch()
	// Grouping has changed what may be NULL.
	for i, k := range keys {
		if c, ok := k.Expr.(*expr.Column); ok {
			keys[i].Expr = &expr.Column{Index: c.Index, Name: c.Name, T: plan.Schema()[c.Index].Type}
		}
	}
	keys = slices.DeleteFunc(keys, func(k op.SortKey) bool { return k.Expr.Type().Kind == types.Null })
	if batch || limit != logical.Unlimited {
		to := int64(logical.Unlimited)
		if limit < logical.Unlimited-offset {
			to = offset + limit
		}
		r := logical.NewRank(plan, nil, keys, offset+1, to, nil)
		r.AtEnd = batch
		return r, nil
	}
	if c, ok := keys[0].Expr.(*expr.Column); ok && !keys[0].Desc && !logical.ChangelogOf(plan).Updating() {
		switch logical.TimeOf(plan, c.Index) {
		case logical.Rowtime:
			return &logical.TemporalSort{Input: plan, Order: keys}, nil
		case logical.Proctime:
			if len(keys) == 1 {
				return plan, nil // the order in which rows come
			}
		}
	}
	return nil, failf(q.OrderBy[0], CodeShape, "a stream without end is sorted by an ascending time attribute first").
		WithHint("add LIMIT, which keeps the first rows, or SET 'execution.runtime-mode' = 'batch' for an input that ends")
}
