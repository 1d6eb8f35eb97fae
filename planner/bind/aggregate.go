package bind

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/types"
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

// aggregates are the functions over many rows, with how many arguments they take.
var aggregates = map[string]struct {
	kind     aggregateKind
	min, max int
}{
	"COUNT": {countResult, 0, 1}, "SUM": {sumResult, 1, 1}, "SUM0": {sumResult, 1, 1}, "$SUM0": {sumResult, 1, 1},
	"AVG": {numberResult, 1, 1}, "MIN": {sameResult, 1, 1}, "MAX": {sameResult, 1, 1},
	"STDDEV_POP": {numberResult, 1, 1}, "STDDEV_SAMP": {numberResult, 1, 1}, "STDDEV": {numberResult, 1, 1},
	"VAR_POP": {numberResult, 1, 1}, "VAR_SAMP": {numberResult, 1, 1}, "VARIANCE": {numberResult, 1, 1},
	"FIRST_VALUE": {sameResult, 1, 2}, "LAST_VALUE": {sameResult, 1, 2}, "SINGLE_VALUE": {sameResult, 1, 1},
	"LISTAGG": {textResult, 1, 2}, "JSON_OBJECTAGG": {textResult, 2, 2}, "JSON_ARRAYAGG": {textResult, 1, 1},
	"COLLECT": {multisetResult, 1, 1}, "ARRAY_AGG": {arrayResult, 1, 1}, "PERCENTILE": {doubleResult, 2, 3},
	"GROUPING": {countResult, 1, 32}, "GROUPING_ID": {countResult, 1, 32}, "GROUP_ID": {countResult, 0, 0},
	"ROW_NUMBER": {rankResult, 0, 0}, "RANK": {rankResult, 0, 0}, "DENSE_RANK": {rankResult, 0, 0},
	"NTILE": {rankResult, 1, 1}, "PERCENT_RANK": {doubleResult, 0, 0}, "CUME_DIST": {doubleResult, 0, 0},
	"LAG": {shiftResult, 1, 3}, "LEAD": {shiftResult, 1, 3},
}

func isAggregate(name string) bool {
	_, ok := aggregates[name]
	return ok
}

// windowOnly tells the functions that need OVER.
func windowOnly(name string) bool {
	switch name {
	case "ROW_NUMBER", "RANK", "DENSE_RANK", "NTILE", "PERCENT_RANK", "CUME_DIST", "LAG", "LEAD":
		return true
	}
	return false
}

// aggregate binds a call over the rows of a group. Aggregates are not built.
func (w *work) aggregate(e *syntax.Call, name string, s *scope) (expr.Expr, error) {
	switch {
	case windowOnly(name):
		return nil, failf(e, CodeAggregate, "%s needs OVER", name).WithHint("%s(…) OVER (PARTITION BY … ORDER BY …)", name)
	case s.inAggregate:
		return nil, failf(e, CodeAggregate, "aggregates cannot be nested")
	case s.clause != "":
		return nil, failf(e, CodeAggregate, "an aggregate cannot stand in %s", s.clause).
			WithHint("filter groups with HAVING")
	}
	inner := *s
	inner.inAggregate = true
	out, err := w.aggregateCall(e, name, &inner)
	if err != nil {
		return nil, err
	}
	if s.tally != nil {
		s.tally.aggregates++
	}
	w.lack(e, "the aggregate "+name, "")
	return out, nil
}

