package rules

import (
	"maps"
	"slices"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// narrowJoins makes an outer join keep fewer rows where a condition above drops those that are padded.
func narrowJoins(_ *Context, p logical.Plan) logical.Plan {
	return logical.Rewrite(p, func(p logical.Plan) logical.Plan {
		f, ok := p.(*logical.Filter)
		if !ok {
			return p
		}
		if in := narrowed(f.Input, expr.Conjuncts(f.Cond)); in != f.Input {
			return &logical.Filter{Input: in, Cond: f.Cond}
		}
		return p
	})
}

// narrowed is p below conditions that its rows must pass.
func narrowed(p logical.Plan, conds []expr.Expr) logical.Plan {
	switch x := p.(type) {
	case *logical.Filter:
		if in := narrowed(x.Input, append(expr.Conjuncts(x.Cond), conds...)); in != x.Input {
			return &logical.Filter{Input: in, Cond: x.Cond}
		}
	case *logical.Project:
		below, _ := through(x, conds)
		if in := narrowed(x.Input, below); in != x.Input {
			return &logical.Project{Input: in, Exprs: x.Exprs, Columns: x.Columns}
		}
	case *logical.Join:
		return narrowJoin(x, conds)
	}
	return p
}

func narrowJoin(x *logical.Join, conds []expr.Expr) logical.Plan {
	n := len(x.Left.Schema())
	kind := x.Kind
	drops := func(side logical.Side) bool {
		null := func(i int) bool { return (i < n) == (side == logical.LeftSide) }
		return slices.ContainsFunc(conds, func(e expr.Expr) bool { return rejects(e, null) })
	}
	left := kind.Pads(0) && drops(logical.LeftSide)
	right := kind.Pads(1) && drops(logical.RightSide)
	switch {
	case left && right, left && kind == op.RightJoin, right && kind == op.LeftJoin:
		kind = op.InnerJoin
	case left:
		kind = op.LeftJoin
	case right:
		kind = op.RightJoin
	default:
		return x
	}
	return x.Over(kind, x.Left, x.Right, x.Cond)
}

// rejects tells that a condition is not TRUE where the columns that null names are NULL.
func rejects(e expr.Expr, null func(column int) bool) bool {
	if l, ok := e.(*expr.Logic); ok {
		one := func(a expr.Expr) bool { return rejects(a, null) }
		if l.Or {
			return !slices.ContainsFunc(l.List, func(a expr.Expr) bool { return !one(a) })
		}
		return slices.ContainsFunc(l.List, one)
	}
	if c, ok := e.(*expr.Call); ok && (c.Fn.Name == "IS NOT NULL" || c.Fn.Name == "IS TRUE" || c.Fn.Name == "IS FALSE") {
		return isNull(c.List[0], null)
	}
	return isNull(e, null)
}

// isNull tells that an expression is NULL where those columns are.
func isNull(e expr.Expr, null func(column int) bool) bool {
	switch x := e.(type) {
	case *expr.Column:
		return null(x.Index)
	case *expr.Field:
		return isNull(x.Row, null)
	case *expr.Call:
		return x.Fn.Nulls == function.Strict && slices.ContainsFunc(x.List, func(a expr.Expr) bool { return isNull(a, null) })
	}
	return false
}

// pruneJoin drops the columns of both sides that neither the reader nor the condition reads, and of the result those
// that the condition alone does.
func (c *Context) pruneJoin(x *logical.Join, need []connector.Path) (logical.Plan, map[int]int) {
	wanted := map[int]bool{}
	below := make([]connector.Path, len(need))
	for i, p := range need {
		at := x.Source(p[0])
		wanted[at] = true
		below[i] = append(connector.Path{at}, p[1:]...)
	}
	out, to := c.pruneSides(x, below)
	return out, showWanted(out, x, to, wanted)
}

// pruneSides drops the columns of both sides that neither the condition nor the reader reads, and returns where those
// of the inputs went.
func (c *Context) pruneSides(x *logical.Join, need []connector.Path) (*logical.Join, map[int]int) {
	n := len(x.Left.Schema())
	if x.Cond != nil {
		need = append(slices.Clone(need), pathsOf(x.Cond)...)
	}
	var of [2][]connector.Path
	for _, p := range need {
		if p[0] < n {
			of[0] = append(of[0], p)
		} else {
			of[1] = append(of[1], append(connector.Path{p[0] - n}, p[1:]...))
		}
	}
	to := map[int]int{}
	left, moved := c.pruneTight(x.Left, of[0])
	for i, k := range moved {
		to[i] = k
	}
	right, moved := c.pruneTight(x.Right, of[1])
	for i, k := range moved {
		to[i+n] = k + len(left.Schema())
	}
	cond := x.Cond
	if cond != nil {
		cond = expr.Remap(cond, to)
	}
	return x.Over(x.Kind, left, right, cond), to
}

// showWanted gives out, which is x over fewer columns, those of the result that are wanted, and returns where each column
// of x went. to says where those of the inputs did. A result has a column at least.
func showWanted(out, x *logical.Join, to map[int]int, wanted map[int]bool) map[int]int {
	moved := map[int]int{}
	out.Output, out.Columns = nil, nil
	for i, c := range x.Columns {
		k, kept := to[x.Source(i)]
		if kept && (wanted[x.Source(i)] || len(wanted) == 0 && out.Output == nil) {
			moved[i] = len(out.Output)
			out.Output, out.Columns = append(out.Output, k), append(out.Columns, c)
		}
	}
	all := len(out.Left.Schema())
	if !x.Kind.Halves() {
		all += len(out.Right.Schema())
	}
	if len(out.Output) == all {
		out.Output = nil
	}
	return moved
}

// pruneBoth prunes the inputs of a join that gives the columns of both, as far as it has them.
func (c *Context) pruneBoth(x *logical.Join, need []connector.Path) (*logical.Join, map[int]int) {
	out, to := c.pruneSides(x, need)
	n, width := len(x.Left.Schema()), len(out.Left.Schema())
	if x.Kind.Halves() {
		maps.DeleteFunc(to, func(column, _ int) bool { return column >= n }) // the condition alone sees the others
	} else {
		width += len(out.Right.Schema())
	}
	out.Columns = movedColumns(x.Columns, to, width)
	return out, to
}

// pruneTight prunes an input whose rows are kept: of its columns those stay that are needed, and no other.
func (c *Context) pruneTight(p logical.Plan, need []connector.Path) (logical.Plan, map[int]int) {
	in, moved := c.prune(p, need)
	s := in.Schema()
	to := map[int]int{}
	var exprs []expr.Expr
	var names []string
	for i := range p.Schema() {
		if !reads(need, i) {
			continue
		}
		to[i] = len(exprs)
		exprs, names = append(exprs, s.Expr(moved[i])), append(names, s[moved[i]].Name)
	}
	if len(exprs) == len(s) {
		return in, moved
	}
	return logical.NewProject(in, exprs, names), to
}
