package graph

import (
	"fmt"
	"strings"
)

// Identity is what has to be the same for a checkpoint to fit: Plan, or the nodes and edges without parallelisms.
func (g *Graph) Identity() string {
	if g.Plan != "" {
		return g.Plan
	}
	var b strings.Builder
	for i, s := range g.Stages {
		fmt.Fprintf(&b, "Stage %d\n", i)
		for k, n := range s.Nodes {
			fmt.Fprintf(&b, "  [%d] %s <- %v\n", k, n, n.Inputs)
		}
		for _, e := range s.In {
			fmt.Fprintf(&b, "  %s from stage %d [%d] to [%d] input %d\n", e.Partitioning, e.From, e.FromNode, e.To, e.Input)
		}
	}
	return b.String()
}

// ID is the name of a node.
func (g *Graph) ID(stage, node int) string {
	if id := g.Stages[stage].Nodes[node].ID; id != "" {
		return id
	}
	return fmt.Sprintf("%d.%d", stage, node)
}

// Keyed tells whether rows come to the stage by key group.
func (s *Stage) Keyed() bool {
	for i := range s.In {
		if s.In[i].Partitioning == Hash {
			return true
		}
	}
	return false
}
