package network

// Aligner lines up the barriers of all inputs of one task: the gates of a task share one. A channel that has
// brought a barrier is stopped at its sender until the others brought it too or have ended. Only the task's
// goroutine uses it.
type Aligner struct {
	open    int // channels that have not ended
	pending uint64
	since   int64
	arrived []*inChannel
	last    uint64 // completed or given up
}

// NewAligner makes the aligner of one task.
func NewAligner() *Aligner { return &Aligner{} }

// barrier takes a barrier that a channel brought. It tells whether all have brought it.
func (a *Aligner) barrier(c *inChannel, e *event) (complete bool) {
	switch {
	case e.barrier <= a.last || e.barrier < a.pending:
		c.resume() // obsolete
		return false
	case e.barrier > a.pending && a.pending > a.last:
		a.GiveUp(a.pending) // a newer checkpoint subsumes it
	}
	a.pending, a.since = e.barrier, e.since
	a.arrived = append(a.arrived, c)
	return a.complete()
}

// ended lets a channel leave. It tells whether the others had all brought the barrier.
func (a *Aligner) ended() (complete bool) {
	a.open--
	return len(a.arrived) > 0 && a.complete()
}

func (a *Aligner) complete() bool {
	if len(a.arrived) < a.open {
		return false
	}
	a.last = a.pending
	a.resume()
	return true
}

// GiveUp ends the alignment of a barrier that was aborted, and ignores those of its kind still to come.
func (a *Aligner) GiveUp(barrier uint64) {
	a.last = max(a.last, barrier)
	if a.pending <= a.last {
		a.resume()
	}
}

func (a *Aligner) resume() {
	for i, c := range a.arrived {
		c.resume()
		a.arrived[i] = nil
	}
	a.arrived = a.arrived[:0]
}
