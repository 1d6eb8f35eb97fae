package exec

import (
	"context"
	"reflect"

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
	marked, ended bool
	// turn is when the source was read last; tried says that it had nothing in this turn.
	turn  uint64
	tried bool
	wake  <-chan struct{}
}

func (t *task) openSource(n *node, g *graph.Source) error {
	r, err := g.Source.Open(t.context(), n.splits)
	if err != nil {
		return err
	}
	tail := n
	for len(tail.to) == 1 && len(tail.to[0].node.marks) == 1 {
		tail = tail.to[0].node
	}
	// Nodes are opened from the last to the first; sources are read in the order of the graph.
	t.sources = append([]*source{{node: n, reader: r, tail: tail, marked: g.Watermark}}, t.sources...)
	return nil
}

// emit passes on a batch and the watermark after it.
func (s *source) emit(r connector.Read) error {
	if r.Batch != nil {
		s.node.Batches++
		if err := s.node.Emit(r.Batch); err != nil {
			return err
		}
	}
	if !s.marked {
		return nil
	}
	return s.node.Advance(r.Watermark)
}

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
	t.writers = append(t.writers, &sinkWriter{node: n, writer: w})
	n.op = op.NewSink(w)
	return nil
}

// read takes the next batch or end from the source whose turn it is, or no source when all of them
// wait or have ended.
func (t *task) read() (*source, connector.Read, error) {
	for _, s := range t.sources {
		s.tried = s.ended
	}
	for {
		s := t.pick()
		if s == nil {
			return nil, connector.Read{}, nil
		}
		t.enter(s.node)
		r, err := s.reader.Next()
		if err != nil || r.Status != connector.Wait {
			t.turn++
			s.turn = t.turn
			return s, r, err
		}
		s.tried, s.wake = true, r.Wake
	}
}

// pick chooses the source to read: of those with a watermark the one furthest behind, so that joins
// stay small; those without take turns with each other and with the others together, so that none
// starves.
func (t *task) pick() *source {
	if len(t.sources) == 1 && !t.sources[0].tried {
		return t.sources[0]
	}
	var oldest, behind *source
	var timed uint64
	for _, s := range t.sources {
		if s.tail.passed > types.MinTime {
			timed = max(timed, s.turn)
		}
		switch {
		case s.tried:
		case s.tail.passed > types.MinTime:
			if behind == nil || s.tail.passed < behind.tail.passed {
				behind = s
			}
		case oldest == nil || s.turn < oldest.turn:
			oldest = s
		}
	}
	if behind != nil && (oldest == nil || timed < oldest.turn) {
		return behind
	}
	return oldest
}

func (t *task) ended() bool {
	for _, s := range t.sources {
		if !s.ended {
			return false
		}
	}
	return true
}

// wait blocks until a source may have more, or the job is cancelled.
func (t *task) wait(ctx context.Context) error {
	t.enter(t.idle)
	t.publish()
	cases := []reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(ctx.Done())}}
	for _, s := range t.sources {
		if !s.ended {
			cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(s.wake)})
		}
	}
	if chosen, _, _ := reflect.Select(cases); chosen == 0 {
		return errStopped
	}
	return nil
}
