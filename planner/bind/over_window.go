package bind

import (
	"maps"
	"slices"
	"strconv"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner/syntax"
)

// windowOf is a window with what it has from the named windows that it refers to.
func (s *scope) windowOf(spec *syntax.WindowSpec) (*syntax.WindowSpec, error) {
	if spec.Base == nil {
		return spec, nil
	}
	base := s.windows[spec.Base.Name]
	if base == nil {
		e := failf(spec.Base, CodeAggregate, "window '%s' not found", spec.Base.Name)
		if len(s.windows) > 0 {
			return nil, e.WithHint("%s", suggest(spec.Base.Name, "windows", slices.Sorted(maps.Keys(s.windows))))
		}
		return nil, e.WithHint("define it behind the FROM clause: WINDOW %s AS (PARTITION BY … ORDER BY …)", spec.Base.Name)
	}
	if spec.Named {
		return base, nil
	}
	out := *base
	out.Span = spec.Span
	switch {
	case len(spec.PartitionBy) > 0:
		return nil, failf(spec.PartitionBy[0], CodeAggregate, "PARTITION BY cannot stand beside the window '%s'", spec.Base.Name).
			WithHint("leave PARTITION BY out, or write the whole window here: OVER (PARTITION BY … ORDER BY …)")
	case len(spec.OrderBy) > 0 && len(base.OrderBy) > 0:
		return nil, failf(spec.OrderBy[0], CodeAggregate, "the window '%s' has an ORDER BY already", spec.Base.Name).
			WithHint("leave ORDER BY out, or write the whole window here: OVER (PARTITION BY … ORDER BY …)")
	case spec.Frame != nil && base.Frame != nil:
		return nil, failf(spec.Frame, CodeAggregate, "the window '%s' has a frame already", spec.Base.Name).
			WithHint("leave the frame out, or write the whole window here: OVER (PARTITION BY … ORDER BY … ROWS …)")
	case len(spec.OrderBy) > 0:
		out.OrderBy = spec.OrderBy
	}
	if spec.Frame != nil {
		out.Frame = spec.Frame
	}
	return &out, nil
}

// windows binds the WINDOW clause: each definition may refer to those before it.
func (w *work) windows(q *syntax.Select, s *scope) error {
	for _, d := range q.Windows {
		spec, err := s.windowOf(d.Window)
		if err != nil {
			return err
		}
		inner := *s
		inner.inWindow = true
		if _, err := w.windowSpec(spec, &inner); err != nil {
			return err
		}
		if s.windows == nil {
			s.windows = map[string]*syntax.WindowSpec{}
		}
		if s.windows[d.Name.Name] != nil {
			return failf(d.Name, CodeDuplicate, "window '%s' is defined twice", d.Name.Name).
				WithHint("give one of them another name, such as %s2", d.Name.Name)
		}
		s.windows[d.Name.Name] = spec
	}
	return nil
}

// windowSpec binds the parts of a window.
func (w *work) windowSpec(spec *syntax.WindowSpec, s *scope) (*overWindow, error) {
	out := &overWindow{}
	var err error
	if out.partition, err = w.exprs(spec.PartitionBy, s); err != nil {
		return nil, err
	}
	for i, k := range out.partition {
		out.partition[i] = packed(k)
		w.sortable(spec.PartitionBy[i], "PARTITION BY", out.partition[i])
	}
	for _, o := range spec.OrderBy {
		e, err := w.expr(o.Expr, s)
		if err != nil {
			return nil, err
		}
		out.order = append(out.order, w.sortKey(o, e))
	}
	out.frame, err = w.frame(spec, out.order)
	return out, err
}

// sortKey is an item of an ORDER BY over its bound expression.
func (w *work) sortKey(o syntax.OrderItem, e expr.Expr) op.SortKey {
	w.sortable(o.Expr, "ORDER BY", e)
	last := o.Nulls == syntax.NullsLast || o.Nulls == syntax.NullsDefault && o.Desc
	return op.SortKey{Expr: e, Desc: o.Desc, NullsLast: last}
}

