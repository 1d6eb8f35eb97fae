// Package op is the operators: plain specs that the planner makes and the machines that run them.
//
// It does not know SQL text, tasks, goroutines, checkpoints or the network.
//
// Invariants (the numbers are the design's):
//
//	O1 one goroutine per task: operators have no locks, goroutines or channels. All that subtasks share is a table
//	   that is looked up, which the first of them to open reads (LookupTable).
//	O2 Advance strictly increases; the last is types.MaxTime, the end of input.
//	O3 nothing emitted after Advance returned t carries an older event time, where the output has one.
//	O4 what must survive a crash sits in state tables.
//	O5 no logging, metrics, retries or parallelism here. What time it is an operator hears from its task: at each Tick
//	   (Clocked), or from Env.Now, which is asked per batch, by what has a time to live or is in the order of processing time.
//	O7 Emit may block; an error it returns is returned at once.
package op

import (
	"streamsql/exec/function"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Spec describes an operator: immutable, shared by its subtasks, printed by EXPLAIN.
type Spec interface {
	String() string
	New() Operator
}

// Passing is a Spec of which comes what goes in, row by row, but for rows that the query's conditions drop: what a task
// counts behind it tells how many of a source's rows the query is about.
type Passing interface {
	Spec
	passes()
}

// Context is what an operator gets when it opens.
type Context struct {
	// MaxRows is the largest batch to emit.
	MaxRows int
	Env     *function.Env
	// State is where the operator keeps what must survive; nil stands for a store of its own.
	State *state.Store
	// Splits are the names of the splits that the operator's rows come from, where it reads a source alone (Divided);
	// otherwise nil.
	Splits []string
	// Stopped is the error to end with once the job was stopped: an operator that works long without emitting asks. It may
	// be nil.
	Stopped func() error
}

// Store is where the operator of a spec keeps its tables.
func (c *Context) Store(s Spec) *state.Store {
	if c.State == nil {
		c.State = state.NewStore(state.Options{Operator: s.String()})
	}
	return c.State
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

// Clocked is an operator that works by processing time. The task calls Tick with the time of its clock, in
// milliseconds since 1970, once the clock has reached NextTick: between batches, and when it is idle. Those that keep
// state are besides called before each barrier with the time of the checkpoint, whether they are due or not.
type Clocked interface {
	Operator
	// NextTick is when the operator wants to be called; types.MaxTime when it does not.
	NextTick() types.EventTime
	Tick(now types.EventTime, out Output) error
}

// Divided is an operator that keeps a time for each split of the source that it alone hangs on, those of
// Context.Splits. Where there are several, the task tells before each batch which one it is of, and when one ended.
type Divided interface {
	Operator
	Split(i int)
	EndSplit(i int, out Output) error
}

// Holder is an operator that holds rows back outside its state. The task calls Flush before a barrier: it emits
// them all.
type Holder interface {
	Flush(out Output) error
}

// Counted is an operator that counts what users should hear of: late rows, unmatched retractions.
type Counted interface {
	Counters() []Counter
}

// Counter is one such number.
type Counter struct {
	Name  string
	Value int64
}
