package rules

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/planner/logical"
)

// expireGroups finds groups over inner joins, all rows of which come from one row of a side, as expireRanks does. The
// columns that say when it is over become keys, which part no group: in front, so that keys that cluster stand last.
func expireGroups(c *Context, p logical.Plan) logical.Plan {
	return rewriteMerged(c, p, func(p logical.Plan) logical.Plan {
		a, ok := p.(*logical.Aggregate)
		if !ok || a.AtEnd {
			return p
		}
		if x, side := sideOfGroups(a.Input, a.Keys); x != nil {
			return expiringGroups(a, x, side)
		}
		return p
	})
}

// expiringGroups is a with the bounds of a side of x. What stands above does not see the keys that it gets for them.
func expiringGroups(a *logical.Aggregate, x *logical.Join, side int) logical.Plan {
	in, to := carrying(a.Input, x, side)
	from, s := sourcesOf(in), in.Schema()
	out, n := *a, len(a.Keys)
	remap := func(e expr.Expr) expr.Expr { return expr.Remap(e, to) }
	out.Input, out.Keys, out.Calls = in, logical.MapExprs(a.Keys, remap), logical.MapCalls(a.Calls, remap)
	sources := make([]int, 0, n)
	for _, e := range out.Keys {
		source := -1
		if c, ok := e.(*expr.Column); ok {
			source = from[c.Index]
		}
		sources = append(sources, source)
	}
	columns := slices.Clone(a.Columns)
	for _, c := range boundColumns(x, side) {
		if slices.Contains(sources, c) {
			continue
		}
		i := slices.Index(from, c)
		out.Keys = slices.Insert(out.Keys, 0, expr.Expr(s.Expr(i)))
		sources, columns = slices.Insert(sources, 0, c), slices.Insert(columns, 0, logical.Column{Name: s[i].Name, Type: s[i].Type})
	}
	out.Extra, out.Columns = len(out.Keys)-n, columns
	out.Until = boundsAt(x, side, sources, out.Columns)
	if out.Extra == 0 {
		return &out
	}
	return restored(&out, a.Columns, nil, out.Extra)
}
