package physical

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/graph"
	"streamsql/exec/op"
)

// eachWatermark has watermarks follow every row where a calculation shows them: where each is sent, batches are cut at each, or
// the value that a row sees would depend on them.
func eachWatermark(g *graph.Graph) {
	if g.Exchange.Interval > 0 || !shows(g) {
		return
	}
	for _, s := range g.Stages {
		for _, n := range s.Nodes {
			if w, ok := n.Op.(*op.Watermark); ok {
				w.Each = true
			}
		}
	}
}

// shows tells whether a calculation of g reads the watermark.
func shows(g *graph.Graph) bool {
	found := false
	for _, s := range g.Stages {
		for _, n := range s.Nodes {
			c, ok := n.Op.(*op.Calc)
			if !ok {
				continue
			}
			for _, e := range slices.Concat(c.Where, c.Exprs) {
				expr.Walk(e, func(x expr.Expr) bool {
					call, ok := x.(*expr.Call)
					found = found || ok && call.Fn.Watermark
					return !found
				})
			}
		}
	}
	return found
}
