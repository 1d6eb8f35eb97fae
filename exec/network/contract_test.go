package network

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"streamsql/exec/types"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ends is two environments, of producers and of consumers, joined by a transport under test. They may be one.
type ends struct {
	out, in *Environment
	address string
	mixed   bool // one channel of two is local
}

// source is a channel of a numbered partition.
func (e *ends) source(partition, channel int) Source {
	s := Source{fmt.Sprint("p", partition), channel, e.address}
	if e.mixed && partition%2 == 1 {
		s.Address = ""
	}
	return s
}

func (e *ends) close(t *testing.T) {
	t.Helper()
	if err := e.in.Close(); err != nil {
		t.Error("consumers:", err)
	}
	if err := e.out.Close(); err != nil {
		t.Error("producers:", err)
	}
}

func testOptions() Options {
	o := DefaultOptions()
	o.Memory = 8 << 20
	o.BufferTimeout = 2 * time.Millisecond
	o.Timeout = 10 * time.Second
	return o
}

// transports are all that must pass the contract suite.
var transports = map[string]func(*testing.T, Options) *ends{
	"local": func(t *testing.T, o Options) *ends {
		e := environment(t, Setup{Options: o})
		return &ends{out: e, in: e}
	},
	"tcp": func(t *testing.T, o Options) *ends {
		out := environment(t, Setup{Options: o, Listen: "127.0.0.1:0"})
		return &ends{out: out, in: environment(t, Setup{Options: o}), address: out.Address()}
	},
	"loop": func(t *testing.T, o Options) *ends { // an environment that connects to itself, for one channel of two
		e := environment(t, Setup{Options: o, Listen: "127.0.0.1:0"})
		return &ends{out: e, in: e, address: e.Address(), mixed: true}
	},
	"tls": func(t *testing.T, o Options) *ends {
		server, client, err := EphemeralTLS()
		if err != nil {
			t.Fatal(err)
		}
		out := environment(t, Setup{Options: o, Listen: "127.0.0.1:0", ServerTLS: server})
		return &ends{out: out, in: environment(t, Setup{Options: o, ClientTLS: client}), address: out.Address()}
	},
	"faulty": func(t *testing.T, o Options) *ends {
		out := environment(t, Setup{Options: o, Listen: "127.0.0.1:0"})
		proxy := newProxy(t, out.Address(), 0)
		return &ends{out: out, in: environment(t, Setup{Options: o}), address: proxy}
	},
}

func environment(t *testing.T, s Setup) *Environment {
	t.Helper()
	e, err := NewEnvironment(s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// eachTransport runs a part of the suite over all transports and buffer settings.
func eachTransport(t *testing.T, test func(*testing.T, *ends)) {
	for name, make := range transports {
		for _, exclusive := range []int{0, 1, 2} {
			for _, segment := range []int{256, 32 << 10} {
				if short := testing.Short() || name == "loop"; short && (exclusive > 0) != (name == "tls") {
					continue
				}
				t.Run(fmt.Sprintf("%s/exclusive=%d/segment=%d", name, exclusive, segment), func(t *testing.T) {
					t.Parallel()
					o := testOptions()
					o.Exclusive, o.SegmentSize = exclusive, optionSize(segment)
					e := make(t, o)
					defer e.close(t)
					test(t, e)
				})
			}
		}
	}
}

// consumer collects what a gate delivers.
type consumer struct {
	gate *Gate
	wake chan struct{}
}

func waker() (chan struct{}, func()) {
	c := make(chan struct{}, 1)
	return c, func() {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

func newConsumer(t *testing.T, e *Environment, s GateSpec) *consumer {
	t.Helper()
	c := &consumer{}
	c.wake, s.Wake = waker()
	if s.MaxRows == 0 {
		s.MaxRows = 1024
	}
	g, err := e.Gate(s)
	if err != nil {
		t.Fatal(err)
	}
	c.gate = g
	return c
}

// next waits for an element.
func (c *consumer) next() (Element, error) {
	for {
		e, err := c.gate.Next()
		if err != nil || e.Kind != None {
			return e, err
		}
		select {
		case <-c.wake:
		case <-time.After(20 * time.Second):
			return e, fmt.Errorf("nothing came for 20 s")
		}
	}
}

// TestContractRows sends rows of every type in every encoding from two writers to two gates by hash, and expects
// every row once, and those of one writer and key in order (N1).
func TestContractRows(t *testing.T) {
	ts := append([]types.Type{types.Of(types.Int), types.Of(types.BigInt)}, allTypes()...)
	eachTransport(t, func(t *testing.T, e *ends) {
		const writers, gates = 2, 2
		batches := 5
		if testing.Short() {
			batches = 2
		}
		sent := make(chan map[string][]string, writers)
		for w := range writers {
			wr, err := e.out.Writer(WriterSpec{Partition: fmt.Sprint("p", w), Types: ts, Channels: gates, Partitioner: Hash([]int{0}, 128)})
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				rows := map[string][]string{}
				r := rand.New(rand.NewPCG(uint64(w), 7))
				for range batches {
					b := randomBatch(ts, r, 1+r.IntN(50))
					b.Cols[0] = randomColumn(ts[0], r, b.Len)
					for i, line := range lines(b) {
						key := fmt.Sprint(w, "/", strings.Split(lines(b)[i], "|")[1])
						rows[key] = append(rows[key], line)
					}
					if err := wr.Send(b); err != nil {
						t.Error(err)
					}
				}
				if err := wr.EndOfData(true); err != nil {
					t.Error(err)
				}
				if err := wr.End(); err != nil {
					t.Error(err)
				}
				sent <- rows
			}()
		}
		got := make(chan map[string][]string, gates)
		for g := range gates {
			c := newConsumer(t, e.in, GateSpec{Name: fmt.Sprint("g", g), Types: ts, MaxRows: 17,
				Sources: []Source{e.source(0, g), e.source(1, g)}})
			go func() {
				rows := map[string][]string{}
				defer func() { got <- rows }()
				for {
					x, err := c.next()
					if err != nil {
						t.Error(err)
						return
					}
					switch x.Kind {
					case Rows:
						for _, line := range lines(x.Batch) {
							key := fmt.Sprint(x.Channel, "/", strings.Split(line, "|")[1])
							rows[key] = append(rows[key], line)
						}
					case End:
						c.gate.Close()
						return
					}
				}
			}()
		}
		want, have := merge(<-sent, <-sent), merge(<-got, <-got)
		for key := range want {
			if strings.Join(want[key], "\n") != strings.Join(have[key], "\n") {
				t.Fatalf("key %s: sent %d rows, got %d:\n%s\n--\n%s", key, len(want[key]), len(have[key]),
					strings.Join(want[key], "\n"), strings.Join(have[key], "\n"))
			}
		}
		if len(want) != len(have) {
			t.Errorf("%d keys sent, %d got", len(want), len(have))
		}
	})
}

// merge joins maps; a key in both is an error that shows as doubled rows.
func merge(a, b map[string][]string) map[string][]string {
	for k, v := range b {
		a[k] = append(a[k], v...)
	}
	return a
}
