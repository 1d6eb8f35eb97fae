package planner

import (
	"slices"

	"streamsql/planner/logical"
)

// advice names what a job will do at a cost that its text may not show, each once.
func advice(plans []logical.Plan) []string {
	var out []string
	for _, p := range plans {
		logical.Rewrite(p, func(p logical.Plan) logical.Plan {
			if j, ok := p.(*logical.Join); ok && crossed(j) {
				text := "a join without an equality between its sides compares each row with all of the other side, in one subtask: " + j.String()
				if !slices.Contains(out, text) {
					out = append(out, text)
				}
			}
			return p
		})
	}
	return out
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
