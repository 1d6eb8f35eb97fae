package rules

import (
	"slices"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// closeKeys takes filters from below a join to its condition, where they are over a side of which no two rows have the same
// key: rows of the other side that would wait for ever for a row that was filtered are then known to have no partner.
//
// Of the filters those go that read what the key is of: of a key that is a field of a row its other fields, otherwise any
// column. Not those that say which rows have the key, as the type of an event does, nor those that the source applies. The
// watermark ends neither side, since a closed key stays.
func closeKeys(c *Context, p logical.Plan) logical.Plan {
	return logical.Rewrite(p, func(p logical.Plan) logical.Plan {
		x, ok := p.(*logical.Join)
		if !ok || len(x.Until[0])+len(x.Until[1]) > 0 {
			return p
		}
		if _, interval := x.Interval(); interval {
			return p
		}
		for side := range x.Unique {
			if len(x.Unique[side]) > 0 && !x.Kind.Keeps(side) && (x.Kind != op.AntiJoin || side != 0) {
				x = c.closing(x, side)
			}
		}
		return x
	})
}

// closing is x with the filters of a side in its condition.
func (c *Context) closing(x *logical.Join, side int) *logical.Join {
	var keys []connector.Path
	for _, e := range x.Unique[side] {
		at, ok := logical.PathOf(e)
		if !ok {
			return x
		}
		keys = append(keys, at)
	}
	in := x.Inputs()[side]
	q, conds := c.lift(in, keys)
	if len(conds) == 0 {
		return x
	}
	n, more := len(x.Left.Schema()), len(q.Schema())-len(in.Schema())
	to := map[int]int{}
	for i := range n + len(x.Right.Schema()) {
		to[i] = i
		if side == 0 && i >= n {
			to[i] += more
		}
	}
	out := *x
	out.Output = nil
	for i := range x.Columns {
		out.Output = append(out.Output, to[x.Source(i)])
	}
	all := x.Conds()
	for i, e := range all {
		all[i] = expr.Remap(e, to)
	}
	for _, e := range conds {
		if side == 1 {
			e = logical.Shifted(e, n)
		}
		all = append(all, e)
	}
	out.Cond = expr.And(all...)
	if out.Left = q; side == 1 {
		out.Left, out.Right = x.Left, q
	}
	return &out
}

// lift takes filters out of p, whose rows have these keys: q has the columns of p and those that conds, over it, read.
func (c *Context) lift(p logical.Plan, keys []connector.Path) (q logical.Plan, conds []expr.Expr) {
	switch x := p.(type) {
	case *logical.Project:
		below := make([]connector.Path, len(keys))
		for i, k := range keys {
			at, ok := logical.PathOf(x.Exprs[k[0]])
			if !ok {
				return p, nil
			}
			below[i] = slices.Concat(at, k[1:])
		}
		q, conds = c.lift(x.Input, below)
		if len(conds) == 0 {
			return p, nil
		}
		out := &logical.Project{Input: q, Exprs: slices.Clone(x.Exprs), Columns: slices.Clone(x.Columns)}
		for i, e := range conds {
			name := e.String()
			if _, plain := e.(*expr.Column); !plain {
				name = "(" + name + ")"
			}
			conds[i] = &expr.Column{Index: len(out.Exprs), Name: name, T: e.Type()}
			out.Exprs, out.Columns = append(out.Exprs, e), append(out.Columns, logical.Column{Name: name, Type: e.Type()})
		}
		return out, conds
	case *logical.Filter:
		q, conds = c.lift(x.Input, keys)
		own, rest := ofKeys(expr.Conjuncts(x.Cond), keys)
		if len(conds)+len(own) == 0 {
			return p, nil
		}
		return filtered(q, rest), append(conds, own...)
	case *logical.Scan:
		own, _ := ofKeys(c.reading(x).rest, keys)
		if len(own) == 0 {
			return p, nil
		}
		out := *x
		out.Filters = slices.DeleteFunc(slices.Clone(x.Filters), func(e expr.Expr) bool { return slices.Contains(own, e) })
		return &out, own
	}
	return p, nil
}

// ofKeys parts conditions that read what the keys are of from the others.
func ofKeys(conds []expr.Expr, keys []connector.Path) (own, rest []expr.Expr) {
	row := keys[0][:len(keys[0])-1]
	for _, e := range conds {
		if paths := pathsOf(e); len(paths) == 0 || expr.CanFail(e) || !expr.Pure(e) ||
			slices.ContainsFunc(paths, func(p connector.Path) bool { return len(p) <= len(row) || !slices.Equal(p[:len(row)], row) }) {
			rest = append(rest, e)
		} else {
			own = append(own, e)
		}
	}
	return own, rest
}
