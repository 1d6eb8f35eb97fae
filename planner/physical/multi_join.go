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
	return b.gather(x.List, spec, spec.Keys)
}
