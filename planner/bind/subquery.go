package bind

import (
	"fmt"
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// valueOf is a query that stands as a value and waits for the rows that it is joined with.
type valueOf struct {
	at syntax.Expr
	q  valueQuery
	of *scope
	t  types.Type
	// left are the values that are compared by op with some or with all of the query's rows; none unless it is a comparison.
	left []expr.Expr
	op   syntax.BinaryOp
	all  bool
	// build joins it with rows; it is false where that is not built.
	build func(v *valueOf, w *work, to *valueQueries) (expr.Expr, bool)
}

// queryRef stands for the value of a query until the rows around it are grouped. It never leaves the package.
type queryRef struct {
	*valueOf
	number int
	value  expr.Expr
}

func (e *queryRef) Type() types.Type           { return e.t }
func (e *queryRef) String() string             { return fmt.Sprintf("(query %d)", e.number) }
func (e *queryRef) Args() []expr.Expr          { return nil }
func (e *queryRef) With([]expr.Expr) expr.Expr { return e }

// valued is the value of a query.
func (w *work) valued(v *valueOf, s *scope) (expr.Expr, error) {
	if s.reads != nil {
		s.reads.add(v)
		return &unbuilt{"(query)", v.t}, nil
	}
	if w.missing == nil && s.group != nil && s.group.queried && !s.inAggregate {
		r := &queryRef{valueOf: v, number: len(s.group.queries)}
		s.group.queries = append(s.group.queries, r)
		return r, nil
	}
	if w.missing == nil && s.values != nil {
		if e, ok := v.build(v, w, s.values); ok {
			return e, nil
		}
		w.lack(v.at, "a query as a value that reads the row around it in this way", "write a join")
	}
	w.lack(v.at, "a query as a value here", "compute it in a query around or below, or write a join")
	return &unbuilt{"(query)", v.t}, nil
}

// joinQueries joins the queries that stand as values beside aggregates with the grouped rows.
func (w *work) joinQueries(plan logical.Plan, g *grouping) (logical.Plan, error) {
	to := &valueQueries{plan: plan}
	for _, r := range g.queries {
		var err error
		for i, e := range r.left {
			if r.left[i], err = g.over(e, r.at); err != nil {
				return nil, err
			}
		}
		ok := true
		for _, c := range r.q.refs.refs {
			if c.of != r.of || !ok {
				continue
			}
			e, err := g.over(c.Column, r.at)
			if err != nil {
				return nil, err
			}
			if c.Column, ok = e.(*expr.Column); !ok {
				break
			}
		}
		if ok {
			r.value, ok = r.build(r.valueOf, w, to)
		}
		if !ok {
			w.lack(r.at, "a query as a value that reads the grouped row around it in this way", "write a join")
			return plan, nil
		}
	}
	return to.plan, nil
}

// scalarQuery binds (query) as a value.
func (w *work) scalarQuery(e *syntax.Subquery, s *scope) (expr.Expr, error) {
	q, err := w.inner(e.Query, s)
	if err != nil {
		return nil, err
	}
	if len(q.schema) != 1 {
		return nil, failf(e, CodeShape, "a query used as a value has one column, not %d", len(q.schema)).
			WithHint("select one of %s", strings.Join(q.schema.Names(), ", "))
	}
	return w.valued(&valueOf{at: e, q: q, of: s, t: q.schema[0].Type.WithNull(true), build: (*valueOf).scalar}, s)
}

// exists binds EXISTS as a value.
func (w *work) exists(e *syntax.Exists, s *scope) (expr.Expr, error) {
	q, err := w.inner(e.Query, s)
	if err != nil {
		return nil, err
	}
	return w.valued(&valueOf{at: e, q: q, of: s, t: types.Of(types.Boolean).WithNull(false), build: (*valueOf).exists}, s)
}

// inQuery binds x [NOT] IN (query) as a value.
func (w *work) inQuery(e *syntax.In, s *scope) (expr.Expr, error) {
	out, err := w.compared(e, "IN", itemsOf(e.Expr), syntax.Eq, false, e.Query, s)
	if err != nil || !e.Not {
		return out, err
	}
	return w.call(e, "NOT", out)
}

// compared binds a comparison of values with some or with all rows of a query.
func (w *work) compared(at syntax.Expr, name string, left []syntax.Expr, by syntax.BinaryOp, all bool, q syntax.Query,
	s *scope) (expr.Expr, error) {
	list, err := w.exprs(left, s)
	if err != nil {
		return nil, err
	}
	r, err := w.inner(q, s)
	if err != nil {
		return nil, err
	}
	if len(r.schema) != len(list) {
		return nil, failf(at, CodeShape, "%s compares %d values with a query of %d columns", name, len(list), len(r.schema)).
			WithHint("%s", selectFor(len(list), r.schema))
	}
	for i, x := range list {
		if _, ok := types.Common(x.Type(), r.schema[i].Type); !ok {
			return nil, failf(at, CodeType, "%s compares %s with %s", name, typeText(x), r.schema[i].Type.WithNull(true)).
				WithHint("write a CAST")
		}
	}
	v := &valueOf{at: at, q: r, of: s, t: types.Of(types.Boolean), left: list, op: by, all: all, build: (*valueOf).compares}
	return w.valued(v, s)
}

// quantified binds x op ALL (..) and ANY: over a list a chain of comparisons.
func (w *work) quantified(e *syntax.Quantified, s *scope) (expr.Expr, error) {
	if e.Query != nil {
		return w.compared(e, e.Op.String(), []syntax.Expr{e.Expr}, e.Op, e.All, e.Query, s)
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
