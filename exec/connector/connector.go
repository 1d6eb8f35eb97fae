// Package connector is the contract between the engine and the outside: where rows come from and where
// they go. A connector is one Definition; the list of all stands in package connectors.
//
// It does not know SQL, plans, tasks or checkpoints' files.
//
// Invariants:
//
//	C1 Next never blocks; blocking I/O runs in the connector's own goroutine.
//	C2 Position is exact after the batch last returned: a reader restored there goes on with the next row.
//	C3 what Request declined to need may be delivered as constant NULL, nothing else may change.
//	C4 a Writer makes rows visible only through its committables; a sink without a Committer promises
//	   nothing across crashes.
package connector

import (
	"io"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Definition declares a connector.
type Definition struct {
	// Name is the value of the option 'connector'.
	Name string
	// Doc is one sentence for the reference.
	Doc string
	// Options makes a pointer to a struct of option-tagged fields holding the defaults; package option
	// decodes a table's WITH clause into it.
	Options func() any
	// Source opens a table for reading; nil when the connector only writes. It validates options: an
	// error names the option and what is allowed.
	Source func(t *Table) (Source, error)
	// Sink opens a table for writing; nil when the connector only reads.
	Sink func(t *Table) (Sink, error)
	// Changes, when not nil, tells whether a table with these options gives updates and deletes too, each update as -U and +U.
	Changes func(options any) bool
	// Metadata says that tables may have metadata columns, which Source checks; without it they are refused.
	Metadata bool
	// Files, when not nil, opens files without a declaration.
	Files *Files
}

// Table is what a connector learns of a table.
type Table struct {
	Name string
	// Columns are the physical and metadata columns, in order, without computed ones.
	Columns []Column
	// PartitionKeys and PrimaryKey are positions in Columns.
	PartitionKeys []int
	PrimaryKey    []int
	// Watermark says that rows get watermarks by their order within a split, whether the source makes them or not.
	Watermark bool
	// Options is the decoded struct that Definition.Options made.
	Options any
	Env     *function.Env
}

// Column is a column of a table.
type Column struct {
	Name string
	Type types.Type
	// Metadata is the key of a METADATA column, or empty.
	Metadata string
}

// Path names a column or a field in it: the column's position, then field positions.
type Path []int

// Request is what a query wants of a source, as data. A source takes what it can use.
type Request struct {
	// Need lists the paths that are read; nil means everything.
	Need []Path
	// Filters are conjuncts over Columns (expr.Column.Index is the position in Table.Columns) that all
	// rows of interest satisfy. None of them can fail.
	Filters []expr.Expr
	// Limit is the number of rows wanted per job, or -1.
	Limit int64
	// Rowtime, when not nil, is the event time of a row over Columns, and Delay the milliseconds that
	// the watermark stays behind it.
	Rowtime expr.Expr
	Delay   int64
}

// Accepted is what a source took of a request.
type Accepted struct {
	// Filters tells which filters the source applies exactly; the engine applies the others.
	Filters []bool
	// Watermark says that the source knows the event time itself, promises that it is never NULL, and
	// delivers Read.Watermark as if it were computed over all rows, those that filters drop included.
	Watermark bool
}

// Source is a table opened for reading. Push is called at most once, before Splits; a source that was
// not asked delivers everything.
type Source interface {
	// Push offers the request.
	Push(r Request) Accepted
	// Bounded tells that the input ends by itself.
	Bounded() bool
	// Splits divides the input for n subtasks. Split i goes to subtask i mod n.
	Splits(n int) ([]Split, error)
	// Open starts reading the given splits, all of one subtask.
	Open(c *Context, splits []Split) (Reader, error)
}

// Resumer is a Source whose splits depend on the number of subtasks: it divides what is left of a restored input
// itself. Others are asked for Splits, and those with the same names go on at their positions.
type Resumer interface {
	Source
	// Resume divides for n subtasks what the splits of a checkpoint left, in the order in which they were dealt out.
	// It fails where they are none of this source's.
	Resume(n int, saved []Split) ([]Split, error)
}

// Split is one independently readable part of the input. Position is empty at the beginning, or what
// Reader.Position gave.
type Split struct {
	ID       string
	Position []byte
}

// Context is what a reader or writer knows of its task.
type Context struct {
	// Job is the id of a job with checkpoints, the same after a restore; otherwise empty.
	Job string
	// Transient says that checkpoints go with the job, if there are any: nobody goes on with what a writer leaves
	// unfinished.
	Transient            bool
	Subtask, Parallelism int
	// MaxRows is the largest batch to deliver.
	MaxRows int
	Env     *function.Env
	// Stdout and Stderr are where print writes; several goroutines may.
	Stdout, Stderr io.Writer
}

// Status is what Next found.
type Status uint8

const (
	// Rows: a batch of one split.
	Rows Status = iota
	// Wait: nothing now; Wake is closed or sent to when there may be more.
	Wait
	// End: all splits are finished.
	End
	// Done: one split is finished, and holds the watermark no longer. Of a reader's last one End says so too.
	Done
)

// Read is the outcome of Next. The batch is lent until the following call; it is nil when only the
// watermark moved. Event time is that of the split furthest behind, of those too that have given nothing yet, until
// they are Done.
type Read struct {
	Status Status
	Batch  *vector.Batch
	Split  int // position in the list given to Open
	Wake   <-chan struct{}
	// Watermark is the split's watermark after the batch, when Accepted.Watermark was given.
	Watermark types.EventTime
}

// Reader reads the splits of one subtask; one goroutine calls it.
type Reader interface {
	Next() (Read, error)
	// Position is where split i (of the list given to Open) stands after the last batch.
	Position(i int) ([]byte, error)
	Close() error
}

// Fleeting is a Source that may have input which is gone once it was read. Fleeting names it, or is empty.
type Fleeting interface {
	Source
	Fleeting() string
}

// Sink is a table opened for writing.
type Sink interface {
	// Changelog tells that updates and deletes are understood; others get inserts only.
	Changelog() bool
	// Open makes the writer of one subtask.
	Open(c *Context) (Writer, error)
	// Committer is the job's single committer, or nil.
	Committer() (Committer, error)
}

// Upserting is a Sink that may be content without -U: the +U behind it, with the same key, says enough.
type Upserting interface {
	Sink
	// UpdateBefore tells that -U rows are wanted all the same.
	UpdateBefore() bool
}

// Writer takes the rows of one subtask; one goroutine calls it.
type Writer interface {
	Write(b *vector.Batch) error
	// Advance says that event time reached t; after a restore it says so once more.
	Advance(t types.EventTime) error
	// Prepare closes the epoch: once wait, which may be nil, has returned without an error the rows are
	// durable, and the committables make them visible. Writers without a Committer return nothing.
	Prepare(epoch int64) (committables [][]byte, wait func() error, err error)
	// Abort gives up what is not committed; Close ends the writer after its last Prepare.
	Abort() error
	Close() error
}

// Keeper is a Writer that has something of its own to keep across a restore.
type Keeper interface {
	Writer
	// Keep gives the writer a store to keep it in, before rows come: the writer declares its tables and opens
	// it. The store is part of every checkpoint as of Prepare, and holds then what one or several earlier
	// subtasks kept, keys of theirs more than once.
	Keep(store *state.Store) error
}

// Settler is a Writer that goes on with the same output over checkpoints. Settle, before the Prepare of one that the
// job stops at, has it finish what it began: a savepoint does not depend on what becomes of unfinished output.
type Settler interface {
	Writer
	Settle() error
}

// Cleaner is a Sink whose writers leave hidden files behind when the process dies. Clean removes those that
// carry the id of a job; what the job's checkpoint names has been committed before, and no writer is open.
type Cleaner interface {
	Sink
	Clean(job string) error
}

// Committer makes prepared rows visible. Commit is idempotent. The watermark is the event time that all writers had
// reached when they prepared, but for idle ones; MaxTime at the end of input.
type Committer interface {
	Commit(epoch int64, committables [][]byte, watermark types.EventTime) error
}
