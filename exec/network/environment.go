package network

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// Setup is what an environment is made of.
type Setup struct {
	Options Options
	// Listen is the address to serve other environments at, such as 127.0.0.1:0; empty: none.
	Listen string
	// ServerTLS and ClientTLS encrypt connections when they are set.
	ServerTLS, ClientTLS *tls.Config
	// Dial connects to another environment; nil means TCP.
	Dial func(address string, timeout time.Duration) (net.Conn, error)
}

// Environment is what the tasks of one process share: segments, connections, the flush timer, and the writers
// by name.
type Environment struct {
	setup    Setup
	options  Options
	pool     *globalPool
	timer    *flushTimer
	listener net.Listener
	serving  sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	writers map[string]*Writer
	gates   map[*Gate]bool
	waiters map[string][]*waiter
	outs    map[*outLink]bool
	ins     map[string]*inLink
	all     []*inLink
	dialing sync.Mutex
}

// NewEnvironment makes an environment; Close ends it.
func NewEnvironment(s Setup) (*Environment, error) {
	o := s.Options
	e := &Environment{setup: s, options: o, writers: map[string]*Writer{}, gates: map[*Gate]bool{},
		waiters: map[string][]*waiter{}, outs: map[*outLink]bool{}, ins: map[string]*inLink{}}
	if o.Segments() < 1 {
		return nil, fmt.Errorf("network: 'taskmanager.memory.network.max' of %v holds no segment of %v",
			o.Memory, o.SegmentSize)
	}
	if s.Listen != "" {
		l, err := net.Listen("tcp", s.Listen)
		if err != nil {
			return nil, fmt.Errorf("network: listening: %w", err)
		}
		e.listener = l
	}
	e.pool = newGlobalPool(int(o.SegmentSize), o.Segments())
	e.timer = newFlushTimer()
	if e.listener != nil {
		e.serving.Go(e.serve)
	}
	return e, nil
}

// Address is where the environment listens.
func (e *Environment) Address() string {
	if e.listener == nil {
		return ""
	}
	return e.listener.Addr().String()
}

// Writer makes the output of a task. It is refused when its guaranteed segments do not fit.
func (e *Environment) Writer(s WriterSpec) (*Writer, error) {
	if s.Channels < 1 {
		return nil, fmt.Errorf("network: the output %s has no channels", s.Partition)
	}
	w, err := newWriter(e, s)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	_, twice := e.writers[s.Partition]
	if twice || e.closed {
		e.mu.Unlock()
		w.pool.destroy()
		if twice {
			return nil, fmt.Errorf("network: there is an output %s already", s.Partition)
		}
		return nil, ErrClosed
	}
	e.writers[s.Partition] = w
	waiting := e.waiters[s.Partition]
	delete(e.waiters, s.Partition)
	e.mu.Unlock()
	for _, x := range waiting {
		x.settle(w, nil)
	}
	return w, nil
}

func (e *Environment) forget(w *Writer) {
	e.mu.Lock()
	if e.writers[w.spec.Partition] == w {
		delete(e.writers, w.spec.Partition)
	}
	e.mu.Unlock()
}

// Gate makes an input of a task, and connects it. Writers that are not there yet are waited for.
func (e *Environment) Gate(s GateSpec) (*Gate, error) {
	g, err := newGate(e, s)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		g.Close()
		return nil, ErrClosed
	}
	e.gates[g] = true
	e.mu.Unlock()
	for _, c := range g.channels {
		if c.from.Address == "" {
			e.await(c.from.Partition, func(w *Writer, err error) {
				if err == nil {
					err = w.attach(c.from.Channel, c, func(o *outChannel) {
						g.mu.Lock()
						c.local = o
						g.mu.Unlock()
					})
				}
				if err != nil {
					g.fail(c, err)
				}
			})
			continue
		}
		l, err := e.connect(c.from.Address)
		if err == nil {
			err = l.request(c)
		}
		if err != nil {
			g.Close()
			return nil, fmt.Errorf("network: input %s: %w", s.Name, err)
		}
	}
	return g, nil
}

func (e *Environment) forgetGate(g *Gate) {
	e.mu.Lock()
	delete(e.gates, g)
	e.mu.Unlock()
}

// waiter waits for a writer.
type waiter struct {
	partition string
	once      sync.Once
	found     func(*Writer, error)
	timer     *time.Timer
}

func (x *waiter) settle(w *Writer, err error) {
	x.once.Do(func() {
		x.timer.Stop()
		x.found(w, err)
	})
}

