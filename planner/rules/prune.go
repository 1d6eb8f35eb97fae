package rules

import (
	"slices"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/planner/logical"
)

// pruneColumns walks from the sinks down with the paths that are read: projections lose the expressions
// nobody reads, scans learn which columns and fields they must deliver.
func pruneColumns(c *Context, p logical.Plan) logical.Plan {
	pruned, _ := c.prune(p, allOf(len(p.Schema())))
	return pruned
}

func allOf(n int) []connector.Path {
	out := make([]connector.Path, n)
	for i := range out {
		out[i] = connector.Path{i}
	}
	return out
}

// prune returns p with at least the needed paths, and where each of its old columns went.
func (c *Context) prune(p logical.Plan, need []connector.Path) (logical.Plan, map[int]int) {
	// A column that is read twice is needed once; kept twice, the list would double with each projection.
	need = distinct(need)
	switch x := p.(type) {
	case *logical.Project:
		return c.pruneProject(x, need)
	case *logical.Filter:
		in, to := c.prune(x.Input, append(slices.Clone(need), pathsOf(x.Cond)...))
		return &logical.Filter{Input: in, Cond: expr.Remap(x.Cond, to)}, to
	case *logical.Watermark:
		need = append(slices.Clone(need), connector.Path{x.Column})
		in, to := c.prune(x.Input, append(need, pathsOf(x.Expr)...))
		return &logical.Watermark{Input: in, Column: to[x.Column], Expr: expr.Remap(x.Expr, to)}, to
	case *logical.Aggregate:
		return c.pruneAggregate(x, need)
	case *logical.WindowAggregate:
		return c.pruneWindowAggregate(x, need)
	case *logical.Expand:
		return c.pruneExpand(x, need)
	case *logical.Window:
		return c.pruneWindow(x, need)
	case *logical.Join:
		return c.pruneJoin(x, need)
	case *logical.Unnest:
		return c.pruneUnnest(x, need)
	case *logical.LookupJoin:
		return c.pruneLookup(x, need)
	case *logical.TemporalJoin:
		return c.pruneTemporal(x, need)
	case *logical.Over:
		return c.pruneOver(x, need)
	case *logical.Match:
		return c.pruneMatch(x, need)
	case *logical.Rank:
		return c.pruneRank(x, need)
	case *logical.Deduplicate:
		return c.pruneDeduplicate(x, need)
	case *logical.TemporalSort:
		return c.pruneSort(x, need)
	case *logical.Scan:
		return c.pruneScan(x, need)
	}
	inputs := p.Inputs()
	if len(inputs) > 0 {
		list := make([]logical.Plan, len(inputs))
		for i, in := range inputs {
			list[i] = c.pruneWhole(in)
		}
		p = p.With(list)
	}
	return p, identity(len(p.Schema()))
}

// pruneWhole prunes below a node that reads all columns of its input in their places.
func (c *Context) pruneWhole(p logical.Plan) logical.Plan {
	n := len(p.Schema())
	out, to := c.prune(p, allOf(n))
	same := len(out.Schema()) == n
	for i := range n {
		same = same && to[i] == i
	}
	if same {
		return out
	}
	s := p.Schema()
	return inPlaces(out, s, to)
}

// inPlaces projects to columns that went elsewhere in p: to says where.
func inPlaces(p logical.Plan, columns logical.Schema, to map[int]int) logical.Plan {
	exprs := columns.Exprs()
	for i, e := range exprs {
		exprs[i] = expr.Remap(e, to)
	}
	return &logical.Project{Input: p, Exprs: exprs, Columns: columns}
}

func (c *Context) pruneProject(x *logical.Project, need []connector.Path) (logical.Plan, map[int]int) {
	var below []connector.Path
	to := map[int]int{}
	var keep []int
	for _, path := range need {
		i := path[0]
		if _, seen := to[i]; !seen {
			to[i] = -1
			keep = append(keep, i)
		}
		if base, ok := logical.PathOf(x.Exprs[i]); ok {
			below = append(below, append(base, path[1:]...))
		} else {
			below = append(below, pathsOf(x.Exprs[i])...)
		}
	}
	slices.Sort(keep)
	in, moved := c.prune(x.Input, below)
	out := &logical.Project{Input: in}
	for k, i := range keep {
		to[i] = k
		out.Exprs = append(out.Exprs, expr.Remap(x.Exprs[i], moved))
		out.Columns = append(out.Columns, x.Columns[i])
	}
	return out, to
}

func (c *Context) pruneScan(s *logical.Scan, need []connector.Path) (logical.Plan, map[int]int) {
	to := identity(len(s.Columns))
	if c.Open == nil {
		return s, to
	}
	for _, f := range s.Filters {
		need = append(slices.Clone(need), pathsOf(f)...)
	}
	out := *s
	out.Need = distinct(need)
	return &out, to
}

// distinct sorts paths and drops those that another one covers.
func distinct(need []connector.Path) []connector.Path {
	need = slices.Clone(need)
	slices.SortFunc(need, func(a, b connector.Path) int { return slices.Compare(a, b) })
	out := []connector.Path{}
	for _, p := range need {
		if n := len(out); n > 0 && len(out[n-1]) <= len(p) && slices.Equal(out[n-1], p[:len(out[n-1])]) {
			continue
		}
		out = append(out, p)
	}
	return out
}

// pathsOf lists the columns and fields that e reads.
func pathsOf(e expr.Expr) []connector.Path {
	var out []connector.Path
	expr.Walk(e, func(x expr.Expr) bool {
		if p, ok := logical.PathOf(x); ok {
			out = append(out, p)
			return false
		}
		return true
	})
	return out
}

func identity(n int) map[int]int {
	to := make(map[int]int, n)
	for i := range n {
		to[i] = i
	}
	return to
}
