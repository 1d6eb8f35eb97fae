package bind

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// subqueryTest is a condition over the rows of a query: EXISTS, or a comparison with some or with all of them.
type subqueryTest struct {
	at    syntax.Expr
	query syntax.Query
	// whole is the condition as written, with what negates it.
	whole syntax.Expr
	// left are the values that are compared by op; none for EXISTS.
	left []syntax.Expr
	op   syntax.BinaryOp
	// all asks for every row, not for one. negated stands for NOT before it.
	all, negated bool
}

// partConjuncts parts the conjuncts of a condition that test a query from the others, of which there may be none.
func partConjuncts(e syntax.Expr) (rest syntax.Expr, tests []subqueryTest) {
	if b, ok := e.(*syntax.Binary); ok && b.Op == syntax.And {
		l, tests := partConjuncts(b.Left)
		r, more := partConjuncts(b.Right)
		tests = append(tests, more...)
		switch {
		case len(tests) == 0:
			return e, nil
		case l == nil:
			return r, tests
		case r == nil:
			return l, tests
		}
		return &syntax.Binary{Span: b.Span, Op: syntax.And, Left: l, Right: r}, tests
	}
	if t, ok := testOf(e, false); ok {
		t.whole = e
		return nil, []subqueryTest{t}
	}
	return e, nil
}

func testOf(e syntax.Expr, negated bool) (subqueryTest, bool) {
	switch x := e.(type) {
	case *syntax.Unary:
		if x.Op == syntax.Not {
			return testOf(x.Expr, !negated)
		}
	case *syntax.Exists:
		return subqueryTest{at: e, query: x.Query, negated: negated}, true
	case *syntax.In:
		if x.Query != nil {
			return subqueryTest{at: e, query: x.Query, left: itemsOf(x.Expr), op: syntax.Eq, negated: negated != x.Not}, true
		}
	case *syntax.Quantified:
		if x.Query != nil {
			return subqueryTest{at: e, query: x.Query, left: []syntax.Expr{x.Expr}, op: x.Op, all: x.All, negated: negated}, true
		}
	}
	return subqueryTest{}, false
}

// name is what stands between the values and the query.
func (x *subqueryTest) name() string {
	if _, ok := x.at.(*syntax.Quantified); ok {
		return x.op.String()
	}
	return "IN"
}

func itemsOf(e syntax.Expr) []syntax.Expr {
	if row, ok := e.(*syntax.Row); ok {
		return row.Items
	}
	return []syntax.Expr{e}
}

// semiJoin keeps the rows of plan that pass a test. The conditions of the query that refer to these rows become the
// join's; where it joins by equalities alone, each key of the query counts once.
func (w *work) semiJoin(x subqueryTest, plan logical.Plan, s *scope) (logical.Plan, error) {
	left, err := w.exprs(x.left, s)
	if err != nil {
		return nil, err
	}
	before := w.outerCount()
	r, err := w.inner(x.query, s)
	if err != nil {
		return nil, err
	}
	refs := r.refs
	if len(x.left) > 0 && len(r.schema) != len(left) {
		return nil, failf(x.at, CodeShape, "%s compares %d values with a query of %d columns", x.name(), len(left), len(r.schema)).
			WithHint("%s", selectFor(len(left), r.schema))
	}
	right, conds, ok := refs.takeOut(r.plan, s, len(x.left) > 0)
	if w.missing != nil {
		return plan, nil
	}
	if !ok {
		w.forgetOuters(before)
		return w.whereValue(x.whole, plan, s)
	}
	n := len(plan.Schema())
	for i := range conds {
		conds[i] = refs.joined(conds[i], n)
	}
	kind := op.SemiJoin
	if x.all != x.negated {
		kind = op.AntiJoin
	}
	if len(left) > 0 {
		cond, err := w.comparedRows(x, left, right.Schema(), n)
		if err != nil {
			return nil, err
		}
		conds = append(conds, cond)
	}
	var cond expr.Expr
	if len(conds) > 0 {
		cond = expr.And(conds...)
	}
	atEnd := w.batch()
	right, cond = narrowRight(right, cond, n, atEnd)
	out := logical.NewJoin(kind, plan, right, cond)
	out.AtEnd = atEnd
	return out, nil
}

// whereValue keeps the rows for which a condition is TRUE in which queries stand as values.
func (w *work) whereValue(e syntax.Expr, plan logical.Plan, s *scope) (logical.Plan, error) {
	closed := s.attachable(plan)
	cond, err := w.condition(e, s, "WHERE")
	if err != nil {
		return nil, err
	}
	return w.filtered(e, closed(), cond)
}

// comparedRows is the condition under which a row of the query decides a test, over the columns of both.
func (w *work) comparedRows(x subqueryTest, left []expr.Expr, right logical.Schema, n int) (expr.Expr, error) {
	list := make([]expr.Expr, len(left))
	for i, l := range left {
		r := &expr.Column{Index: n + i, Name: right[i].Name, T: right[i].Type}
		if _, ok := types.Common(l.Type(), r.T); !ok {
			return nil, failf(x.at, CodeType, "%s compares %s with %s", x.name(), typeText(l), r.T.WithNull(true)).WithHint("write a CAST")
		}
		e, err := w.call(x.at, x.op.String(), l, r)
		if err != nil {
			return nil, err
		}
		list[i] = e
	}
	c := expr.And(list...)
	if !x.all && !x.negated {
		return c, nil
	}
	if c.Type().NotNull {
		if !x.all {
			return c, nil
		}
		return w.call(x.at, "NOT", c)
	}
	test := "IS NOT FALSE"
	switch {
	case x.all && x.negated:
		test = "IS FALSE"
	case x.all:
		test = "IS NOT TRUE"
	}
	return w.call(x.at, test, c)
}

// narrowRight leaves of the right side of a semi join what its condition reads, and where that is nothing but keys,
// each of them once.
func narrowRight(right logical.Plan, cond expr.Expr, n int, atEnd bool) (logical.Plan, expr.Expr) {
	to := map[int]int{}
	var exprs []expr.Expr
	var names []string
	s := right.Schema()
	if cond != nil {
		for _, i := range expr.Columns(cond) {
			if to[i] = i; i >= n {
				to[i] = n + len(exprs)
				exprs = append(exprs, &expr.Column{Index: i - n, Name: s[i-n].Name, T: s[i-n].Type})
				names = append(names, s[i-n].Name)
			}
		}
		cond = expr.Remap(cond, to)
	}
	if len(exprs) == 0 {
		exprs, names = []expr.Expr{expr.Bool(true)}, []string{"TRUE"}
	}
	p := logical.NewProject(right, exprs, names)
	probe := &logical.Join{Left: &stub{make(logical.Schema, n)}, Right: p, Cond: cond}
	if keys := probe.Keys(); len(keys.Residual) > 0 {
		return p, cond
	}
	all := columnsOf(p.Schema())
	if slices.ContainsFunc(all, func(e expr.Expr) bool { return !vector.KeyType(e.Type()) }) {
		return p, cond
	}
	d := logical.NewAggregate(p, all, nil)
	d.AtEnd = atEnd
	return d, cond
}
