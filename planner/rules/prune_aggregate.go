package rules

import (
	"slices"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// pruneAggregate drops the aggregates that nobody reads. Keys stay: they make the groups.
func (c *Context) pruneAggregate(x *logical.Aggregate, need []connector.Path) (logical.Plan, map[int]int) {
	keys, calls, to := neededCalls(x.Keys, x.Calls, need)
	in, moved := c.prune(x.Input, pathsOfGroup(keys, calls))
	remap := func(e expr.Expr) expr.Expr { return expr.Remap(e, moved) }
	columns := movedColumns(x.Columns, to, len(keys)+len(calls))
	return x.Over(in, logical.MapExprs(keys, remap), logical.MapCalls(calls, remap), columns), to
}

// pruneWindowAggregate does the same, and drops window columns too.
func (c *Context) pruneWindowAggregate(x *logical.WindowAggregate, need []connector.Path) (logical.Plan, map[int]int) {
	keys, calls, to := neededCalls(x.Keys, x.Calls, need)
	out := *x
	n := len(keys) + len(calls)
	out.Shown = nil
	for i, k := range x.Shown {
		if reads(need, x.Width()+i) {
			to[x.Width()+i] = n + len(out.Shown)
			out.Shown = append(out.Shown, k)
		}
	}
	paths := append(pathsOfGroup(keys, calls), connector.Path{x.Time})
	in, moved := c.prune(x.Input, paths)
	remap := func(e expr.Expr) expr.Expr { return expr.Remap(e, moved) }
	out.Input, out.Time = in, moved[x.Time]
	out.Keys, out.Calls = logical.MapExprs(keys, remap), logical.MapCalls(calls, remap)
	out.Columns = movedColumns(x.Columns, to, n+len(out.Shown))
	return &out, to
}

// pruneExpand drops the columns that nobody reads from every set.
func (c *Context) pruneExpand(x *logical.Expand, need []connector.Path) (logical.Plan, map[int]int) {
	to := map[int]int{}
	var below []connector.Path
	for i := range x.Columns {
		if reads(need, i) {
			to[i] = len(to)
			for _, set := range x.Sets {
				below = append(below, pathsOf(set[i])...)
			}
		}
	}
	in, moved := c.prune(x.Input, below)
	out := &logical.Expand{Input: in, Sets: make([][]expr.Expr, len(x.Sets)), Columns: movedColumns(x.Columns, to, len(to))}
	for k, set := range x.Sets {
		out.Sets[k] = make([]expr.Expr, len(to))
		for i, at := range to {
			out.Sets[k][at] = expr.Remap(set[i], moved)
		}
	}
	return out, to
}

// pruneWindow keeps all window columns behind what is read of the input.
func (c *Context) pruneWindow(x *logical.Window, need []connector.Path) (logical.Plan, map[int]int) {
	n := len(x.Input.Schema())
	below := []connector.Path{{x.Time}}
	for _, k := range x.Keys {
		below = append(below, connector.Path{k})
	}
	for _, p := range need {
		if p[0] < n {
			below = append(below, p)
		}
	}
	in, to := c.prune(x.Input, below)
	to = copyOf(to)
	width := len(in.Schema())
	for k := range len(x.Columns) - n {
		to[n+k] = width + k
	}
	out := &logical.Window{Input: in, Window: x.Window, Time: to[x.Time], Columns: movedColumns(x.Columns, to, len(x.Columns)-n+width)}
	for _, k := range x.Keys {
		out.Keys = append(out.Keys, to[k])
	}
	return out, to
}

func copyOf(to map[int]int) map[int]int {
	out := make(map[int]int, len(to))
	for k, v := range to {
		out[k] = v
	}
	return out
}

// neededCalls keeps all keys and the calls that are read, and tells where each column goes.
func neededCalls(keys []expr.Expr, calls []op.AggregateCall, need []connector.Path) ([]expr.Expr, []op.AggregateCall, map[int]int) {
	to := identity(len(keys))
	var kept []op.AggregateCall
	for i := range calls {
		if at := len(keys) + i; reads(need, at) {
			to[at] = len(keys) + len(kept)
			kept = append(kept, calls[i])
		}
	}
	return keys, kept, to
}

func reads(need []connector.Path, column int) bool {
	return slices.ContainsFunc(need, func(p connector.Path) bool { return p[0] == column })
}

func pathsOfGroup(keys []expr.Expr, calls []op.AggregateCall) []connector.Path {
	var out []connector.Path
	for _, e := range append(logical.CallExprs(calls), keys...) {
		out = append(out, pathsOf(e)...)
	}
	return out
}

// movedColumns are the columns at their new places; one that has none is left out.
func movedColumns(s logical.Schema, to map[int]int, n int) logical.Schema {
	out := make(logical.Schema, n)
	for i, c := range s {
		if k, ok := to[i]; ok {
			out[k] = c
		}
	}
	return out
}
