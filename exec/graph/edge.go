package graph

import (
	"fmt"
	"strings"
	"time"

	"streamsql/exec/network"
	"streamsql/exec/option"
	"streamsql/exec/types"
)

// Exchange says how rows travel on the edges of a job.
type Exchange struct {
	// Options size the buffers; nil stands for the defaults.
	Options *network.Options
	// Transport is the way between tasks.
	Transport Transport
	// TLS are the files that TLS goes by.
	TLS TLSFiles
	// Interval is the least time between two watermarks on an edge; 0 sends each.
	Interval time.Duration
}

// Transport is how the buffers of an edge get from one task to another.
type Transport uint8

const (
	// Local hands buffers over in memory.
	Local Transport = iota
	// TCP sends them over a connection on the loopback device.
	TCP
	// TLS encrypts that connection, and each end is sure of the other.
	TLS
)

// TLSFiles name files in PEM: the certificate that both ends show, its key and the authority that they trust. Without
// any, keys are made that live as long as the job.
type TLSFiles struct {
	Certificate, Key, Authority string
}

// Partitioning is how rows of an edge find their channel.
type Partitioning uint8

// The partitionings.
const (
	Forward Partitioning = iota
	Hash
	Rebalance
	Rescale
	Broadcast
	Global
)

// String is the partitioning's name.
func (p Partitioning) String() string {
	return [...]string{"forward", "hash", "rebalance", "rescale", "broadcast", "global"}[p]
}

// Edge carries rows from a node of another stage.
type Edge struct {
	From, FromNode int // stage and node
	To             int // node of this stage
	Input          int // of that node
	Partitioning   Partitioning
	// Keys are the columns that Hash goes by.
	Keys []int
	// Names and Types are of the columns.
	Names []string
	Types []types.Type
	// Rowtimes are the columns with the event time of a row: rows at or behind a watermark that was not sent
	// yet must not overtake it.
	Rowtimes []int
}

// Buffers are the options in force.
func (x *Exchange) Buffers() network.Options {
	if x.Options == nil {
		return network.DefaultOptions()
	}
	return *x.Options
}

// Outgoing is the number of channels that one subtask of the sending stage writes to.
func (e *Edge) Outgoing(subtask, senders, receivers int) (first, n int) {
	switch e.Partitioning {
	case Forward:
		return subtask, 1
	case Rescale:
		return network.RescaleTargets(subtask, senders, receivers)
	}
	return 0, receivers
}

// String is the way rows take, such as hash[a, b].
func (e *Edge) String() string {
	text := e.Partitioning.String()
	if e.Partitioning != Hash {
		return text
	}
	keys := make([]string, len(e.Keys))
	for i, k := range e.Keys {
		keys[i] = fmt.Sprintf("$%d", k)
		if k < len(e.Names) && e.Names[k] != "" {
			keys[i] = e.Names[k]
		}
	}
	return text + "[" + strings.Join(keys, ", ") + "]"
}

// edge is the line of an edge into s: its partitioning, the buffers of each task at its ends, and how much
// can be under way on it.
func (g *Graph) edge(s *Stage, e *Edge) string {
	o := g.Exchange.Buffers()
	senders, receivers := max(g.Stages[e.From].Parallelism, 1), max(s.Parallelism, 1)
	_, out := e.Outgoing(0, senders, receivers)
	in := 0
	for i := range senders {
		if first, n := e.Outgoing(i, senders, receivers); first == 0 && n > 0 {
			in++
		}
	}
	bytes := o.InFlight(out) * int64(senders)
	gate := "shares them"
	if g.Exchange.Transport != Local {
		gate = o.SizeGate(in).String()
	} else {
		bytes -= int64(o.SizeGate(out).Max) * int64(o.SegmentSize) * int64(senders)
	}
	return fmt.Sprintf("%s from stage %d [%d] to [%d]: %d x %d channels, output %s, input %s, at most %v under way",
		e, e.From, e.FromNode, e.To, senders, out, o.SizeOutput(out), gate, option.Size(bytes))
}
