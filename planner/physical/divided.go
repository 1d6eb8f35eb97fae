package physical

import (
	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// apart begins a stage for a sink that is not to be written as the rows come (connector.Divided), and moves in there.
// What is built after leave stands where the rows came from.
func (b *builder) apart(t *target, in int) (to int, leave func()) {
	d, ok := t.sink.(connector.Divided)
	if !ok {
		return in, func() {}
	}
	n, keys := d.Division()
	before := b.stage
	if n == 0 {
		n = before.Parallelism
	}
	if n == before.Parallelism && (len(keys) == 0 || n == 1 || b.divides(t.Input, columnsAt(t.Input.Schema(), keys)) != nil) {
		return in, func() {}
	}
	if before.Name == "" {
		before.Name = "before insert into " + t.Table.Name.Object
	}
	e := b.forward(b.finish(), in, t.Input)
	if len(keys) > 0 {
		e.Partitioning, e.Keys = graph.Hash, keys
	}
	b.stage = b.p.stage("")
	b.stage.Parallelism = n
	return b.enterBy(e, t.Input), func() {
		b.finish()
		b.stage = before
	}
}

// columnsAt are the columns at some positions.
func columnsAt(s logical.Schema, at []int) (out []expr.Expr) {
	for _, i := range at {
		out = append(out, s.Expr(i))
	}
	return out
}

// forward is an edge with the rows of a plan from a node of a stage.
func (b *builder) forward(stage, node int, p logical.Plan) graph.Edge {
	s := p.Schema()
	e := graph.Edge{From: stage, FromNode: node, Names: s.Names(), Types: s.Types(), Partitioning: graph.Forward}
	for i, c := range s {
		if c.Time == logical.Rowtime {
			e.Rowtimes = append(e.Rowtimes, i)
		}
	}
	return e
}

// enterBy adds what receives the rows of a plan from an edge.
func (b *builder) enterBy(e graph.Edge, p logical.Plan) int {
	e.To = b.add(graph.Node{Op: op.Union{}, Inputs: []int{graph.FromEdge}, Changes: b.changes.Of(p).Kinds.String()})
	b.stage.In = append(b.stage.In, e)
	return e.To
}
