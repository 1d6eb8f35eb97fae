package network

import (
	"sync"
	"time"
)

// flushTimer is the one goroutine that flushes the writers of a process. A writer stands in its line once from
// the first row after a flush on; all wait equally long, so that the line is in order. Without rows it sleeps.
type flushTimer struct {
	mu     sync.Mutex
	line   []flushDue
	wake   chan struct{}
	closed chan struct{}
	done   chan struct{}
}

type flushDue struct {
	writer *Writer
	at     time.Time
}

func newFlushTimer() *flushTimer {
	t := &flushTimer{wake: make(chan struct{}, 1), closed: make(chan struct{}), done: make(chan struct{})}
	go t.run()
	return t
}

func (t *flushTimer) schedule(w *Writer, after time.Duration) {
	at := time.Now().Add(after)
	t.mu.Lock()
	t.line = append(t.line, flushDue{w, at})
	first := len(t.line) == 1
	t.mu.Unlock()
	if first {
		select {
		case t.wake <- struct{}{}:
		default:
		}
	}
}

func (t *flushTimer) run() {
	defer close(t.done)
	clock := time.NewTimer(time.Hour)
	defer clock.Stop()
	var due []*Writer
	for {
		now := time.Now()
		wait := time.Hour
		t.mu.Lock()
		n := 0
		for n < len(t.line) && !t.line[n].at.After(now) {
			due = append(due, t.line[n].writer)
			n++
		}
		t.line = append(t.line[:0], t.line[n:]...)
		if len(t.line) > 0 {
			wait = t.line[0].at.Sub(now)
		}
		t.mu.Unlock()
		for i, w := range due {
			w.timeout()
			due[i] = nil
		}
		if n > 0 {
			due = due[:0]
			continue
		}
		clock.Reset(wait)
		select {
		case <-clock.C:
		case <-t.wake:
		case <-t.closed:
			return
		}
	}
}

func (t *flushTimer) close() {
	close(t.closed)
	<-t.done
}
