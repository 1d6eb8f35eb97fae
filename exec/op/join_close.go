package op

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/state"
)

// A row of a side whose rows are told apart by their keys decides what becomes of the rows of the other side with its key,
// even where it fails the condition. What the condition asks of it alone is therefore tested when it comes: a row that fails
// closes its key, which is all that is kept of it, and rows with a closed key need not wait.

// screens are the conjuncts of the residual condition by which the rows of each side close their keys, and the rest. Rows of
// a side that are given without a partner are kept, and so are those that the watermark ends: a closed key stays.
func (s *Join) screens() (own [2][]expr.Expr, rest []expr.Expr) {
	n := len(s.Types[0])
	for _, e := range s.Residual {
		side, of := s.sideOf(e, n)
		if !of || !s.Unique[side] || !s.untilMet(1-side) || s.Kind.GivesAlone(side) ||
			len(s.Until[0])+len(s.Until[1]) > 0 || expr.CanFail(e) || !expr.Pure(e) {
			rest = append(rest, e)
			continue
		}
		if side == 1 {
			e = expr.Rewrite(e, func(x expr.Expr) expr.Expr {
				if c, ok := x.(*expr.Column); ok {
					return &expr.Column{Index: c.Index - n, Name: c.Name, T: c.T}
				}
				return x
			})
		}
		own[side] = append(own[side], e)
	}
	return own, rest
}

// sideOf is the side that an expression reads alone, of which the left one has n columns.
func (s *Join) sideOf(e expr.Expr, n int) (side int, ok bool) {
	cols := expr.Columns(e)
	if len(cols) == 0 {
		return 0, false
	}
	if cols[0] >= n {
		side = 1
	}
	return side, (cols[len(cols)-1] >= n) == (side == 1)
}

// screened are the columns of a side that its screen alone reads: they are not kept.
func (s *Join) screened(side int, own, rest []expr.Expr) []int {
	base := 0
	if side == 1 {
		base = len(s.Types[0])
	}
	used := append(slices.Clone(s.outputs()[side]), expr.Columns(s.Keys[side]...)...)
	for _, i := range expr.Columns(rest...) {
		used = append(used, i-base)
	}
	return slices.DeleteFunc(expr.Columns(own...), func(i int) bool { return slices.Contains(used, i) })
}

// joinScreen tests the rows of a side.
type joinScreen struct {
	filter *expr.Filter
	passed picked
	groups []int32
}

// openScreens prepares the screens of the sides that have one.
func (o *join) openScreens(own [2][]expr.Expr, env *function.Env) (err error) {
	for side, list := range own {
		if len(list) == 0 {
			continue
		}
		o.screens[side] = &joinScreen{}
		if o.screens[side].filter, err = expr.NewFilter(list, env); err != nil {
			return err
		}
		if o.closed == nil {
			o.closed = state.NewPages[uint8](o.keys)
		}
	}
	return nil
}

// screen leaves of the batch the rows that pass, and closes the keys of the others.
func (o *join) screen() error {
	x := o.screens[o.side]
	if x == nil || len(o.groups) == 0 {
		return nil
	}
	sel, all, err := x.filter.Select(o.cols, len(o.groups))
	if err != nil || all {
		return err
	}
	other := o.sides[1-o.side]
	x.groups, o.ids = x.groups[:0], o.ids[:0]
	k, bit := 0, uint8(1)<<o.side
	for r, g := range o.groups {
		if k < len(sel) && int(sel[k]) == r {
			x.groups = append(x.groups, g)
			k++
			continue
		}
		o.keys.OwnOne(g)
		o.closed.Set(g, o.closed.At(g)|bit)
		if other.tail.At(g) != 0 {
			o.ids = other.cut(g, o.ids)
		}
	}
	other.rows.Remove(o.ids)
	o.cols, o.groups = x.passed.take(o.cols, sel), append(o.groups[:0], x.groups...)
	return nil
}

// shut tells that a side closed a key.
func (o *join) shut(side int, group int32) bool {
	return o.closed != nil && o.closed.At(group)>>side&1 != 0
}