// await calls found with a writer, now or when it is made, or with an error after the timeout.
func (e *Environment) await(partition string, found func(*Writer, error)) *waiter {
	x := &waiter{partition: partition, found: found}
	e.mu.Lock()
	w, closed := e.writers[partition], e.closed
	x.timer = time.AfterFunc(e.options.Timeout, func() {
		e.giveUp(x)
		x.settle(nil, fmt.Errorf("there is no partition %s after %v", partition, e.options.Timeout))
	})
	if w == nil && !closed {
		e.waiters[partition] = append(e.waiters[partition], x)
	}
	e.mu.Unlock()
	switch {
	case closed:
		x.settle(nil, ErrClosed)
	case w != nil:
		x.settle(w, nil)
	}
	return x
}

// giveUp ends the waiting without an answer.
func (e *Environment) giveUp(x *waiter) {
	e.mu.Lock()
	list := e.waiters[x.partition]
	for i, y := range list {
		if y == x {
			e.waiters[x.partition] = append(list[:i:i], list[i+1:]...)
			break
		}
	}
	if len(e.waiters[x.partition]) == 0 {
		delete(e.waiters, x.partition)
	}
	e.mu.Unlock()
	x.timer.Stop()
}

// connect gives the connection to another environment; there is one for each.
func (e *Environment) connect(address string) (*inLink, error) {
	e.dialing.Lock()
	defer e.dialing.Unlock()
	e.mu.Lock()
	l, closed := e.ins[address], e.closed
	e.mu.Unlock()
	switch {
	case closed:
		return nil, ErrClosed
	case l != nil:
		return l, nil
	}
	conn, err := e.dial(address)
	if err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", address, err)
	}
	l = &inLink{link: *newLink(conn, e.options.Timeout), env: e, address: address}
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		conn.Close()
		return nil, ErrClosed
	}
	e.ins[address] = l
	e.all = append(e.all, l)
	e.mu.Unlock()
	l.start()
	return l, nil
}

func (e *Environment) dial(address string) (net.Conn, error) {
	dial := e.setup.Dial
	if dial == nil {
		dial = func(a string, timeout time.Duration) (net.Conn, error) { return net.DialTimeout("tcp", a, timeout) }
	}
	conn, err := dial(address, e.options.Timeout)
	if err != nil {
		return nil, err
	}
	if e.setup.ClientTLS != nil {
		conn = tls.Client(conn, e.setup.ClientTLS)
	}
	if err := e.greet(conn); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// greet exchanges greetings, both sides first saying theirs.
func (e *Environment) greet(conn net.Conn) error {
	if err := conn.SetDeadline(time.Now().Add(e.options.Timeout)); err != nil {
		return err
	}
	if _, err := conn.Write(hello(e.pool.segmentSize)); err != nil {
		return err
	}
	if err := readHello(conn, e.pool.segmentSize); err != nil {
		return err
	}
	return conn.SetDeadline(time.Time{})
}

func (e *Environment) forgetLink(l *inLink) {
	e.mu.Lock()
	if e.ins[l.address] == l {
		delete(e.ins, l.address)
	}
	e.mu.Unlock()
}

// serve accepts connections until the listener is closed.
func (e *Environment) serve() {
	for {
		conn, err := e.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(10 * time.Millisecond) // out of descriptors: others will be closed
			continue
		}
		e.serving.Go(func() { e.answer(conn) })
	}
}

func (e *Environment) answer(conn net.Conn) {
	if e.setup.ServerTLS != nil {
		conn = tls.Server(conn, e.setup.ServerTLS)
	}
	l := &outLink{link: *newLink(conn, e.options.Timeout), env: e}
	e.mu.Lock()
	closed := e.closed
	if !closed {
		e.outs[l] = true
	}
	e.mu.Unlock()
	if closed {
		conn.Close()
		return
	}
	if err := e.greet(conn); err != nil {
		l.shut(err)
	} else {
		l.run()
	}
	e.mu.Lock()
	delete(e.outs, l)
	e.mu.Unlock()
}

// Close ends everything. Its error says that segments were not returned: a task did not close its gate.
func (e *Environment) Close() error {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil
	}
	e.closed = true
	var writers []*Writer
	for _, w := range e.writers {
		writers = append(writers, w)
	}
	var gates []*Gate
	for g := range e.gates {
		gates = append(gates, g)
	}
	var waiting []*waiter
	for _, list := range e.waiters {
		waiting = append(waiting, list...)
	}
	outs, ins := e.outs, e.all
	e.mu.Unlock()
	for _, x := range waiting {
		x.settle(nil, ErrClosed)
	}
	for _, g := range gates {
		g.shut()
	}
	for _, w := range writers {
		w.Close()
	}
	if e.listener != nil {
		e.listener.Close()
	}
	for _, l := range ins {
		l.fail(ErrClosed)
		l.running.Wait()
	}
	e.mu.Lock()
	for l := range outs {
		l.shut(ErrClosed)
	}
	e.mu.Unlock()
	e.serving.Wait()
	e.timer.close()
	if n := e.pool.outside(); n > 0 {
		return fmt.Errorf("network: %d segments were not returned", n)
	}
	e.pool.unmap()
	return nil
}
