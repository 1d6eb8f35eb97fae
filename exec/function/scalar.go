// Package function is the registry of SQL functions and operators: one declaration per function
// with its names, argument and result types, null rule, kernel and documentation.
//
// It does not know expressions, plans, operators or batches; it sees columns, flat or constant.
//
// Invariants:
//
//	F1 a declaration is complete: parser, binder, evaluator, completion and docs read the same one.
//	F2 a kernel sees flat or constant columns only, of exactly the types its signature asked for
//	   (nullability aside), all with the same Len.
//	F3 a kernel allocates nothing per row; what it keeps between batches belongs to its Bind.
//	F4 a failing lane is reported with Call.Fail or FailWith and given any value; nothing else stops a kernel.
package function

import (
	"fmt"
	"time"

	"streamsql/exec/kernel"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// NullRule says who takes care of NULL.
type NullRule uint8

const (
	// Strict: the result is NULL where an argument is. The evaluator has already set Out.Valid to that
	// (nil when nothing is NULL), kernels may add NULLs with Out.SetNull, and lanes that are NULL hold
	// arbitrary arguments. A constant NULL argument skips the kernel.
	Strict NullRule = iota
	// Custom: the kernel reads its arguments' validity and sets Out's itself.
	Custom
)

// Arg is one argument as the binder sees it.
type Arg struct {
	Type types.Type
	// Const is the value when it is known at planning: a constant column of length 1. Nil otherwise.
	Const *vector.Column
}

// IsNull tells a literal NULL.
func (a Arg) IsNull() bool { return a.Const != nil && a.Const.IsConstNull() }

// Signature is the outcome of type checking: the types that the arguments are cast to, and the type of
// the result, nullability included. The binder casts implicitly where an argument's type differs.
type Signature struct {
	Args   []types.Type
	Result types.Type
}

// Env is what a kernel may know of its session.
type Env struct {
	// Zone is `table.local-time-zone`.
	Zone *time.Location
	// Now is the clock of the query; kernels of NOW() and its kin call it once per batch.
	Now func() time.Time
	// Watermark is the one that the operator has seen last, types.MinTime before the first; nil where there are none.
	Watermark func() types.EventTime
	// LegacyCast is `table.exec.legacy-cast-behaviour`.
	LegacyCast bool
	// EachText has every row's text made anew, also by functions whose text stays over many (Scalar.Memo).
	EachText bool
}

// Binding is what a declaration binds to: argument and result types as in the signature.
type Binding struct {
	Args   []Arg
	Result types.Type
	Env    *Env
}

// Kernel computes a batch. Out has been Reset to the result type with the batch's length.
type Kernel func(c *Call)

// Call is one evaluation over a batch.
type Call struct {
	Out  *vector.Column
	Args []*vector.Column
	// Active has a one for each lane whose value is wanted; nil means all. Cheap kernels compute every
	// lane; expensive ones may skip the others.
	Active []uint64
	// Same may be set by a kernel that computed every lane, to say that all have the value of the first, which is not NULL:
	// the result is then a constant.
	Same bool

	errRow int
	err    error
}

// Reset prepares c for a batch.
func (c *Call) Reset(out *vector.Column, args []*vector.Column, active []uint64) {
	c.Out, c.Args, c.Active, c.Same, c.errRow, c.err = out, args, active, false, -1, nil
}

// Wanted tells whether lane i is active and, under the Strict rule, not NULL.
func (c *Call) Wanted(i int) bool {
	return (c.Active == nil || kernel.Bit(c.Active, i)) && (c.Out.Valid == nil || kernel.Bit(c.Out.Valid, i))
}

// Fail reports that lane i has no value. It counts only when the lane is wanted; the lowest row wins.
func (c *Call) Fail(i int, err error) {
	if c.counts(i) {
		c.errRow, c.err = i, err
	}
}

// FailWith is Fail for an error that has yet to be worded: why is called only when it counts, so that a
// batch of failing lanes costs no memory.
func (c *Call) FailWith(i int, why func() error) {
	if c.counts(i) {
		c.errRow, c.err = i, why()
	}
}

// counts tells whether a failure of lane i is the one to report so far.
func (c *Call) counts(i int) bool {
	return (c.err == nil || c.errRow > i) && c.Wanted(i)
}

// failure is an error in fixed words.
type failure string

func (f failure) Error() string { return string(f) }

// Err is the failure of the lowest row and that row, or nil.
func (c *Call) Err() (row int, err error) { return c.errRow, c.err }

// Doc is what users read. Example is an expression whose text form is Value: tests evaluate it.
type Doc struct {
	Group   string // as in the reference: arithmetic, comparison, logic, string, temporal, …
	Text    string // one or two sentences, with the NULL rule when it is not the strict one
	Example string
	Value   string
}

// Scalar declares a function or operator.
type Scalar struct {
	// Name is upper case for functions and the symbol for operators ("+", "IS NULL").
	Name    string
	Aliases []string
	// Forms are the accepted argument lists in words, for errors and documentation: "<STRING>, <INTEGER>".
	Forms []string
	// Type checks the arguments. An error made with Mismatch becomes a user error that lists Forms.
	Type  func(args []Arg) (Signature, error)
	Nulls NullRule
	// Bind makes the kernel for bound types, once per evaluator. Constant arguments may be inspected: a
	// pattern is compiled here.
	Bind func(b Binding) (Kernel, error)
	// Fails says that lanes can fail, so that the evaluator keeps track of reached lanes.
	Fails bool
	// Nameless says that no statement has a name for it: a failure tells all without the call.
	Nameless bool
	// Memo tells of bound arguments whether the text of a row is taken from the one before while it stays the same; nil:
	// never.
	Memo func(args []Arg) bool
	// Volatile says that equal arguments may give different results: RAND, NOW in streaming.
	Volatile bool
	// Watermark says that the kernel reads Env.Watermark: an argument is an event time attribute, and watermarks that reach
	// a calculation cut its batches.
	Watermark bool
	// Special marks declarations that the binder calls by another syntax than NAME(args): operators,
	// CAST, EXTRACT. Completion and name lookup of plain calls leave them out.
	Special bool
	// Extension marks what Flink does not have; the strict dialect refuses it.
	Extension bool
	Doc       Doc
}

// TypeError is a refusal by Type.
type TypeError struct{ Msg string }

func (e *TypeError) Error() string { return e.Msg }

// Mismatch is the plain refusal: the binder words it with the function's Forms.
func Mismatch() error { return &TypeError{} }

// Refuse is a refusal with its own words.
func Refuse(format string, args ...any) error { return &TypeError{fmt.Sprintf(format, args...)} }
