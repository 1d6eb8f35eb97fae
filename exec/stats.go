package exec

import (
	"slices"
	"sync"
	"time"

	"streamsql/exec/network"
	"streamsql/exec/op"
	"streamsql/exec/state"
	"streamsql/exec/types"
)

// Stats are the counters of a job, those of nodes summed over its subtasks.
type Stats struct {
	// Wall is the time since the start, up to the end if there was one.
	Wall time.Duration
	// Idle is the time that tasks waited for input.
	Idle  time.Duration
	Nodes []NodeStats
	Edges []EdgeStats
	Tasks []TaskStats
	// Inputs are the sources, in the order of the graph.
	Inputs []InputStats
	inputs [][2]int // where they stand
	// Checkpoints is nil for a job without them.
	Checkpoints *CheckpointStats
	// Restarts is how often the job was started again after a failure; the other counters are of the last start.
	Restarts int
}

// CheckpointStats are about the checkpoints of this start of a job. Pause is the longest time that a task stood
// still for one, Longest the longest from its trigger to its end. Bytes are those that tasks wrote.
type CheckpointStats struct {
	Completed, Failed int
	// Restored is the number of the one that the job went on from, 0 for none.
	Restored int64
	Bytes    int64
	// Savepoint is the path of the one that the job was stopped with.
	Savepoint      string
	Pause, Longest time.Duration
}

// NodeStats are the counters of one node of the graph.
type NodeStats struct {
	Stage, Node int
	Name        string
	Counters
	// Watermark is the least that a subtask has passed on.
	Watermark types.EventTime
	// Source and Sink say that rows come from it, or end in it.
	Source, Sink bool
	// Tables are those of the operator's state when it took the most memory, in each subtask by itself; tables
	// of one name, and those of slices of time, are added up.
	Tables []state.Usage
	// Noted is what the operator, or the reader, counts for its user: late rows, unmatched retractions, rows that were not readable.
	Noted []op.Counter
	// Waits says that the operator holds results back, the next of them until WaitsFor.
	Waits    bool
	WaitsFor types.EventTime
	// Delays says that the operator makes the watermark by an expression over the rowtime, such as a time before it.
	Delays bool
}

// note adds counters by name.
func (n *NodeStats) note(list []op.Counter) {
	for _, c := range list {
		at := slices.IndexFunc(n.Noted, func(x op.Counter) bool { return x.Name == c.Name })
		if at < 0 {
			n.Noted = append(n.Noted, c)
			continue
		}
		n.Noted[at].Value += c.Value
	}
}

// Counters count what went through an operator. Busy is the time spent in the operator itself, without
// those that it calls. Batches are those taken in, or made in the case of a source.
type Counters struct {
	RowsIn, RowsOut, Batches int64
	Busy                     time.Duration
}

// EdgeStats are the counters of an edge.
type EdgeStats struct {
	Stage, Edge int // that it leads to, and its position there
	Name        string
	RowsIn      int64 // written
	RowsOut     int64 // read
	// Sending and Receiving is the time spent in putting rows into buffers and in taking them out.
	Sending, Receiving time.Duration
	// Outputs and Inputs are by subtask.
	Outputs []network.WriterStats
	Inputs  []network.GateStats
}

// TaskStats say what a task did with its time. Soft is back-pressure before the next batch, Hard within one.
type TaskStats struct {
	Stage, Subtask         int
	Busy, Idle, Soft, Hard time.Duration
}

// Bottleneck is the first task along the flow that is busy most of its time and is not held up by others, or
// nil.
func (s *Stats) Bottleneck() *TaskStats {
	for i := range s.Tasks {
		t := &s.Tasks[i]
		all := t.Busy + t.Idle + t.Soft + t.Hard
		if t.Busy > all/2 && t.Soft+t.Hard < all/10 {
			return t
		}
	}
	return nil
}

// published are the counters of a task as others may see them. The task copies its own into it now and
// then, so that counting needs no atomics.
type published struct {
	at time.Duration // known to the task alone

	mu            sync.Mutex
	nodes         []Counters
	marks         []types.EventTime
	noted         [][]op.Counter
	waits         []types.EventTime // MaxTime where nothing does
	tables        []tablesAt
	exits, inlets []Counters
	sources       []inputAt
	busy          time.Duration
	idle, pressed time.Duration
}

