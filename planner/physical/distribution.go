package physical

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// distribution is by what the rows of a plan are divided among the subtasks that give them: the columns that are
// hashed, in this order, each as the positions of those that hold its value. nil is not known.
type distribution [][]int

// distribution is that of the rows of a plan where they are built above it in one stage. Of what others read as well
// nothing is known: it may stand in a stage of its own.
func (b *builder) distribution(p logical.Plan) distribution {
	if b.alone() || b.shared.several(p) {
		return nil
	}
	switch x := p.(type) {
	case *logical.Filter:
		return b.distribution(x.Input)
	case *logical.Project:
		return b.distribution(x.Input).through(x.Exprs)
	case *logical.Rank:
		return b.kept(x.Input, x.Partition)
	case *logical.Deduplicate:
		return b.kept(x.Input, x.Keys)
	case *logical.Over:
		return b.kept(x.Input, x.Partition)
	case *logical.Aggregate:
		return b.grouped(x.Input, x.Keys)
	case *logical.WindowAggregate:
		return b.grouped(x.Input, x.Keys)
	case *logical.Join:
		return b.joined(x)
	}
	return nil
}

// through follows columns through a projection.
func (d distribution) through(exprs []expr.Expr) distribution {
	var out distribution
	for _, columns := range d {
		var at []int
		for i, x := range exprs {
			if c, ok := x.(*expr.Column); ok && slices.Contains(columns, c.Index) {
				at = append(at, i)
			}
		}
		if at == nil {
			return nil
		}
		out = append(out, at)
	}
	return out
}

// kept is the distribution of an operator by keys whose columns begin with those of its input.
func (b *builder) kept(in logical.Plan, keys []expr.Expr) distribution {
	d := b.distribution(in)
	if d.among(keys) != nil {
		return d
	}
	var out distribution
	for _, k := range keys {
		c, ok := k.(*expr.Column)
		if !ok {
			return nil
		}
		out = append(out, []int{c.Index})
	}
	return out
}

// grouped is the distribution of an aggregation, whose columns begin with its keys.
func (b *builder) grouped(in logical.Plan, keys []expr.Expr) distribution {
	by := b.divides(in, keys)
	if by == nil {
		for i := range keys {
			by = append(by, i)
		}
	}
	var out distribution
	for _, i := range by {
		out = append(out, []int{i})
	}
	return out
}

// joined is the distribution of a join. A side that may be filled up with NULLs does not have its keys in every row.
func (b *builder) joined(x *logical.Join) distribution {
	keys := b.meeting(x)
	left := len(x.Left.Schema())
	out := make(distribution, len(keys.Left))
	for i := range out {
		for side, k := range []expr.Expr{keys.Left[i], keys.Right[i]} {
			c, ok := k.(*expr.Column)
			if !ok || x.Kind.Pads(side) {
				continue
			}
			for at := range x.Columns {
				if x.Source(at) == c.Index+side*left {
					out[i] = append(out[i], at)
				}
			}
		}
		if out[i] == nil {
			return nil
		}
	}
	return out
}

// meeting are the keys by which the rows of a join meet.
func (b *builder) meeting(x *logical.Join) logical.JoinKeys {
	all := x.Keys()
	if !x.Windowed([]logical.Changes{b.changes.Of(x.Left), b.changes.Of(x.Right)}) {
		return all
	}
	return windowKeys(x, all)
}

// divides tells by which of keys, as positions among them in the order in which they are hashed, the rows of an input
// are divided among subtasks already: those of one key are then in one, and need no exchange to meet. nil is by none.
func (b *builder) divides(in logical.Plan, keys []expr.Expr) []int {
	return b.distribution(in).among(keys)
}

// among are the positions of its columns among keys, nil where one of them is none.
func (d distribution) among(keys []expr.Expr) []int {
	var out []int
	for _, columns := range d {
		at := slices.IndexFunc(keys, func(k expr.Expr) bool {
			c, ok := k.(*expr.Column)
			return ok && slices.Contains(columns, c.Index)
		})
		if at < 0 {
			return nil
		}
		out = append(out, at)
	}
	return out
}

// dividedBy tells that the rows of an input are divided by exactly keys, in this order.
func (b *builder) dividedBy(in logical.Plan, keys []expr.Expr) bool {
	by := b.divides(in, keys)
	for i, at := range by {
		if i != at {
			return false
		}
	}
	return len(by) > 0 && len(by) == len(keys)
}

// stays tells that an operator by keys stands in the stage of its input.
func (b *builder) stays(in logical.Plan, keys []expr.Expr) bool {
	return b.alone() || b.divides(in, keys) != nil
}

// chain adds an operator by keys behind its input, in the same stage.
func (b *builder) chain(in logical.Plan, spec op.Spec, keys []expr.Expr) (int, error) {
	hashed := b.divides(in, keys)
	n, err := b.build(in)
	if err != nil {
		return 0, err
	}
	return b.add(graph.Node{Op: spec, Inputs: []int{n}, Hashed: hashed}), nil
}
