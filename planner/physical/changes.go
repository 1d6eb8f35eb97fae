package physical

import (
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// noChanges are the changes of a sink, of which nothing comes.
const noChanges = "[NONE]"

// showChanges says what comes of the nodes that no node of the plan ends in: helpers give what they get, sources
// and the partials of an aggregation are inserts.
func showChanges(g *graph.Graph) {
	for _, s := range g.Stages {
		for k := range s.Nodes {
			if n := &s.Nodes[k]; n.Changes == "" {
				n.Changes = changesOf(g, s, k)
			}
		}
	}
}

func changesOf(g *graph.Graph, s *graph.Stage, node int) string {
	n := &s.Nodes[node]
	_, partial := n.Op.(*op.LocalAggregate)
	switch {
	case n.Sink != nil:
		return noChanges
	case partial || len(n.Inputs) == 0:
		return logical.Inserts.String()
	case n.Inputs[0] >= 0:
		return s.Nodes[n.Inputs[0]].Changes
	}
	for _, e := range s.In {
		if e.To == node && e.Input == 0 {
			return g.Stages[e.From].Nodes[e.FromNode].Changes
		}
	}
	return logical.Inserts.String()
}
