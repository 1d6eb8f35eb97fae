package planner

import (
	"slices"
	"strings"

	"streamsql/exec/graph"
	"streamsql/planner/logical"
)

// stateAdvice names the operators whose state grows as long as the job runs, each once: neither windows, nor an
// interval, nor a bound that a rule found, nor a time to live ends it. Patterns have no time to live.
func (s *Session) stateAdvice(plans []logical.Plan, g *graph.Graph) []string {
	if !g.Endless() { // what ends keeps nothing for ever
		return nil
	}
	var out []string
	for _, p := range logical.Nodes(plans...) {
		text := kept(p)
		switch m, match := p.(*logical.Match); {
		case match && m.Within == 0:
			text = "a pattern keeps the rows of matches that have begun for ever, unless WITHIN bounds their time: "
		case text == "" || s.Settings().StateTTL > 0:
			continue
		default:
			text += ", or 'table.exec.state.ttl' is set: "
		}
		if text += p.String(); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// kept says what a node keeps for ever and what but a time to live would end that, or nothing.
func kept(p logical.Plan) string {
	const byWindow = " for ever, unless both bounds of a window are among its keys"
	switch x := p.(type) {
	case *logical.Join:
		if sides := keptSides(x); sides != "" {
			return "a join keeps " + sides + " for ever, unless event times in its condition bound how long they find partners"
		}
	case *logical.MultiJoin:
		return "a join keeps the rows of all its inputs for ever, unless event times in its condition bound how long they find partners"
	case *logical.Aggregate:
		if !x.AtEnd && len(x.Keys) > 0 && len(x.Until) == 0 {
			return "an aggregation keeps a group per key" + byWindow
		}
	case *logical.Deduplicate:
		return "a deduplication keeps each key" + byWindow
	case *logical.Rank:
		switch {
		case x.AtEnd || x.Windowed() || len(x.Until) > 0:
		case !logical.ChangesOf(x.Input).Stays:
			return "a ranking keeps all rows, since those before them may go," + byWindow
		case x.To == logical.Unlimited && len(x.Order) > 0:
			return "a ranking keeps all rows, since places have no end," + byWindow
		case len(x.Partition) > 0:
			return "a ranking keeps the first rows of each partition" + byWindow
		}
	case *logical.Over:
		if !x.AtEnd && (x.Time() == logical.NoTime || !logical.ChangesOf(x.Input).Stays) {
			return "an OVER aggregation keeps all rows for ever, unless it is ordered by a time attribute of rows that stay"
		}
	}
	return ""
}

// keptSides says which rows of a join no time ends, or nothing. Where one side has no two rows with a key, those of the
// other go when they find their partner.
func keptSides(x *logical.Join) string {
	in := []logical.Changes{logical.ChangesOf(x.Left), logical.ChangesOf(x.Right)}
	if x.AtEnd || x.Windowed(in) || x.Once(in) || x.ProctimeTTL() > 0 {
		return ""
	}
	const all, waiting = "the rows of ", " that have found no partner yet"
	names := [2]string{"its left input", "its right input"}
	var texts []string
	var waits [2]bool
	for side, name := range names {
		if len(x.Until[side]) > 0 || x.TTL[side] > 0 || in[side].HasKey(nil) { // one row is not many
			continue
		}
		text := all + name
		if waits[side] = len(x.Unique[1-side]) > 0; waits[side] {
			text += waiting
		}
		texts = append(texts, text)
	}
	switch {
	case len(texts) < 2:
		return strings.Join(texts, "")
	case waits == [2]bool{}:
		return all + "both its inputs"
	case waits == [2]bool{true, true}:
		return all + "both its inputs" + waiting
	}
	return texts[0] + " and " + texts[1]
}
