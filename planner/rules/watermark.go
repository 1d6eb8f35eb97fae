package rules

import (
	"streamsql/exec/connector"
	"streamsql/exec/expr"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner/logical"
)

// pushWatermark gives the watermark to a source that makes it itself. Only then may conditions go below
// it, since rows that a filter drops move the watermark too.
func pushWatermark(c *Context, p logical.Plan) logical.Plan {
	if c.Open == nil {
		return p
	}
	return logical.Rewrite(p, func(p logical.Plan) logical.Plan {
		w, ok := p.(*logical.Watermark)
		if !ok {
			return p
		}
		delay, ok := delayOf(w)
		if !ok {
			return p
		}
		rowtime := expr.Expr(&expr.Column{Index: w.Column, T: w.Input.Schema()[w.Column].Type})
		scan := w.Input
		project, computed := w.Input.(*logical.Project)
		if computed {
			rowtime = project.Exprs[w.Column]
			scan = project.Input
		}
		s, ok := scan.(*logical.Scan)
		if !ok || s.Rowtime != nil {
			return p
		}
		source, err := c.Open(s)
		if err != nil || !source.Push(connector.Request{Limit: -1, Rowtime: rowtime, Delay: delay}).Watermark {
			return p
		}
		taken := *s
		taken.Rowtime, taken.Delay = rowtime, delay
		if !computed {
			taken.Columns = w.Schema()
			return &taken
		}
		return &logical.Project{Input: &taken, Exprs: project.Exprs, Columns: w.Schema()}
	})
}

// delayOf reads a watermark of the form `rowtime` or `rowtime - INTERVAL …` in milliseconds.
func delayOf(w *logical.Watermark) (int64, bool) {
	if isColumn(w.Expr, w.Column) {
		return 0, true
	}
	call, ok := w.Expr.(*expr.Call)
	if ok && call.Fn.Name == "CAST" {
		call, ok = call.List[0].(*expr.Call)
	}
	if !ok || call.Fn.Name != "-" || len(call.List) != 2 || !isColumn(call.List[0], w.Column) {
		return 0, false
	}
	k, ok := call.List[1].(*expr.Const)
	if !ok || k.T.Kind != types.IntervalDay || k.Value.IsConstNull() {
		return 0, false
	}
	return vector.Value[int64](k.Value, 0), true
}

func isColumn(e expr.Expr, i int) bool {
	c, ok := e.(*expr.Column)
	return ok && c.Index == i
}
