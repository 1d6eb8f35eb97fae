package bind

import (
	"maps"
	"slices"
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/planner/syntax"
)

// special forms are calls that become another expression. Those that become CASE evaluate only the argument they take.
var specialForms = map[string]string{
	"CURRENT_DATABASE": "CURRENT_DATABASE()",
	"COALESCE":         "COALESCE(<ANY>, ...)",
	"IFNULL":           "IFNULL(<ANY>, <ANY>)",
	"NULLIF":           "NULLIF(<COMPARABLE>, <COMPARABLE>)",
	"IF":               "IF(<BOOLEAN>, <ANY>, <ANY>)",
}

func isSpecialForm(name string) bool { return specialForms[name] != "" }

func formNames() []string { return slices.Sorted(maps.Keys(specialForms)) }

func (w *work) special(e *syntax.Call, name string, s *scope) (expr.Expr, error) {
	args, err := w.exprs(e.Args, s)
	if err != nil {
		return nil, err
	}
	var out expr.Expr
	switch {
	case name == "COALESCE" && len(args) >= 1:
		out, err = w.coalesce(e, args)
	case name == "IFNULL" && len(args) == 2:
		out, err = w.coalesce(e, args)
	case name == "NULLIF" && len(args) == 2:
		out, err = w.nullIf(e, args)
	case name == "IF" && len(args) == 3:
		out, err = w.ifOf(e, args)
	case name == "CURRENT_DATABASE" && len(args) == 0:
		_, database := w.cat.Current()
		if out, err = literal(&syntax.Literal{Kind: syntax.StringLiteral, Text: database}); err == nil {
			out, err = w.coerce(out, types.String().WithNull(false), e)
		}
	default:
		return nil, failf(e, CodeType, "%s does not take %d arguments", name, len(args)).
			WithHint("it takes %s", specialForms[name])
	}
	return out, err
}

// coalesce takes the first argument that is not NULL. It is NOT NULL when one of them is.
func (w *work) coalesce(e *syntax.Call, args []expr.Expr) (expr.Expr, error) {
	t, err := w.commonOf(e, args, strings.ToUpper(e.Name.Last()))
	if err != nil {
		return nil, err
	}
	notNull := false
	var whens []expr.When
	for i, a := range args {
		c, err := w.coerce(a, t, e)
		if err != nil {
			return nil, err
		}
		notNull = notNull || c.Type().NotNull
		if i == len(args)-1 || c.Type().NotNull {
			return caseExpr(whens, c, t.WithNull(!notNull)), nil
		}
		test, err := w.call(e, "IS NOT NULL", a)
		if err != nil {
			return nil, err
		}
		whens = append(whens, expr.When{Cond: test, Then: c})
	}
	panic("bind: COALESCE without arguments")
}

func (w *work) nullIf(e *syntax.Call, args []expr.Expr) (expr.Expr, error) {
	same, err := w.call(e, "=", args...)
	if err != nil {
		return nil, err
	}
	t := args[0].Type().WithNull(true)
	if t.Kind == types.Null {
		return args[0], nil
	}
	return caseExpr([]expr.When{{Cond: same, Then: expr.Null(t)}}, args[0], t), nil
}

// ifOf is IF(condition, then, else), whose type is nullable in any case.
func (w *work) ifOf(e *syntax.Call, args []expr.Expr) (expr.Expr, error) {
	cond := args[0]
	if cond.Type().Kind == types.Null {
		cond = expr.Null(types.Of(types.Boolean))
	}
	if cond.Type().Kind != types.Boolean {
		return nil, failf(e.Args[0], CodeCondition, "IF takes a BOOLEAN, not %s", typeText(cond)).
			WithHint("it takes %s", specialForms["IF"])
	}
	t, err := w.commonOf(e, args[1:], "IF")
	if err != nil {
		return nil, err
	}
	then, err := w.coerce(args[1], t, e.Args[1])
	if err != nil {
		return nil, err
	}
	other, err := w.coerce(args[2], t, e.Args[2])
	if err != nil {
		return nil, err
	}
	return caseExpr([]expr.When{{Cond: cond, Then: then}}, other, t.WithNull(true)), nil
}

// commonOf is the least restrictive type of a list of values.
func (w *work) commonOf(at syntax.Node, list []expr.Expr, what string) (types.Type, error) {
	t := list[0].Type()
	for _, e := range list[1:] {
		next, ok := types.Common(t, e.Type())
		if !ok {
			return t, failf(at, CodeType, "%s mixes %s and %s", what, t.WithNull(true), typeText(e)).
				WithHint("write a CAST")
		}
		t = next
	}
	if t.Kind == types.Null {
		return t, illegalNull(at)
	}
	return t, nil
}

// caseExpr is a CASE, or its ELSE alone where there are no branches.
func caseExpr(whens []expr.When, other expr.Expr, t types.Type) expr.Expr {
	if len(whens) == 0 {
		return other
	}
	return &expr.Case{Whens: whens, Else: other, T: t}
}

// caseOf binds CASE. With an operand each branch compares with it.
func (w *work) caseOf(e *syntax.Case, s *scope) (expr.Expr, error) {
	var operand expr.Expr
	var err error
	if e.Operand != nil {
		if operand, err = w.expr(e.Operand, s); err != nil {
			return nil, err
		}
	}
	var conds, values []expr.Expr
	for _, b := range e.Whens {
		var cond expr.Expr
		if operand != nil {
			var v expr.Expr
			if v, err = w.expr(b.Cond, s); err == nil {
				cond, err = w.call(b.Cond, "=", operand, v)
			}
		} else {
			cond, err = w.boolean(b.Cond, s, "WHEN")
		}
		if err != nil {
			return nil, err
		}
		v, err := w.expr(b.Then, s)
		if err != nil {
			return nil, err
		}
		conds, values = append(conds, cond), append(values, v)
	}
	other := expr.Expr(expr.Null(types.Of(types.Null)))
	if e.Else != nil {
		if other, err = w.expr(e.Else, s); err != nil {
			return nil, err
		}
	}
	values = append(values, other)
	t, err := w.commonOf(e, values, "CASE")
	if err != nil {
		return nil, err
	}
	for i := range values {
		if values[i], err = w.coerce(values[i], t, e); err != nil {
			return nil, err
		}
	}
	whens := make([]expr.When, len(conds))
	for i := range conds {
		whens[i] = expr.When{Cond: conds[i], Then: values[i]}
	}
	return &expr.Case{Whens: whens, Else: values[len(conds)], T: t}, nil
}

// intervalOf is (a - b) unit: the difference of two times as an interval.
func (w *work) intervalOf(e *syntax.IntervalOf, s *scope) (expr.Expr, error) {
	l, err := w.expr(e.Left, s)
	if err != nil {
		return nil, err
	}
	r, err := w.expr(e.Right, s)
	if err != nil {
		return nil, err
	}
	if function.Lookup("MINUS TO") == nil {
		return nil, syntax.NotSupported(e.Span, "the difference of two times as an interval",
			"TIMESTAMPDIFF(SECOND, b, a) counts it")
	}
	return w.call(e, "MINUS TO", symbol(string(e.Units.From)), l, r)
}
