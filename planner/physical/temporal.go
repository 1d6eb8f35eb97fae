package physical

import (
	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// temporal makes the operator of a join with versions. With parallelism above 1 rows and versions meet by their keys.
func (b *builder) temporal(x *logical.TemporalJoin) (int, error) {
	keys := x.VersionKeys()
	spec := &op.TemporalJoin{Kind: x.Kind, Keys: [2][]expr.Expr{keys.Left, keys.Right}, Residual: keys.Residual, Times: x.Times,
		Retracts: !b.changes.Of(x.Left).Stays, TTL: b.p.TTL, Names: x.Columns.Names()}
	for side, in := range x.Inputs() {
		spec.Types[side] = in.Schema().Types()
	}
	n, at, err := b.meet(x.Join, spec, spec.Keys)
	spec.Keys = at
	return n, err
}
