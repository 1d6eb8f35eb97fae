package exec

import (
	"errors"
	"fmt"
	"time"

	"streamsql/exec/checkpoint"
	"streamsql/exec/connector"
	"streamsql/exec/op"
	"streamsql/exec/state"
	"streamsql/exec/types"
)

// errUnsaved is the answer of a task that failed while it stood still: its checkpoint must not be completed without what
// it had to save.
var errUnsaved = errors.New("a task failed before it had saved anything")

// saved is what a task puts into a checkpoint.
type saved struct {
	blocks       []checkpoint.Block
	splits       []checkpoint.Split
	marks        []checkpoint.Mark
	counts       []checkpoint.Count
	committables []checkpoint.Committable
	sunk         types.EventTime // event time at the task's sinks
	pause        time.Duration   // in which the task stood still
	written      int64           // bytes
}

// chain are the blocks of the snapshots that together make a node's state, by number: the last one, and those
// that it goes by.
type chain struct {
	last   *state.Snapshot
	blocks map[uint64][]checkpoint.Block
}

// The tables of a node's blocks: what an operator and what a sink remembers. The keys of the latter are its own.
const (
	stateTable = "state"
	sinkTable  = "sink"
)

// attend answers a request for a barrier in a task without inlets, and tells when everything was read.
func (t *task) attend() error {
	c := t.job.checkpoints
	if c == nil {
		return nil
	}
	if !t.drained && t.hasDrained() {
		t.drained = true
		for _, x := range t.exits {
			t.enter(x.place)
			if err := x.writer.EndOfData(true); err != nil {
				return err
			}
		}
		t.enter(t.idle)
		c.hasDrained()
	}
	r := c.requested.Load()
	if len(t.inlets) > 0 || r == nil || r.epoch <= t.epoch || r.clock.Load() == 0 {
		return nil
	}
	return t.barrier(r.epoch, r.since)
}

func (t *task) hasDrained() bool {
	for _, e := range t.entries {
		if !e.ended && !e.drained {
			return false
		}
	}
	return true
}

// barrier passes a barrier on and saves the task's part of the checkpoint: the task's own time is that of
// listing what changed, the rest is written beside it.
func (t *task) barrier(epoch, since int64) error {
	t.epoch = epoch
	t.enter(t.idle)
	began := t.clock
	for _, n := range t.nodes {
		t.enter(n)
		if h, ok := n.op.(op.Holder); ok {
			if err := h.Flush(n); err != nil {
				return err
			}
		}
		if err := t.tickAt(epoch, n); err != nil {
			return err
		}
	}
	for _, x := range t.exits {
		t.enter(x.place)
		if x.reached > x.sent {
			if err := x.mark(); err != nil {
				return err
			}
		}
		if err := x.writer.Barrier(uint64(epoch), since); err != nil {
			return err
		}
	}
	t.enter(t.idle)
	c := t.job.checkpoints
	e, ok := c.enter(epoch)
	if !ok {
		return nil
	}
	w := &saving{task: t, epoch: e, saved: saved{sunk: types.MaxTime}}
	if err := t.freeze(w); err != nil {
		w.answer(errUnsaved) // to the count; the job ends
		return err
	}
	w.pause = t.clock - began
	if c.stopsAt(epoch) {
		t.held = epoch
	}
	c.running.Go(w.run)
	return nil
}

// saving is a checkpoint of a task being written.
type saving struct {
	saved
	task   *task
	epoch  *checkpoint.Epoch
	stores []storeSnapshot
	waits  []func() error
	failed error // of a source's position
}

type storeSnapshot struct {
	node     *node
	snapshot *state.Snapshot
}

