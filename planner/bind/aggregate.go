package bind

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner/syntax"
)

// aggregateKind tells how the type of an aggregate follows from its argument.
type aggregateKind uint8

const (
	countResult  aggregateKind = iota // BIGINT NOT NULL
	sameResult                        // the argument's type
	numberResult                      // the argument's type, which must be a number
	sumResult                         // the same, DECIMAL with 38 digits
	textResult
	arrayResult
	multisetResult
	doubleResult
	rankResult // BIGINT NOT NULL, over a window alone
	shiftResult
)

// aggregates are Flink's functions over many rows, with how many arguments they take: what is checked of those
// that are not declared in exec/function, and of all with OVER.
var aggregates = map[string]struct {
	kind     aggregateKind
	min, max int
}{
	"COUNT": {countResult, 0, 1}, "SUM": {sumResult, 1, 1}, "SUM0": {sumResult, 1, 1}, "$SUM0": {sumResult, 1, 1},
	"AVG": {numberResult, 1, 1}, "MIN": {sameResult, 1, 1}, "MAX": {sameResult, 1, 1},
	"STDDEV_POP": {numberResult, 1, 1}, "STDDEV_SAMP": {numberResult, 1, 1}, "STDDEV": {numberResult, 1, 1},
	"VAR_POP": {numberResult, 1, 1}, "VAR_SAMP": {numberResult, 1, 1}, "VARIANCE": {numberResult, 1, 1},
	"FIRST_VALUE": {sameResult, 1, 2}, "LAST_VALUE": {sameResult, 1, 2}, "SINGLE_VALUE": {sameResult, 1, 1},
	"LISTAGG": {textResult, 1, 2}, "COLLECT": {multisetResult, 1, 1}, "ARRAY_AGG": {arrayResult, 1, 1},
	"GROUPING": {countResult, 1, 32}, "GROUPING_ID": {countResult, 1, 32}, "GROUP_ID": {countResult, 0, 0},
	"ROW_NUMBER": {rankResult, 0, 0}, "RANK": {rankResult, 0, 0}, "DENSE_RANK": {rankResult, 0, 0},
	"NTILE": {rankResult, 1, 1}, "PERCENT_RANK": {doubleResult, 0, 0}, "CUME_DIST": {doubleResult, 0, 0},
	"LAG": {shiftResult, 1, 3}, "LEAD": {shiftResult, 1, 3},
}

func isAggregate(name string) bool {
	_, ok := aggregates[name]
	return ok || function.LookupAggregate(name) != nil
}

// windowOnly tells the functions that need OVER.
func windowOnly(name string) bool {
	switch name {
	case "ROW_NUMBER", "RANK", "DENSE_RANK", "NTILE", "PERCENT_RANK", "CUME_DIST", "LAG", "LEAD":
		return true
	}
	return false
}

// aggregate binds a call over the rows of a group: its value is a column of the grouped rows.
func (w *work) aggregate(e *syntax.Call, name string, s *scope) (expr.Expr, error) {
	switch {
	case windowOnly(name):
		return nil, failf(e, CodeAggregate, "%s needs OVER", name).WithHint("%s(…) OVER (PARTITION BY … ORDER BY …)", name)
	case s.inAggregate:
		return nil, failf(e, CodeAggregate, "aggregates cannot be nested").
			WithHint("compute %s in a subquery: … FROM (SELECT …, %[1]s AS x FROM … GROUP BY …)", callText(e, name))
	case s.clause != "":
		return nil, failf(e, CodeAggregate, "an aggregate cannot stand in %s", s.clause).
			WithHint("filter groups with HAVING")
	case s.group == nil:
		return nil, failf(e, CodeAggregate, "an aggregate cannot stand here").WithHint("aggregates stand in SELECT and HAVING")
	}
	switch name {
	case "GROUPING", "GROUPING_ID", "GROUP_ID":
		return w.groupingCall(e, name, s)
	}
	inner := *s
	inner.inAggregate = true
	if name == "SINGLE_VALUE" {
		return w.singleValue(e, &inner)
	}
	fn := function.LookupAggregate(name)
	if fn == nil {
		out, err := w.aggregateCall(e, name, &inner)
		s.group.unbuilt = true
		w.lack(e, "the aggregate "+name, "")
		return out, err
	}
	call, err := w.aggregateOf(e, fn, &inner)
	if err != nil || fn.Finish == nil {
		return s.group.add(call), err
	}
	return w.finished(e, fn, s.group.add(call), s)
}

