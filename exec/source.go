package exec

import (
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/exec/types"
)

// source is a reader in a task.
type source struct {
	node   *node
	reader connector.Reader
	// tail is the last node that this source alone feeds: its watermark is the source's.
	tail *node
	// marked says that the reader makes the watermark.
	marked bool
	splits *splits
	wake   <-chan struct{}
	// last is when it gave rows, by a clock that stands while the output is full.
	last    time.Duration
	resting bool
}

func (t *task) openSource(n *node, g *graph.Source) error {
	r, err := g.Source.Open(t.context(), n.splits)
	if err != nil {
		return err
	}
	n.reader = r
	tail := n
	for len(tail.to) == 1 && len(tail.to[0].node.times.inputs) == 1 {
		tail = tail.to[0].node
	}
	// Nodes are opened from the last to the first; sources are read in the order of the graph.
	s := &source{node: n, reader: r, tail: tail, marked: g.Watermark, splits: newSplits(n, g.Watermark), last: t.activity()}
	t.entries = append([]*entry{{feed: s}}, t.entries...)
	return nil
}

func (s *source) step() (outcome, error) {
	t := s.node.task
	t.enter(s.node)
	if t.job.checkpoints.isDraining() || t.job.full.ends(s.node) {
		return ended, s.node.Advance(types.MaxTime)
	}
	r, err := s.reader.Next()
	switch {
	case err != nil:
		return nothing, err
	case r.Status == connector.Wait:
		s.wake = r.Wake
		return nothing, s.quiet()
	case r.Status == connector.End:
		if err := s.wakeUp(); err != nil {
			return nothing, err
		}
		return ended, s.node.Advance(types.MaxTime)
	case r.Status == connector.Done:
		return given, s.splits.end(r.Split)
	}
	if err := s.wakeUp(); err != nil {
		return nothing, err
	}
	t.pace.read(t.subtask)
	if r.Batch != nil {
		t.moved += int64(r.Batch.Len)
		s.node.Batches++
		s.splits.turnTo(r.Split)
		if err := s.node.Emit(r.Batch); err != nil {
			return nothing, err
		}
	}
	s.last = t.activity()
	if !s.marked {
		return given, nil
	}
	return given, s.splits.advance(r.Split, r.Watermark)
}

// wakeUp ends the source's idleness.
func (s *source) wakeUp() error {
	if !s.resting {
		return nil
	}
	s.resting = false
	return s.node.active()
}

// quiet makes the source idle once it had no rows for the time that the job allows.
func (s *source) quiet() error {
	t := s.node.task
	allowed := t.job.options.IdleTimeout
	if allowed <= 0 || s.resting {
		return nil
	}
	if left := s.last + allowed - t.activity(); left > 0 {
		t.alarm = min(t.alarm, t.clock+left)
		return nil
	}
	s.resting = true
	return s.node.idle()
}

func (s *source) reached() types.EventTime { return s.tail.passed }

func (s *source) wait() <-chan struct{} { return s.wake }

func (s *source) release() {}

func (s *source) at() *node { return s.node }

func (s *source) close() error { return s.reader.Close() }

func (t *task) openSink(n *node, g *graph.Sink) (err error) {
	var w connector.Writer
	if t.job.options.Writer != nil {
		if w, err = t.job.options.Writer(g, t.context()); err != nil {
			return err
		}
	}
	if w == nil {
		if w, err = g.Sink.Open(t.context()); err != nil {
			return err
		}
	}
	if err := t.openKept(n, w); err != nil {
		return err
	}
	t.writers = append(t.writers, &sinkWriter{node: n, writer: w})
	n.op = op.NewSink(w)
	return nil
}
