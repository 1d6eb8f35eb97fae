package bind

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// overs are the calls with OVER of one SELECT, by their windows.
type overs struct{ windows []*overWindow }

// overWindow is one window and its calls.
type overWindow struct {
	partition []expr.Expr
	order     []op.SortKey
	frame     op.Frame
	// framed says that a call takes note of the frame.
	framed bool
	calls  []op.OverCall
	at     *syntax.Call // the first call
}

// overRef stands for the value of a call with OVER until its window is in the plan. It never leaves the package.
type overRef struct {
	window *overWindow
	call   int
	text   string
	t      types.Type
}

func (e *overRef) Type() types.Type           { return e.t }
func (e *overRef) String() string             { return e.text }
func (e *overRef) Args() []expr.Expr          { return nil }
func (e *overRef) With([]expr.Expr) expr.Expr { return e }

// over binds a call with OVER.
func (w *work) over(e *syntax.Call, name string, s *scope) (expr.Expr, error) {
	switch {
	case !isAggregate(name):
		return nil, failf(e, CodeAggregate, "OVER is for aggregates, and %s is none", name).
			WithHint("leave OVER out, or take an aggregate of it: MAX(%s) OVER (…)", callText(e, name))
	case e.Filter != nil:
		return nil, failf(e, CodeAggregate, "a call with FILTER takes no OVER").
			WithHint("write %s(CASE WHEN condition THEN value END) OVER (…)", name)
	case s.inWindow || s.inAggregate:
		return nil, failf(e, CodeAggregate, "a call with OVER cannot stand inside another aggregate").
			WithHint("compute it in a subquery: … FROM (SELECT …, %s OVER (…) AS x FROM …)", callText(e, name))
	case s.clause != "" && s.clause != "QUALIFY" || s.overs == nil:
		place := s.clause
		if place == "" {
			place = "this place"
		}
		return nil, failf(e, CodeAggregate, "a call with OVER cannot stand in %s", place).
			WithHint("compute it in a subquery and filter around that, or use QUALIFY")
	}
	inner := *s
	inner.inWindow, inner.clause, inner.aliases = true, "", nil
	call, err := w.overCall(e, name, &inner)
	if err != nil {
		return nil, err
	}
	win, err := w.overWindow(e, call, &inner)
	if err != nil {
		return nil, err
	}
	return s.overs.add(win, call), nil
}

// overCall binds the function and its arguments.
func (w *work) overCall(e *syntax.Call, name string, s *scope) (op.OverCall, error) {
	if windowOnly(name) {
		return w.rankCall(e, name, s)
	}
	if fn := function.LookupAggregate(name); fn != nil {
		call, err := w.aggregateOf(e, fn, s)
		if err == nil && (fn.Finish != nil || fn.Name == "SINGLE_VALUE") {
			w.lack(e, fn.Name+" with OVER", "")
		}
		if err == nil && call.Filter != nil {
			w.lack(e, fn.Name+" with OVER that leaves NULLs out", "write NULL ON NULL")
		}
		return op.OverCall{AggregateCall: call}, err
	}
	out, err := w.aggregateCall(e, name, s)
	if err != nil {
		return op.OverCall{}, err
	}
	w.lack(e, "the aggregate "+name, "")
	return op.OverCall{Name: name, AggregateCall: op.AggregateCall{T: out.Type()}}, nil
}

// rankCall binds the functions that exist over windows alone.
func (w *work) rankCall(e *syntax.Call, name string, s *scope) (op.OverCall, error) {
	call := op.OverCall{Name: name}
	out, err := w.aggregateCall(e, name, s)
	if err != nil {
		return call, err
	}
	if e.Distinct {
		return call, failf(e, CodeAggregate, "%s takes no DISTINCT", name).
			WithHint("leave DISTINCT out: %s OVER (…)", callText(e, name))
	}
	if e.Nulls != syntax.DefaultNulls {
		w.lack(e, "the null treatment of "+name, "")
	}
	call.T = out.Type()
	if call.Args, err = w.exprs(e.Args, s); err != nil {
		return call, err
	}
	if len(call.Args) == 3 {
		if _, err = w.commonOf(e, []expr.Expr{call.Args[0], call.Args[2]}, name); err != nil {
			return call, err
		}
	}
	if name == "NTILE" {
		if n, ok := w.whole(call.Args[0]); !ok || n < 1 {
			return call, failf(e.Args[0], CodeType, "NTILE takes a literal of at least 1 here, not %s", shortText(call.Args[0])).
				WithHint("it is the number of parts, as in NTILE(4)")
		}
	}
	for i := range call.Args {
		whole := types.Of(types.BigInt)
		switch {
		case i == 2:
			whole = call.Args[0].Type().WithNull(true)
		case i == 0 && name != "NTILE":
			continue
		case !call.Args[i].Type().Kind.IsInteger():
			return call, failf(e.Args[i], CodeType, "%s takes a whole number here, not %s", name, typeText(call.Args[i])).
				WithHint("%s", aggregateForm(name))
		}
		if call.Args[i], err = w.coerce(call.Args[i], whole.WithNull(call.Args[i].Type().Nullable()), e.Args[i]); err != nil {
			return call, err
		}
	}
	switch name {
	case "LEAD", "NTILE", "PERCENT_RANK", "CUME_DIST":
		if !w.batch() {
			return call, failf(e, CodeAggregate, "%s looks at rows that are still to come: it is for batch mode", name).
				WithHint("SET 'execution.runtime-mode' = 'batch' for an input that ends")
		}
	}
	switch name {
	case "PERCENT_RANK", "CUME_DIST":
		call.T = call.T.WithNull(false)
	case "LAG", "LEAD":
		call.T = call.Args[0].Type().WithNull(len(call.Args) < 3 || call.Args[0].Type().Nullable() || call.Args[2].Type().Nullable())
	}
	return call, nil
}

