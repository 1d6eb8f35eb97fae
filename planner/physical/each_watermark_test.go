package physical

import (
	"testing"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/exec/types"
)

// TestEachWatermark: watermarks follow every row where they are sent at once and something shows them, below other calls too.
func TestEachWatermark(t *testing.T) {
	time3 := types.TimestampOf(3)
	shown := call(bigint, "EXTRACT", call(time3, "CURRENT_WATERMARK", at))
	for _, c := range []struct {
		interval time.Duration
		expr     expr.Expr
		each     bool
	}{{0, shown, true}, {0, at, false}, {time.Second, shown, false}} {
		w := &op.Watermark{Column: 1, Name: "t", Expr: at}
		g := &graph.Graph{Stages: []*graph.Stage{{Nodes: []graph.Node{{Op: w}, {Op: &op.Calc{Exprs: []expr.Expr{two, c.expr}}}}}}}
		g.Exchange.Interval = c.interval
		eachWatermark(g)
		if w.Each != c.each {
			t.Errorf("%s every %v: each is %v", c.expr, c.interval, w.Each)
		}
	}
}