// sortable records keys of types that are not ordered here.
func (w *work) sortable(at syntax.Node, what string, e expr.Expr) {
	if t := e.Type(); !vector.KeyType(t) && t.Kind != types.Null {
		w.lackKey(at, what, t, "name its fields or elements")
	}
}

// frame binds ROWS and RANGE. Without them it is the rows up to the current one and its equals.
func (w *work) frame(spec *syntax.WindowSpec, order []op.SortKey) (op.Frame, error) {
	f := spec.Frame
	if f == nil {
		return op.Frame{Start: op.Bound{Kind: op.UnboundedPreceding}, End: op.Bound{Kind: op.CurrentRow}}, nil
	}
	out := op.Frame{Rows: f.Rows}
	word, n := "RANGE", "…"
	if f.Rows {
		word, n = "ROWS", "1"
	}
	switch start, end := f.Start.Kind, f.End.Kind; {
	case start == syntax.UnboundedFollowing:
		return out, failf(f.Start, CodeAggregate, "a frame cannot start at UNBOUNDED FOLLOWING").
			WithHint("%s BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", word)
	case end == syntax.UnboundedPreceding:
		return out, failf(f.End, CodeAggregate, "a frame cannot end at UNBOUNDED PRECEDING").
			WithHint("%s BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", word)
	case start == syntax.CurrentRow && end == syntax.Preceding:
		return out, failf(f.End, CodeAggregate, "a frame that starts at CURRENT ROW cannot end before it").
			WithHint("the earlier bound stands first: %s BETWEEN %s PRECEDING AND CURRENT ROW", word, n)
	case start == syntax.Following && end < syntax.Following:
		return out, failf(f.End, CodeAggregate, "a frame that starts behind the current row cannot end at it or before it").
			WithHint("the earlier bound stands first: %s BETWEEN CURRENT ROW AND %s FOLLOWING", word, n)
	}
	for _, b := range []struct {
		from syntax.FrameBound
		to   *op.Bound
	}{{f.Start, &out.Start}, {f.End, &out.End}} {
		b.to.Kind = op.BoundKind(b.from.Kind)
		if b.from.Offset == nil {
			continue
		}
		e, err := w.expr(b.from.Offset, &scope{})
		if err != nil {
			return out, err
		}
		if b.to.Offset, err = w.frameOffset(b.from, e, f.Rows, order); err != nil {
			return out, err
		}
	}
	return out, nil
}

// frameOffset checks the distance of a bound.
func (w *work) frameOffset(b syntax.FrameBound, e expr.Expr, rows bool, order []op.SortKey) (expr.Expr, error) {
	t := e.Type()
	if rows {
		n, ok := w.whole(e)
		if !ok || n < 0 {
			return nil, failf(b.Offset, CodeAggregate, "ROWS takes a whole number that is not negative, and not %s", shortText(e)).
				WithHint("ROWS counts rows, as in ROWS 2 PRECEDING; RANGE takes a distance, as in RANGE INTERVAL '1' HOUR PRECEDING")
		}
		return expr.NewConst(vector.ConstOf(types.Of(types.BigInt).WithNull(false), n, 1), strconv.FormatInt(n, 10)), nil
	}
	if len(order) != 1 {
		return nil, failf(b, CodeAggregate, "RANGE with a distance needs one ORDER BY key, and here are %d", len(order)).
			WithHint("order by one column, or count rows: ROWS 2 PRECEDING")
	}
	k := order[0].Expr.Type().Kind
	switch {
	case k.IsApprox() && t.Kind.IsNumeric():
		return w.castTo(e, types.Of(types.Double), false, b.Offset)
	case k.IsInteger() && t.Kind.IsInteger():
		return w.castTo(e, types.Of(types.BigInt), false, b.Offset)
	case k.IsNumeric() && t.Kind.IsNumeric(), k.IsTemporal() && t.Kind.IsInterval():
		return e, nil
	}
	return nil, failf(b.Offset, CodeAggregate, "RANGE over %s does not take a distance of type %s",
		order[0].Expr.Type().WithNull(true), typeText(e)).WithHint("numbers take a number, dates and times an INTERVAL")
}
