package bind

import (
	"streamsql/exec/types"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// anyTime tells that a column is what windows may go by in batch mode alone: a point in time that is no time attribute.
func (w *work) anyTime(c logical.Column) bool {
	k := c.Type.Kind
	return w.batch() && c.Time == logical.NoTime && (k == types.Timestamp || k == types.TimestampLTZ)
}

// windowTime is a plan whose column at windows go by. In batch mode nothing has tested it: rows without a time are in no
// window, and one of more digits than a window tells apart is cut. cut says that at is a column more then, the last one.
func (w *work) windowTime(t syntax.Node, plan logical.Plan, at int) (out logical.Plan, time int, cut bool, err error) {
	s := plan.Schema()
	c := s[at]
	fits := c.Time == logical.Rowtime && !c.Type.Nullable() && c.Type.Precision <= 3
	if !w.batch() || c.Time == logical.Proctime || fits {
		return plan, at, false, nil
	}
	exprs, names := columnsOf(s), s.Names()
	if c.Type.Nullable() {
		plan = &logical.Filter{Input: plan, Cond: present(exprs[at])}
	}
	if c.Type.Precision > 3 {
		short := c.Type
		short.Precision = 3
		e, err := w.castTo(exprs[at], short, false, t)
		if err != nil {
			return nil, 0, false, err
		}
		at, cut = len(exprs), true
		exprs, names = append(exprs, e), append(names, c.Name)
	}
	p := logical.NewProject(plan, exprs, names)
	p.Columns[at].Time = logical.Rowtime
	return p, at, cut, nil
}

// uncut is a plan without column at, whose last column, the time of windows over it, has the type that it was cut from.
func (w *work) uncut(t syntax.Node, plan logical.Plan, at int, from types.Type) (logical.Plan, error) {
	exprs, names := columnsOf(plan.Schema()), plan.Schema().Names()
	last := len(exprs) - 1
	e, err := w.castTo(exprs[last], from.WithNull(false), false, t)
	if err != nil {
		return nil, err
	}
	exprs[last] = e
	if at >= 0 {
		exprs, names = append(exprs[:at:at], exprs[at+1:]...), append(names[:at:at], names[at+1:]...)
	}
	return logical.NewProject(plan, exprs, names), nil
}
