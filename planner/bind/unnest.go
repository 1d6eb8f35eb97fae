package bind

import (
	"fmt"
	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// unnest binds UNNEST that stands alone: a table of the elements.
func (w *work) unnest(u *syntax.Unnest, s *scope) (logical.Plan, error) {
	e, err := w.unnestedExpr(u, &scope{outer: s.outer, clause: s.clause})
	if err != nil {
		return nil, err
	}
	plan := unnested(logical.OneRow(), e, u.Ordinality, false)
	return plan, w.add(s, result{plan, plan.Schema()}, "", nil, u.Alias)
}

// unnestedExpr binds what is taken apart.
func (w *work) unnestedExpr(u *syntax.Unnest, s *scope) (expr.Expr, error) {
	var out expr.Expr
	for _, x := range u.Exprs {
		e, err := w.expr(x, s)
		if err != nil {
			return nil, err
		}
		switch e.Type().Kind {
		case types.Array, types.Multiset, types.Map:
		default:
			return nil, failf(x, CodeType, "UNNEST takes an ARRAY, MAP or MULTISET, not %s", typeText(e)).
				WithHint("%s", collectionHint(e))
		}
		if out == nil {
			out = e
		}
	}
	if len(u.Exprs) > 1 {
		return nil, failf(u, CodeShape, "UNNEST takes one collection, as in Flink, not %d", len(u.Exprs)).
			WithHint("join one behind the other: CROSS JOIN UNNEST(a) CROSS JOIN UNNEST(b) gives their product")
	}
	return out, nil
}

// collectionHint says how UNNEST could take what is no collection.
func collectionHint(e expr.Expr) string {
	if e.Type().Kind.IsText() {
		return fmt.Sprintf("UNNEST(SPLIT(%s, ',')) takes a text apart", shortText(e))
	}
	return fmt.Sprintf("UNNEST(ARRAY[%s]) gives one element", shortText(e))
}

// unnested gives the elements behind the columns of input. Those that are ROWs are given by field.
func unnested(input logical.Plan, e expr.Expr, ordinality, outer bool) logical.Plan {
	u := logical.NewUnnest(input, e, ordinality, outer)
	n := len(input.Schema())
	if e.Type().Kind == types.Map || u.Columns[n].Type.Kind != types.Row {
		return u
	}
	s := u.Columns
	exprs, names := columnsOf(s[:n]), s[:n].Names()
	row := &expr.Column{Index: n, Name: s[n].Name, T: s[n].Type}
	if !outer { // a ROW that is NULL is no element
		row.T = row.T.WithNull(false)
	}
	for i, f := range row.T.Fields {
		exprs, names = append(exprs, expr.NewField(row, i)), append(names, f.Name)
	}
	if last := len(s) - 1; ordinality {
		exprs, names = append(exprs, &expr.Column{Index: last, Name: s[last].Name, T: s[last].Type}), append(names, s[last].Name)
	}
	p := logical.NewProject(u, exprs, names)
	for i := range n {
		p.Columns[i].Time = s[i].Time
	}
	return p
}

// unnestJoin binds JOIN UNNEST: the collection is of the row on the left. The scope holds the columns of both sides
// afterwards, those on the left with their time attributes.
func (w *work) unnestJoin(j *syntax.Join, u *syntax.Unnest, left logical.Plan, s *scope, first, base int) (logical.Plan, error) {
	kind := joinKinds[j.Kind]
	if !logical.Looked(kind) {
		return nil, failf(j, CodeShape, "UNNEST is joined by INNER, LEFT or CROSS JOIN, not %s", j.Kind).
			WithHint("CROSS JOIN UNNEST(…), or LEFT JOIN UNNEST(…) ON TRUE, which keeps the rows without elements")
	}
	if len(j.Using) > 0 || j.Natural {
		return nil, failf(j, CodeShape, "UNNEST has no columns to share").WithHint("write CROSS JOIN UNNEST")
	}
	middle := len(s.relations)
	e, err := w.unnestedExpr(u, s.part(first, middle, middle))
	if err != nil {
		return nil, err
	}
	plan := unnested(left, logical.Shifted(e, -base), u.Ordinality, kind == op.LeftJoin)
	right := plan.Schema()[len(left.Schema()):]
	if err := w.add(s, result{plan, right}, "", nil, u.Alias); err != nil || j.On == nil {
		return plan, err
	}
	cond, err := w.condition(j.On, s.part(first, middle, len(s.relations)), "ON")
	if err != nil {
		return nil, err
	}
	if c, ok := cond.(*expr.Const); ok && c.String() == "TRUE" {
		return plan, nil
	}
	if kind == op.LeftJoin {
		return nil, failf(j.On, CodeShape, "LEFT JOIN UNNEST takes ON TRUE alone").
			WithHint("filter with WHERE, or keep elements with a CROSS JOIN UNNEST in a query of its own")
	}
	return &logical.Filter{Input: plan, Cond: logical.Shifted(cond, -base)}, nil
}
