package rules

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// shareWindows puts a grouping by the windows of a window function and the function together: a row is
// taken once, however many windows it is in. Between the two only projections and conditions may stand that
// do nothing with window columns but pass them on, and of those the grouping may read none but as keys.
func shareWindows(_ *Context, p logical.Plan) logical.Plan {
	return logical.Rewrite(p, func(p logical.Plan) logical.Plan {
		x, ok := p.(*logical.WindowAggregate)
		if !ok || slices.ContainsFunc(x.Shown, func(k op.WindowColumn) bool { return k != op.WindowTime }) {
			return p
		}
		b := below(x.Input)
		if b.window == nil || b.kinds[x.Time] != op.WindowTime+1 {
			return p
		}
		if w := b.window.Window; !w.Sliced() || x.Window != logical.Slices(w) {
			return p
		}
		return b.share(x)
	})
}

// windowless is a plan without the window function that stood in it. Its columns are in their old places, the
// time attribute of the window at time; what was a window column, as kinds tells (its kind plus one), is NULL.
type windowless struct {
	plan   logical.Plan
	window *logical.Window // nil: there is none, or something reads its columns
	kinds  []op.WindowColumn
	time   int
	// parts says of each column which key of the sessions it shows, plus one.
	parts []int
}

func below(p logical.Plan) windowless {
	s := p.Schema()
	kinds := make([]op.WindowColumn, len(s), len(s)+1)
	switch x := p.(type) {
	case *logical.Window:
		exprs := s.Exprs()
		n := len(x.Input.Schema())
		for i, c := range s {
			if i >= n {
				exprs[i], kinds[i] = expr.Null(c.Type), op.WindowColumn(i-n)+1
			}
		}
		parts := make([]int, len(s))
		for i, k := range x.Keys {
			parts[k] = i + 1
		}
		return windowless{logical.NewProject(x.Input, exprs, s.Names()), x, kinds, x.Time, parts}
	case *logical.Filter:
		b := below(x.Input)
		if b.window == nil || b.read(x.Cond) || !b.keepsWindows(x.Cond) {
			return windowless{}
		}
		b.plan = &logical.Filter{Input: b.plan, Cond: x.Cond}
		return b
	case *logical.Project:
		b := below(x.Input)
		if b.window == nil {
			return b
		}
		exprs, parts := make([]expr.Expr, len(s), len(s)+1), make([]int, len(s)+1)
		for i, e := range x.Exprs {
			exprs[i] = e
			c, plain := e.(*expr.Column)
			switch {
			case plain && b.kinds[c.Index] > 0:
				kinds[i], exprs[i] = b.kinds[c.Index], expr.Null(c.T)
			case b.read(e):
				return windowless{}
			case plain:
				parts[i] = b.parts[c.Index]
			}
		}
		c := b.plan.Schema().Expr(b.time)
		exprs = append(exprs, c)
		return windowless{logical.NewProject(b.plan, exprs, append(s.Names(), c.Name)), b.window, append(kinds, 0), len(s), parts}
	}
	return windowless{}
}

// read tells that one of the expressions reads a window column.
func (b *windowless) read(list ...expr.Expr) bool {
	return slices.ContainsFunc(expr.Columns(list...), func(i int) bool { return b.kinds[i] > 0 })
}

// keepsWindows tells that the windows of the rows that a condition keeps are the same without those that it drops.
func (b *windowless) keepsWindows(cond expr.Expr) bool {
	return b.window.Window.Kind != op.Session || expr.Pure(cond) &&
		!slices.ContainsFunc(expr.Columns(cond), func(i int) bool { return b.parts[i] == 0 })
}

// parted tells that keys part rows as the windows do: sessions are those of their keys, neither more nor fewer.
func (b *windowless) parted(keys []expr.Expr) bool {
	if b.window.Window.Kind != op.Session {
		return true
	}
	seen := map[int]bool{}
	for _, k := range keys {
		c, ok := k.(*expr.Column)
		if !ok || b.parts[c.Index] == 0 {
			return false
		}
		seen[b.parts[c.Index]] = true
	}
	return len(seen) == len(b.window.Keys)
}

// share is x, which groups by the windows, over the plan without them.
func (b *windowless) share(x *logical.WindowAggregate) logical.Plan {
	var keys, back []expr.Expr
	shown := slices.Clone(x.Shown)
	for _, k := range x.Keys {
		if c, ok := k.(*expr.Column); ok && b.kinds[c.Index] > 0 {
			shown = append(shown, b.kinds[c.Index]-1)
		} else {
			keys = append(keys, k)
		}
	}
	if b.read(append(logical.CallExprs(x.Calls), keys...)...) || !b.parted(keys) {
		return x
	}
	out := logical.NewWindowAggregate(b.plan, b.window.Window, b.time, keys, x.Calls, shown)
	key, window := 0, out.Width()+len(x.Shown)
	for i, k := range x.Keys {
		at := &key
		if c, ok := k.(*expr.Column); ok && b.kinds[c.Index] > 0 {
			at = &window
		}
		back = append(back, &expr.Column{Index: *at, Name: x.Columns[i].Name, T: x.Columns[i].Type})
		*at++
	}
	return restored(out, x.Columns, back, len(keys)-len(x.Keys))
}