// freeze takes what belongs to the checkpoint while the task stands still.
func (t *task) freeze(w *saving) error {
	thrown := t.taken != t.job.checkpoints.completed.Load()
	for _, e := range t.entries {
		if s, ok := e.feed.(*source); ok && w.failed == nil {
			w.splits, w.failed = s.positions(w.splits)
		}
	}
	w.marks, w.counts = t.marks(nil), t.counts()
	for _, s := range t.writers {
		t.enter(s.node)
		if !thrown {
			s.committables = nil
		}
		if k, ok := s.writer.(connector.Settler); ok && t.job.checkpoints.stopsAt(w.epoch.Number()) {
			if err := k.Settle(); err != nil {
				return err
			}
		}
		c, wait, err := s.writer.Prepare(w.epoch.Number())
		if err != nil {
			return err
		}
		s.committables = append(s.committables, c...)
		for _, b := range s.committables {
			w.committables = append(w.committables, checkpoint.Committable{Place: s.node.place(), Data: b})
		}
		if wait != nil {
			w.waits = append(w.waits, wait)
		}
		w.sunk = min(w.sunk, s.node.times.at)
	}
	t.enter(t.idle)
	t.freezeStores(w, thrown)
	t.taken = w.epoch.Number()
	return nil
}

// freezeStores takes what operators and sinks remember; thrown says that the last checkpoint was not completed.
func (t *task) freezeStores(w *saving, thrown bool) {
	whole := t.job.checkpoints.stopsAt(w.epoch.Number())
	for _, n := range t.nodes {
		if n.store == nil || n.store.Empty() {
			continue
		}
		if thrown && n.chain.last != nil {
			n.chain.last.Abort()
		}
		n.chain.last = n.store.Freeze(whole)
		w.stores = append(w.stores, storeSnapshot{n, n.chain.last})
	}
}

// run writes what was frozen, and answers.
func (w *saving) run() {
	for _, wait := range w.waits {
		// Rows that the writer took cannot be had again but by a restart.
		if err := wait(); err != nil {
			w.task.job.cancel(err)
			w.answer(err)
			return
		}
	}
	err := w.write()
	if err == nil {
		err = w.failed
	}
	w.answer(err)
}

func (w *saving) answer(err error) {
	w.task.job.checkpoints.acks <- ack{w.task, w.epoch.Number(), &w.saved, err}
}

func (w *saving) write() error {
	t := w.task
	data := w.epoch.Data(t.stage, t.subtask)
	var failed error
	for _, s := range w.stores {
		k := checkpoint.Block{Place: s.node.place(), Table: stateTable}
		if t.job.graph.Stages[t.stage].Nodes[s.node.index].Sink != nil {
			k.Table = sinkTable
		} else if t.keyed() {
			k.Groups = []checkpoint.Span{checkpoint.SpanOf(t.subtask, t.parallelism, t.job.groups)}
		}
		stream := data.Stream(k)
		// A snapshot is written to its end even so: the store waits for it.
		err := s.snapshot.Write(stream)
		blocks, end := stream.Blocks()
		if err == nil {
			err = end
		}
		if err != nil {
			failed = err
			continue
		}
		w.count(blocks)
		w.blocks = append(w.blocks, s.node.chain.add(s.snapshot, blocks)...)
	}
	if err := data.Close(); failed == nil {
		failed = err
	}
	return failed
}

func (w *saving) count(blocks []checkpoint.Block) {
	for _, b := range blocks {
		w.written += int64(b.Stored)
	}
}

// add takes in the blocks of a snapshot, and lists all that it is restored from.
func (k *chain) add(s *state.Snapshot, blocks []checkpoint.Block) (all []checkpoint.Block) {
	next := map[uint64][]checkpoint.Block{s.Number(): blocks}
	for _, number := range s.Base() {
		next[number] = k.blocks[number]
		all = append(all, next[number]...)
	}
	k.blocks = next
	return append(all, blocks...)
}

// place is where the node stands in the plan.
func (n *node) place() checkpoint.Place {
	return checkpoint.Place{Stage: n.task.stage, Node: n.index, Subtask: n.task.subtask}
}

// keyed tells whether rows come to the task by key group.
func (t *task) keyed() bool { return t.job.graph.Stages[t.stage].Keyed() }

// positions appends where the reader stands.
func (s *source) positions(out []checkpoint.Split) ([]checkpoint.Split, error) {
	for i, split := range s.node.splits {
		at, err := s.reader.Position(i)
		if err != nil {
			return out, fmt.Errorf("%s: %w", s.node.name, err)
		}
		out = append(out, checkpoint.Split{Place: s.node.place(), ID: split.ID, Position: at})
	}
	return out, nil
}
