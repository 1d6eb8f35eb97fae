package exec

import (
	"streamsql/exec/checkpoint"
	"streamsql/exec/op"
)

// What operators count for their user is of the whole job: a start adds what the ones before it had counted.

// counts lists what the operators of a task have counted.
func (t *task) counts() []checkpoint.Count {
	var out []checkpoint.Count
	for _, n := range t.nodes {
		c, ok := n.op.(op.Counted)
		if !ok {
			continue
		}
		for _, k := range n.counted(c) {
			out = append(out, checkpoint.Count{Place: n.place(), Name: k.Name, Value: k.Value})
		}
	}
	return out
}

// counted is what a node's operator counts, with what it had counted before.
func (n *node) counted(c op.Counted) []op.Counter {
	if len(n.before) == 0 {
		return c.Counters()
	}
	var sum NodeStats
	sum.note(c.Counters())
	sum.note(n.before)
	return sum.Noted
}

// restoreCounts gives the first subtask what all had counted.
func (t *task) restoreCounts(m *checkpoint.Metadata) {
	if t.subtask > 0 {
		return
	}
	for _, n := range t.nodes {
		for _, c := range m.CountsOf(t.stage, n.index) {
			n.before = append(n.before, op.Counter{Name: c.Name, Value: c.Value})
		}
	}
}
