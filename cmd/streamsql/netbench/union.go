package netbench

import (
	"context"
	"sync"
)

// union is the gates that have something, in the order in which they got it.
type union struct {
	mu     sync.Mutex
	line   []int
	queued []bool
	wake   chan struct{}
}

func newUnion(gates int) *union {
	return &union{queued: make([]bool, gates), wake: make(chan struct{}, 1)}
}

func (u *union) waker(gate int) func() {
	return func() {
		u.mu.Lock()
		first := false
		if !u.queued[gate] {
			u.queued[gate] = true
			u.line = append(u.line, gate)
			first = len(u.line) == 1
		}
		u.mu.Unlock()
		if first {
			select {
			case u.wake <- struct{}{}:
			default:
			}
		}
	}
}

func (u *union) next() (gate int, ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.line) == 0 {
		return 0, false
	}
	gate = u.line[0]
	u.line = u.line[:copy(u.line, u.line[1:])]
	u.queued[gate] = false
	return gate, true
}

func (u *union) wait(ctx context.Context) error {
	select {
	case <-u.wake:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
