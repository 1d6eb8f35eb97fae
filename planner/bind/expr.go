package bind

import (
	"fmt"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner/syntax"
)

// expr binds an expression over the columns of s.
func (w *work) expr(e syntax.Expr, s *scope) (expr.Expr, error) {
	switch e := e.(type) {
	case *syntax.Name:
		return w.name(e, s)
	case *syntax.Literal:
		return literal(e)
	case *syntax.Interval:
		return interval(e)
	case *syntax.UnitArg:
		return symbol(string(e.Unit)), nil
	case *syntax.Keyword:
		return symbol(e.Word), nil
	case *syntax.Unary:
		return w.unary(e, s)
	case *syntax.Binary:
		return w.binary(e, s)
	case *syntax.Between:
		return w.between(e, s)
	case *syntax.In:
		return w.in(e, s)
	case *syntax.Like:
		return w.like(e, s)
	case *syntax.Is:
		return w.is(e, s)
	case *syntax.Case:
		return w.caseOf(e, s)
	case *syntax.Cast:
		return w.cast(e, s)
	case *syntax.Call:
		return w.callOf(e, s)
	case *syntax.Row:
		return w.construct(e, "ROW", e.Items, s)
	case *syntax.Collection:
		return w.collection(e, s)
	case *syntax.Index:
		return w.item(e, s)
	case *syntax.Field:
		row, err := w.expr(e.Expr, s)
		if err != nil {
			return nil, err
		}
		return fields(row, []syntax.Ident{e.Name})
	case *syntax.Subquery:
		return w.scalarQuery(e, s)
	case *syntax.Exists:
		return w.exists(e, s)
	case *syntax.Quantified:
		return w.quantified(e, s)
	case *syntax.IntervalOf:
		return w.intervalOf(e, s)
	case *syntax.TableArg:
		return nil, failf(e, CodeType, "a table stands where a value is needed").
			WithHint("TABLE t is an argument of TUMBLE, HOP, CUMULATE and SESSION; (SELECT x FROM t) is a value")
	case *syntax.Descriptor:
		return nil, failf(e, CodeType, "DESCRIPTOR stands outside a table function").
			WithHint("it tells a window function its time column: FROM TABLE(%s)", windowForms["TUMBLE"])
	case *syntax.Default:
		return nil, failf(e, CodeType, "DEFAULT stands where a value is needed").
			WithHint("write the value; a column that INSERT INTO t (…) does not list is NULL")
	case *syntax.Star:
		return nil, failf(e, CodeType, "* stands where a value is needed").
			WithHint("COUNT(*) counts rows; * and t.* are items of SELECT")
	}
	panic(fmt.Sprintf("bind: expression %T", e))
}

// exprs binds a list.
func (w *work) exprs(list []syntax.Expr, s *scope) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(list))
	for i, e := range list {
		x, err := w.expr(e, s)
		if err != nil {
			return nil, err
		}
		out[i] = x
	}
	return out, nil
}

func (w *work) name(n *syntax.Name, s *scope) (expr.Expr, error) {
	if s.aliases != nil && len(n.Parts) == 1 {
		if e := s.aliases[n.Parts[0].Name]; e != nil {
			return e, nil
		}
	}
	f, err := s.resolve(n)
	if err != nil {
		return nil, err
	}
	if f.outer != nil && w.outers != nil { // a column, a field of one, or what USING made of two
		return expr.Rewrite(f.e, func(x expr.Expr) expr.Expr {
			if c, ok := x.(*expr.Column); ok {
				return w.outers.add(c, f.outer)
			}
			return x
		}), nil
	}
	if f.outer != nil {
		w.lack(n, "subqueries that refer to the query around them", "")
		return &unbuilt{n.String(), f.e.Type()}, nil
	}
	return f.e, nil
}

func symbol(word string) expr.Expr {
	t := types.Type{Kind: types.Symbol, NotNull: true}
	c := vector.ConstText(types.String(), word, 1)
	c.Type = t
	return &expr.Const{Value: c, T: t, Text: word}
}

func (w *work) unary(e *syntax.Unary, s *scope) (expr.Expr, error) {
	if lit, ok := e.Expr.(*syntax.Literal); ok && e.Op == syntax.Neg {
		switch lit.Kind {
		case syntax.IntegerLiteral, syntax.DecimalLiteral, syntax.DoubleLiteral:
			return literal(&syntax.Literal{Span: e.Span, Kind: lit.Kind, Text: "-" + lit.Text})
		}
	}
	x, err := w.expr(e.Expr, s)
	if err != nil {
		return nil, err
	}
	switch e.Op {
	case syntax.Not:
		return w.call(e, "NOT", x)
	case syntax.Neg:
		return w.call(e, "NEGATE", x)
	case syntax.Plus:
		if t := x.Type(); !t.Kind.IsNumeric() && !t.Kind.IsInterval() && t.Kind != types.Null {
			return nil, failf(e, CodeType, "unary + takes a number, not %s", typeText(x)).
				WithHint("write %s alone", shortText(x))
		}
		return x, nil
	}
	if s.match != nil && s.match.defines == op.AllVariables {
		return x, nil // a match gives one row, at its end
	}
	if s.match != nil {
		return nil, failf(e, CodeAggregate, "%s cannot stand in DEFINE", e.Op).
			WithHint("leave %s out", e.Op)
	}
	return nil, failf(e, CodeAggregate, "%s stands outside MATCH_RECOGNIZE", e.Op).
		WithHint("leave %s out", e.Op)
}

func (w *work) binary(e *syntax.Binary, s *scope) (expr.Expr, error) {
	switch e.Op {
	case syntax.And, syntax.Or:
		return w.logic(e, s)
	case syntax.Overlaps:
		return w.overlaps(e, s)
	}
	if l, ok := e.Left.(*syntax.Row); ok {
		if r, ok := e.Right.(*syntax.Row); ok && len(l.Items) == len(r.Items) && (e.Op == syntax.Eq || e.Op == syntax.Ne) {
			return w.compareRows(e, l, r, s)
		}
	}
	l, err := w.expr(e.Left, s)
	if err != nil {
		return nil, err
	}
	r, err := w.expr(e.Right, s)
	if err != nil {
		return nil, err
	}
	return w.call(e, e.Op.String(), l, r)
}

// construct binds the arguments and applies a function that has a syntax of its own.
func (w *work) construct(at syntax.Expr, name string, args []syntax.Expr, s *scope) (expr.Expr, error) {
	list, err := w.exprs(args, s)
	if err != nil {
		return nil, err
	}
	return w.call(at, name, list...)
}

// item is an element of a collection or of a VARIANT.
func (w *work) item(e *syntax.Index, s *scope) (expr.Expr, error) {
	list, err := w.exprs([]syntax.Expr{e.Expr, e.Index}, s)
	if err != nil {
		return nil, err
	}
	if list[0].Type().Kind == types.Variant {
		return w.apply(e, function.VariantItem, list)
	}
	return w.call(e, "ITEM", list...)
}

func (w *work) collection(e *syntax.Collection, s *scope) (expr.Expr, error) {
	if e.Query != nil {
		r, err := w.inner(e.Query, s)
		if err != nil {
			return nil, err
		}
		return w.collected(e, r.schema)
	}
	return w.construct(e, [...]string{syntax.Array: "ARRAY", syntax.Map: "MAP", syntax.Multiset: "MULTISET"}[e.Kind], e.Items, s)
}
