package exec_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"streamsql/exec"
	"streamsql/exec/graph"
	"streamsql/exec/op"
	"streamsql/exec/state"
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

// TestTicksWithoutRoom: an operator that goes by the clock is called while the output has no room.
func TestTicksWithoutRoom(t *testing.T) {
	shapes(t, func(t *testing.T, x graph.Exchange) {
		spec := ticking{ticks: &atomic.Int64{}, early: &atomic.Int64{}}
		shut := make(gateOperator)
		g := exchanged(1, 1, graph.Forward, counting{n: -1}, shut, &collector{})
		from := g.Stages[0]
		from.Nodes = append(from.Nodes, graph.Node{Op: spec, Inputs: []int{0}})
		g.Stages[1].In[0].FromNode, g.Exchange = 1, x
		j, err := exec.Start(t.Context(), g, exec.Options{MaxRows: 16})
		if err != nil {
			t.Fatal(err)
		}
		soft := func() time.Duration { return j.Stats().Tasks[0].Soft }
		begun := time.Now()
		until := func(ok func() bool) {
			for !ok() && time.Since(begun) < 10*time.Second {
				time.Sleep(time.Millisecond)
			}
		}
		until(func() bool { return soft() > 0 })
		before, pressed := spec.ticks.Load(), soft()
		until(func() bool { return spec.ticks.Load() >= before+5 })
		if n := spec.ticks.Load() - before; n < 5 || spec.early.Load() > 0 {
			t.Errorf("%d ticks without room, %d early", n, spec.early.Load())
		}
		until(func() bool { return soft() > pressed })
		if soft() <= pressed {
			t.Errorf("room after %v: %v", pressed, soft())
		}
		close(shut)
		j.Cancel(context.Canceled)
		if _, err := j.Wait(); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// gateOperator takes no row until it is closed.
type gateOperator chan struct{}

func (s gateOperator) String() string                                                  { return "Gate" }
func (s gateOperator) New() op.Operator                                                { return s }
func (s gateOperator) Open(*op.Context) error                                          { return nil }
func (s gateOperator) Close() error                                                    { return nil }
func (s gateOperator) Advance(t types.EventTime, _ op.Output) (types.EventTime, error) { return t, nil }

func (s gateOperator) Process(_ int, b *vector.Batch, out op.Output) error {
	<-s
	return out.Emit(b)
}

// stamped keeps the time that it was last told of, each subtask under its own name; they are due at different times.
type stamped struct {
	subtasks *atomic.Int32
	restored map[types.EventTime]int
	name     string
	store    *state.Store
}

func (s stamped) String() string   { return "Stamped" }
func (s stamped) New() op.Operator { return &s }
func (s *stamped) Close() error    { return nil }

func (s *stamped) NextTick() types.EventTime {
	return types.EventTime(s.store.Time(s.name, 0)) + 3 + types.EventTime(s.name[0]%4)
}

func (s *stamped) Open(c *op.Context) error {
	s.store = c.Store(s)
	for i := range s.subtasks.Load() {
		if s.restored == nil {
			break
		}
		s.restored[types.EventTime(s.store.Time(fmt.Sprint(i), 0))]++
	}
	s.name = fmt.Sprint(s.subtasks.Add(1) - 1)
	return nil
}

func (s *stamped) Process(_ int, b *vector.Batch, out op.Output) error { return out.Emit(b) }

func (s *stamped) Advance(t types.EventTime, _ op.Output) (types.EventTime, error) { return t, nil }

func (s *stamped) Tick(now types.EventTime, _ op.Output) error {
	s.store.SetTime(s.name, int64(now))
	return nil
}

// TestCheckpointClock: in a checkpoint all subtasks stand at the same processing time, however busy they are.
func TestCheckpointClock(t *testing.T) {
	for range 2 {
		job := func(parallelism int, s stamped) *graph.Graph {
			g := grouped(newLedger(), &atomic.Int32{}, parallelism)
			g.Stages[1].Nodes[0].Op = s
			return g
		}
		o := exec.Checkpointing{Dir: t.TempDir(), Interval: 2 * time.Millisecond}
		s := stamped{subtasks: &atomic.Int32{}}
		saved := stopped(t, job(4, s), o, t.TempDir(), false)
		s.restored = map[types.EventTime]int{}
		o = exec.Checkpointing{Dir: t.TempDir(), Savepoint: saved}
		if _, err := exec.Run(t.Context(), job(1, s), exec.Options{Checkpoints: &o}); err != nil {
			t.Fatal(err)
		}
		if len(s.restored) != 1 || s.restored[0] > 0 {
			t.Errorf("subtasks stood at %v", s.restored)
		}
	}
}
