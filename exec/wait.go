package exec

import (
	"context"
	"math"
	"reflect"
	"time"

	"streamsql/exec/types"
)

// never is an alarm that is not set.
const never = time.Duration(math.MaxInt64)

// park waits until the output has room, an operator is due or a barrier is asked for: soft back-pressure.
func (t *task) park(ctx context.Context) error {
	t.enter(t.pressed)
	t.rest()
	select {
	case <-ctx.Done():
		return errStopped
	case <-t.bell:
	case <-t.countdown(never):
	}
	t.enter(t.pressed)
	return nil
}

// rest prepares for a longer pause.
func (t *task) rest() {
	for _, e := range t.entries {
		e.release()
	}
	t.publish()
}

// wait blocks until an entry may have more, something is due, or the job is cancelled.
func (t *task) wait(ctx context.Context) error {
	t.enter(t.idle)
	t.pace.leave(t.subtask)
	t.rest()
	cases := t.waited[:0]
	for _, e := range t.entries {
		if c := e.wait(); !e.ended && c != nil {
			cases = append(cases, c)
		}
	}
	t.waited = cases
	err := t.await(ctx, cases, t.countdown(t.alarm))
	t.enter(t.idle)
	return err
}

// await waits for the bell, one of cases or the time.
func (t *task) await(ctx context.Context, cases []<-chan struct{}, due <-chan time.Time) error {
	var first <-chan struct{}
	switch len(cases) {
	case 0:
	case 1:
		first = cases[0]
	default:
		list := []reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(ctx.Done())},
			{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(t.bell)}, {Dir: reflect.SelectRecv, Chan: reflect.ValueOf(due)}}
		for _, c := range cases {
			list = append(list, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)})
		}
		if chosen, _, _ := reflect.Select(list); chosen == 0 {
			return errStopped
		}
		return nil
	}
	select {
	case <-ctx.Done():
		return errStopped
	case <-t.bell:
	case <-first:
	case <-due:
	}
	return nil
}

// countdown is the time until an operator is due or the alarm goes off; nil is never.
func (t *task) countdown(alarm time.Duration) <-chan time.Time {
	left := alarm
	if alarm != never {
		left -= t.clock
	}
	for _, c := range t.clocked {
		if next := c.op.NextTick(); next < types.MaxTime && next <= t.limit(c) {
			left = min(left, max(time.Duration(next-t.now()), 0)*time.Millisecond)
		}
	}
	if left == never {
		return nil
	}
	left = max(left, 0)
	if t.timer == nil {
		t.timer = time.NewTimer(left)
	} else {
		t.timer.Reset(left)
	}
	return t.timer.C
}
