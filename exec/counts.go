package exec

import (
	"streamsql/exec/checkpoint"
	"streamsql/exec/connector"
	"streamsql/exec/op"
)

// What operators and readers count for their user is of the whole job: a start adds what the ones before it had counted.

// counts lists what the operators of a task have counted.
func (t *task) counts() []checkpoint.Count {
	var out []checkpoint.Count
	for _, n := range t.nodes {
		for _, k := range n.counted() {
			out = append(out, checkpoint.Count{Place: n.place(), Name: k.Name, Value: k.Value})
		}
	}
	return out
}

// counted is what a node's operator, or its reader, counts, with what was counted before.
func (n *node) counted() []op.Counter {
	var now []op.Counter
	if c, ok := n.op.(op.Counted); ok {
		now = c.Counters()
	} else if c, ok := n.reader.(connector.Counted); ok {
		for _, k := range c.Counters() {
			now = append(now, op.Counter(k))
		}
	}
	if len(n.before) == 0 {
		return now
	}
	var sum NodeStats
	sum.note(now)
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
