package bind

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner/syntax"
)

// coerce makes e a value of type t, by a cast where it is not one already.
func (w *work) coerce(e expr.Expr, t types.Type, at syntax.Node) (expr.Expr, error) {
	from := e.Type()
	switch {
	case from.Same(t) || from.Kind == types.Symbol:
		return e, nil
	case from.Kind == types.Null:
		return expr.Null(t), nil
	}
	if c, ok := e.(*expr.Const); ok && !c.Value.IsConstNull() && longer(from, t) {
		return retyped(c, t), nil
	}
	if u, ok := e.(*unbuilt); ok {
		return &unbuilt{u.text, t.WithNull(from.Nullable())}, nil
	}
	return w.castTo(e, t, false, at)
}

// longer tells that a text or binary value of type from is one of type to without a change.
func longer(from, to types.Type) bool {
	return to.Precision >= from.Precision &&
		(to.Kind == types.Varchar && from.Kind.IsText() || to.Kind == types.Varbinary && from.Kind.IsBinary())
}

// retyped is a constant under another type that has the same values.
func retyped(c *expr.Const, t types.Type) expr.Expr {
	t.NotNull = true
	v := &vector.Column{}
	v.Alias(c.Value)
	v.Type = t
	return &expr.Const{Value: v, T: t, Text: c.Text}
}

// castTo is the CAST of e.
func (w *work) castTo(e expr.Expr, t types.Type, try bool, at syntax.Node) (expr.Expr, error) {
	from := e.Type()
	fn, err := function.Cast(from, t, try)
	if err != nil {
		e := failf(at, CodeCast, "there is no cast from %s to %s", from.WithNull(true), t.WithNull(true))
		switch {
		case t.Kind == types.Variant:
			e = e.WithHint("PARSE_JSON(x) makes a VARIANT of a JSON text")
		case from.Kind == types.Variant && t.Kind.IsTemporal():
			e = e.WithHint("a VARIANT holds no times: write CAST(CAST(x AS STRING) AS %s)", t.WithNull(true))
		case from.Kind.IsNumeric() && t.Kind.IsTemporal():
			e = e.WithHint("TO_TIMESTAMP_LTZ(x, 0) takes seconds since 1970, TO_TIMESTAMP_LTZ(x, 3) milliseconds; CAST makes other times of it")
		default:
			e = e.WithHint("%s is cast to %s", from.WithNull(true), strings.Join(castsOf(from), ", "))
		}
		return nil, e
	}
	sig, err := fn.Type([]function.Arg{{Type: from}})
	if err != nil {
		return nil, mismatch(at, fn, []expr.Expr{e}, err)
	}
	pos := at.At().Pos
	if w.apart {
		pos = -1
	}
	return &expr.Call{Fn: fn, List: []expr.Expr{e}, T: sig.Result, Pos: pos}, nil
}

// castsOf are the types that one is cast to, of those that all people know.
func castsOf(from types.Type) (names []string) {
	for _, t := range []types.Type{types.String(), types.Of(types.Boolean), types.Of(types.Int), types.Of(types.BigInt),
		types.Of(types.Double), types.DecimalOf(10, 2), types.Of(types.Date), types.TimeOf(0), types.TimestampOf(3),
		types.TimestampLTZOf(3), types.Bytes()} {
		if _, err := function.Cast(from, t, false); err == nil && t.Kind != from.Kind {
			names = append(names, t.String())
		}
	}
	return names
}

func (w *work) cast(e *syntax.Cast, s *scope) (expr.Expr, error) {
	x, err := w.expr(e.Expr, s)
	if err != nil {
		return nil, err
	}
	t, err := resolveType(e.Type)
	if err != nil {
		return nil, err
	}
	if x.Type().Kind == types.Null {
		return expr.Null(t), nil
	}
	if u, ok := x.(*unbuilt); ok {
		return &unbuilt{u.text, t.WithNull(u.t.Nullable())}, nil
	}
	return w.castTo(x, t, e.Try, e)
}
