package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// advice names what a job will do that its text may not show, each once.
func advice(plans []logical.Plan) []string {
	var out []string
	for _, p := range plans {
		logical.Rewrite(p, func(p logical.Plan) logical.Plan {
			text := ""
			switch x := p.(type) {
			case *logical.Join:
				if crossed(x) {
					text = "a join without an equality between its sides compares each row with all of the other side, in one subtask: " + x.String()
				}
			case *logical.Aggregate:
				if given, missing := halfWindow(x); missing != "" {
					text = "GROUP BY " + given + " without " + missing + " is no grouping by windows: results change as rows come, and are kept for ever; write " +
						"GROUP BY window_start, window_end: " + x.String()
				}
			}
			if text != "" && !slices.Contains(out, text) {
				out = append(out, text)
			}
			return p
		})
	}
	return out
}

// halfWindow finds a bound of windows among the keys of a grouping, over rows that stay, that has not the other bound
// beside it: the names of both.
func halfWindow(a *logical.Aggregate) (given, missing string) {
	if a.AtEnd || logical.Retracts(a.Input) {
		return "", ""
	}
	for _, k := range a.Keys {
		c, ok := k.(*expr.Column)
		if !ok {
			continue
		}
		switch s, ok := logical.WindowOf(a.Input, c.Index); {
		case ok && s.Column == op.WindowStart:
			return s.Column.String(), op.WindowEnd.String()
		case ok && s.Column == op.WindowEnd:
			return s.Column.String(), op.WindowStart.String()
		}
	}
	return "", ""
}

// crossed tells a join whose rows are not looked up by keys, unless a side has one row at most, as that of an EXISTS
// without conditions.
func crossed(j *logical.Join) bool {
	if len(j.Keys().Left) > 0 || j.Kind.Halves() && j.Cond == nil {
		return false
	}
	one := func(p logical.Plan) bool { return logical.ChangesOf(p).HasKey(nil) }
	return !one(j.Left) && !one(j.Right)
}
