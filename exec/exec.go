// Package exec is the machine: it runs a graph as a job of tasks, one per stage and subtask, and says
// what happened.
//
// It does not know SQL, plans or what operators and connectors do.
//
// Invariants:
//
//	X1 a task is one goroutine; its operators are chained by calls, with nothing between them but the
//	   counters. Between tasks stands package network.
//	X2 a job ends exactly once: finished, failed with the first failure, or cancelled; all goroutines
//	   that it started have ended before Wait returns.
//	X3 a panic in an operator or connector is recovered in one place and fails the job with the name of
//	   the operator.
//	X4 a task takes input only while its outputs have room, and waits for both with its memory given back.
//	X5 writers are prepared by their task. Without checkpoints the job commits or aborts them after every
//	   task ended; with them the coordinator commits what a complete checkpoint names, and nothing is aborted
//	   that one may name.
//	X6 a checkpoint has one processing time: what all tasks gave by the clock before its barrier, and nothing
//	   later, is in it.
package exec

import (
	"context"
	"fmt"
	"io"
	"time"

	"streamsql/exec/connector"
	"streamsql/exec/function"
	"streamsql/exec/graph"
)

// Options say how a job runs.
type Options struct {
	Env *function.Env
	// MaxRows is the largest batch; 0 stands for vector.DefaultMaxRows.
	MaxRows int
	// IdleTimeout is how long a source may be without rows before it no longer holds the watermark; 0 is
	// for ever.
	IdleTimeout time.Duration
	// StateLimit is the memory that the state of an operator may take in a subtask, 0 for any.
	StateLimit int64
	// Stdout and Stderr are where the print connector writes; nil discards.
	Stdout, Stderr io.Writer
	// Writer makes the writer of a sink's subtask in place of the sink's own, or returns nil to leave
	// it. It must make those of sinks that stand for the result of a SELECT.
	Writer func(s *graph.Sink, c *connector.Context) (connector.Writer, error)
	// Checkpoints says how checkpoints are taken; nil takes none.
	Checkpoints *Checkpointing
	// Restart says whether Supervise starts a job with checkpoints again that failed.
	Restart Restart
	// Started is told of each start by Supervise, so that the job can be observed; may be nil.
	Started func(j *Job)
}

// Failure says where a job failed.
type Failure struct {
	// Operator is the node's line in EXPLAIN.
	Operator       string
	Stage, Subtask int
	Err            error
	// Stack is set for panics.
	Stack []byte
}

const longestName = 120

func (f *Failure) Error() string { return fmt.Sprintf("%s: %v", f.Name(), f.Err) }

// Name is the operator, cut short.
func (f *Failure) Name() string {
	if len(f.Operator) > longestName {
		return f.Operator[:longestName] + "…"
	}
	return f.Operator
}

// Unwrap gives the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Run runs a graph to its end. The counters are valid with an error too.
func Run(ctx context.Context, g *graph.Graph, o Options) (Stats, error) {
	j, err := Start(ctx, g, o)
	if err != nil {
		return Stats{}, err
	}
	return j.Wait()
}
