package network

import (
	"errors"
	"fmt"
	"net"
	"runtime"
	"sync"
	"time"
)

// link is one end of a connection: a goroutine that reads frames and one that writes them. What is to be
// written is gathered, so that a write carries many small frames.
type link struct {
	conn    net.Conn
	timeout time.Duration
	peer    string

	mu      sync.Mutex
	pending []byte // control frames
	err     error
	wake    chan struct{}
	closed  chan struct{}
	running sync.WaitGroup
}

// gatherSize is when a write is large enough.
const gatherSize = 128 << 10

func newLink(conn net.Conn, timeout time.Duration) *link {
	return &link{conn: conn, timeout: timeout, peer: conn.RemoteAddr().String(), wake: make(chan struct{}, 1),
		closed: make(chan struct{})}
}

// control queues a frame.
func (l *link) control(h header, payload []byte) {
	l.mu.Lock()
	if l.err == nil {
		l.pending = appendFrame(l.pending, h, payload)
	}
	l.mu.Unlock()
	l.nudge()
}

func (l *link) nudge() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// shut ends the connection; it tells whether it is the first to do so.
func (l *link) shut(err error) bool {
	l.mu.Lock()
	first := l.err == nil
	if first {
		l.err = err
		close(l.closed)
	}
	l.mu.Unlock()
	if first {
		l.conn.Close()
	}
	return first
}

// write is the goroutine that writes: control frames first, then what fill appends, until gatherSize.
func (l *link) write(fill func([]byte) []byte) error {
	ping := time.NewTimer(l.timeout / 3)
	defer ping.Stop()
	var buf []byte
	for {
		l.mu.Lock()
		buf = append(buf[:0], l.pending...)
		l.pending = l.pending[:0]
		l.mu.Unlock()
		if buf = fill(buf); len(buf) == 0 {
			select {
			case <-l.wake:
				// Others that are about to have something get their turn, so that it goes in one write.
				runtime.Gosched()
				continue
			case <-l.closed:
				return nil
			case <-ping.C:
				buf = appendFrame(buf, header{kind: pingFrame}, nil)
			}
		}
		now := time.Now()
		if err := l.conn.SetWriteDeadline(now.Add(l.timeout)); err != nil {
			return err
		}
		if _, err := l.conn.Write(buf); err != nil {
			return err
		}
		ping.Reset(l.timeout / 3)
	}
}

// Read implements io.Reader: a peer that says nothing for too long is lost.
func (l *link) Read(b []byte) (int, error) {
	if err := l.conn.SetReadDeadline(time.Now().Add(l.timeout)); err != nil {
		return 0, err
	}
	return l.conn.Read(b)
}

// describe says what an error of a connection means.
func (l *link) describe(err error) error {
	var t net.Error
	if errors.As(err, &t) && t.Timeout() {
		return fmt.Errorf("connection to %s: no sign of life for %v", l.peer, l.timeout)
	}
	return fmt.Errorf("connection to %s: %w", l.peer, err)
}
