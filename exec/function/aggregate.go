package function

import (
	"fmt"
	"sort"
	"strings"

	"streamsql/exec/state"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// Aggregate declares an aggregate function. DISTINCT and FILTER are no matter of it: the aggregation
// operator passes a mask of the rows that count.
type Aggregate struct {
	// Name is upper case.
	Name    string
	Aliases []string
	// Forms are the accepted argument lists in words.
	Forms []string
	// Type checks the arguments. COUNT(*) is COUNT without arguments. Result has the nullability that
	// a group with at least one row gives; the binder makes it nullable where a FILTER or an empty
	// group can leave no row (see Nullable).
	Type func(args []Arg) (Signature, error)
	// Defined says that the aggregate of no rows is a value (COUNT's 0), so that the result stays NOT NULL.
	Defined bool
	// Signed says that partials are differences: those of rows taken back can be merged too.
	Signed bool
	// Counted says that those of the form for rows that are taken back (AggregateBinding.Retracts) are, too.
	Counted bool
	// Rows says that the accumulator gets the arguments as one ROW, but for the one that Beside counts from 1.
	Rows   bool
	Beside int
	// Finish makes the result of what the accumulator gives, which Type then declares, and of the argument that Beside
	// tells. It is for aggregates that can fail.
	Finish *Scalar
	// Extension marks what Flink does not have; the strict dialect refuses it.
	Extension bool
	// Distinct says that it is COUNT(DISTINCT) under another name.
	Distinct bool
	// New makes the accumulator over columns of a state table.
	New func(b AggregateBinding) Accumulator
	// Shared makes an accumulator that reads what that of another call keeps, which has the same arguments and gets the
	// same rows; nil where that one keeps something else. Its partials have no columns.
	Shared func(kept Accumulator, b AggregateBinding) Accumulator
	Doc    Doc
}

// AggregateBinding is what an accumulator is made for.
type AggregateBinding struct {
	// Args and Result are as in the signature; Args[i].Const is known for literals, as a separator.
	Args   []Arg
	Result types.Type
	// Retracts says that Retract may be called: the larger form of MIN, MAX and their kin is needed.
	Retracts bool
	// IgnoreNulls is the clause of ARRAY_AGG.
	IgnoreNulls bool
	// Name is that of the call in its operator: subtables are named after it.
	Name string
	// State is the table that holds the groups: the accumulator declares its columns there.
	State *state.Keyed
}

// Accumulator holds an aggregate's state of every group of a table, in columns by group id. A group is
// empty until its first Update: all its columns are zero.
//
// Arguments are flat columns with a row per group id; mask has a one for each row that counts, nil means
// all. The operator has called Own for the groups.
type Accumulator interface {
	Update(groups []int32, args []*vector.Column, mask []uint64)
	// Retract takes rows back that were added before. It may come to a partial that has not seen the
	// row: only the final phase can call it unmatched.
	Retract(groups []int32, args []*vector.Column, mask []uint64)
	// Merge adds partials, the columns that Partial made, of other groups.
	Merge(groups []int32, partial []*vector.Column)
	// Partial writes what Merge takes, one column per type of PartialTypes.
	Partial(groups []int32, out []*vector.Column)
	PartialTypes() []types.Type
	// Value writes the result of each group.
	Value(groups []int32, out *vector.Column)
	// Clear makes groups empty: their ids will be given to other keys.
	Clear(groups []int32)
}

// OneGroup is an accumulator with a quicker way for rows that are all of one group.
type OneGroup interface {
	UpdateOne(group int32, n int, args []*vector.Column, mask []uint64)
}

// Nullable tells whether a call's result may be NULL: strict aggregates are NULL when no row counts, which
// can be where there is a filter or no key, or where an argument may be NULL.
func (a *Aggregate) Nullable(sig Signature, filtered, keyless bool) bool {
	return !a.Defined && (filtered || keyless || sig.Result.Nullable())
}

var aggregates = map[string]*Aggregate{}

// aggregate registers a declaration; each file declares `var _ = aggregate(Aggregate{…})`.
func aggregate(a Aggregate) *Aggregate {
	p := &a
	for _, n := range append([]string{a.Name}, a.Aliases...) {
		if aggregates[n] != nil {
			panic("function: declared twice: " + n)
		}
		aggregates[n] = p
	}
	if a.Type == nil || a.New == nil {
		panic("function: incomplete declaration: " + a.Name)
	}
	return p
}

// LookupAggregate finds an aggregate by its name in any case, or nil.
func LookupAggregate(name string) *Aggregate { return aggregates[strings.ToUpper(name)] }

// MustAggregate finds an aggregate that the engine itself relies on.
func MustAggregate(name string) *Aggregate {
	a := aggregates[name]
	if a == nil {
		panic(fmt.Sprintf("function: aggregate %s is not declared", name))
	}
	return a
}

// AllAggregates lists the declarations by name.
func AllAggregates() []*Aggregate {
	var out []*Aggregate
	for n, a := range aggregates {
		if n == a.Name {
			out = append(out, a)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}
