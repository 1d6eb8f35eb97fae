package network

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"streamsql/exec/types"
)

// script is one writer's part in TestContractOrder: numbered rows to every channel, a watermark that says how many
// there were, barriers, idleness. It records how many rows stood before each barrier.
type script struct {
	w      *Writer
	wake   chan struct{}
	r      *rand.Rand
	rows   int64
	before []int64
}

const scriptBarriers = 4

func (s *script) play() error {
	for barrier := uint64(1); barrier <= scriptBarriers; barrier++ {
		for range 5 + s.r.IntN(20) {
			if err := s.step(); err != nil {
				return err
			}
		}
		s.before = append(s.before, s.rows)
		if err := s.w.Barrier(barrier, int64(barrier)*1000); err != nil {
			return err
		}
	}
	if err := s.step(); err != nil {
		return err
	}
	if err := s.w.Watermark(types.MaxTime); err != nil {
		return err
	}
	if err := s.w.EndOfData(true); err != nil {
		return err
	}
	return s.w.End()
}

// room waits until the output is available, as a task does before it takes input.
func (s *script) room() error {
	for !s.w.Available() {
		select {
		case <-s.wake:
		case <-time.After(5 * time.Second):
			return errors.New("the output stays unavailable")
		}
	}
	return nil
}

func (s *script) step() error {
	if err := s.room(); err != nil {
		return err
	}
	switch s.r.IntN(8) {
	case 0:
		return s.w.Watermark(types.EventTime(s.rows))
	case 1:
		if err := s.w.Idle(); err != nil {
			return err
		}
		return s.w.Active()
	case 2:
		return s.w.Flush()
	case 3:
		s.w.Cut(types.EventTime(s.rows))
	}
	v := make([]int64, 1+s.r.IntN(200))
	for i := range v {
		v[i] = s.rows + int64(i)
	}
	s.rows += int64(len(v))
	return s.w.Send(longs(v...))
}

// TestContractOrder checks N1, N3 and N4 over three writers that broadcast to two gates.
func TestContractOrder(t *testing.T) {
	eachTransport(t, func(t *testing.T, e *ends) { playScripts(t, e, 3, 2) })
}

// TestContractScarce does so over more channels, with as few segments as are legal, which leave only when they are
// full: nothing may hang.
func TestContractScarce(t *testing.T) {
	for name, make := range transports {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := testOptions()
			o.Exclusive, o.Floating, o.PerChannel, o.Overdraft, o.SegmentSize = 0, 1, 1, 0, 256
			o.BufferTimeout = -1
			const writers, gates = 5, 7
			o.Memory = optionSize(256 * max(writers*(gates+1), gates))
			if name == "loop" {
				o.Memory = optionSize(256 * (writers*(gates+1) + gates))
			}
			e := make(t, o)
			defer e.close(t)
			playScripts(t, e, writers, gates)
		})
	}
}