func (t *task) publish() {
	p := &t.published
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at, p.idle, p.pressed = t.clock, t.idle.Busy, t.pressed.Busy
	p.busy = t.clock - p.idle - p.pressed
	p.nodes, p.marks, p.exits, p.inlets = p.nodes[:0], p.marks[:0], p.exits[:0], p.inlets[:0]
	p.noted, p.waits = p.noted[:0], p.waits[:0]
	p.lookAt(t)
	if p.tables == nil {
		p.tables = make([]tablesAt, len(t.nodes))
	}
	for i, n := range t.nodes {
		p.tables[i].look(n.store)
		p.noted, p.waits = append(p.noted, n.counted()), append(p.waits, n.waitsFor())
		p.nodes, p.marks = append(p.nodes, n.Counters), append(p.marks, n.passed)
	}
	for _, x := range t.exits {
		p.exits = append(p.exits, x.place.Counters)
	}
	for _, g := range t.inlets {
		p.inlets = append(p.inlets, g.place.Counters)
	}
}

// Stats tells the counters, of a running job as they stood a moment ago.
func (j *Job) Stats() Stats {
	s := Stats{Wall: time.Since(j.started)}
	select {
	case <-j.done:
		s.Wall = j.wall
	default:
	}
	nodes, edges := make([]int, len(j.graph.Stages)), make([]int, len(j.graph.Stages))
	for i, stage := range j.graph.Stages {
		nodes[i], edges[i] = len(s.Nodes), len(s.Edges)
		for k, n := range stage.Nodes {
			s.Nodes = append(s.Nodes, NodeStats{Stage: i, Node: k, Name: n.String(), Watermark: types.MaxTime, Delays: op.Delays(n.Op),
				Source: n.Source != nil, Sink: n.Sink != nil})
			if n.Source != nil {
				s.addInput(i, k, n.Source)
			}
		}
		for k := range stage.In {
			s.Edges = append(s.Edges, EdgeStats{Stage: i, Edge: k, Name: stage.In[k].String()})
		}
	}
	if c := j.checkpoints; c != nil {
		c.mu.Lock()
		counts := c.stats
		c.mu.Unlock()
		s.Checkpoints = &counts
	}
	for _, t := range j.tasks {
		t.addTo(&s, s.Nodes[nodes[t.stage]:], edges)
	}
	return s
}

func (t *task) addTo(s *Stats, nodes []NodeStats, edges []int) {
	p := &t.published
	p.mu.Lock()
	defer p.mu.Unlock()
	t.addInputs(s)
	for i, c := range p.nodes {
		nodes[i].add(c)
		nodes[i].Watermark = min(nodes[i].Watermark, p.marks[i])
		nodes[i].note(p.noted[i])
		if at := p.waits[i]; at < types.MaxTime && (!nodes[i].Waits || at < nodes[i].WaitsFor) {
			nodes[i].Waits, nodes[i].WaitsFor = true, at
		}
		nodes[i].Tables = addTables(nodes[i].Tables, p.tables[i].tables)
	}
	if p.nodes == nil {
		for i := range t.nodes {
			nodes[i].Watermark = types.MinTime
		}
	}
	of := TaskStats{Stage: t.stage, Subtask: t.subtask, Busy: p.busy, Idle: p.idle, Soft: p.pressed}
	for i, x := range t.exits {
		e, w := &s.Edges[edges[x.stage]+x.at], x.writer.Stats()
		e.Outputs = append(e.Outputs, w)
		of.Hard += w.Blocked
		if i < len(p.exits) {
			e.RowsIn += p.exits[i].RowsOut
			e.Sending += max(p.exits[i].Busy-w.Blocked, 0)
		}
	}
	of.Busy = max(of.Busy-of.Hard, 0)
	for i, g := range t.inlets {
		e := &s.Edges[edges[t.stage]+g.edge]
		e.Inputs = append(e.Inputs, g.gate.Stats())
		if i < len(p.inlets) {
			e.RowsOut += p.inlets[i].RowsIn
			e.Receiving += p.inlets[i].Busy
		}
	}
	s.Idle += p.idle
	s.Tasks = append(s.Tasks, of)
}

func (c *Counters) add(o Counters) {
	c.RowsIn += o.RowsIn
	c.RowsOut += o.RowsOut
	c.Batches += o.Batches
	c.Busy += o.Busy
}
