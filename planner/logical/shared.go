package logical

import (
	"fmt"
	"strings"
)

// Nodes lists every node of plans once, inputs in front of all that read them.
func Nodes(plans ...Plan) []Plan {
	var out []Plan
	seen := map[Plan]bool{}
	var visit func(p Plan)
	visit = func(p Plan) {
		if seen[p] {
			return
		}
		seen[p] = true
		for _, in := range p.Inputs() {
			visit(in)
		}
		out = append(out, p)
	}
	for _, p := range plans {
		visit(p)
	}
	return out
}

// Readers counts for every node of a job's plans the places where it stands.
func Readers(plans []Plan) map[Plan]int {
	n := map[Plan]int{}
	for _, p := range plans {
		n[p]++
	}
	for _, p := range Nodes(plans...) {
		for _, in := range p.Inputs() {
			n[in]++
		}
	}
	return n
}

// ExplainShared draws the plans of a job whose nodes are shared. A node that stands in several places has a
// number at the first one, and only that at the others.
func ExplainShared(plans []Plan) string {
	x := sharedText{readers: Readers(plans), numbers: map[Plan]int{}}
	for _, p := range plans {
		x.node(p, 0)
	}
	return x.String()
}

type sharedText struct {
	strings.Builder
	readers, numbers map[Plan]int
}

func (x *sharedText) node(p Plan, depth int) {
	indent(&x.Builder, depth)
	if n, again := x.numbers[p]; again {
		fmt.Fprintf(x, "Reused(reference_id=[%d])\n", n)
		return
	}
	x.WriteString(p.String())
	if x.readers[p] > 1 {
		x.numbers[p] = len(x.numbers) + 1
		fmt.Fprintf(x, "(reuse_id=[%d])", x.numbers[p])
	}
	x.WriteByte('\n')
	for _, in := range p.Inputs() {
		x.node(in, depth+1)
	}
}
