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
	changes := []logical.Changes{b.changes.Of(x.Left), b.changes.Of(x.Right)}
	if x.Windowed(changes) {
		return b.windowJoin(x)
	}
	keys := x.Keys()
	spec := &op.Join{Kind: x.Kind, Keys: [2][]expr.Expr{keys.Left, keys.Right}, NullSafe: keys.NullSafe, Residual: keys.Residual,
		Output: x.Output, Names: x.Columns.Names(), AtEnd: x.AtEnd}
	for side, in := range x.Inputs() {
		spec.Types[side] = in.Schema().Types()
		spec.Retracts[side] = !b.changes.Of(in).Stays
		if spec.TTL[side] = x.TTL[side]; spec.TTL[side] == 0 {
			spec.TTL[side] = b.p.TTL
		}
		if spec.TTL[side] == 0 {
			spec.TTL[side] = x.ProctimeTTL()
		}
		if x.AtEnd || spec.TTL[side] < 0 {
			spec.TTL[side] = 0
		}
	}
	if spec.TTL == [2]time.Duration{} {
		spec.Until = x.Until
		spec.Unique = [2]bool{len(x.Unique[0]) > 0, len(x.Unique[1]) > 0}
	}
	if x.Once(changes) {
		once(x, spec)
	}
	n, at, err := b.meet(x, spec, spec.Keys)
	spec.Keys = at
	return n, err
}

// once makes the join an interval join, which gives each row once.
func once(x *logical.Join, spec *op.Join) {
	i, _ := x.Interval()
	spec.Once, spec.TTL, spec.Until = true, [2]time.Duration{}, x.Until
	if i.Proctime || len(spec.Until[0]) == 0 || len(spec.Until[1]) == 0 {
		spec.Until = i.Until(x)
	}
	if i.Proctime {
		spec.Stamps = i.Times[:]
	} else {
		spec.Delay = i.Delay()
	}
}

// meet makes an operator of both inputs of a join: with parallelism above 1 in a stage of its own, behind one that
// sends the rows of each side by keys, which are then where it says.
func (b *builder) meet(x *logical.Join, spec op.Spec, keys [2][]expr.Expr) (node int, at [2][]expr.Expr, err error) {
	if b.alone() {
		node, err = b.behind(spec, x.Inputs()...)
		return node, keys, err
	}
	node, err = b.gather(x.Inputs(), spec, keys[:])
	return node, keys, err
}

// gather makes an operator of several inputs whose rows meet by keys, which it says where they are then: those of an
// input that is divided by its keys are there, those of the others come over edges.
func (b *builder) gather(inputs []logical.Plan, spec op.Spec, keys [][]expr.Expr) (int, error) {
	edges, n := make([]edge, len(inputs)), graph.Node{Op: spec}
	for i, in := range inputs {
		from := graph.FromEdge
		var err error
		if b.dividedBy(in, keys[i]) {
			from, err = b.build(in)
		} else {
			edges[i], err = b.raw("before JOIN", in, keys[i], in.Schema().Exprs())
			keys[i] = edges[i].keys
		}
		if err != nil {
			return 0, err
		}
		n.Inputs = append(n.Inputs, from)
	}
	at := b.add(n)
	for i, e := range edges {
		if n.Inputs[i] != graph.FromEdge {
			continue
		}
		e.To, e.Input, e.Partitioning = at, i, graph.Hash
		if len(e.Keys) == 0 {
			e.Partitioning, b.stage.Parallelism = graph.Global, 1
		}
		b.stage.In = append(b.stage.In, e.Edge)
	}
	return at, nil
}
