// Package graph is the plan that crosses from compiler to machine: stages of chained nodes and the edges
// between them, plain data with nothing running.
//
// It does not know SQL or how stages are executed.
//
// Invariants:
//
//	G1 nodes and stages stand in topological order: a node's inputs come before it, and the stages that
//	   feed a stage before that.
//	G2 the same text, catalog and settings give the identical graph.
//	G3 each input of a node is fed by exactly one node of its stage or one edge.
package graph

import (
	"fmt"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/network"
	"streamsql/exec/op"
)

// Graph is a job.
type Graph struct {
	Stages []*Stage
	// Exchange says how rows travel on the edges.
	Exchange Exchange
	// Plan says what the job does, the same at any parallelism: a checkpoint goes with no other. Without it the
	// text of the nodes stands for it (Identity).
	Plan string
}

// Endless tells that an input of the job does not end by itself.
func (g *Graph) Endless() bool {
	for _, s := range g.Stages {
		for _, n := range s.Nodes {
			if n.Source != nil && !n.Source.Source.Bounded() {
				return true
			}
		}
	}
	return false
}

// Stage is what one task runs, in Parallelism copies: sources, operators and sinks chained by calls.
type Stage struct {
	Name        string
	Parallelism int
	// MaxParallelism is the number of key groups that keyed edges into this stage divide; 0 leaves it to the
	// parallelism (Graph.KeyGroups).
	MaxParallelism int
	Nodes          []Node
	// In lists the edges that feed nodes of this stage from other stages.
	In []Edge
}

// Node is exactly one of Source, Op and Sink.
type Node struct {
	Source *Source
	Op     op.Spec
	Sink   *Sink
	// Inputs are positions of nodes in the same stage, in the operator's input order; FromEdge stands for
	// an input that an edge feeds.
	Inputs []int
	// Hashed are the keys of the operator that its rows were divided by among subtasks, as positions among them and in the
	// order in which they were hashed, where others before it needed fewer; nil is all of them.
	Hashed []int
	// Changes is the set of kinds of changes that come of the node, as text; empty where nobody planned it.
	Changes string
	// ID names the node among all of the graph, the same at any parallelism: what it keeps in a checkpoint
	// goes by it. Without one its position does.
	ID string
}

// FromEdge is the position of an input that comes from another stage.
const FromEdge = -1

// Source reads a table.
type Source struct {
	Table   string
	Columns []connector.Column
	Source  connector.Source
	// Watermark says that the source makes the watermark (connector.Accepted).
	Watermark bool
	// Text describes the scan for EXPLAIN: what was pushed into it.
	Text string
	// Options are those that the rows of the table depend on, as text.
	Options string
}

// Sink writes a table.
type Sink struct {
	Table   string
	Columns []connector.Column
	Sink    connector.Sink
	// Updating says that rows that reach the sink may change or go.
	Updating bool
	// Query says that the sink stands for the result of a SELECT, which the session's owner takes.
	Query bool
	// Key are the columns of an upsert key by which a query's owner takes rows, so that no -U comes; nil where it takes them
	// as they are.
	Key []int
	// Enough is the number of rows behind which none comes any more, whatever the inputs still give; 0 where that is not known.
	Enough int64
}

// String is the node's line in EXPLAIN.
func (n Node) String() string {
	switch {
	case n.Source != nil:
		return n.Source.String()
	case n.Sink != nil:
		return n.Sink.String()
	}
	return n.Op.String()
}

// changesText is the line with the changes as the last of its attributes.
func (n Node) changesText() string {
	text := n.String()
	mode := "changelogMode=" + n.Changes
	if inside, ok := strings.CutSuffix(text, "()"); ok {
		return inside + "(" + mode + ")"
	}
	if inside, ok := strings.CutSuffix(text, ")"); ok && n.Source == nil {
		return inside + ", " + mode + ")"
	}
	return text + ", " + mode
}

// String is the line of a source.
func (s *Source) String() string { return "Source: " + s.Table + s.Text }

// Name is the source without what was pushed into it: its positions mean the same as long as it is the same.
func (s *Source) Name() string {
	if s.Options == "" {
		return "Source: " + s.Table
	}
	return "Source: " + s.Table + " with " + s.Options
}

// String is the line of a sink.
func (s *Sink) String() string {
	names := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		names[i] = c.Name
	}
	if s.Query {
		return "Sink: result(" + strings.Join(names, ", ") + ")"
	}
	return "Sink: " + s.Table + "(" + strings.Join(names, ", ") + ")"
}

// String prints the stages as EXPLAIN shows them, sinks first within a stage, and below them the edges
// that feed it.
func (g *Graph) String() string { return g.text(Node.String) }

// WithChanges is String with the changes of each node.
func (g *Graph) WithChanges() string { return g.text(Node.changesText) }

func (g *Graph) text(line func(Node) string) string {
	var b strings.Builder
	for i, s := range g.Stages {
		fmt.Fprintf(&b, "Stage %d: %s, parallelism %d\n", i, s.Name, s.Parallelism)
		for k := len(s.Nodes) - 1; k >= 0; k-- {
			n := s.Nodes[k]
			fmt.Fprintf(&b, "  [%d] %s", k, line(n))
			if len(n.Inputs) > 0 {
				b.WriteString(" <- " + s.inputs(k))
			}
			if r := g.readers(i, k); len(r) > 1 {
				b.WriteString(" shared with [" + strings.Join(r, " ") + "]")
			}
			b.WriteByte('\n')
		}
		for _, e := range s.In {
			fmt.Fprintf(&b, "  %s\n", g.edge(s, &e))
		}
	}
	return b.String()
}

// readers lists the nodes that read a node: those of its stage by their positions, then those of others by their stages.
func (g *Graph) readers(stage, node int) []string {
	var out []string
	for k, n := range g.Stages[stage].Nodes {
		for _, from := range n.Inputs {
			if from == node {
				out = append(out, fmt.Sprint(k))
			}
		}
	}
	for i, s := range g.Stages {
		for _, e := range s.In {
			if e.From == stage && e.FromNode == node {
				out = append(out, fmt.Sprintf("stage %d", i))
			}
		}
	}
	return out
}

// KeyGroups is the number of key groups, the same for all stages. Where chosen is false it follows from the parallelism,
// and what a job goes on from may have another one.
func (g *Graph) KeyGroups() (n int, chosen bool) {
	most := 1
	for _, s := range g.Stages {
		n, most = max(n, s.MaxParallelism), max(most, s.Parallelism)
	}
	if n > 0 {
		return n, true
	}
	return network.DefaultMaxParallelism(most), false
}

// KeyedParallelism is the most subtasks that key groups are divided among, 0 without a keyed stage.
func (g *Graph) KeyedParallelism() (n int) {
	for _, s := range g.Stages {
		if s.Keyed() {
			n = max(n, s.Parallelism)
		}
	}
	return n
}

// inputs lists what feeds a node.
func (s *Stage) inputs(node int) string {
	parts := make([]string, len(s.Nodes[node].Inputs))
	for i, from := range s.Nodes[node].Inputs {
		parts[i] = fmt.Sprint(from)
		for _, e := range s.In {
			if from == FromEdge && e.To == node && e.Input == i {
				parts[i] = fmt.Sprintf("stage %d", e.From)
			}
		}
	}
	return "[" + strings.Join(parts, " ") + "]"
}
