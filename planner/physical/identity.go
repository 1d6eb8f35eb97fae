package physical

import (
	"fmt"
	"slices"
	"strings"

	"streamsql/exec/graph"
	"streamsql/planner/logical"
)

// identity names the nodes of a graph by the logical plan, so that a checkpoint fits whatever the parallelism:
// a node's name is the number of the relational idea that it works for and the kind of its spec. Operators that
// keep the same state have the same kind at every parallelism; those that come and go with it keep none, or have
// a kind of their own.
type identity struct {
	number map[logical.Plan]int
	given  map[string]int
}

// newIdentity numbers the nodes of a plan, each once, from its sinks down.
func newIdentity(sinks []logical.Plan) *identity {
	x := &identity{number: map[logical.Plan]int{}, given: map[string]int{}}
	for _, s := range sinks {
		x.walk(s)
	}
	return x
}

func (x *identity) walk(p logical.Plan) {
	if _, twice := x.number[p]; twice {
		return
	}
	x.number[p] = len(x.number)
	for _, in := range p.Inputs() {
		x.walk(in)
	}
}

// name is the name of a node that works for the idea at.
func (x *identity) name(at int, n *graph.Node) string {
	kind := strings.TrimPrefix(strings.TrimPrefix(fmt.Sprintf("%T", n.Op), "*"), "op.")
	switch {
	case n.Source != nil:
		kind = "Source"
	case n.Sink != nil:
		kind = "Sink"
	}
	id := fmt.Sprintf("%d %s", at, kind)
	if x.given[id]++; x.given[id] > 1 {
		id = fmt.Sprintf("%s %d", id, x.given[id])
	}
	return id
}

// meaning is the text of what a job does, the same at any parallelism. What is shared plays a part: it has one state.
func (p *Planner) meaning(sinks []logical.Plan) string {
	if p.Share {
		return logical.ExplainShared(sinks)
	}
	var b strings.Builder
	for _, s := range sinks {
		b.WriteString(logical.Explain(s))
	}
	return b.String()
}

// sources lists the tables that a job reads, with the options that their rows depend on.
func sources(g *graph.Graph) string {
	var lines []string
	for _, s := range g.Stages {
		for _, n := range s.Nodes {
			if n.Source != nil {
				lines = append(lines, n.Source.Name()+"\n")
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "")
}
