package physical

import (
	"slices"

	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// shared is what builders of a job know of nodes that have several readers: each is built once.
type shared struct {
	readers map[logical.Plan]int
	// apart are those whose readers come to stand in different stages: they get one of their own, which readers
	// that stand alone above it join, and others have an edge from.
	apart  map[logical.Plan]bool
	places map[part]place
	// rest are the filters that the source of a scan does not apply.
	rest map[*logical.Scan][]expr.Expr
}

// sharedName is the name of a stage that was made for nodes with several readers.
const sharedName = "shared"

// part is a node of the plan, or of a scan the source alone.
type part struct {
	plan   logical.Plan
	source bool
}

// place is where a node of a graph stands.
type place struct {
	stage *graph.Stage
	node  int
}

// sharedNodes finds the nodes with several readers. Where each is in a stage of its own says plan itself; nothing is
// shared where nodes are not.
func (p *Planner) sharedNodes(sinks []logical.Plan) *shared {
	s := &shared{places: map[part]place{}, rest: map[*logical.Scan][]expr.Expr{}, apart: map[logical.Plan]bool{}}
	if p.Share {
		s.readers = logical.Readers(sinks)
	}
	if p.Parallelism > 1 {
		s.separate(sinks)
	}
	return s
}

// several tells that a node has more than one reader.
func (s *shared) several(p logical.Plan) bool { return s.readers[p] > 1 }

// reads tells that others read a node of a stage.
func (s *shared) reads(stage *graph.Stage) bool {
	for _, p := range s.places {
		if p.stage == stage {
			return true
		}
	}
	return false
}

// separate finds the nodes that get a stage of their own: those that are read in different regions, where a region is
// what stands in one stage with the node that its rows go to.
func (s *shared) separate(sinks []logical.Plan) {
	regions, next := map[logical.Plan][]int{}, 0
	region := func() int { next++; return next }
	for _, p := range sinks {
		regions[p] = append(regions[p], region())
	}
	for _, p := range slices.Backward(logical.Nodes(sinks...)) {
		slices.Sort(regions[p])
		at := slices.Compact(regions[p])
		s.apart[p] = len(at) > 1
		if s.apart[p] {
			at[0] = region()
		}
		for _, in := range p.Inputs() {
			if chained(p) {
				regions[in] = append(regions[in], at[0])
			} else {
				regions[in] = append(regions[in], region())
			}
		}
	}
}

// chained tells the nodes that stand in one stage with their inputs.
func chained(p logical.Plan) bool {
	switch x := p.(type) {
	case *logical.Window:
		return x.Window.Kind != op.Session
	case *logical.Project, *logical.Filter, *logical.Watermark, *logical.Expand, *logical.Unnest, *logical.LookupJoin,
		*logical.MaximumFilter, *logical.Union, *logical.Sink:
		return true
	}
	return false
}

// once builds a node, or finds the place where it was built for another reader.
func (b *builder) once(at part, make func(b *builder) (int, error)) (int, error) {
	if !b.shared.several(at.plan) {
		return make(b)
	}
	to, ok := b.shared.places[at]
	if !ok {
		var err error
		if to, err = b.found(at, make); err != nil {
			return 0, err
		}
		b.shared.places[at] = to
	}
	return b.reach(at.plan, to), nil
}

// found builds a node for the first of its readers.
func (b *builder) found(at part, make func(b *builder) (int, error)) (place, error) {
	if !b.shared.apart[at.plan] {
		n, err := make(b)
		return place{b.stage, n}, err
	}
	e, err := b.upstream(sharedName, func(up *builder) (int, error) {
		up.feeds = false // its readers take the rows as they are, not by key
		return make(up)
	})
	if err != nil {
		return place{}, err
	}
	return place{b.graph.Stages[e.From], e.FromNode}, nil
}

// reach brings the rows of a place to the stage being built: it goes on with that stage when it has nothing of its own
// yet and nothing else will join it, and otherwise has an edge from it.
func (b *builder) reach(p logical.Plan, from place) int {
	switch {
	case from.stage == b.stage:
		return from.node
	case len(b.stage.Nodes) == 0 && b.forks == 0:
		b.stage = from.stage
		return from.node
	}
	return b.enterBy(b.forward(slices.Index(b.graph.Stages, from.stage), from.node, p), p)
}

// finish appends the stage being built to those that are done, unless it is one of them, and says where it is.
func (b *builder) finish() int {
	at := slices.Index(b.graph.Stages, b.stage)
	if at < 0 {
		at = len(b.graph.Stages)
		b.graph.Stages = append(b.graph.Stages, b.stage)
	}
	return at
}

// narrowed gives the stages of shared sources that few subtasks are to read (connector.Narrow) as many, where their rows
// go on to others.
func narrowed(g *graph.Graph) {
	for _, s := range g.Stages {
		source := s.Nodes[0].Source
		if source == nil || s.Name != sharedName || slices.ContainsFunc(s.Nodes, func(n graph.Node) bool { return n.Sink != nil }) {
			continue
		}
		if n, ok := source.Source.(connector.Narrow); ok && n.Widest() > 0 {
			s.Parallelism = min(s.Parallelism, n.Widest())
		}
	}
}

// straighten makes the edges between stages of different parallelism go by one subtask, so that the rows of a changelog
// stay in order; rows that stay are spread.
func straighten(g *graph.Graph) {
	for _, s := range g.Stages {
		for i := range s.In {
			e := &s.In[i]
			if e.Partitioning != graph.Forward || g.Stages[e.From].Parallelism == s.Parallelism {
				continue
			}
			e.Partitioning = graph.Global
			if from := g.Stages[e.From].Nodes[e.FromNode]; from.Source != nil || from.Changes == logical.Inserts.String() {
				e.Partitioning = graph.Rebalance
			}
		}
	}
}

// chains are the sinks that stand in one stage: alone those that share something, otherwise each by itself.
func (b *builder) chains(targets []*target) [][]*target {
	var out [][]*target
	of := map[logical.Plan]int{}
	for _, t := range targets {
		at := len(out)
		nodes := logical.Nodes(t.Sink)
		for _, p := range nodes {
			if k, ok := of[p]; ok && b.alone() && b.shared.several(p) {
				at = min(at, k)
			}
		}
		if at == len(out) {
			out = append(out, nil)
		}
		out[at] = append(out[at], t)
		for _, p := range nodes {
			if k, ok := of[p]; ok && k != at && b.alone() && b.shared.several(p) {
				out[at], out[k] = append(out[at], out[k]...), nil
				for q, x := range of {
					if x == k {
						of[q] = at
					}
				}
			}
			of[p] = at
		}
	}
	return slices.DeleteFunc(out, func(list []*target) bool { return len(list) == 0 })
}
