package bind

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// matchTime is the time attribute that a function gives in MATCH_RECOGNIZE.
func matchTime(name string) logical.TimeAttribute {
	switch strings.ToUpper(name) {
	case "MATCH_ROWTIME":
		return logical.Rowtime
	case "MATCH_PROCTIME":
		return logical.Proctime
	}
	return logical.NoTime
}

// matchCall binds the calls that mean something else, or anything at all, in MATCH_RECOGNIZE alone; ok tells that this
// is one.
func (w *work) matchCall(e *syntax.Call, name string, s *scope) (out expr.Expr, ok bool, err error) {
	m := s.match
	switch name {
	case "FIRST", "LAST":
		out, err = w.navigation(e, name, s)
	case "PREV", "NEXT":
		by, known := int64(1), true
		if len(e.Args) == 2 {
			by, known, err = w.offset(e, name)
		}
		if len(e.Args) == 0 || !known || by != 0 || err != nil {
			return nil, true, failf(e, CodeAggregate, "rows are not told by where they stand in their partition: %s does not exist", name).
				WithHint("LAST(A.x, 1) is the row before the last one of A")
		}
		out, err = w.expr(e.Args[0], s)
	case "MATCH_ROWTIME":
		out, err = m.rowtime(e)
	case "MATCH_PROCTIME":
		out, err = w.call(e, "PROCTIME")
	case "CLASSIFIER", "MATCH_NUMBER":
		err = failf(e, CodeFunction, "%s() does not exist: a match gives one row", name).
			WithHint("COUNT(A.x) counts the rows of A; FIRST(A.x) and LAST(A.x) are NULL where it has none")
	default:
		if !isAggregate(name) {
			return nil, false, nil
		}
		out, err = w.matchAggregate(e, name, s)
	}
	return out, true, err
}

// navigation binds FIRST and LAST.
func (w *work) navigation(e *syntax.Call, name string, s *scope) (expr.Expr, error) {
	m := s.match
	if n := len(e.Args); n < 1 || n > 2 {
		return nil, failf(e, CodeType, "%s takes a value and the number of a row, not %d arguments", name, n).
			WithHint("%s(A.x), %s(A.x, 1)", name, name)
	}
	x, err := w.expr(e.Args[0], s)
	if err != nil {
		return nil, err
	}
	by := int64(0)
	if len(e.Args) == 2 {
		known := false
		if by, known, err = w.offset(e, name); err != nil {
			return nil, err
		}
		if !known || by < 0 {
			return nil, failf(e.Args[1], CodeType, "%s takes a literal number of rows that is not negative", name).
				WithHint("%s(A.x, 1)", name)
		}
	}
	if _, err := m.single(e, name, x); err != nil {
		return nil, err
	}
	if len(expr.Columns(x)) == 0 {
		return nil, failf(e.Args[0], CodeAggregate, "%s takes columns of a pattern variable", name).WithHint("%s(A.x)", name)
	}
	return m.navigated(x, name == "FIRST", by), nil
}

// offset is the second argument of a navigation, if it is a whole number.
func (w *work) offset(e *syntax.Call, name string) (int64, bool, error) {
	x, err := w.expr(e.Args[1], &scope{})
	if err != nil {
		return 0, false, failf(e.Args[1], CodeType, "%s takes a literal number of rows", name).
			WithHint("%s(A.x, 1)", name)
	}
	by, ok := w.whole(x)
	return by, ok, nil
}

// single is the variable that all columns of values are of; without columns that of all rows.
func (m *matching) single(at syntax.Node, name string, list ...expr.Expr) (variable int, err error) {
	variable = op.AllVariables
	for k, i := range expr.Columns(list...) {
		v, _ := m.owner(&expr.Column{Index: i})
		if k > 0 && v != variable {
			return 0, failf(at, CodeAggregate, "the columns in %s are of one pattern variable", name).
				WithHint("%s(A.x) + %s(B.x)", name, name)
		}
		variable = v
	}
	for _, e := range list {
		expr.Walk(e, func(x expr.Expr) bool {
			if r, ok := x.(*matchRef); ok {
				err = failf(at, CodeAggregate, "%s cannot stand inside %s", r.text, name).
					WithHint("%s takes columns of a pattern variable: %[1]s(A.x)", name)
			}
			return true
		})
	}
	return variable, err
}

// rowtime is the event time of the last row.
func (m *matching) rowtime(e *syntax.Call) (expr.Expr, error) {
	at := m.input[m.time]
	if at.Time != logical.Rowtime {
		return nil, failf(e, CodeWatermark, "MATCH_ROWTIME() needs rows in the order of an event time").
			WithHint("in the order of processing time it is MATCH_PROCTIME()")
	}
	if len(e.Args) > 0 {
		return nil, syntax.NotSupported(e.At(), "MATCH_ROWTIME with an argument", "MATCH_ROWTIME() is the time of the last row")
	}
	return m.read(op.MatchRead{Variable: op.AllVariables, Column: m.time, T: at.Type.WithNull(true)}), nil
}

// matchAggregate binds an aggregate over the rows of a variable.
func (w *work) matchAggregate(e *syntax.Call, name string, s *scope) (expr.Expr, error) {
	m := s.match
	switch {
	case windowOnly(name):
		return nil, failf(e, CodeAggregate, "%s cannot stand in MATCH_RECOGNIZE", name).
			WithHint("FIRST(A.x), LAST(A.x, 1) and aggregates such as SUM(A.x) read the rows of a match")
	case s.inAggregate:
		return nil, failf(e, CodeAggregate, "aggregates cannot be nested").
			WithHint("%s takes columns of a pattern variable: %[1]s(A.x); make %[1]s of it a measure of its own", name)
	case e.Distinct:
		return nil, failf(e, CodeAggregate, "%s in MATCH_RECOGNIZE takes no DISTINCT", name).
			WithHint("leave DISTINCT out: %s(A.x) takes each row of A", name)
	}
	inner := *s
	inner.inAggregate = true
	fn := function.LookupAggregate(name)
	if fn == nil {
		out, err := w.aggregateCall(e, name, &inner)
		w.lack(e, "the aggregate "+name, "")
		return out, err
	}
	call, err := w.aggregateOf(e, fn, &inner)
	if err != nil {
		return nil, err
	}
	exprs := logical.CallExprs([]op.AggregateCall{call})
	v, err := m.single(e, name, exprs...)
	if err != nil {
		return nil, err
	}
	own := func(x expr.Expr) expr.Expr {
		return expr.Rewrite(x, func(x expr.Expr) expr.Expr {
			if c, ok := x.(*expr.Column); ok {
				_, at := m.owner(c)
				return &expr.Column{Index: at, Name: c.Name, T: c.T}
			}
			return x
		})
	}
	return m.call(op.MatchCall{Variable: v, AggregateCall: logical.MapCalls([]op.AggregateCall{call}, own)[0]}), nil
}
