package network

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// badPeer listens and does something to each connection.
func badPeer(t *testing.T, do func(net.Conn)) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			do(c)
			c.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return l.Addr().String()
}

// answer is a peer that greets and then sends frames made from what was requested.
func answer(reply func(request header) [][]byte) func(net.Conn) {
	return func(c net.Conn) {
		var head [headSize]byte
		c.SetDeadline(time.Now().Add(5 * time.Second))
		c.Write(hello(32 << 10))
		if readHello(c, 32<<10) != nil {
			return
		}
		h, err := readHeader(c, &head, minPayload)
		if err != nil {
			return
		}
		c.Read(make([]byte, h.length))
		for _, f := range reply(h) {
			c.Write(f)
		}
		io.Copy(io.Discard, c) // until the consumer closes
	}
}

// TestBadProducer: a producer that greets wrongly, speaks garbage, breaks the order or the credit, stalls or
// vanishes is an error of the gate within the timeout, and all segments come back.
func TestBadProducer(t *testing.T) {
	data := func(h header, b []byte) []byte { return appendFrame(nil, h, b) }
	flip := func(b []byte, at int) []byte { b[at] ^= 4; return b }
	for name, c := range map[string]struct {
		peer func(net.Conn)
		want string
	}{
		"silent": {func(c net.Conn) { c.Read(make([]byte, 1000)); time.Sleep(300 * time.Millisecond) }, "i/o timeout"},
		"http": {func(c net.Conn) { c.Write([]byte("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")) },
			"does not speak this protocol"},
		"version": {func(c net.Conn) {
			c.Write(appendFrame(nil, header{kind: helloFrame}, []byte{9, 0, 0, 0, 0, 128, 0, 0}))
			c.Read(make([]byte, 100))
		}, "version 9"},
		"segments": {func(c net.Conn) { c.Write(hello(4096)); c.Read(make([]byte, 100)) }, "segments of 4096 bytes"},
		"damaged head": {answer(func(header) [][]byte {
			return [][]byte{flip(data(header{kind: dataFrame, form: compact}, make([]byte, 24)), 9)}
		}), "a frame's head is damaged"},
		"foreign channel": {answer(func(header) [][]byte { return [][]byte{data(header{kind: dataFrame, channel: 77}, nil)} }),
			"channel 77, which was not requested"},
		"order": {answer(func(header) [][]byte {
			return [][]byte{data(header{kind: dataFrame, form: compact, seq: 1}, make([]byte, 24))}
		}), "parcel 1 came where 0 was expected"},
		"too long": {answer(func(header) [][]byte {
			return [][]byte{data(header{kind: dataFrame, form: compact}, make([]byte, 40<<10))}
		}),
			"a frame of 40960 bytes"},
		"no credit": {answer(func(header) [][]byte {
			var out [][]byte
			for i := range uint32(4) {
				out = append(out, data(header{kind: dataFrame, form: lastPart, seq: i}, []byte("junk")))
			}
			return out
		}), ""},
		"damaged buffer": {answer(func(header) [][]byte {
			return [][]byte{data(header{kind: dataFrame, form: compact}, []byte(strings.Repeat("\xff", 100)))}
		}), "content of a buffer is damaged"},
		"damaged event": {answer(func(header) [][]byte { return [][]byte{data(header{kind: eventFrame}, []byte{1, 2, 3})} }), "damaged event"},
		"unknown frame": {answer(func(header) [][]byte { return [][]byte{data(header{kind: 99}, nil)} }), "unknown frame 99"},
		"refuses":       {answer(func(header) [][]byte { return [][]byte{data(header{kind: errorFrame}, []byte("the task failed"))} }), "the task failed"},
		"vanishes": {func(c net.Conn) {
			c.Write(hello(32 << 10))
			readHello(c, 32<<10)
		}, "connection to"},
		"stalls": {answer(func(header) [][]byte {
			return [][]byte{data(header{kind: dataFrame, form: compact}, make([]byte, 100))[:60]}
		}),
			"no sign of life for 200ms"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := testOptions()
			o.Timeout = 200 * time.Millisecond
			e := environment(t, Setup{Options: o})
			wake, signal := waker()
			g, err := e.Gate(GateSpec{Name: "g", Types: longType, MaxRows: 10, Wake: signal,
				Sources: []Source{{"p", 0, badPeer(t, c.peer)}}})
			started := time.Now()
			if err == nil {
				k := &consumer{gate: g, wake: wake}
				for err == nil && time.Since(started) < 5*time.Second {
					_, err = k.next()
				}
				g.Close()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if d := time.Since(started); d > 3*time.Second {
				t.Errorf("it took %v", d)
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestBadConsumer: a consumer that speaks garbage or stalls ends the writer, whose segments come back.
func TestBadConsumer(t *testing.T) {
	for name, c := range map[string]struct {
		after []byte // a good request
		want  string
	}{
		"garbage":        {[]byte(strings.Repeat("garbage ", 10)), "does not speak this protocol"},
		"stalls":         {nil, "no sign of life"},
		"cancels":        {appendFrame(nil, header{kind: cancelFrame}, nil), "the consumer is gone"},
		"twice":          {appendFrame(nil, header{kind: requestFrame}, []byte("p")), "channel 0 was requested where 1 was expected"},
		"foreign":        {tallied(creditFrame, 5, 1), "channel 5, which was not requested"},
		"damaged credit": {appendFrame(nil, header{kind: creditFrame, seq: 7}, make([]byte, tallySize)), "a damaged frame 5"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := testOptions()
			o.Timeout = 200 * time.Millisecond
			e := environment(t, Setup{Options: o, Listen: "127.0.0.1:0"})
			w, err := e.Writer(WriterSpec{Partition: "p", Types: longType, Channels: 1, Partitioner: Forward()})
			if err != nil {
				t.Fatal(err)
			}
			conn, err := net.Dial("tcp", e.Address())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			conn.Write(hello(32 << 10))
			conn.Write(appendFrame(nil, header{kind: requestFrame, value: 1}, []byte("p")))
			conn.Write(c.after)
			for err == nil {
				err = w.Send(longs(make([]int64, 1000)...))
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestCut ends the connection after every so many bytes: both sides learn it, nothing leaks.
func TestCut(t *testing.T) {
	for cut := 40; cut < 3000; cut += 171 {
		t.Run(fmt.Sprint(cut), func(t *testing.T) {
			t.Parallel()
			o := testOptions()
			o.Timeout = 2 * time.Second
			o.SegmentSize = 512
			out := environment(t, Setup{Options: o, Listen: "127.0.0.1:0"})
			e := &ends{out: out, in: environment(t, Setup{Options: o}), address: newProxy(t, out.Address(), cut)}
			defer e.close(t)
			w, err := e.out.Writer(WriterSpec{Partition: "p", Types: longType, Channels: 1, Partitioner: Forward()})
			if err != nil {
				t.Fatal(err)
			}
			sent := make(chan error)
			go func() {
				var err error
				for err == nil {
					err = w.Send(longs(make([]int64, 100)...))
				}
				sent <- err
			}()
			wake, signal := waker()
			g, err := e.in.Gate(GateSpec{Name: "g", Types: longType, Sources: []Source{{"p", 0, e.address}}, MaxRows: 10, Wake: signal})
			if err == nil {
				_, err = drainGate(&consumer{gate: g, wake: wake})
				g.Close()
			}
			if err == nil {
				t.Error("no error")
			}
			if g == nil {
				w.Close()
			}
			<-sent
		})
	}
}

// TestNoPartition: a writer that never comes is an error after the timeout.
func TestNoPartition(t *testing.T) {
	for _, name := range []string{"local", "tcp"} {
		o := testOptions()
		o.Timeout = 50 * time.Millisecond
		e := transports[name](t, o)
		c := newConsumer(t, e.in, GateSpec{Name: "g", Types: longType, Sources: []Source{{"nobody", 0, e.address}}})
		_, err := c.next()
		if err == nil || !strings.Contains(err.Error(), "there is no partition nobody after 50ms") &&
			!strings.Contains(err.Error(), "no sign of life") {
			t.Error(name, err)
		}
		c.gate.Close()
		e.close(t)
	}
}
