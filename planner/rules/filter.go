package rules

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// pushFilter moves each conjunct as near to the sources as it may go: through projections, unions, the
// keys of aggregates, joins and other filters, not through a watermark, into a scan. A conjunct that may fail stays behind the
// conjuncts before it, so that no row reaches it that would not have; it enters no scan.
func pushFilter(_ *Context, p logical.Plan) logical.Plan {
	return logical.Rewrite(p, func(p logical.Plan) logical.Plan {
		switch x := p.(type) {
		case *logical.Filter:
			return sink(x.Input, expr.Conjuncts(x.Cond))
		case *logical.Join:
			return sinkJoin(x, nil)
		case *logical.LookupJoin:
			return sinkLookup(x, nil)
		case *logical.TemporalJoin:
			return sinkTemporal(x, nil)
		}
		return p
	})
}

// sink puts conds below p where they may go, and the rest above it.
func sink(p logical.Plan, conds []expr.Expr) logical.Plan {
	switch x := p.(type) {
	case *logical.Filter:
		return sink(x.Input, append(expr.Conjuncts(x.Cond), conds...))
	case *logical.Project:
		below, above := through(x, conds)
		if len(below) == 0 {
			break
		}
		return filtered(&logical.Project{Input: sink(x.Input, below), Exprs: x.Exprs, Columns: x.Columns}, above)
	case *logical.Union:
		list := make([]logical.Plan, len(x.List))
		for i, in := range x.List {
			list[i] = sink(in, conds)
		}
		return &logical.Union{List: list, Columns: x.Columns}
	case *logical.Aggregate:
		if below, above := overKeys(x.Keys, x.Calls, conds); len(below) > 0 {
			return filtered(x.With([]logical.Plan{sink(x.Input, below)}), above)
		}
	case *logical.WindowAggregate:
		if below, above := overKeys(x.Keys, x.Calls, conds); len(below) > 0 {
			out := *x
			out.Input = sink(x.Input, below)
			return filtered(&out, above)
		}
	case *logical.Window:
		if x.Window.Kind == op.Session { // a row that is gone may part a session
			return besideOthers(x, nil, x.KeyExprs(), conds)
		}
		if below, above := overInput(len(x.Input.Schema()), conds); len(below) > 0 {
			return filtered(x.With([]logical.Plan{sink(x.Input, below)}), above)
		}
	case *logical.Join:
		return sinkJoin(x, conds)
	case *logical.Unnest:
		return sinkUnnest(x, conds)
	case *logical.LookupJoin:
		return sinkLookup(x, conds)
	case *logical.TemporalJoin:
		return sinkTemporal(x, conds)
	case *logical.Over:
		return besideOthers(x, x.Exprs(), x.Partition, conds)
	case *logical.Match:
		return sinkMatch(x, conds)
	case *logical.Rank:
		return besideOthers(x, append(op.SortExprs(x.Order), x.Partition...), x.Partition, conds)
	case *logical.Deduplicate:
		return besideOthers(x, x.Keys, x.Keys, conds)
	case *logical.Scan:
		return intoScan(x, conds)
	}
	return filtered(p, conds)
}

// besideOthers puts the conjuncts below p that read columns alone by which p parts its rows: they keep or drop
// all rows of a partition, and these do not see others. Nothing passes what may fail.
func besideOthers(p logical.Plan, exprs, partition, conds []expr.Expr) logical.Plan {
	var parts, below, above []expr.Expr
	fails := func(e expr.Expr) bool { return expr.CanFail(e) || !expr.Pure(e) }
	if !slices.ContainsFunc(exprs, fails) {
		parts = partition
	}
	plain := map[int]bool{}
	for _, e := range parts {
		if c, ok := e.(*expr.Column); ok {
			plain[c.Index] = true
		}
	}
	for _, e := range conds {
		cols := expr.Columns(e)
		if len(cols) == 0 || fails(e) || slices.ContainsFunc(cols, func(i int) bool { return !plain[i] }) {
			above = append(above, e)
			continue
		}
		below = append(below, e)
	}
	if len(below) > 0 {
		p = p.With([]logical.Plan{sink(p.Inputs()[0], below)})
	}
	return filtered(p, above)
}

// overKeys rewrites the conjuncts that read grouping keys alone as conditions over the rows to be grouped: they
// keep or drop groups as a whole. Where something may fail, everything stays, since rows that are dropped
// earlier would not; without keys a condition has nothing to read.
func overKeys(keys []expr.Expr, calls []op.AggregateCall, conds []expr.Expr) (below, above []expr.Expr) {
	if slices.ContainsFunc(append(logical.CallExprs(calls), keys...), func(e expr.Expr) bool { return expr.CanFail(e) || !expr.Pure(e) }) {
		return nil, conds
	}
	for _, e := range conds {
		cols := expr.Columns(e)
		if len(cols) == 0 || cols[len(cols)-1] >= len(keys) || expr.CanFail(e) || !expr.Pure(e) {
			above = append(above, e)
			continue
		}
		below = append(below, expr.Inline(e, keys))
	}
	return below, above
}

// overInput takes the conjuncts that read the first n columns alone: a window function passes those on.
func overInput(n int, conds []expr.Expr) (below, above []expr.Expr) {
	for _, e := range conds {
		cols := expr.Columns(e)
		if len(cols) == 0 || cols[len(cols)-1] >= n || expr.CanFail(e) || !expr.Pure(e) {
			above = append(above, e)
			continue
		}
		below = append(below, e)
	}
	return below, above
}

// through rewrites the conjuncts over a projection as conditions over its input. The first one that
// cannot go, and all that may fail behind it, stay.
func through(x *logical.Project, conds []expr.Expr) (below, above []expr.Expr) {
	for _, e := range conds {
		pure := expr.Pure(e)
		for _, i := range expr.Columns(e) {
			pure = pure && expr.Pure(x.Exprs[i])
		}
		moved := expr.Expr(nil)
		pure = pure && !grows([]expr.Expr{e}, x.Exprs)
		if pure {
			moved = expr.Inline(e, x.Exprs)
		}
		if !pure || (len(above) > 0 && expr.CanFail(moved)) {
			above = append(above, e)
			continue
		}
		below = append(below, moved)
	}
	return below, above
}

// intoScan offers to the source what cannot fail; the rest stays above the scan.
func intoScan(s *logical.Scan, conds []expr.Expr) logical.Plan {
	taken := *s
	taken.Filters = append([]expr.Expr(nil), s.Filters...)
	var above []expr.Expr
	for _, e := range conds {
		if expr.CanFail(e) || !expr.Pure(e) || len(above) > 0 {
			above = append(above, e)
			continue
		}
		taken.Filters = append(taken.Filters, e)
	}
	return filtered(&taken, above)
}
