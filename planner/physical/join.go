package physical

import (
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// join makes the operator of a join. With parallelism above 1 the rows of both sides meet by their keys; without
// keys all of them meet in one subtask.
func (b *builder) join(x *logical.Join) (int, error) {
	keys := x.Keys()
	spec := &op.Join{Kind: x.Kind, Keys: [2][]expr.Expr{keys.Left, keys.Right}, NullSafe: keys.NullSafe, Residual: keys.Residual,
		Names: x.Columns.Names(), AtEnd: x.AtEnd}
	for side, in := range x.Inputs() {
		spec.Types[side] = in.Schema().Types()
		spec.Retracts[side] = !b.changes.Of(in).Stays
		if spec.TTL[side] = x.TTL[side]; spec.TTL[side] == 0 {
			spec.TTL[side] = b.p.TTL
		}
		if x.AtEnd || spec.TTL[side] < 0 {
			spec.TTL[side] = 0
		}
	}
	if spec.TTL == [2]time.Duration{} {
		spec.Until = x.Until
	}
	if !b.alone() {
		return b.joinEdges(x, spec)
	}
	n := graph.Node{Op: spec}
	for _, in := range x.Inputs() {
		i, err := b.build(in)
		if err != nil {
			return 0, err
		}
		n.Inputs = append(n.Inputs, i)
	}
	return b.add(n), nil
}

// joinEdges makes the operator in a stage of its own, behind one that sends the rows of each side.
func (b *builder) joinEdges(x *logical.Join, spec *op.Join) (int, error) {
	var edges [2]edge
	for side, in := range x.Inputs() {
		columns, _ := whole(in.Schema())
		e, err := b.raw("before JOIN", in, spec.Keys[side], columns)
		if err != nil {
			return 0, err
		}
		edges[side], spec.Keys[side] = e, e.keys
	}
	n := b.add(graph.Node{Op: spec, Inputs: []int{graph.FromEdge, graph.FromEdge}})
	for side, e := range edges {
		e.To, e.Input, e.Partitioning = n, side, graph.Hash
		if len(e.Keys) == 0 {
			e.Partitioning, b.stage.Parallelism = graph.Global, 1
		}
		b.stage.In = append(b.stage.In, e.Edge)
	}
	return n, nil
}
