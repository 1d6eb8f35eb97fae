package physical

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/planner/logical"
)

// edge is what comes over an edge from a stage of its own.
type edge struct {
	graph.Edge
	// to says where the columns of the input went.
	to map[int]int
	// keys are over the columns of the edge.
	keys []expr.Expr
}

// alone tells that one subtask does everything, so that keys need no exchange.
func (b *builder) alone() bool { return b.p.Parallelism <= 1 }

// upstream builds a stage that feeds this one.
func (b *builder) upstream(name string, build func(up *builder) (node int, err error)) (graph.Edge, error) {
	up := b.in(b.p.stage(name))
	up.feeds = true
	node, err := build(up)
	if e, ok := b.folded(up, node); ok && err == nil {
		return e, nil
	}
	return graph.Edge{From: up.finish(), FromNode: node}, err
}

func (p *Planner) stage(name string) *graph.Stage {
	return &graph.Stage{Name: name, Parallelism: p.Parallelism, MaxParallelism: p.MaxParallelism}
}

// over adds an operator that reads an edge by its keys. Without keys there is one group, and one subtask for it.
func (b *builder) over(e graph.Edge, spec op.Spec) int {
	e.To, e.Partitioning = b.add(graph.Node{Op: spec, Inputs: []int{graph.FromEdge}}), graph.Hash
	if len(e.Keys) == 0 {
		e.Partitioning, b.stage.Parallelism = graph.Global, 1
	}
	b.stage.In = append(b.stage.In, e)
	return e.To
}

// partials is the upper half of an aggregation in two phases: each batch is folded before it is sent, so that
// a key crosses the edge once per batch.
func (b *builder) partials(x *logical.Aggregate, spec *op.GroupAggregate) (int, error) {
	local := &op.LocalAggregate{Keys: x.Keys, Aggs: x.Calls, Retracts: spec.Retracts, Names: x.Columns.Names()}
	e, err := b.upstream("before GROUP BY", func(up *builder) (int, error) {
		return up.behind(local, x.Input)
	})
	if err != nil {
		return 0, err
	}
	return b.final(e, x, spec, local.Types()), nil
}

// windowPartials is an aggregation of windows in two phases: rows are folded by slice and key before they are sent.
func (b *builder) windowPartials(x *logical.WindowAggregate, spec *op.WindowAggregate) (int, error) {
	local := &op.LocalWindowAggregate{Window: x.Window, Time: x.Time, Zone: spec.Zone, Keys: x.Keys, Aggs: x.Calls}
	e, err := b.upstream("before GROUP BY", func(up *builder) (int, error) {
		return up.behind(local, x.Input)
	})
	if err != nil {
		return 0, err
	}
	e.Types = local.Types()
	e.Names = make([]string, len(e.Types))
	e.Names[0], e.Rowtimes = "slice_time", []int{0}
	final := *spec
	final.Phase, final.Time, final.Keys = op.Final, 0, make([]expr.Expr, len(x.Keys))
	for i, k := range x.Keys {
		at := i + 1
		e.Keys, e.Names[at] = append(e.Keys, at), x.Columns[i].Name
		final.Keys[i] = &expr.Column{Index: at, Name: e.Names[at], T: k.Type()}
	}
	return b.over(e, &final), nil
}

// final adds the last phase of an aggregation behind an edge of partials.
func (b *builder) final(e graph.Edge, x *logical.Aggregate, spec *op.GroupAggregate, columns []types.Type) int {
	e.Types = columns
	e.Names = make([]string, len(e.Types))
	copy(e.Names, x.Columns.Names()[:len(x.Keys)])
	final := *spec
	final.Phase, final.Keys = op.Final, make([]expr.Expr, len(x.Keys))
	for i, k := range x.Keys {
		e.Keys = append(e.Keys, i)
		final.Keys[i] = &expr.Column{Index: i, Name: x.Columns[i].Name, T: k.Type()}
	}
	return b.over(e, &final)
}

// raw sends the rows of an input by keys: of its columns those that the keys, others and the times read, with
// keys that are no columns computed behind them. The stage that they come from is named.
func (b *builder) raw(name string, in logical.Plan, keys, others []expr.Expr, times ...int) (edge, error) {
	s := in.Schema()
	used := append(expr.Columns(append(others[:len(others):len(others)], plain(keys)...)...), times...)
	slices.Sort(used)
	used = slices.Compact(used)
	e := edge{to: map[int]int{}}
	c := &op.Calc{}
	add := func(x expr.Expr, name string) int {
		c.Exprs, e.Names, e.Types = append(c.Exprs, x), append(e.Names, name), append(e.Types, x.Type())
		return len(c.Exprs) - 1
	}
	for _, i := range used {
		e.to[i] = add(s.Expr(i), s[i].Name)
		if s[i].Time == logical.Rowtime {
			e.Rowtimes = append(e.Rowtimes, e.to[i])
		}
	}
	for _, k := range keys {
		at := 0
		if col, ok := k.(*expr.Column); ok {
			at = e.to[col.Index]
		} else {
			at = add(k, k.String())
		}
		e.Keys = append(e.Keys, at)
		e.keys = append(e.keys, &expr.Column{Index: at, Name: e.Names[at], T: k.Type()})
	}
	c.Names = e.Names
	up, err := b.upstream(name, func(up *builder) (int, error) {
		n, err := up.build(in)
		if err != nil || len(c.Exprs) == len(s) && len(e.to) == len(s) {
			return n, err
		}
		return up.add(graph.Node{Op: c, Inputs: []int{n}}), nil
	})
	e.From, e.FromNode = up.From, up.FromNode
	return e, err
}

// plain are the keys that are columns.
func plain(keys []expr.Expr) []expr.Expr {
	var out []expr.Expr
	for _, k := range keys {
		if _, ok := k.(*expr.Column); ok {
			out = append(out, k)
		}
	}
	return out
}

// moved is an expression over the columns of the edge.
func (e *edge) moved(x expr.Expr) expr.Expr { return expr.Remap(x, e.to) }
