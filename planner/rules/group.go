package rules

import (
	"streamsql/exec/expr"
	"streamsql/planner/logical"
)

// dropConstantKeys groups by what varies: a constant key makes no groups. One key stays, since a grouping
// without keys is another thing.
func dropConstantKeys(_ *Context, p logical.Plan) logical.Plan {
	return logical.Rewrite(p, func(p logical.Plan) logical.Plan {
		switch x := p.(type) {
		case *logical.Aggregate:
			keys, back := varying(x.Keys, 1)
			if len(keys) == len(x.Keys) {
				return p
			}
			out := x.Over(x.Input, keys, x.Calls, logical.NewAggregate(x.Input, keys, x.Calls).Columns)
			return restored(out, x.Columns, back, len(keys)-len(x.Keys))
		case *logical.WindowAggregate:
			keys, back := varying(x.Keys, 0)
			if len(keys) == len(x.Keys) {
				return p
			}
			out := logical.NewWindowAggregate(x.Input, x.Window, x.Time, keys, x.Calls, x.Shown)
			return restored(out, x.Columns, back, len(keys)-len(x.Keys))
		}
		return p
	})
}

// varying splits keys: those that stay, at least a number of them, and what stands for each of the old ones
// over the result.
func varying(keys []expr.Expr, least int) (stay, back []expr.Expr) {
	for i, k := range keys {
		if _, ok := k.(*expr.Const); ok && len(stay)+len(keys)-i-1 >= least {
			back = append(back, k)
			continue
		}
		back = append(back, &expr.Column{Index: len(stay), Name: k.String(), T: k.Type()})
		stay = append(stay, k)
	}
	return stay, back
}

// restored projects to the columns that were: first those of the keys, the others moved by so many.
func restored(p logical.Plan, columns logical.Schema, keys []expr.Expr, by int) logical.Plan {
	exprs := append([]expr.Expr(nil), keys...)
	for i := len(keys); i < len(columns); i++ {
		exprs = append(exprs, &expr.Column{Index: i + by, Name: columns[i].Name, T: columns[i].Type})
	}
	return &logical.Project{Input: p, Exprs: exprs, Columns: columns}
}