// finished is the value of an aggregate that a function makes of what was gathered, and of an argument that is the
// same for all rows.
func (w *work) finished(e *syntax.Call, fn *function.Aggregate, gathered expr.Expr, s *scope) (expr.Expr, error) {
	list := []expr.Expr{gathered}
	if fn.Beside > 0 {
		x, err := w.expr(e.Args[fn.Beside-1], s)
		if err != nil {
			return nil, err
		}
		if len(expr.Columns(x)) > 0 {
			return nil, failf(e.Args[fn.Beside-1], CodeType, "argument %d of %s must be the same for all rows", fn.Beside, fn.Name).
				WithHint("write a literal there, such as 0.5")
		}
		list = append(list, x)
	}
	sig, err := fn.Finish.Type(argsOf(list))
	if err != nil {
		return nil, refused(e, fn.Name, fn.Forms, list, err)
	}
	for i := range list {
		if list[i], err = w.coerce(list[i], sig.Args[i], e); err != nil {
			return nil, err
		}
	}
	return &expr.Call{Fn: fn.Finish, List: list, T: sig.Result, Pos: w.posOf(e)}, nil
}

// singleValue binds SINGLE_VALUE: the value of the one row of a group, which fails where there are more.
func (w *work) singleValue(e *syntax.Call, s *scope) (expr.Expr, error) {
	if len(e.Args) != 1 || e.Star {
		return nil, failf(e, CodeType, "SINGLE_VALUE takes one argument").
			WithHint("%s", aggregateForm("SINGLE_VALUE"))
	}
	first, err := w.aggregateOf(e, function.MustAggregate("FIRST_VALUE"), s)
	if err != nil {
		return nil, err
	}
	rows := firstAndCount(first.Args[0])[1]
	rows.Filter = first.Filter
	return onlyOne(s.group.add(first), s.group.add(rows), w.posOf(e)), nil
}

// aggregateOf binds the parts of a call.
func (w *work) aggregateOf(e *syntax.Call, fn *function.Aggregate, s *scope) (op.AggregateCall, error) {
	call := op.AggregateCall{Fn: fn, Distinct: e.Distinct, IgnoreNulls: e.Nulls == syntax.IgnoreNulls}
	args, err := w.exprs(e.Args, s)
	if err != nil {
		return call, err
	}
	switch {
	case e.Star && fn.Name != "COUNT":
		return call, failf(e, CodeType, "%s(*) does not exist", fn.Name).
			WithHint("%s", starForm(fn.Name))
	case !e.Star && len(args) == 0:
		return call, failf(e, CodeType, "%s does not take 0 arguments", fn.Name).
			WithHint("%s", aggregateForm(fn.Name))
	case e.Nulls != syntax.DefaultNulls && fn.Name != "ARRAY_AGG":
		w.lack(e, "the null treatment of "+fn.Name, "")
	case len(e.ArgNames) > 0:
		w.lack(e, "arguments by name in "+fn.Name, "write them in order")
	case e.JSON != nil && hasClauses(e.JSON) && !strings.HasPrefix(fn.Name, "JSON_"):
		w.lack(e, "the clauses of "+fn.Name, "")
	case fn.Extension:
		if err := w.beyond(functionBeyond("aggregate", fn.Name), e); err != nil {
			return call, err
		}
	}
	for _, o := range append(append([]syntax.OrderItem(nil), e.OrderBy...), e.WithinGroup...) {
		if _, err := w.expr(o.Expr, s); err != nil {
			return call, err
		}
		w.lack(e, "ORDER BY inside "+fn.Name, "")
	}
	if e.Filter != nil {
		if call.Filter, err = w.condition(e.Filter, s, "FILTER"); err != nil {
			return call, err
		}
	}
	if fn.Distinct {
		fn = function.MustAggregate("COUNT")
		call.Fn, call.Distinct = fn, true
	}
	if fn.Name == "COUNT" && e.Distinct && len(args) > 1 {
		one, err := w.together(e, args, s)
		if err != nil {
			return call, err
		}
		args = []expr.Expr{one}
	}
	given := argsOf(args)
	sig, err := fn.Type(given)
	if err != nil {
		return call, refused(e, fn.Name, fn.Forms, args, err)
	}
	call.Args = make([]expr.Expr, len(args))
	for i, a := range args {
		if call.Args[i], err = w.coerce(a, sig.Args[i], e); err != nil {
			return call, err
		}
		if t := sig.Args[i]; call.Distinct && !vector.KeyType(t) && !function.Packs(t) {
			w.lackKey(e, "DISTINCT over", t, "")
		}
	}
	if fn.Rows {
		if err := w.asRow(e, &call); err != nil {
			return call, err
		}
	}
	if call.Distinct {
		packArgs(&call)
	}
	if absent, value := absentOnNull(e, fn, args); absent {
		there := present(value)
		if call.Filter != nil {
			there = expr.And(call.Filter, there)
		}
		call.Filter = there
	}
	call.T = sig.Result.WithNull(fn.Nullable(sig, call.Filter != nil, s.group == nil || s.group.keyless))
	return call, nil
}

