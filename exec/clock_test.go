package exec_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"streamsql/exec"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// ticking wants to be called every few milliseconds, and counts how often it was.
type ticking struct {
	next  types.EventTime
	ticks *atomic.Int64
	early *atomic.Int64
}

func (s ticking) String() string          { return "Ticking" }
func (s ticking) New() op.Operator        { return &s }
func (s *ticking) Open(*op.Context) error { return nil }
func (s *ticking) Close() error           { return nil }

func (s *ticking) Process(_ int, b *vector.Batch, out op.Output) error { return out.Emit(b) }

func (s *ticking) Advance(t types.EventTime, _ op.Output) (types.EventTime, error) { return t, nil }

func (s *ticking) NextTick() types.EventTime { return s.next }

func (s *ticking) Tick(now types.EventTime, _ op.Output) error {
	if now < s.next {
		s.early.Add(1)
	}
	s.ticks.Add(1)
	s.next = now + 5
	return nil
}

// TestTicks: an operator that goes by the clock is called when it asked for it, with input and without, not
// before and not much later.
func TestTicks(t *testing.T) {
	for name, src := range map[string]counting{"running": {n: -1}, "waiting": {wait: true}} {
		spec := ticking{ticks: &atomic.Int64{}, early: &atomic.Int64{}}
		g := chain(1, nil, []counting{src}, spec)
		g.Stages[0].Nodes[2].Sink.Sink = drop{}
		j, err := exec.Start(t.Context(), g, exec.Options{})
		if err != nil {
			t.Fatal(err)
		}
		from := time.Now()
		for spec.ticks.Load() < 10 && time.Since(from) < 10*time.Second {
			time.Sleep(5 * time.Millisecond)
		}
		j.Cancel(context.Canceled)
		if _, err := j.Wait(); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		most := int64(time.Since(from)/(5*time.Millisecond)) + 5
		if n := spec.ticks.Load(); n < 10 || n > most || spec.early.Load() > 0 {
			t.Errorf("%s: %d ticks at intervals of 5 ms in %v, %d early", name, n, time.Since(from), spec.early.Load())
		}
	}
}
