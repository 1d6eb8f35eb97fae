// Package checkpoint keeps the checkpoints of a job in a directory: it writes them so that each is there
// whole or not at all, finds the one to go on from, and says exactly what is wrong with a damaged one.
//
// A directory holds `job` (the job's id), `lock`, one metadata file `chk-N` per retained checkpoint and
// hidden data files that carry the job's id. A data file holds blocks; a later checkpoint may name blocks
// that an earlier one wrote.
//
// A savepoint is one checkpoint in a directory of its own, which names nothing outside of it: it belongs to
// the user, may be copied and read by several jobs, and is never changed here.
//
// It does not know tasks, operators, plans, sinks or what the bytes of a block mean. It never reads the
// clock.
//
// Invariants (the C numbers are the design's):
//
//	K1 the rename of a metadata file is the only commit point: everything that it names is durable before,
//	   and nothing is deleted that a metadata file in the directory names.
//	K2 the number of a checkpoint is used once by a process, completed or not, and is above all that the
//	   directory tells of.
//	K3 an outcome that is not known (Uncertain) is told as such: it is neither committed nor undone here.
//	C1 only hidden files that carry the job's own id are deleted, and the metadata files of this job that
//	   are no longer retained.
//	C2 a damaged checkpoint is refused with file, offset and failed check; nothing was changed before.
//	C3 a directory that cannot be read is never taken for a first start, nor is one whose completed checkpoints
//	   somebody took away (Gone): an empty hidden file says that there were some.
//	C4 the job's id is durable before Open returns.
//	C5 one process at a time; the error names the holder.
package checkpoint

import "slices"

// Place is a node of the plan in one subtask.
type Place struct {
	Stage, Node, Subtask int
}

// Span is a range of key groups: From is the first, To the one after the last.
type Span struct {
	From, To int
}

// Block is opaque bytes of a place, as the metadata lists them. Blocks of one place keep their order.
type Block struct {
	Place
	// Table names what the bytes belong to.
	Table string
	// Groups are the key groups that occur in the block, in order; nil for what is not keyed.
	Groups []Span

	// File, Offset and Stored say where the bytes are; Length is what they are without compression and
	// Sum the checksum of the frame. Data.Append sets them.
	File           string
	Offset         int64
	Stored, Length int
	Sum            uint32
}

// Split is a part of the input and where its reader stood.
type Split struct {
	Place
	ID       string
	Position []byte
	// Ended says that it was read to its end.
	Ended bool
}

// Mark is a named point of event time: the watermark of an input, of a channel, of what was emitted.
type Mark struct {
	Place
	Name string
	Time int64
	Idle bool
}

// Count is what an operator had counted for its user in all runs of the job, such as late rows.
type Count struct {
	Place
	Name  string
	Value int64
}

// Committable is what a sink's writer prepared in the checkpoint.
type Committable struct {
	Place
	Data []byte
}

// Metadata is a checkpoint.
type Metadata struct {
	Epoch int64
	// Began is when the checkpoint was triggered, in milliseconds since 1970; the store only keeps it.
	Began int64
	// Finished says that the job's input had ended: nothing is left to run.
	Finished bool
	// Name tells the job from the others of its script; may be empty.
	Name string
	// Plan is the text of the plan without parallelisms; a checkpoint goes with no other plan. Operators are its
	// nodes as they stood then.
	Plan      string
	Operators []Operator
	// MaxParallelism is the number of key groups.
	MaxParallelism int
	// Watermark is event time at the sinks.
	Watermark int64

	Splits       []Split
	Marks        []Mark
	Counts       []Count
	Committables []Committable
	Blocks       []Block
}

// BlocksOf lists the blocks of a node that its subtask needs at a parallelism, the keyed ones by their key
// groups. A block may hold other groups too: the reader keeps what it owns. What is not keyed goes to the
// subtask of the same number, round robin if there are fewer now.
func (m *Metadata) BlocksOf(stage, node, subtask, parallelism int) []Block {
	own := SpanOf(subtask, parallelism, m.MaxParallelism)
	var out []Block
	for _, b := range m.Blocks {
		if b.Stage != stage || b.Node != node {
			continue
		}
		mine := b.Subtask%parallelism == subtask
		if b.Groups != nil {
			mine = slices.ContainsFunc(b.Groups, own.overlaps)
		}
		if mine {
			out = append(out, b)
		}
	}
	return out
}

// MarksOf gives the marks of a node for one of its subtasks at a parallelism: the least over all earlier
// subtasks, so that nothing that was late becomes timely and nothing is fired twice, or its own if the
// parallelism is as it was. A mark is idle if it was so everywhere.
func (m *Metadata) MarksOf(stage, node, subtask, parallelism int) []Mark {
	same := m.Parallelism(stage, node) == parallelism
	var out []Mark
	for _, k := range m.Marks {
		if k.Stage != stage || k.Node != node || same && k.Subtask != subtask {
			continue
		}
		i := slices.IndexFunc(out, func(o Mark) bool { return o.Name == k.Name })
		if i < 0 {
			k.Subtask = subtask
			out = append(out, k)
			continue
		}
		out[i].Time, out[i].Idle = min(out[i].Time, k.Time), out[i].Idle && k.Idle
	}
	return out
}

// Parallelism is the number of subtasks of a node that left marks.
func (m *Metadata) Parallelism(stage, node int) int {
	n := 0
	for _, k := range m.Marks {
		if k.Stage == stage && k.Node == node {
			n = max(n, k.Subtask+1)
		}
	}
	return n
}

// CountsOf gives what the subtasks of a node had counted, summed by name.
func (m *Metadata) CountsOf(stage, node int) []Count {
	var out []Count
	for _, c := range m.Counts {
		if c.Stage != stage || c.Node != node {
			continue
		}
		i := slices.IndexFunc(out, func(o Count) bool { return o.Name == c.Name })
		if i < 0 {
			out = append(out, c)
			continue
		}
		out[i].Value += c.Value
	}
	return out
}

// SplitsOf lists the splits of a source: the first of each subtask, then the second of each. Dealt out to as many
// subtasks again, each gets its own.
func (m *Metadata) SplitsOf(stage, node int) []Split {
	var turns [][]Split
	had := map[int]int{}
	for _, s := range m.Splits {
		if s.Stage != stage || s.Node != node {
			continue
		}
		turn := had[s.Subtask]
		had[s.Subtask]++
		if turn == len(turns) {
			turns = append(turns, nil)
		}
		turns[turn] = append(turns[turn], s)
	}
	return slices.Concat(turns...)
}

// CommittablesOf lists what the writers of a sink prepared.
func (m *Metadata) CommittablesOf(stage, node int) [][]byte {
	var out [][]byte
	for _, c := range m.Committables {
		if c.Stage == stage && c.Node == node {
			out = append(out, c.Data)
		}
	}
	return out
}
