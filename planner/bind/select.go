package bind

import (
	"strconv"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// selectBlock binds one SELECT, and the keys of the ORDER BY behind it over its rows: what they sort by and is
// no column of the result stands behind those in the plan.
func (w *work) selectBlock(q *syntax.Select, outer *scope, order []syntax.OrderItem) (result, []op.SortKey, error) {
	s := &scope{outer: outer, overs: &overs{}, ttl: stateTTL(q.Hints)}
	plan, err := w.from(q.From, s)
	if err != nil {
		return result{}, nil, err
	}
	if err := w.hints(q.Hints, s); err != nil {
		return result{}, nil, err
	}
	if err := w.windows(q, s); err != nil {
		return result{}, nil, err
	}
	if plan, err = w.where(q.Where, plan, s); err != nil {
		return result{}, nil, err
	}
	if s.group, err = w.groupBy(q, s); err != nil {
		return result{}, nil, err
	}
	items, visible, keys, plan, err := w.valuedList(q, order, plan, s)
	if err != nil {
		return result{}, nil, err
	}
	if items, err = w.qualify(q, s, items); err != nil {
		return result{}, nil, err
	}
	if plan, err = w.grouped(q, s, plan, items); err != nil {
		return result{}, nil, err
	}
	plan = w.overed(plan, s.overs, items)
	if q.Qualify != nil {
		last := len(items) - 1
		if plan, err = w.filtered(q.Qualify, plan, items[last].e); err != nil {
			return result{}, nil, err
		}
		items = items[:last]
	}
	return w.listed(q, plan, items, visible), keys, nil
}

// valuedList binds the select list, of which so many are visible, and the keys of ORDER BY behind it, and joins the queries
// that stand in them as values.
func (w *work) valuedList(q *syntax.Select, order []syntax.OrderItem, plan logical.Plan, s *scope) (
	items []item, visible int, keys []op.SortKey, out logical.Plan, err error) {
	s.group.queried = groups(q)
	closed := s.attachable(plan)
	if items, err = w.selectList(q.Items, s); err == nil {
		visible = len(items)
		items, keys, err = w.orderKeys(q, order, items, s)
	}
	return items, visible, keys, closed(), err
}

// where puts conditions, which may be nil, over a plan: those over queries as joins behind the others.
func (w *work) where(cond syntax.Expr, plan logical.Plan, s *scope) (logical.Plan, error) {
	if cond == nil {
		return plan, nil
	}
	rest, subqueries := partConjuncts(cond)
	var err error
	if rest != nil {
		if plan, err = w.whereValue(rest, plan, s); err != nil {
			return nil, err
		}
	}
	for _, x := range subqueries {
		if plan, err = w.semiJoin(x, plan, s); err != nil {
			return nil, err
		}
	}
	return plan, nil
}

// listed projects to the items, of which so many are the result's.
func (w *work) listed(q *syntax.Select, plan logical.Plan, items []item, visible int) result {
	exprs := make([]expr.Expr, len(items))
	names := make([]string, len(items))
	for i, it := range items {
		exprs[i], names[i] = it.e, it.name
	}
	plan = w.project(plan, exprs, names)
	if q.Distinct {
		plan = w.distinct(q, plan)
	}
	return result{plan, plan.Schema()[:visible]}
}

// filtered puts a condition over a plan. Over ranks, or over what reads them, it is what finds the rows of the first places.
func (w *work) filtered(at syntax.Node, plan logical.Plan, cond expr.Expr) (logical.Plan, error) {
	f := &logical.Filter{Input: plan, Cond: cond}
	if w.missing != nil {
		return f, nil
	}
	p, found := logical.Ranked(f, w.whole)
	if found != nil {
		return p, keepsRows(at, found)
	}
	plan, rest, err := w.ranksBelow(at, plan, cond)
	if err != nil || len(rest) == 0 {
		return plan, err
	}
	return &logical.Filter{Input: plan, Cond: expr.And(rest...)}, nil
}

// qualify binds QUALIFY as an item behind the others.
func (w *work) qualify(q *syntax.Select, s *scope, items []item) ([]item, error) {
	if q.Qualify == nil {
		return items, nil
	}
	inner := *s
	inner.aliases = aliasesOf(items)
	cond, err := w.condition(q.Qualify, &inner, "QUALIFY")
	if err != nil {
		return nil, err
	}
	return append(items[:len(items):len(items)], item{e: cond, name: "QUALIFY", at: q.Qualify}), nil
}

func aliasesOf(items []item) map[string]expr.Expr {
	out := map[string]expr.Expr{}
	for _, it := range items {
		out[it.name] = it.e
	}
	return out
}

// project is a Project, or the input itself when that has the same columns under the same names.
func (w *work) project(input logical.Plan, exprs []expr.Expr, names []string) logical.Plan {
	in := input.Schema()
	if len(in) == len(exprs) && len(in) > 0 {
		same := true
		for i, e := range exprs {
			c, ok := e.(*expr.Column)
			same = same && ok && c.Index == i && in[i].Name == names[i]
		}
		if same {
			return input
		}
	}
	return logical.NewProject(input, exprs, names)
}

// item is one column of a select list.
type item struct {
	e    expr.Expr
	name string
	at   syntax.Expr
	text string // of a column that a star gives
}

// selectList binds the items, stars spread out.
func (w *work) selectList(list []syntax.SelectItem, s *scope) ([]item, error) {
	var out []item
	for _, it := range list {
		if star, ok := it.Expr.(*syntax.Star); ok {
			more, err := w.star(star, s)
			if err != nil {
				return nil, err
			}
			out = append(out, more...)
			continue
		}
		e, err := w.expr(it.Expr, s)
		if err != nil {
			return nil, err
		}
		if e.Type().Kind == types.Null {
			return nil, illegalNull(it.Expr)
		}
		name := "EXPR$" + strconv.Itoa(len(out))
		if x, ok := it.Expr.(*syntax.Name); ok {
			name = x.Parts[len(x.Parts)-1].Name
		}
		if it.Alias != nil {
			name = it.Alias.Name
		}
		out = append(out, item{e: e, name: name, at: it.Expr})
	}
	return out, nil
}

// condition binds an expression that must be a BOOLEAN.
func (w *work) condition(e syntax.Expr, s *scope, clause string) (expr.Expr, error) {
	inner := *s
	inner.clause = clause
	x, err := w.expr(e, &inner)
	if err != nil {
		return nil, err
	}
	if c, ok := asBoolean(x); ok {
		return c, nil
	}
	return nil, failf(e, CodeCondition, "%s must be a BOOLEAN, but this is %s", clause, typeText(x)).
		WithHint("compare it with something: %s <> …", shortText(x))
}
