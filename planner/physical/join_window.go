package physical

import (
	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/planner/logical"
)

// windowJoin makes the operator of a window join. Rows of a window meet by the keys that are not its bounds; where
// there are none these are the keys, so that windows are divided among subtasks.
func (b *builder) windowJoin(x *logical.Join) (int, error) {
	w, _ := x.Windows()
	keys := windowKeys(x, x.Keys())
	spec := &op.WindowJoin{Window: w.Window, Ends: w.Ends, Zone: b.zone(w.At),
		Join: op.Join{Kind: x.Kind, Keys: [2][]expr.Expr{keys.Left, keys.Right}, NullSafe: keys.NullSafe, Residual: keys.Residual,
			Types: [2][]types.Type{x.Left.Schema().Types(), x.Right.Schema().Types()}, Output: x.Output, Names: x.Columns.Names()}}
	n, at, err := b.meet(x, spec, spec.Keys)
	spec.Keys = at
	return n, err
}

// windowKeys are the keys by which the rows of a window join meet.
func windowKeys(x *logical.Join, all logical.JoinKeys) logical.JoinKeys {
	w, _ := x.Windows()
	if keys := w.Others(all); len(keys.Left) > 0 {
		return keys
	}
	return all
}
