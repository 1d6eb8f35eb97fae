package physical

import (
	"streamsql/exec/graph"
	"streamsql/planner/logical"
)

// multiJoin makes the operator of a join of several inputs. With parallelism above 1 the rows of all meet by their keys.
func (b *builder) multiJoin(x *logical.MultiJoin) (int, error) {
	spec := x.Spec()
	n := graph.Node{Op: spec}
	if b.alone() {
		for _, in := range x.List {
			i, err := b.build(in)
			if err != nil {
				return 0, err
			}
			n.Inputs = append(n.Inputs, i)
		}
		return b.add(n), nil
	}
	edges := make([]edge, len(x.List))
	for i, in := range x.List {
		columns, _ := whole(in.Schema())
		e, err := b.raw("before JOIN", in, spec.Keys[i], columns)
		if err != nil {
			return 0, err
		}
		edges[i], spec.Keys[i] = e, e.keys
		n.Inputs = append(n.Inputs, graph.FromEdge)
	}
	at := b.add(n)
	for i, e := range edges {
		e.To, e.Input, e.Partitioning = at, i, graph.Hash
		b.stage.In = append(b.stage.In, e.Edge)
	}
	return at, nil
}
