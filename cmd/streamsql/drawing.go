package main

import (
	"fmt"
	"io"
	"strings"

	"streamsql/exec/graph"
)

// planDocument is the document of `explain --format json`: what each statement that runs a job comes to.
type planDocument struct {
	Statements []planStatement `json:"statements"`
}

type planStatement struct {
	SQL    string      `json:"sql"`
	Line   int         `json:"line"`
	Stages []planStage `json:"stages"`
	Advice []string    `json:"advice,omitempty"`
}

type planStage struct {
	ID          int        `json:"id"`
	Name        string     `json:"name"`
	Parallelism int        `json:"parallelism"`
	Nodes       []planNode `json:"nodes"`
	In          []planEdge `json:"in,omitempty"`
}

// planNode is an operator. Its inputs are nodes of its stage; what edges bring stands in the stage.
type planNode struct {
	ID      int    `json:"id"`
	Kind    string `json:"kind"` // source, operator or sink
	Text    string `json:"text"`
	Changes string `json:"changes,omitempty"`
	Inputs  []int  `json:"inputs,omitempty"`
}

type planEdge struct {
	FromStage    int    `json:"from_stage"`
	FromNode     int    `json:"from_node"`
	ToNode       int    `json:"to_node"`
	Partitioning string `json:"partitioning"`
}

// stagesOf is a job as a document.
func stagesOf(g *graph.Graph) (out []planStage) {
	for i, s := range g.Stages {
		p := planStage{ID: i, Name: s.Name, Parallelism: s.Parallelism}
		for k, n := range s.Nodes {
			node := planNode{ID: k, Kind: "operator", Text: n.String(), Changes: n.Changes}
			switch {
			case n.Source != nil:
				node.Kind = "source"
			case n.Sink != nil:
				node.Kind = "sink"
			}
			for _, in := range n.Inputs {
				if in != graph.FromEdge {
					node.Inputs = append(node.Inputs, in)
				}
			}
			p.Nodes = append(p.Nodes, node)
		}
		for _, e := range s.In {
			p.In = append(p.In, planEdge{e.From, e.FromNode, e.To, e.String()})
		}
		out = append(out, p)
	}
	return out
}

// planFormats are the ways of drawing plans besides text.
var planFormats = map[string]func(io.Writer, *planDocument) error{"json": writePlanJSON, "dot": writePlanDot, "mermaid": writePlanMermaid}

func writePlanJSON(w io.Writer, d *planDocument) error { return writeJSON(w, d) }

// each calls f for each stage and g for each way that rows go, from the end of one name to another.
func (d *planDocument) each(open func(name, title string, s *planStage), node func(name string, n *planNode), shut func(),
	way func(from, to, label string)) {
	name := func(statement, stage, node int) string { return fmt.Sprintf("q%ds%dn%d", statement, stage, node) }
	for q, st := range d.Statements {
		for i := range st.Stages {
			s := &st.Stages[i]
			open(fmt.Sprintf("q%ds%d", q, i), fmt.Sprintf("Stage %d: %s, parallelism %d", s.ID, s.Name, s.Parallelism), s)
			for k := range s.Nodes {
				node(name(q, i, k), &s.Nodes[k])
			}
			shut()
		}
		for i, s := range st.Stages {
			for k, n := range s.Nodes {
				for _, in := range n.Inputs {
					way(name(q, i, in), name(q, i, k), "")
				}
			}
			for _, e := range s.In {
				way(name(q, e.FromStage, e.FromNode), name(q, i, e.ToNode), e.Partitioning)
			}
		}
	}
}

func writePlanDot(w io.Writer, d *planDocument) error {
	var b strings.Builder
	quote := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
	}
	b.WriteString("digraph plan {\n  node [shape=box];\n")
	d.each(func(name, title string, _ *planStage) {
		fmt.Fprintf(&b, "  subgraph cluster_%s {\n    label=%s;\n", name, quote(title))
	}, func(name string, n *planNode) {
		fmt.Fprintf(&b, "    %s [label=%s];\n", name, quote(n.Text))
	}, func() { b.WriteString("  }\n") }, func(from, to, label string) {
		fmt.Fprintf(&b, "  %s -> %s", from, to)
		if label != "" {
			fmt.Fprintf(&b, " [label=%s]", quote(label))
		}
		b.WriteString(";\n")
	})
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func writePlanMermaid(w io.Writer, d *planDocument) error {
	var b strings.Builder
	quote := func(s string) string {
		return `"` + strings.NewReplacer("#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "\n", " ").Replace(s) + `"`
	}
	b.WriteString("flowchart TD\n")
	d.each(func(name, title string, _ *planStage) {
		fmt.Fprintf(&b, "  subgraph %s[%s]\n", name, quote(title))
	}, func(name string, n *planNode) {
		fmt.Fprintf(&b, "    %s[%s]\n", name, quote(n.Text))
	}, func() { b.WriteString("  end\n") }, func(from, to, label string) {
		if label != "" {
			label = "|" + quote(label) + "|"
		}
		fmt.Fprintf(&b, "  %s -->%s %s\n", from, label, to)
	})
	_, err := io.WriteString(w, b.String())
	return err
}
