package physical

import (
	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/planner/logical"
)

// windowJoin makes the operator of a window join. With parallelism above 1 rows meet by the keys that are not bounds
// of windows, and where there are none by these.
func (b *builder) windowJoin(x *logical.Join) (int, error) {
	w, _ := x.Windows()
	all := x.Keys()
	keys := w.Others(all)
	spec := &op.WindowJoin{Window: w.Window, Ends: w.Ends, Zone: b.zone(w.At),
		Join: op.Join{Kind: x.Kind, Keys: [2][]expr.Expr{keys.Left, keys.Right}, NullSafe: keys.NullSafe, Residual: keys.Residual,
			Types: [2][]types.Type{x.Left.Schema().Types(), x.Right.Schema().Types()}, Output: x.Output, Names: x.Columns.Names()}}
	if len(keys.Left) == 0 {
		n, _, err := b.meet(x, spec, [2][]expr.Expr{all.Left, all.Right})
		return n, err
	}
	n, at, err := b.meet(x, spec, spec.Keys)
	spec.Keys = at
	return n, err
}