// aggregateCall checks the arguments and gives the result's type.
func (w *work) aggregateCall(e *syntax.Call, name string, s *scope) (expr.Expr, error) {
	args, err := w.exprs(e.Args, s)
	if err != nil {
		return nil, err
	}
	a := aggregates[name]
	if n := len(args); !e.Star && (n < a.min || n > a.max || (name == "COUNT" && n == 0)) {
		return nil, failf(e, CodeType, "%s does not take %d arguments", name, n)
	}
	if e.Star && name != "COUNT" {
		return nil, failf(e, CodeType, "%s(*) does not exist", name)
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
			return nil, failf(e, CodeType, "%s takes a number, not %s", name, typeText(args[0]))
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

// over binds a call with OVER. Such calls are not built.
func (w *work) over(e *syntax.Call, name string, s *scope) (expr.Expr, error) {
	switch {
	case !isAggregate(name):
		return nil, failf(e, CodeAggregate, "OVER is for aggregates, and %s is none", name)
	case s.inWindow || s.inAggregate:
		return nil, failf(e, CodeAggregate, "a call with OVER cannot stand inside another aggregate")
	case s.clause != "" && s.clause != "QUALIFY":
		return nil, failf(e, CodeAggregate, "a call with OVER cannot stand in %s", s.clause).
			WithHint("compute it in a subquery and filter around that, or use QUALIFY")
	}
	inner := *s
	inner.inWindow, inner.clause = true, ""
	out, err := w.aggregateCall(e, name, &inner)
	if err != nil {
		return nil, err
	}
	if err := w.windowSpec(e.Over, &inner); err != nil {
		return nil, err
	}
	if name == "RANK" || name == "DENSE_RANK" {
		if len(e.Over.OrderBy) == 0 && e.Over.Base == nil {
			return nil, failf(e.Over, CodeAggregate, "%s needs ORDER BY in its window", name)
		}
	}
	w.lack(e, "OVER windows", "")
	return out, nil
}

func (w *work) windowSpec(spec *syntax.WindowSpec, s *scope) error {
	if spec.Base != nil && !s.windows[spec.Base.Name] {
		return failf(spec.Base, CodeAggregate, "window '%s' not found", spec.Base.Name)
	}
	inner := *s
	inner.inWindow = true
	if _, err := w.exprs(spec.PartitionBy, &inner); err != nil {
		return err
	}
	for _, o := range spec.OrderBy {
		if _, err := w.expr(o.Expr, &inner); err != nil {
			return err
		}
	}
	if spec.Frame != nil {
		for _, b := range []syntax.FrameBound{spec.Frame.Start, spec.Frame.End} {
			if b.Offset == nil {
				continue
			}
			if _, err := w.expr(b.Offset, &scope{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// windows binds the WINDOW clause.
func (w *work) windows(q *syntax.Select, s *scope) error {
	s.tally = &tally{}
	for _, d := range q.Windows {
		if err := w.windowSpec(d.Window, s); err != nil {
			return err
		}
		if s.windows == nil {
			s.windows = map[string]bool{}
		}
		if s.windows[d.Name.Name] {
			return failf(d.Name, CodeDuplicate, "window '%s' is defined twice", d.Name.Name)
		}
		s.windows[d.Name.Name] = true
	}
	return nil
}

// groupWindow binds TUMBLE, HOP and SESSION as they stand in GROUP BY, and TUMBLE_START and its like.
func (w *work) groupWindow(e *syntax.Call, name string, s *scope) (expr.Expr, bool, error) {
	base, part, _ := strings.Cut(name, "_")
	switch base {
	case "TUMBLE", "HOP", "SESSION":
	default:
		return nil, false, nil
	}
	switch part {
	case "", "START", "END", "ROWTIME", "PROCTIME":
	default:
		return nil, false, nil
	}
	if _, err := w.exprs(e.Args, s); err != nil {
		return nil, true, err
	}
	w.lack(e, "the group window "+base, "")
	return &unbuilt{name, types.TimestampOf(3).WithNull(false)}, true, nil
}

// groupBy binds the grouping keys. Keys as texts tell afterwards what may stand outside an aggregate.
func (w *work) groupBy(q *syntax.Select, s *scope) (map[string]bool, error) {
	keys := map[string]bool{}
	if q.GroupBy == nil {
		return keys, nil
	}
	inner := *s
	inner.clause = "GROUP BY"
	var walk func(list []syntax.GroupItem) error
	walk = func(list []syntax.GroupItem) error {
		for _, it := range list {
			for _, x := range it.Exprs {
				e, err := w.expr(x, &inner)
				if err != nil {
					return err
				}
				keys[expr.Key(e)] = true
			}
			if err := walk(it.Items); err != nil {
				return err
			}
		}
		return nil
	}
	return keys, walk(q.GroupBy.Items)
}

// afterGrouping binds HAVING and QUALIFY and checks that what a grouped query gives is grouped.
func (w *work) afterGrouping(q *syntax.Select, s *scope, keys map[string]bool, items []item) error {
	var having expr.Expr
	if q.Having != nil {
		var err error
		inner := *s
		if having, err = w.expr(q.Having, &inner); err != nil {
			return err
		}
		if k := having.Type().Kind; k != types.Boolean && k != types.Null {
			return failf(q.Having, CodeCondition, "HAVING must be a BOOLEAN, but this is %s", typeText(having))
		}
	}
	if q.GroupBy != nil || q.Having != nil || s.tally.aggregates > 0 {
		for _, it := range items {
			if err := grouped(it.e, keys, it.at); err != nil {
				return err
			}
		}
		if having != nil {
			if err := grouped(having, keys, q.Having); err != nil {
				return err
			}
		}
		at := syntax.Node(q)
		if q.GroupBy != nil {
			at = q.GroupBy
		}
		w.lack(at, "GROUP BY", "")
	}
	if q.Qualify == nil {
		return nil
	}
	inner := *s
	inner.aliases = map[string]expr.Expr{}
	for _, it := range items {
		inner.aliases[it.name] = it.e
	}
	if _, err := w.condition(q.Qualify, &inner, "QUALIFY"); err != nil {
		return err
	}
	w.lack(q.Qualify, "QUALIFY", "")
	return nil
}

// grouped checks that e reads columns only inside grouping keys and aggregates.
func grouped(e expr.Expr, keys map[string]bool, at syntax.Node) error {
	var free *expr.Column
	expr.Walk(e, func(x expr.Expr) bool {
		if free != nil || keys[expr.Key(x)] {
			return false
		}
		if c, ok := x.(*expr.Column); ok {
			free = c
		}
		return true
	})
	if free == nil {
		return nil
	}
	return failf(at, CodeAggregate, "column '%s' is neither grouped nor inside an aggregate", free.Name).
		WithHint("add it to GROUP BY, or take MIN(%s), MAX(%s), …", free.Name, free.Name)
}
