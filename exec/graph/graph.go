// Package graph is the plan that crosses from compiler to machine: stages of chained nodes and the edges
// between them, plain data with nothing running.
//
// It does not know SQL or how stages are executed.
//
// Invariants:
//
//	G1 nodes stand in topological order: a node's inputs come before it.
//	G2 the same text, catalog and settings give the identical graph.
package graph

import (
	"fmt"
	"strings"

	"streamsql/exec/connector"
	"streamsql/exec/op"
	"streamsql/exec/types"
)

// Graph is a job.
type Graph struct {
	Stages []*Stage
}

// Stage is what one task runs, in Parallelism copies: sources, operators and sinks chained by calls.
type Stage struct {
	Name        string
	Parallelism int
	Nodes       []Node
	// In lists the edges that feed nodes of this stage from other stages.
	In []Edge
}

// Node is exactly one of Source, Op and Sink.
type Node struct {
	Source *Source
	Op     op.Spec
	Sink   *Sink
	// Inputs are positions of nodes in the same stage, in the operator's input order.
	Inputs []int
}

// Source reads a table.
type Source struct {
	Table   string
	Columns []connector.Column
	Source  connector.Source
	// Watermark says that the source makes the watermark (connector.Accepted).
	Watermark bool
	// Text describes the scan for EXPLAIN: what was pushed into it.
	Text string
}

// Sink writes a table.
type Sink struct {
	Table   string
	Columns []connector.Column
	Sink    connector.Sink
	// Query says that the sink stands for the result of a SELECT, which the session's owner takes.
	Query bool
}

// Partitioning is how rows of an edge find their channel.
type Partitioning uint8

// The partitionings.
const (
	Forward Partitioning = iota
	Hash
	Rebalance
	Rescale
	Broadcast
	Global
)

// Edge carries rows from a node of another stage.
type Edge struct {
	From, FromNode int // stage and node
	To             int // node of this stage
	Input          int // of that node
	Partitioning   Partitioning
	Keys           []int
	Types          []types.Type
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

// String is the line of a source.
func (s *Source) String() string { return "Source: " + s.Table + s.Text }

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

// String prints the stages as EXPLAIN shows them, sinks first within a stage.
func (g *Graph) String() string {
	var b strings.Builder
	for i, s := range g.Stages {
		fmt.Fprintf(&b, "Stage %d: %s, parallelism %d\n", i, s.Name, s.Parallelism)
		for k := len(s.Nodes) - 1; k >= 0; k-- {
			n := s.Nodes[k]
			fmt.Fprintf(&b, "  [%d] %s", k, n)
			if len(n.Inputs) > 0 {
				fmt.Fprintf(&b, " <- %v", n.Inputs)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
