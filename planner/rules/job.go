package rules

import "streamsql/planner/logical"

// JobRule is a rewrite that sees all plans of a job.
type JobRule struct {
	Name, Doc string
	Apply     func(c *Context, plans []logical.Plan) []logical.Plan
}

// ShareSubplans is the name of the rule that makes nodes shared; without it each reader has its own.
const ShareSubplans = "share-subplans"

// Job is the order of the rules that come behind All.
var Job = []JobRule{
	{"merge-groupings", "groups once by windows where groupings differ in the window columns that they show", mergeGroupings},
	{ShareSubplans, "runs a subplan once that stands in several places of a job", shareSubplans},
}

// OptimizeJob applies all rules in order to the plans of one job.
func OptimizeJob(c *Context, plans []logical.Plan) []logical.Plan {
	out := make([]logical.Plan, len(plans))
	for i, p := range plans {
		out[i] = Optimize(c, p)
	}
	for _, r := range Job {
		if !c.Off[r.Name] {
			out = r.Apply(c, out)
		}
	}
	return out
}

// Docs lists name and meaning of all rules, in their order.
func Docs() [][2]string {
	var out [][2]string
	for _, r := range All {
		out = append(out, [2]string{r.Name, r.Doc})
	}
	for _, r := range Job {
		out = append(out, [2]string{r.Name, r.Doc})
	}
	return out
}
