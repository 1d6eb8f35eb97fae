package op

import (
	"fmt"
	"strings"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/types"
)

// AggregateCall is one aggregate of a GROUP BY: `Fn([DISTINCT] Args) [FILTER (WHERE Filter)]`.
type AggregateCall struct {
	Fn *function.Aggregate
	// Args are over the input, cast to the types of the signature; none is COUNT(*).
	Args     []expr.Expr
	Distinct bool
	// Filter is a BOOLEAN over the input, or nil.
	Filter expr.Expr
	// IgnoreNulls is the clause of ARRAY_AGG.
	IgnoreNulls bool
	// T is the type of the result, nullability included.
	T types.Type
}

// String is the call as EXPLAIN shows it.
func (c *AggregateCall) String() string {
	args := make([]string, len(c.Args))
	for i, a := range c.Args {
		args[i] = a.String()
	}
	text := strings.Join(args, ", ")
	if len(args) == 0 {
		text = "*"
	}
	if c.Distinct {
		text = "DISTINCT " + text
	}
	if c.IgnoreNulls {
		text += " IGNORE NULLS"
	}
	text = c.Fn.Name + "(" + text + ")"
	if c.Filter != nil {
		text += " FILTER " + c.Filter.String()
	}
	return text
}

// GroupAggregate is an unbounded GROUP BY. Its output has a column per key, then one per aggregate.
//
// Per key and batch, or mini-batch, it emits at most one change: +I for a new key, -U and +U when a result changed, -D when
// the last row of a key was retracted. Without keys there is one group, and no row before the first input.
// Without aggregates it is DISTINCT.
type GroupAggregate struct {
	// Keys are over the input: any types but composite ones (state.KeyType).
	Keys []expr.Expr
	Aggs []AggregateCall
	// Names of the output's columns.
	Names []string
	// Retracts says that the input may hold -U and -D.
	Retracts bool
	// AtEnd emits each group once, when the input has ended, as batch mode does. The input holds inserts only.
	AtEnd bool
	// NoUpdateBefore leaves -U rows out, where no consumer needs them.
	NoUpdateBefore bool
	// TTL forgets a key that got no row for this long by the clock, as if it had never been; 0 never does. With
	// it every row gives a change, so that what stands behind is kept alive too.
	TTL time.Duration
	// Until bounds the event time until which rows come to a group, over its keys: once the watermark has passed one of them
	// it is forgotten, without a change. The input holds inserts only, and TTL is 0.
	Until []Until
	// Apart gives each DISTINCT call a set of values of its own; Scattered keeps integers near each other apart.
	Apart, Scattered bool
	// Phase says which half of a two-phase aggregation this is.
	Phase Phase
	// MiniBatch folds the changes of a key before they are given. There is none with AtEnd or Until.
	MiniBatch MiniBatch
}

// Phase is the part of an aggregation that an operator does.
type Phase uint8

const (
	// Single takes rows and gives results.
	Single Phase = iota
	// Final takes what a LocalAggregate with the same keys and calls gives, and gives results: Keys must be
	// its first columns.
	Final
)

// LocalAggregate folds the rows of a few batches by key, before an exchange. Its output has a column per
// key, then the partials of each aggregate in turn (Types tells them), then a BIGINT with the number of
// rows, less those retracted. It holds rows back for some milliseconds (Clocked, Holder), and takes no DISTINCT.
type LocalAggregate struct {
	Keys     []expr.Expr
	Aggs     []AggregateCall
	Names    []string
	Retracts bool
}

// String implements Spec.
func (s *GroupAggregate) String() string {
	name := "GroupAggregate("
	if s.Phase == Final {
		name = "GlobalGroupAggregate("
	}
	text := name + aggregateText(s.Keys, s.Aggs) + s.setsText() + scatteredText(s.Scattered)
	if len(s.Until) > 0 {
		text += ", until=[" + UntilText(s.Until) + "]"
	}
	return text + s.MiniBatch.text() + ")"
}

// String implements Spec.
func (s *LocalAggregate) String() string {
	return "LocalGroupAggregate(" + aggregateText(s.Keys, s.Aggs) + ")"
}

// setsText says how many sets hold the values of the DISTINCT calls.
func (s *GroupAggregate) setsText() string {
	if s.Phase == Final {
		return ""
	}
	c, _ := planSets(s.Keys, s.Aggs, s.Retracts, s.Apart)
	n := 0
	for i := range c.plans {
		if c.plans[i].set >= 0 {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", distinct=[%d calls, %d sets]", n, len(c.sets))
}

// scatteredText says of keys that those near each other are kept apart.
func scatteredText(scattered bool) string {
	if scattered {
		return ", keys=[scattered]"
	}
	return ""
}

func aggregateText(keys []expr.Expr, aggs []AggregateCall) string {
	var parts []string
	for _, k := range keys {
		parts = append(parts, k.String())
	}
	text := ""
	if len(keys) > 0 {
		text = "groupBy=[" + strings.Join(parts, ", ") + "], "
	}
	for i := range aggs {
		parts = append(parts, aggs[i].String())
	}
	return text + "select=[" + strings.Join(parts, ", ") + "]"
}
