package bind

import (
	"errors"
	"slices"
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// grouping is what GROUP BY and the aggregates of one SELECT come to.
type grouping struct {
	keys []expr.Expr
	// at are the keys by expr.Key.
	at map[string]int
	// sets are the grouping sets, of positions of keys; one where there is no GROUPING SETS.
	sets [][]int
	// keyless says that all rows may be one group.
	keyless bool
	// number says that a key is written as a number, as if it were a position.
	number bool
	// items are the select list, for the numbers and aliases in the clause; nil in Flink's dialect, which has none.
	items []syntax.SelectItem
	calls []op.AggregateCall
	// unbuilt says that there are aggregates that are not built.
	unbuilt bool
	// queried says that queries as values, but for those in arguments, are joined with the grouped rows; queries are those.
	queried bool
	queries []*queryRef
	// window is the group window of the clause, such as TUMBLE(ts, INTERVAL '1' MINUTE).
	window *groupWindow
}

// aggregateRef stands for the value of an aggregate until the rows are grouped. It never leaves the package.
type aggregateRef struct {
	index int
	text  string
	t     types.Type
}

func (e *aggregateRef) Type() types.Type           { return e.t }
func (e *aggregateRef) String() string             { return e.text }
func (e *aggregateRef) Args() []expr.Expr          { return nil }
func (e *aggregateRef) With([]expr.Expr) expr.Expr { return e }

// add takes a call in, once.
func (g *grouping) add(call op.AggregateCall) expr.Expr {
	i := slices.IndexFunc(g.calls, func(have op.AggregateCall) bool { return sameCall(have, call) })
	if i < 0 {
		i = len(g.calls)
		g.calls = append(g.calls, call)
	}
	return &aggregateRef{i, call.String(), call.T}
}

func sameCall(a, b op.AggregateCall) bool {
	same := a.Fn == b.Fn && a.Distinct == b.Distinct && a.IgnoreNulls == b.IgnoreNulls && len(a.Args) == len(b.Args) &&
		(a.Filter == nil) == (b.Filter == nil)
	for i := range a.Args {
		same = same && expr.Equal(a.Args[i], b.Args[i]) && expr.Pure(a.Args[i])
	}
	return same && (a.Filter == nil || expr.Equal(a.Filter, b.Filter) && expr.Pure(a.Filter))
}

// groupBy binds the grouping keys.
func (w *work) groupBy(q *syntax.Select, s *scope) (*grouping, error) {
	g := &grouping{at: map[string]int{}, keyless: q.GroupBy == nil, sets: [][]int{nil}}
	if q.GroupBy == nil {
		return g, nil
	}
	inner := *s
	inner.clause, inner.group = "GROUP BY", g
	if !w.cat.Settings().Flink() {
		g.items = q.Items
	}
	var err error
	if q.GroupBy.All != (syntax.Span{}) {
		g.sets[0], err = w.groupAll(q, &inner, g)
	} else {
		g.sets, err = w.groupSets(q.GroupBy, q.GroupBy.Items, &inner, g)
	}
	if err != nil {
		return nil, w.aliasIn(q, err)
	}
	if q.GroupBy.Distinct {
		for i := len(g.sets) - 1; i >= 0; i-- {
			if slices.ContainsFunc(g.sets[:i], func(before []int) bool { return sameSet(before, g.sets[i]) }) {
				g.sets = slices.Delete(g.sets, i, i+1)
			}
		}
	}
	g.keyless = g.window == nil && slices.ContainsFunc(g.sets, func(set []int) bool { return len(set) == 0 })
	return g, nil
}

// aliasIn gives the error for an unknown column the hint that it is an alias of the select list.
func (w *work) aliasIn(q *syntax.Select, err error) error {
	var e *syntax.Error
	if !errors.As(err, &e) || e.Code != CodeColumn || e.Pos < 0 || e.End > len(w.text) || w.apart {
		return err
	}
	for _, it := range q.Items {
		if it.Alias != nil && it.Alias.Name == strings.Trim(w.text[e.Pos:e.End], "`") {
			where := " in expressions"
			if w.cat.Settings().Flink() {
				where = ""
			}
			e.Hint = "GROUP BY does not see aliases" + where + ": write the expression of '" + it.Alias.Name + "' again"
		}
	}
	return err
}

// groupKey is the position of a grouping expression among the keys; a group window is none, and gives -1.
func (w *work) groupKey(x syntax.Expr, s *scope, g *grouping) (int, error) {
	if e, err := w.listedKey(x, s, g); e != nil || err != nil {
		if err != nil {
			return -1, err
		}
		return w.keyOf(e, x, g), nil
	}
	if ok, err := w.windowKey(x, s, g); ok || err != nil {
		return -1, err
	}
	e, err := w.expr(x, s)
	if err != nil {
		return -1, err
	}
	if lit, ok := x.(*syntax.Literal); ok && lit.Kind == syntax.IntegerLiteral {
		g.number = true
	}
	return w.keyOf(e, x, g), nil
}

// keyOf is the position of a bound expression among the keys.
func (w *work) keyOf(e expr.Expr, at syntax.Node, g *grouping) int {
	k := expr.Key(e)
	if at, have := g.at[k]; have {
		return at
	}
	if t := e.Type(); !keyable(t) || !vector.KeyType(t) && g.window != nil {
		w.lackKey(at, "GROUP BY", t, "group by its fields or elements")
	}
	g.at[k] = len(g.keys)
	g.keys = append(g.keys, e)
	return g.at[k]
}

// grouped puts the aggregation over plan, when there is one, and makes the items, and HAVING, read its rows.
func (w *work) grouped(q *syntax.Select, s *scope, plan logical.Plan, items []item) (logical.Plan, error) {
	g := s.group
	having, err := w.having(q, s)
	if err != nil || q.GroupBy == nil && q.Having == nil && len(g.calls) == 0 && !g.unbuilt {
		return plan, err
	}
	if w.missing != nil {
		// The items read the grouped rows, of which there are none.
		plan = &stub{g.schema()}
	} else if plan, err = w.aggregated(q, plan, g); err != nil {
		return nil, err
	}
	if len(g.queries) > 0 && w.missing == nil {
		if plan, err = w.joinQueries(plan, g); err != nil {
			return nil, err
		}
	}
	for i := range items {
		if items[i].e, err = g.over(items[i].e, items[i].at); err != nil {
			return nil, err
		}
	}
	if err := s.overs.grouped(g); err != nil {
		return nil, err
	}
	if having != nil {
		if having, err = g.over(having, q.Having); err != nil {
			return nil, err
		}
	}
	if having != nil {
		plan = &logical.Filter{Input: plan, Cond: having}
	}
	return plan, nil
}

func (w *work) having(q *syntax.Select, s *scope) (expr.Expr, error) {
	if q.Having == nil {
		return nil, nil
	}
	if c := overIn(q.Having); c != nil {
		return nil, failf(c, CodeAggregate, "a call with OVER cannot stand in HAVING").
			WithHint("compute it in a subquery and filter around that, or use QUALIFY")
	}
	having, err := w.expr(q.Having, s)
	if err != nil {
		return nil, err
	}
	switch having.Type().Kind {
	case types.Boolean:
		return having, nil
	case types.Null:
		return expr.Null(types.Of(types.Boolean)), nil
	}
	return nil, failf(q.Having, CodeCondition, "HAVING must be a BOOLEAN, but this is %s", typeText(having)).
		WithHint("compare it with something: %s <> …", shortText(having))
}

// schema is the columns of the grouped rows: keys, aggregates, and the bounds of a group window.
func (g *grouping) schema() logical.Schema {
	keys := g.keys
	if g.several() {
		_, keys = g.expanded(logical.OneRow())
	}
	out := logical.NewAggregate(logical.OneRow(), keys, g.calls).Columns
	if g.window != nil {
		out = append(out, g.window.columns()...)
	}
	return out
}

// over makes an expression over the rows of the FROM clause one over the grouped rows: a key is read as a
// whole, an aggregate is a column, and no other column may be left.
func (g *grouping) over(e expr.Expr, at syntax.Expr) (expr.Expr, error) {
	if k, ok := g.at[expr.Key(e)]; ok {
		t := g.keys[k].Type()
		return &expr.Column{Index: k, Name: g.keys[k].String(), T: t.WithNull(t.Nullable() || !g.always(k))}, nil
	}
	width := len(g.keys)
	if g.several() {
		width++
	}
	switch x := e.(type) {
	case *queryRef:
		if x.value == nil {
			return &unbuilt{x.String(), x.t}, nil
		}
		return x.value, nil
	case *aggregateRef:
		return &expr.Column{Index: width + x.index, Name: x.text, T: x.t}, nil
	case *windowRef:
		return g.window.read(width+len(g.calls), x), nil
	case *setRef:
		return g.of(x), nil
	case *expr.Column:
		err := notGrouped(x, at)
		if g.number {
			err.Hint = "GROUP BY takes expressions: a number is a constant, not the position of a column"
			if g.items != nil {
				err.Hint = "a number in GROUP BY that is the place of an aggregate is a constant, as in Flink"
			}
		}
		return nil, err
	}
	args := e.Args()
	if len(args) == 0 {
		return e, nil
	}
	list := make([]expr.Expr, len(args))
	for i, a := range args {
		var err error
		if list[i], err = g.over(a, at); err != nil {
			return nil, err
		}
	}
	return e.With(list), nil
}

// notGrouped words the error for a column outside keys and aggregates, at its name where that stands in the
// expression.
func notGrouped(c *expr.Column, at syntax.Expr) *syntax.Error {
	place := syntax.Node(at)
	walk(at, func(e syntax.Expr) {
		if n, ok := e.(*syntax.Name); ok && n.Parts[len(n.Parts)-1].Name == c.Name && place == syntax.Node(at) {
			place = n
		}
	})
	return failf(place, CodeAggregate, "column '%s' is neither grouped nor inside an aggregate", c.Name).
		WithHint("add it to GROUP BY, or take MIN(%s), MAX(%s), …", c.Name, c.Name)
}

// distinct groups by all columns: SELECT DISTINCT, and UNION.
func (w *work) distinct(at syntax.Node, plan logical.Plan) logical.Plan {
	keys := columnsOf(plan.Schema())
	if !w.keyed(at, "DISTINCT", keys) {
		return plan
	}
	return w.windowed(plan, keys, nil)
}

// keyed tells that rows can be grouped by keys, and that nothing is missing before.
func (w *work) keyed(at syntax.Node, what string, keys []expr.Expr) bool {
	for _, k := range keys {
		if t := k.Type(); !keyable(t) {
			w.lackKey(at, what+" over", t, "")
		}
	}
	return w.missing == nil
}

// aggregated groups the rows of plan.
func (w *work) aggregated(q *syntax.Select, plan logical.Plan, g *grouping) (logical.Plan, error) {
	keys := g.keys
	if g.several() {
		plan, keys = g.expanded(plan)
	}
	switch {
	case g.window != nil:
		return w.groupWindowed(q.GroupBy, plan, g, keys)
	case len(keys) == 0 && w.batch():
		return emptyGroup(plan, g.calls), nil
	}
	if at, source := windowKeys(plan, keys); at >= 0 && !source.Window.Sliced() {
		return nil, notSliced(q.GroupBy, source.Window)
	}
	return w.windowed(plan, keys, g.calls), nil
}

// emptyGroup is the aggregation of all rows in batch mode, where no rows give a row: one is put in that no
// aggregate counts.
func emptyGroup(plan logical.Plan, calls []op.AggregateCall) logical.Plan {
	there := types.Of(types.Boolean).WithNull(false)
	exprs := []expr.Expr{expr.Bool(true)}
	none := []expr.Expr{expr.Bool(false)}
	columns := logical.Schema{{Name: "counts", Type: there}}
	place := func(e expr.Expr) expr.Expr {
		if _, literal := e.(*expr.Const); literal {
			return e
		}
		t := e.Type().WithNull(true)
		c := &expr.Column{Index: len(exprs), Name: e.String(), T: t}
		exprs, none = append(exprs, e), append(none, expr.Null(t))
		columns = append(columns, logical.Column{Name: c.Name, Type: t})
		return c
	}
	counts := &expr.Column{Index: 0, Name: "counts", T: there}
	out := logical.MapCalls(calls, place)
	for i := range out {
		if out[i].Filter == nil {
			out[i].Filter = counts
		} else {
			out[i].Filter = expr.And(counts, out[i].Filter)
		}
	}
	rows := &logical.Project{Input: plan, Exprs: exprs, Columns: columns}
	one := &logical.Values{Columns: columns, Rows: [][]expr.Expr{none}}
	a := logical.NewAggregate(&logical.Union{List: []logical.Plan{rows, one}, Columns: columns}, nil, out)
	a.AtEnd = true
	return a
}
