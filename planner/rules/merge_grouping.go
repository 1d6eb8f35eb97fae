package rules

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// mergeGroupings makes groupings of the same rows by the same keys and windows equal that differ in the window columns
// that they show: each shows all of them, below a projection to those that it had, and sharing makes them one.
func mergeGroupings(c *Context, plans []logical.Plan) []logical.Plan {
	if c.Off[ShareSubplans] {
		return plans
	}
	s := newSharing()
	s.scans(c, plans)
	shared := make([]logical.Plan, len(plans))
	for i, p := range plans {
		shared[i], _ = s.node(p)
	}
	shown, differ := map[string][]op.WindowColumn{}, false
	for _, p := range logical.Nodes(shared...) {
		x, ok := p.(*logical.WindowAggregate)
		if !ok {
			continue
		}
		key := s.grouping(x)
		all, known := shown[key]
		for _, k := range x.Shown {
			if !slices.Contains(all, k) {
				differ = differ || known
				all = append(all, k)
			}
		}
		differ = differ || len(x.Shown) < len(all)
		shown[key] = all
	}
	if !differ {
		return plans
	}
	for i, p := range shared {
		shared[i] = s.showAll(p, shown, map[logical.Plan]logical.Plan{})
	}
	return shared
}

// grouping tells a grouping but for the window columns that it shows.
func (s *sharing) grouping(x *logical.WindowAggregate) string {
	bare := *x
	bare.Shown, bare.Columns = nil, x.Columns[:x.Width()]
	key, _ := s.fingerprint(&bare)
	return key
}

// showAll replaces the groupings in p.
func (s *sharing) showAll(p logical.Plan, shown map[string][]op.WindowColumn, done map[logical.Plan]logical.Plan) logical.Plan {
	if q, ok := done[p]; ok {
		return q
	}
	q, changed := p, false
	inputs := make([]logical.Plan, len(p.Inputs()))
	for i, in := range p.Inputs() {
		inputs[i] = s.showAll(in, shown, done)
		changed = changed || inputs[i] != in
	}
	if changed {
		q = p.With(inputs)
	}
	if x, ok := p.(*logical.WindowAggregate); ok {
		if all := shown[s.grouping(x)]; !slices.Equal(all, x.Shown) {
			q = showOf(x, q.Inputs()[0], all)
		}
	}
	done[p] = q
	return q
}

// showOf is a grouping, over its input as it is now, by way of one that shows all.
func showOf(x *logical.WindowAggregate, in logical.Plan, all []op.WindowColumn) logical.Plan {
	whole := logical.NewWindowAggregate(in, x.Window, x.Time, x.Keys, x.Calls, all)
	for i := range x.Width() {
		whole.Columns[i] = x.Columns[i]
	}
	out := &logical.Project{Input: whole, Columns: x.Columns}
	for i, c := range x.Columns {
		at := i
		if i >= x.Width() {
			at = x.Width() + slices.Index(all, x.Shown[i-x.Width()])
		}
		out.Exprs = append(out.Exprs, &expr.Column{Index: at, Name: c.Name, T: c.Type})
	}
	return out
}