// packArgs gives a call with DISTINCT composite values in the form in which rows are told apart by them.
func packArgs(call *op.AggregateCall) {
	own := make([]types.Type, len(call.Args))
	for i, a := range call.Args {
		own[i] = a.Type()
	}
	packs, some := packedKeys(call.Args)
	if call.Args = packs; some && call.Fn.Name != "COUNT" {
		call.Fn = function.OverPacked(call.Fn, own)
	}
}

// asRow puts the arguments of a call into a ROW.
func (w *work) asRow(e *syntax.Call, call *op.AggregateCall) error {
	if b := call.Fn.Beside; b > 0 {
		call.Args = append(call.Args[:b-1:b-1], call.Args[b:]...)
	}
	row, err := w.call(e, "ROW", call.Args...)
	call.Args = []expr.Expr{row}
	return err
}

// absentOnNull tells that a JSON aggregate leaves NULLs out, and of which argument.
func absentOnNull(e *syntax.Call, fn *function.Aggregate, args []expr.Expr) (bool, expr.Expr) {
	clause := syntax.DefaultOnNull
	if e.JSON != nil {
		clause = e.JSON.OnNull
	}
	switch fn.Name {
	case "JSON_ARRAYAGG":
		return clause != syntax.NullOnNull && args[0].Type().Nullable(), args[0]
	case "JSON_OBJECTAGG":
		return clause == syntax.AbsentOnNull && args[1].Type().Nullable(), args[1]
	}
	return false, nil
}

// aggregateCall checks a call that is not built: its arguments, and the result's type.
func (w *work) aggregateCall(e *syntax.Call, name string, s *scope) (expr.Expr, error) {
	args, err := w.exprs(e.Args, s)
	if err != nil {
		return nil, err
	}
	a, known := aggregates[name]
	if n := len(args); known && !e.Star && (n < a.min || n > a.max || (name == "COUNT" && n == 0)) {
		return nil, failf(e, CodeType, "%s does not take %d arguments", name, n).
			WithHint("%s", aggregateForm(name))
	}
	if e.Star && name != "COUNT" {
		return nil, failf(e, CodeType, "%s(*) does not exist", name).
			WithHint("%s", starForm(name))
	}
	if e.Filter != nil {
		if _, err := w.condition(e.Filter, s, "FILTER"); err != nil {
			return nil, err
		}
	}
	for _, o := range append(append([]syntax.OrderItem(nil), e.OrderBy...), e.WithinGroup...) {
		if _, err := w.expr(o.Expr, s); err != nil {
			return nil, err
		}
	}
	text := name + "(…)"
	switch a.kind {
	case countResult, rankResult:
		return &unbuilt{text, types.Of(types.BigInt).WithNull(false)}, nil
	case numberResult, sumResult:
		t := args[0].Type()
		if !t.Kind.IsNumeric() && t.Kind != types.Null && !(t.Kind.IsInterval() && name == "SUM") {
			return nil, failf(e, CodeType, "%s takes a number, not %s", name, typeText(args[0])).
				WithHint("write a CAST, as in %s(CAST(%s AS DOUBLE))", name, shortText(args[0]))
		}
		if t.Kind == types.Decimal && a.kind == sumResult {
			t = types.DecimalOf(types.MaxDecimal, t.Scale)
		} else if t.Kind == types.Decimal {
			t = types.DecimalOf(types.MaxDecimal, max(6, t.Scale))
		}
		return &unbuilt{text, t.WithNull(true)}, nil
	case textResult:
		return &unbuilt{text, types.String()}, nil
	case arrayResult:
		return &unbuilt{text, types.ArrayOf(args[0].Type())}, nil
	case multisetResult:
		return &unbuilt{text, types.MultisetOf(args[0].Type())}, nil
	case doubleResult:
		return &unbuilt{text, types.Of(types.Double)}, nil
	}
	return &unbuilt{text, args[0].Type().WithNull(true)}, nil
}
