package bind

import (
	"streamsql/exec/expr"
	"streamsql/planner/syntax"
)

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
