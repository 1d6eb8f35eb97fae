package physical

import "streamsql/planner/logical"

// multiJoin makes the operator of a join of several inputs. With parallelism above 1 the rows of all meet by their keys.
func (b *builder) multiJoin(x *logical.MultiJoin) (int, error) {
	spec := x.Spec()
	if b.alone() {
		return b.behind(spec, x.List...)
	}
	return b.gather(x.List, spec, spec.Keys)
}
