package bind

import (
	"fmt"

	"streamsql/exec/expr"
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
		return w.construct(e, "ITEM", []syntax.Expr{e.Expr, e.Index}, s)
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
		return nil, failf(e, CodeType, "a table stands where a value is needed")
	case *syntax.Descriptor:
		return nil, failf(e, CodeType, "DESCRIPTOR stands outside a table function")
	case *syntax.Default:
		return nil, failf(e, CodeType, "DEFAULT stands where a value is needed")
	case *syntax.Star:
		return nil, failf(e, CodeType, "* stands where a value is needed")
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
	if f.outer {
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
			return nil, failf(e, CodeType, "unary + takes a number, not %s", typeText(x))
		}
		return x, nil
	}
	return nil, failf(e, CodeAggregate, "%s stands outside MATCH_RECOGNIZE", e.Op)
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

// logic binds a chain of ANDs or of ORs without going one level deeper for each.
func (w *work) logic(e *syntax.Binary, s *scope) (expr.Expr, error) {
	var list []syntax.Expr
	var spread func(x syntax.Expr)
	spread = func(x syntax.Expr) {
		if b, ok := x.(*syntax.Binary); ok && b.Op == e.Op {
			spread(b.Left)
			spread(b.Right)
			return
		}
		list = append(list, x)
	}
	spread(e)
	out := make([]expr.Expr, len(list))
	for i, x := range list {
		b, err := w.boolean(x, s, e.Op.String())
		if err != nil {
			return nil, err
		}
		out[i] = b
	}
	if e.Op == syntax.Or {
		return expr.Or(out...), nil
	}
	return expr.And(out...), nil
}

// boolean binds an operand of a logical operator.
func (w *work) boolean(e syntax.Expr, s *scope, op string) (expr.Expr, error) {
	x, err := w.expr(e, s)
	if err != nil {
		return nil, err
	}
	switch x.Type().Kind {
	case types.Boolean:
		return x, nil
	case types.Null:
		return expr.Null(types.Of(types.Boolean)), nil
	}
	return nil, failf(e, CodeType, "%s takes BOOLEAN, not %s", op, typeText(x))
}

// compareRows is (a, b) = (c, d): a conjunction of comparisons, and <> its negation.
func (w *work) compareRows(e *syntax.Binary, l, r *syntax.Row, s *scope) (expr.Expr, error) {
	list := make([]expr.Expr, len(l.Items))
	for i := range l.Items {
		x, err := w.binary(&syntax.Binary{Span: e.Span, Op: e.Op, Left: l.Items[i], Right: r.Items[i]}, s)
		if err != nil {
			return nil, err
		}
		list[i] = x
	}
	if e.Op == syntax.Ne {
		return expr.Or(list...), nil
	}
	return expr.And(list...), nil
}

// overlaps is (a, b) OVERLAPS (c, d).
func (w *work) overlaps(e *syntax.Binary, s *scope) (expr.Expr, error) {
	l, lok := e.Left.(*syntax.Row)
	r, rok := e.Right.(*syntax.Row)
	if !lok || !rok || len(l.Items) != 2 || len(r.Items) != 2 {
		return nil, failf(e, CodeType, "OVERLAPS takes two pairs: (start, end) OVERLAPS (start, end)")
	}
	return w.construct(e, "OVERLAPS", append(append([]syntax.Expr(nil), l.Items...), r.Items...), s)
}

// between is a pair of comparisons; SYMMETRIC tries both orders of the bounds.
func (w *work) between(e *syntax.Between, s *scope) (expr.Expr, error) {
	list, err := w.exprs([]syntax.Expr{e.Expr, e.Low, e.High}, s)
	if err != nil {
		return nil, err
	}
	inside := func(low, high expr.Expr) (expr.Expr, error) {
		a, err := w.call(e, ">=", list[0], low)
		if err != nil {
			return nil, err
		}
		b, err := w.call(e, "<=", list[0], high)
		if err != nil {
			return nil, err
		}
		return expr.And(a, b), nil
	}
	out, err := inside(list[1], list[2])
	if err == nil && e.Symmetric {
		var swapped expr.Expr
		swapped, err = inside(list[2], list[1])
		out = expr.Or(out, swapped)
	}
	if err != nil {
		return nil, err
	}
	if e.Not {
		return w.call(e, "NOT", out)
	}
	return out, nil
}

// in is x IN (list): a set lookup where the list is many constants, otherwise comparisons.
func (w *work) in(e *syntax.In, s *scope) (expr.Expr, error) {
	if e.Query != nil {
		return w.inQuery(e, s)
	}
	var out expr.Expr
	var err error
	if row, ok := e.Expr.(*syntax.Row); ok {
		out, err = w.rowIn(e, row, s)
	} else {
		out, err = w.valueIn(e, s)
	}
	if err != nil {
		return nil, err
	}
	if e.Not {
		return w.call(e, "NOT", out)
	}
	return out, nil
}

func (w *work) rowIn(e *syntax.In, row *syntax.Row, s *scope) (expr.Expr, error) {
	list := make([]expr.Expr, len(e.List))
	for i, it := range e.List {
		r, ok := it.(*syntax.Row)
		if !ok || len(r.Items) != len(row.Items) {
			return nil, failf(it, CodeType, "IN takes rows of %d values here", len(row.Items))
		}
		x, err := w.compareRows(&syntax.Binary{Span: e.Span, Op: syntax.Eq}, row, r, s)
		if err != nil {
			return nil, err
		}
		list[i] = x
	}
	return expr.Or(list...), nil
}

