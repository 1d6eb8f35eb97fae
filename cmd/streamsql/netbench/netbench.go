// Package netbench measures the exchange and the tasks that it joins as Flink's micro-benchmarks do:
// networkThroughput, where a number of writers send 8-byte longs round the channels and one thread receives them
// all, and mapSink, a job of a source, a map and a sink.
//
// It does not know flags.
//
// Invariants:
//
//	B1 an invocation of networkThroughput counts 5,000,000 records: each writer sends its share but one round
//	   robin, then its last value to every channel, and flushes; the receiver waits for that value from every
//	   channel of every writer. Buffers are not ended between invocations.
//	B2 sender and receiver are two environments joined by one connection, or one environment when the transport is
//	   local; each has max(2048, writers × channels × 4) segments.
//	B3 mapSink runs jobs as INSERT does, with a checkpoint each 100 ms and a buffer timeout of as much; an
//	   invocation is a whole job of 15,000,000 records, start and end included. Besides, the rate of one job is
//	   taken once it is under way.
package netbench

import (
	"context"
	"crypto/tls"
	"fmt"
	"math"
	"runtime"
	"time"

	"streamsql/exec/network"
	"streamsql/exec/option"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Records is what an invocation of Flink's benchmark counts.
const Records = 5_000_000

// Config is one measurement.
type Config struct {
	Channels, Writers   int
	Gates, PerGate      int // topology
	Exclusive, Floating int
	Flush               time.Duration
	Transport           string // local, tcp or tls
	Time                time.Duration
	Batch               int
	// Records that an invocation counts.
	Records int
	// Late is the percentage of rows that are late: a watermark is cut in before each of them.
	Late int
}

// Result is what was measured.
type Result struct {
	Topology     string  `json:"topology"`
	Transport    string  `json:"transport"`
	Exclusive    int     `json:"exclusive"`
	Floating     int     `json:"floating"`
	Flush        string  `json:"flush"`
	RecordsPerMS float64 `json:"records_per_ms"`
	Error        float64 `json:"error_99_9"`
	MBPerSecond  float64 `json:"mb_per_s"`
	Messages     float64 `json:"messages_per_s"`
	CPU          float64 `json:"cpu_s_per_million"`
	RSS          int64   `json:"rss_peak_bytes"`
	Invocations  int     `json:"invocations"`
}

// Run measures.
func Run(ctx context.Context, c Config) (Result, error) {
	r := Result{Topology: fmt.Sprintf("%dx%d", c.Gates, c.PerGate), Transport: c.Transport, Exclusive: c.Exclusive,
		Floating: c.Floating, Flush: c.Flush.String()}
	b, err := build(c)
	if err != nil {
		return r, err
	}
	err = b.measure(ctx, &r)
	if closing := b.close(); err == nil {
		err = closing
	}
	return r, err
}

// bench is the two ends.
type bench struct {
	config   Config
	out, in  *network.Environment
	writers  []*network.Writer
	gates    []*network.Gate
	union    *union
	failures chan error
}

func build(c Config) (*bench, error) {
	o := network.DefaultOptions()
	o.Memory = option.Size(max(2048, c.Writers*c.Channels*4)) * o.SegmentSize
	o.Exclusive, o.Floating, o.BufferTimeout = c.Exclusive, c.Floating, c.Flush
	var server, client *tls.Config
	var err error
	if c.Transport == "tls" {
		if server, client, err = network.EphemeralTLS(); err != nil {
			return nil, err
		}
	}
	b := &bench{config: c, failures: make(chan error, c.Writers)}
	setup := network.Setup{Options: o, ServerTLS: server}
	if c.Transport != "local" {
		setup.Listen = "127.0.0.1:0"
	}
	if b.out, err = network.NewEnvironment(setup); err != nil {
		return nil, err
	}
	b.in = b.out
	if c.Transport != "local" {
		if b.in, err = network.NewEnvironment(network.Setup{Options: o, ClientTLS: client}); err != nil {
			b.out.Close()
			return nil, err
		}
	}
	if err := b.connect(); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

var row = []types.Type{types.Of(types.BigInt).WithNull(false)}

func (b *bench) connect() error {
	c := b.config
	for w := range c.Writers {
		writer, err := b.out.Writer(network.WriterSpec{Partition: fmt.Sprint("partition ", w), Types: row, Channels: c.Channels,
			Partitioner: network.RoundFrom(0)})
		if err != nil {
			return err
		}
		b.writers = append(b.writers, writer)
	}
	b.union = newUnion(c.Gates)
	for g := range c.Gates {
		spec := network.GateSpec{Name: fmt.Sprint("gate ", g), Types: row, MaxRows: c.Batch, Wake: b.union.waker(g)}
		for k := range c.PerGate {
			s := network.Source{Partition: fmt.Sprint("partition ", g), Channel: k, Address: b.out.Address()}
			if c.Gates == c.Channels && c.Gates != c.Writers {
				s.Partition, s.Channel = fmt.Sprint("partition ", k), g
			}
			spec.Sources = append(spec.Sources, s)
		}
		gate, err := b.in.Gate(spec)
		if err != nil {
			return err
		}
		b.gates = append(b.gates, gate)
	}
	return nil
}

func (b *bench) close() error {
	for _, g := range b.gates {
		g.Close()
	}
	err := b.in.Close()
	if closing := b.out.Close(); err == nil {
		err = closing
	}
	return err
}

// send is a writer's share of one invocation.
func (b *bench) send(w *network.Writer) error {
	n := b.config.Records / len(b.writers)
	values := make([]int64, b.config.Batch)
	batch := &vector.Batch{Len: len(values), Cols: []*vector.Column{vector.OfSlice(row[0], values)}}
	last := &vector.Batch{Len: 1, Cols: []*vector.Column{vector.OfSlice(row[0], []int64{int64(n)})}}
	tail := &vector.Column{}
	for left := n - 1; left > 0; left -= batch.Len {
		if left < batch.Len {
			vector.Slice(tail, batch.Cols[0], 0, left)
			batch = &vector.Batch{Len: left, Cols: []*vector.Column{tail}}
		}
		if err := b.sendBatch(w, batch, n-left); err != nil {
			return err
		}
	}
	if err := w.Broadcast(last); err != nil {
		return err
	}
	return w.Flush()
}

// sendBatch sends a batch, cut before each late row.
func (b *bench) sendBatch(w *network.Writer, batch *vector.Batch, at int) error {
	if b.config.Late == 0 {
		return w.Send(batch)
	}
	piece := vector.Batch{Cols: []*vector.Column{{}}}
	step := 100 / b.config.Late
	for from := 0; from < batch.Len; from += step {
		piece.Len = min(step, batch.Len-from)
		vector.Slice(piece.Cols[0], batch.Cols[0], from, piece.Len)
		w.Cut(types.EventTime(at+from), 0)
		if err := w.Send(&piece); err != nil {
			return err
		}
	}
	return nil
}

// invoke runs one invocation; the caller's goroutine receives.
func (b *bench) invoke(ctx context.Context) error {
	for _, w := range b.writers {
		go func() { b.failures <- b.send(w) }()
	}
	err := b.receive(ctx)
	if err != nil {
		for _, w := range b.writers {
			w.Close()
		}
	}
	for range b.writers {
		if failed := <-b.failures; err == nil {
			err = failed
		}
	}
	return err
}

func (b *bench) receive(ctx context.Context) error {
	want := int64(b.config.Records / len(b.writers))
	for left := b.config.Channels * b.config.Writers; left > 0; {
		g, ok := b.union.next()
		if !ok {
			if err := b.union.wait(ctx); err != nil {
				return err
			}
			continue
		}
		for turn := 0; ; turn++ {
			if turn == turns {
				b.union.waker(g)()
				break
			}
			e, err := b.gates[g].Next()
			if err != nil {
				return err
			}
			if e.Kind == network.None {
				break
			}
			if e.Kind == network.Rows {
				left -= count(vector.Values[int64](e.Batch.Cols[0]), want)
			}
		}
	}
	return nil
}

// turns is how many elements a gate may give before the next one has its turn.
const turns = 64

func count(v []int64, want int64) int {
	n := 0
	for _, x := range v {
		if x == want {
			n++
		}
	}
	return n
}

// iterations is how many samples the time is divided into.
const iterations = 10

func (b *bench) measure(ctx context.Context, r *Result) error {
	for warm := time.Now(); time.Since(warm) < b.config.Time/5; {
		if err := b.invoke(ctx); err != nil {
			return err
		}
	}
	runtime.GC()
	buffers, bytes := b.sent()
	cpu, started := cpuTime(), time.Now()
	var rates []float64
	for i := 0; i < iterations; i++ {
		n, begun := 0, time.Now()
		for n == 0 || time.Since(begun) < b.config.Time/iterations {
			if err := b.invoke(ctx); err != nil {
				return err
			}
			n++
		}
		rates = append(rates, float64(n*b.config.Records)/(time.Since(begun).Seconds()*1000))
		r.Invocations += n
	}
	wall := time.Since(started).Seconds()
	r.CPU = (cpuTime() - cpu).Seconds() / (float64(r.Invocations*b.config.Records) / 1e6)
	endBuffers, endBytes := b.sent()
	r.Messages, r.MBPerSecond = float64(endBuffers-buffers)/wall, float64(endBytes-bytes)/wall/1e6
	r.RecordsPerMS, r.Error = interval(rates)
	r.RSS = peakMemory()
	return nil
}

func (b *bench) sent() (buffers, bytes int64) {
	for _, w := range b.writers {
		for _, c := range w.Stats().Channels {
			buffers, bytes = buffers+c.Buffers, bytes+c.Bytes
		}
	}
	return buffers, bytes
}

// student999 is the quantile of Student's distribution for a 99.9 % interval of ten samples.
const student999 = 4.781

// interval is the mean and half the width of its 99.9 % confidence interval.
func interval(x []float64) (mean, half float64) {
	for _, v := range x {
		mean += v
	}
	mean /= float64(len(x))
	var sum float64
	for _, v := range x {
		sum += (v - mean) * (v - mean)
	}
	deviation := math.Sqrt(sum / float64(len(x)-1))
	return mean, student999 * deviation / math.Sqrt(float64(len(x)))
}
