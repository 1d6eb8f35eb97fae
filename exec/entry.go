package exec

import (
	"streamsql/exec/network"
	"streamsql/exec/types"
)

// entry is where rows come into a task.
type entry struct {
	feed
	ended bool
	// drained says that only barriers and the end are to come.
	drained bool
	// turn is when it was read last; tried says that it had nothing in this turn.
	turn  uint64
	tried bool
}

// feed is what an entry reads: a source or the end of an edge.
type feed interface {
	// step reads the next element and passes it on, without waiting for one.
	step() (outcome, error)
	// reached is the watermark of what it has given, MinTime if there is none.
	reached() types.EventTime
	// wait is what tells that there may be more, when that is not the task's own bell.
	wait() <-chan struct{}
	// release gives back lent memory that is not in use.
	release()
	close() error
	// at is where its time is counted.
	at() *node
}

// outcome is what step found.
type outcome uint8

const (
	given outcome = iota
	nothing
	drained
	ended
)

// read lets the entry whose turn it is give one element. It is false when none has one.
func (t *task) read() (bool, error) {
	for _, e := range t.entries {
		e.tried = e.ended
	}
	for {
		e := t.pick()
		if e == nil {
			return false, nil
		}
		t.turn++
		was := e.turn
		e.turn = t.turn
		found, err := e.step()
		switch {
		case err != nil:
			return false, err
		case found == nothing:
			e.tried, e.turn = true, was
			continue
		case found == drained:
			e.drained = true
		case found == ended:
			e.ended = true
		}
		return true, nil
	}
}

// pick chooses the entry to read: of those with a watermark the one furthest behind, so that joins
// stay small, or read longest ago; those without take turns with each other and with the others together, so that none
// starves.
func (t *task) pick() *entry {
	if len(t.entries) == 1 {
		if e := t.entries[0]; !e.tried {
			return e
		}
		return nil
	}
	var oldest, behind *entry
	var timed uint64
	var least types.EventTime
	for _, e := range t.entries {
		at := e.reached()
		if at > types.MinTime {
			timed = max(timed, e.turn)
		}
		switch {
		case e.tried:
		case at > types.MinTime:
			if behind == nil || at < least || at == least && e.turn < behind.turn {
				behind, least = e, at
			}
		case oldest == nil || e.turn < oldest.turn:
			oldest = e
		}
	}
	if behind != nil && (oldest == nil || timed < oldest.turn) {
		return behind
	}
	return oldest
}

func (t *task) ended() bool {
	for _, e := range t.entries {
		if !e.ended {
			return false
		}
	}
	return true
}

// inlet is the end of an edge in a task that it feeds.
type inlet struct {
	place *node
	edge  int // position among those of the stage
	to    target
	gate  *network.Gate
	mark  types.EventTime
}

func (g *inlet) step() (outcome, error) {
	t := g.place.task
	t.enter(g.place)
	e, err := g.gate.Next()
	if err != nil {
		return nothing, err
	}
	n, input := g.to.node, g.to.input
	switch e.Kind {
	case network.None:
		return nothing, nil
	case network.Rows:
		g.place.RowsIn += int64(e.Batch.Len)
		g.place.Batches++
		t.moved += int64(e.Batch.Len)
		return given, n.process(input, e.Batch)
	case network.Watermark:
		g.mark = e.Watermark
		return given, n.advance(input, e.Watermark)
	case network.Idle:
		return given, n.rest(input)
	case network.Active:
		return given, n.wake(input)
	case network.Barrier:
		return given, t.barrier(int64(e.Barrier), e.Since)
	case network.EndOfData:
		g.gate.Acknowledge()
		return drained, nil
	case network.End:
		g.mark = types.MaxTime
		return ended, n.advance(input, types.MaxTime)
	}
	return given, nil
}

func (g *inlet) reached() types.EventTime { return g.mark }

func (g *inlet) wait() <-chan struct{} { return nil }

func (g *inlet) release() { g.gate.Release() }

func (g *inlet) at() *node { return g.place }

func (g *inlet) close() error {
	g.gate.Close()
	return nil
}
