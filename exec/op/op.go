// Package op is the operators: plain specs that the planner makes and the machines that run them.
//
// It does not know SQL text, tasks, goroutines, checkpoints or the network.
//
// Invariants (the numbers are the design's):
//
//	O1 one goroutine per task: operators have no locks, goroutines or channels.
//	O2 Advance strictly increases; the last is types.MaxTime, the end of input.
//	O3 nothing emitted after Advance returned t carries an older event time, where the output has one.
//	O4 what must survive a crash sits in state tables.
//	O5 no logging, metrics, wall clock, retries or parallelism here.
//	O7 Emit may block; an error it returns is returned at once.
package op

import (
	"streamsql/exec/function"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Spec describes an operator: immutable, shared by its subtasks, printed by EXPLAIN.
type Spec interface {
	String() string
	New() Operator
}

// Context is what an operator gets when it opens.
type Context struct {
	// MaxRows is the largest batch to emit.
	MaxRows int
	Env     *function.Env
}

// Output takes what an operator makes. The batch is lent for the call.
type Output interface {
	Emit(b *vector.Batch) error
	// Advance says in the midst of a batch that event time reached t. Only operators that make
	// watermarks call it: others pass on what came to their Advance.
	Advance(t types.EventTime) error
}

// Operator processes the batches of one subtask.
type Operator interface {
	Open(c *Context) error
	Process(input int, b *vector.Batch, out Output) error
	// Advance says that event time reached t, and returns the time to pass on: t, or less when rows are
	// held back.
	Advance(t types.EventTime, out Output) (types.EventTime, error)
	Close() error
}