// overWindow binds the window of a call.
func (w *work) overWindow(e *syntax.Call, call op.OverCall, s *scope) (*overWindow, error) {
	spec, err := s.windowOf(e.Over)
	if err != nil {
		return nil, err
	}
	win, err := w.windowSpec(spec, s)
	if err != nil {
		return nil, err
	}
	win.at, win.framed = e, call.Fn != nil
	switch {
	case call.Fn == nil && spec.Frame != nil:
		return nil, failf(spec.Frame, CodeAggregate, "%s takes no ROWS or RANGE", call.Name).
			WithHint("leave the frame out: %s OVER (PARTITION BY … ORDER BY …)", callText(e, call.Name))
	case len(win.order) > 0:
	case call.Ranks() || call.Name == "NTILE" || call.Name == "PERCENT_RANK" || call.Name == "CUME_DIST":
		return nil, failf(e.Over, CodeAggregate, "%s needs ORDER BY in its window", call.Name).
			WithHint("%s() OVER (PARTITION BY … ORDER BY …)", call.Name)
	}
	return win, nil
}

// add takes a call in, once, and its window, once.
func (o *overs) add(win *overWindow, call op.OverCall) expr.Expr {
	at := slices.IndexFunc(o.windows, func(have *overWindow) bool { return have.same(win) })
	if at < 0 {
		at = len(o.windows)
		o.windows = append(o.windows, win)
	}
	have := o.windows[at]
	if win.framed {
		have.frame, have.framed = win.frame, true
	}
	k := slices.IndexFunc(have.calls, func(c op.OverCall) bool { return sameOver(c, call) })
	if k < 0 {
		k = len(have.calls)
		have.calls = append(have.calls, call)
	}
	return &overRef{have, k, call.String(), call.T}
}

func sameOver(a, b op.OverCall) bool {
	return a.Name == b.Name && sameCall(a.AggregateCall, b.AggregateCall)
}

// same tells windows that calls can share.
func (x *overWindow) same(y *overWindow) bool {
	if x.framed && y.framed && x.frame.String() != y.frame.String() {
		return false
	}
	sameKey := func(a, b op.SortKey) bool {
		return a.Desc == b.Desc && a.NullsLast == b.NullsLast && expr.Equal(a.Expr, b.Expr) && expr.Pure(a.Expr)
	}
	return slices.EqualFunc(x.order, y.order, sameKey) &&
		slices.EqualFunc(x.partition, y.partition, func(a, b expr.Expr) bool { return expr.Equal(a, b) && expr.Pure(a) })
}

// grouped makes all expressions read the grouped rows.
func (o *overs) grouped(g *grouping) (err error) {
	for _, x := range o.windows {
		f := func(e expr.Expr) expr.Expr {
			out, failed := g.over(e, x.at)
			if failed != nil && err == nil {
				err = failed
			}
			return out
		}
		x.partition, x.order = logical.MapExprs(x.partition, f), op.MapSort(x.order, f)
		for i := range x.calls {
			x.calls[i].AggregateCall = logical.MapCalls([]op.AggregateCall{x.calls[i].AggregateCall}, f)[0]
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// overed puts the windows of a SELECT over its rows, and makes the items read them.
func (w *work) overed(plan logical.Plan, o *overs, items []item) logical.Plan {
	if len(o.windows) == 0 {
		return plan
	}
	first := map[*overWindow]int{}
	for _, x := range o.windows {
		first[x] = len(plan.Schema())
		node := logical.NewOver(plan, x.partition, x.order, x.frame, x.calls)
		node.AtEnd = w.batch()
		if !w.apart {
			node.Pos, node.End = x.at.Pos, x.at.End
		}
		plan = node
	}
	for i := range items {
		items[i].e = expr.Rewrite(items[i].e, func(e expr.Expr) expr.Expr {
			if r, ok := e.(*overRef); ok {
				return &expr.Column{Index: first[r.window] + r.call, Name: r.text, T: r.t}
			}
			return e
		})
	}
	return plan
}

// whole computes an expression without columns, if it is a whole number.
func (w *work) whole(e expr.Expr) (int64, bool) {
	if !e.Type().Kind.IsInteger() || len(expr.Columns(e)) > 0 || !expr.Pure(e) {
		return 0, false
	}
	big, err := w.castTo(e, types.Of(types.BigInt), false, syntax.Span{})
	if err != nil {
		return 0, false
	}
	v, err := expr.Value(big, w.env)
	if err != nil || v.Value.IsConstNull() {
		return 0, false
	}
	return vector.Value[int64](v.Value, 0), true
}