// fewMembers is the length up to which IN is written as comparisons.
const fewMembers = 3

func (w *work) valueIn(e *syntax.In, s *scope) (expr.Expr, error) {
	x, err := w.expr(e.Expr, s)
	if err != nil {
		return nil, err
	}
	list, err := w.exprs(e.List, s)
	if err != nil {
		return nil, err
	}
	x, list, err = w.inTypes(e, x, list)
	if err != nil {
		return nil, err
	}
	constant := len(list) > fewMembers
	for _, m := range list {
		c, ok := m.(*expr.Const)
		constant = constant && ok && !c.Value.IsConstNull()
	}
	if constant {
		return w.call(e, "IN", append([]expr.Expr{x}, list...)...)
	}
	for i, m := range list {
		if list[i], err = w.call(e, "=", x, m); err != nil {
			return nil, err
		}
	}
	return expr.Or(list...), nil
}

// inTypes brings both sides of IN to one type. As in Flink a text meets numbers by becoming one of them
// when it stands in the list, and by turning the list into texts when it stands in front.
func (w *work) inTypes(e *syntax.In, x expr.Expr, list []expr.Expr) (expr.Expr, []expr.Expr, error) {
	t := x.Type()
	ok := true
	for _, m := range list {
		var next types.Type
		if next, ok = types.Common(t, m.Type()); !ok {
			break
		}
		t = next
	}
	if ok && (t.Kind.IsText() || t.Kind.IsBinary()) {
		return x, list, nil
	}
	if !ok {
		t = x.Type()
		for i, m := range list {
			if _, same := types.Common(t, m.Type()); !same && !convertible(m.Type(), t) {
				return nil, nil, failf(e.List[i], CodeType, "IN compares %s with %s", typeText(x), typeText(m)).
					WithHint("write a CAST")
			}
		}
		if t.Kind.IsText() {
			t = types.String()
		}
	}
	cx, err := w.coerce(x, t, e.Expr)
	if err != nil {
		return nil, nil, err
	}
	out := make([]expr.Expr, len(list))
	for i, m := range list {
		if out[i], err = w.coerce(m, t, e.List[i]); err != nil {
			return nil, nil, err
		}
	}
	return cx, out, nil
}

// convertible tells the pairs that IN converts although they have no common type.
func convertible(from, to types.Type) bool {
	text := func(t types.Type) bool { return t.Kind.IsText() }
	plain := func(t types.Type) bool { return t.Kind.IsNumeric() || t.Kind.IsTemporal() || t.Kind == types.Boolean }
	return (text(from) && plain(to)) || (plain(from) && text(to) && from.Kind != types.Boolean)
}

func (w *work) like(e *syntax.Like, s *scope) (expr.Expr, error) {
	name := "LIKE"
	if e.Kind == syntax.SimilarTo {
		name = "SIMILAR TO"
	}
	args := []syntax.Expr{e.Expr, e.Pattern}
	if e.Escape != nil {
		args = append(args, e.Escape)
	}
	out, err := w.construct(e, name, args, s)
	if err == nil && e.Not {
		return w.call(e, "NOT", out)
	}
	return out, err
}

func (w *work) is(e *syntax.Is, s *scope) (expr.Expr, error) {
	name := "IS "
	if e.Not {
		name = "IS NOT "
	}
	switch e.Test {
	case syntax.IsNull:
		name += "NULL"
	case syntax.IsUnknown:
		x, err := w.boolean(e.Expr, s, "IS UNKNOWN")
		if err != nil {
			return nil, err
		}
		return w.call(e, name+"NULL", x)
	case syntax.IsTrue, syntax.IsFalse:
		name += e.Test.String()
		x, err := w.boolean(e.Expr, s, name)
		if err != nil {
			return nil, err
		}
		return w.call(e, name, x)
	default:
		out, err := w.construct(e, "IS "+e.Test.String(), []syntax.Expr{e.Expr}, s)
		if err == nil && e.Not {
			return w.call(e, "NOT", out)
		}
		return out, err
	}
	return w.construct(e, name, []syntax.Expr{e.Expr}, s)
}

// construct binds the arguments and applies a function that has a syntax of its own.
func (w *work) construct(at syntax.Expr, name string, args []syntax.Expr, s *scope) (expr.Expr, error) {
	list, err := w.exprs(args, s)
	if err != nil {
		return nil, err
	}
	return w.call(at, name, list...)
}

func (w *work) collection(e *syntax.Collection, s *scope) (expr.Expr, error) {
	if e.Query != nil {
		r, err := w.query(e.Query, s)
		if err != nil {
			return nil, err
		}
		if len(r.schema) != 1 {
			return nil, failf(e, CodeShape, "the query of a collection has one column, not %d", len(r.schema))
		}
		w.lack(e, "collections of a query", "")
		return &unbuilt{"ARRAY(…)", types.ArrayOf(r.schema[0].Type)}, nil
	}
	return w.construct(e, [...]string{syntax.Array: "ARRAY", syntax.Map: "MAP", syntax.Multiset: "MULTISET"}[e.Kind], e.Items, s)
}
