package exec

import (
	"math"
	"sync/atomic"

	"streamsql/exec/graph"
)

// pace keeps the subtasks of a stage of sources in step where their rows meet behind an exchange. Event time there is that
// of the subtask furthest behind: what the others read ahead of it waits in the state of joins and windows, for as long as
// the machine happens to run them first. So a subtask that has read more than lead batches more than another one waits,
// like one whose output has no room. Batches are what counts, not event time: files of one day each are read side by side.
//
// Nobody waits for a subtask that has no input now; when it has some again, it goes on from where the others are. The one
// furthest behind is never held, and one that is held serves checkpoints, so that none waits for ever. Answers do not
// depend on any of it.
type pace struct {
	places []pacePlace
	held   atomic.Int32 // how many places are
}

// pacePlace is that of one subtask.
type pacePlace struct {
	task   *task
	reads  atomic.Int64 // batches, and those that it was lifted by when it came back
	absent atomic.Bool  // it has no input
	held   atomic.Bool  // it waits, and is rung by whom it waits for
	floor  int64        // which no other one was below when the subtask looked last
	_      [32]byte     // so that neighbours are in cache lines of their own
}

// lead is by how many batches a subtask may be ahead of another one.
const lead = 8

// keepStep gives the tasks of a stage their pace, if rows of several come together behind it.
func (j *Job) keepStep(stage int, tasks []*task) {
	if len(tasks) < 2 || len(j.graph.Stages[stage].In) > 0 || !mixes(j.graph, stage) {
		return
	}
	p := &pace{places: make([]pacePlace, len(tasks))}
	for i, t := range tasks {
		p.places[i].task, t.pace = t, p
	}
}

// mixes tells whether an edge out of a stage brings rows of several subtasks together.
func mixes(g *graph.Graph, stage int) bool {
	for _, s := range g.Stages {
		for _, e := range s.In {
			if e.From == stage && e.Partitioning != graph.Forward {
				return true
			}
		}
	}
	return false
}

// least is the count of the subtask that is furthest behind, of those besides one that have input.
func (p *pace) least(but int) int64 {
	least := int64(math.MaxInt64)
	for i := range p.places {
		if at := &p.places[i]; i != but && !at.absent.Load() {
			least = min(least, at.reads.Load())
		}
	}
	return least
}

// read counts a batch of a subtask, and lets those go on that waited for it.
func (p *pace) read(subtask int) {
	if p == nil {
		return
	}
	at := &p.places[subtask]
	n := at.reads.Load() + 1
	back := at.absent.Load()
	if back {
		for i := range p.places {
			n = max(n, p.places[i].reads.Load()-lead/2)
		}
	}
	at.reads.Store(n)
	if back {
		at.absent.Store(false)
	}
	p.release()
}

// leave says that a subtask has no input now.
func (p *pace) leave(subtask int) {
	if p != nil && !p.places[subtask].absent.Swap(true) {
		p.release()
	}
}

// ahead tells whether a subtask has to wait for others. It is rung when it need not any more.
func (p *pace) ahead(subtask int) bool {
	if p == nil {
		return false
	}
	at := &p.places[subtask]
	n := at.reads.Load()
	if n-at.floor <= lead {
		return false
	}
	if at.floor = min(p.least(subtask), n); n-at.floor <= lead {
		return false
	}
	if !at.held.Swap(true) {
		p.held.Add(1)
	}
	// One may have gone on before it could see that this one waits.
	if at.floor = min(p.least(subtask), n); n-at.floor > lead {
		return true
	}
	if at.held.Swap(false) {
		p.held.Add(-1)
	}
	return false
}

// release rings the subtasks that are not far ahead any more.
func (p *pace) release() {
	if p.held.Load() == 0 {
		return
	}
	for i := range p.places {
		at := &p.places[i]
		if at.held.Load() && at.reads.Load()-p.least(i) <= lead/2 && at.held.Swap(false) {
			p.held.Add(-1)
			at.task.ring()
		}
	}
}