func playScripts(t *testing.T, e *ends, writers, gates int) {
	scripts := make([]*script, writers)
	var running sync.WaitGroup
	for i := range scripts {
		wake, signal := waker()
		w, err := e.out.Writer(WriterSpec{Partition: fmt.Sprint("p", i), Types: longType, Channels: gates, Partitioner: Broadcast(), Wake: signal})
		if err != nil {
			t.Fatal(err)
		}
		scripts[i] = &script{w: w, wake: wake, r: rand.New(rand.NewPCG(uint64(i), 11))}
	}
	results := make([]*witness, gates)
	for g := range gates {
		var from []Source
		for i := range writers {
			from = append(from, e.source(i, g))
		}
		c := newConsumer(t, e.in, GateSpec{Name: "g", Types: longType, Sources: from, MaxRows: 100})
		results[g] = &witness{consumer: c, seen: make([]int64, writers)}
		running.Go(func() {
			if err := results[g].watch(); err != nil {
				t.Error(err)
			}
			c.gate.Close()
		})
	}
	for _, s := range scripts {
		running.Go(func() {
			if err := s.play(); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	for g, r := range results {
		for b := range scriptBarriers {
			for w, s := range scripts {
				if len(r.before) <= b || r.before[b][w] != s.before[b] {
					t.Fatalf("gate %d, barrier %d: writer %d sent %d rows before it; delivered: %v", g, b+1, w, s.before[b], r.before)
				}
			}
		}
		for w, s := range scripts {
			if r.seen[w] != s.rows {
				t.Errorf("gate %d: %d of %d rows of writer %d", g, r.seen[w], s.rows, w)
			}
			if !s.w.Acknowledged() || !s.w.Consumed() {
				deadline := time.Now().Add(5 * time.Second) // acknowledgements are still under way
				for !s.w.Acknowledged() || !s.w.Consumed() {
					if time.Sleep(time.Millisecond); time.Now().After(deadline) {
						t.Fatal("not acknowledged or not consumed")
					}
				}
			}
		}
	}
}

// witness is a consumer that checks what it sees.
type witness struct {
	*consumer
	seen   []int64
	before [][]int64
	at     types.EventTime
	ended  bool
}

func (r *witness) watch() error {
	r.at = types.MinTime
	for {
		x, err := r.next()
		if err != nil {
			return err
		}
		switch x.Kind {
		case Rows:
			if r.ended {
				return fmt.Errorf("rows after the end of data")
			}
			for i := range x.Batch.Len {
				if v := rowValue(x.Batch, i); v != r.seen[x.Channel] {
					return fmt.Errorf("channel %d: row %d came where %d was due", x.Channel, v, r.seen[x.Channel])
				}
				r.seen[x.Channel]++
			}
		case Watermark:
			if x.Watermark <= r.at {
				return fmt.Errorf("watermark %d after %d", x.Watermark, r.at)
			}
			r.at = x.Watermark
		case Barrier:
			if want := uint64(len(r.before) + 1); x.Barrier != want || x.Since != int64(want)*1000 {
				return fmt.Errorf("barrier %d since %d, want %d", x.Barrier, x.Since, want)
			}
			r.before = append(r.before, append([]int64(nil), r.seen...))
		case EndOfData:
			if !x.Drained {
				return fmt.Errorf("not drained")
			}
			r.ended = true
			r.gate.Acknowledge()
		case End:
			if r.at != types.MaxTime || !r.ended {
				return fmt.Errorf("the end at watermark %d, end of data seen: %t", r.at, r.ended)
			}
			return nil
		}
	}
}

// TestContractTimeout checks N5.
func TestContractTimeout(t *testing.T) {
	for name, make := range transports {
		for _, after := range []time.Duration{0, 2 * time.Millisecond, -1} {
			t.Run(fmt.Sprint(name, "/", after), func(t *testing.T) {
				t.Parallel()
				o := testOptions()
				o.BufferTimeout = after
				e := make(t, o)
				defer e.close(t)
				w, err := e.out.Writer(WriterSpec{Partition: "p", Types: longType, Channels: 30, Partitioner: RoundFrom(7)})
				if err != nil {
					t.Fatal(err)
				}
				c := newConsumer(t, e.in, GateSpec{Name: "g", Types: longType, Sources: []Source{{"p", 7, e.address}}})
				if err := w.Send(longs(42)); err != nil {
					t.Fatal(err)
				}
				if after < 0 {
					time.Sleep(20 * time.Millisecond)
					if x, err := c.gate.Next(); err != nil || x.Kind != None {
						t.Fatalf("%v, %v came without a flush", x.Kind, err)
					}
					if err := w.Flush(); err != nil {
						t.Fatal(err)
					}
				}
				x, err := c.next()
				if err != nil || x.Kind != Rows || rowValue(x.Batch, 0) != 42 {
					t.Fatalf("%v, %v", x.Kind, err)
				}
				c.gate.Close()
			})
		}
	}
}

// TestContractBackpressure fills an output that nobody reads: it turns unavailable within its bound, blocks, goes on
// when it is read, and ends with an error when it is closed.
func TestContractBackpressure(t *testing.T) {
	eachTransport(t, func(t *testing.T, e *ends) {
		wake, signal := waker()
		w, err := e.out.Writer(WriterSpec{Partition: "p", Types: longType, Channels: 1, Partitioner: Forward(), Wake: signal})
		if err != nil {
			t.Fatal(err)
		}
		c := newConsumer(t, e.in, GateSpec{Name: "g", Types: longType, Sources: []Source{{"p", 0, e.address}}})
		v, sent, o := make([]int64, 100), 0, e.out.options
		for w.Available() {
			if err := w.Send(longs(v...)); err != nil {
				t.Fatal(err)
			}
			if sent += len(v); int64(sent*8) > 2*o.InFlight(1)+int64(o.SegmentSize) {
				t.Fatalf("%d bytes sent and still available; the bound is %d", sent*8, o.InFlight(1))
			}
		}
		// As a task does it: the first batch finds no room, later ones wait until they are told of some.
		blocked, closed := make(chan error, 1), make(chan struct{})
		go func() {
			for {
				if err := w.Send(longs(v...)); err != nil {
					blocked <- err
					return
				}
				for !w.Available() {
					select {
					case <-wake:
						continue
					case <-closed:
					case <-time.After(5 * time.Second):
						t.Error("not woken when the output turned available")
					}
					break
				}
			}
		}()
		for got := 0; got < 3*sent; {
			x, err := c.next()
			if err != nil {
				t.Fatal(err)
			}
			got += x.Batch.Len
		}
		if w.Stats().Blocked == 0 && e.address == "" {
			t.Log("the writer never blocked")
		}
		w.Close()
		close(closed)
		if err := <-blocked; err != ErrClosed {
			t.Errorf("after Close: %v", err)
		}
		if _, err := drainGate(c); err == nil {
			t.Error("the consumer did not learn that the writer was closed")
		}
		c.gate.Close()
	})
}

func drainGate(c *consumer) (rows int, err error) {
	for {
		x, err := c.next()
		if err != nil || x.Kind == End {
			return rows, err
		}
		if x.Kind == Rows {
			rows += x.Batch.Len
		}
	}
}

// TestContractConsumerGone closes the gate: the writer learns it.
func TestContractConsumerGone(t *testing.T) {
	for name, make := range transports {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := make(t, testOptions())
			defer e.close(t)
			w, err := e.out.Writer(WriterSpec{Partition: "p", Types: longType, Channels: 2, Partitioner: RoundFrom(0)})
			if err != nil {
				t.Fatal(err)
			}
			c := newConsumer(t, e.in, GateSpec{Name: "g", Types: longType, Sources: []Source{{"p", 0, e.address}, {"p", 1, e.address}}})
			go func() {
				time.Sleep(5 * time.Millisecond)
				c.gate.Close()
			}()
			for err == nil {
				err = w.Send(longs(1, 2, 3, 4, 5))
			}
		})
	}
}
