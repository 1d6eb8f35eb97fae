package bind

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/planner/logical"
)

// unfiltered takes the filters off the rows on the right of a temporal join. A version that fails one is the row's all
// the same, and ends the one before it, which a filter would leave standing: whether it passes is in n columns behind
// its own.
func unfiltered(p logical.Plan) (out logical.Plan, n int) {
	switch x := p.(type) {
	case *logical.Filter:
		in, n := unfiltered(x.Input)
		s := in.Schema()
		passes := logical.Column{Name: "passes", Type: x.Cond.Type()}
		return &logical.Project{Input: in, Exprs: append(s.Exprs(), x.Cond), Columns: append(slices.Clone(s), passes)}, n + 1
	case *logical.Project:
		in, n := unfiltered(x.Input)
		if n == 0 {
			return p, 0
		}
		s := in.Schema()
		own := len(s) - n
		return &logical.Project{Input: in, Exprs: slices.Concat(x.Exprs, s.Exprs()[own:]), Columns: slices.Concat(x.Columns, s[own:])}, n
	}
	return p, 0
}

// passing is a join with versions that have n columns of unfiltered behind their own, all of which must be true.
func passing(j *logical.Join, times [2]int, key logical.Key, n int) logical.Plan {
	both := slices.Concat(j.Left.Schema(), j.Right.Schema())
	own := len(both) - n
	cond := expr.And(append([]expr.Expr{j.Cond}, both.Exprs()[own:]...)...)
	out := logical.NewTemporalJoin(logical.NewJoin(j.Kind, j.Left, j.Right, cond), times, key)
	if n == 0 {
		return out
	}
	s := out.Schema()[:own]
	return &logical.Project{Input: out, Exprs: s.Exprs(), Columns: s}
}
