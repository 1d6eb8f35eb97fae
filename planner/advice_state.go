package planner

import (
	"slices"

	"streamsql/planner/logical"
)

// stateAdvice names the joins that keep rows for ever, each once: neither windows, nor an interval, nor a bound that a rule
// found, nor a time to live ends their state.
func (s *Session) stateAdvice(plans []logical.Plan) []string {
	if s.Settings().StateTTL > 0 {
		return nil
	}
	var out []string
	for _, p := range logical.Nodes(plans...) {
		kept := ""
		switch x := p.(type) {
		case *logical.Join:
			kept = keptSides(x)
		case *logical.MultiJoin:
			kept = "all its inputs"
		}
		if kept == "" {
			continue
		}
		text := "a join keeps the rows of " + kept + " for ever, unless event times in its condition bound how long they find partners, " +
			"or 'table.exec.state.ttl' is set: " + p.String()
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// keptSides says which inputs of a join no time ends, or nothing.
func keptSides(x *logical.Join) string {
	in := []logical.Changes{logical.ChangesOf(x.Left), logical.ChangesOf(x.Right)}
	if x.AtEnd || x.Windowed(in) || x.Once(in) {
		return ""
	}
	var kept [2]bool
	for side := range kept {
		kept[side] = len(x.Until[side]) == 0 && x.TTL[side] <= 0 && !in[side].HasKey(nil) // one row is not many
	}
	switch kept {
	case [2]bool{true, true}:
		return "both its inputs"
	case [2]bool{true, false}:
		return "its left input"
	case [2]bool{false, true}:
		return "its right input"
	}
	return ""
}
