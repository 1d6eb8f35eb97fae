package op_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
)

// TestSharedAccumulators: calls over the same rows keep what they have in common once, and give what each gives alone,
// in one phase and in two.
func TestSharedAccumulators(t *testing.T) {
	c := columnsOf(changeTypes)
	var aggs []op.AggregateCall
	for _, arg := range c[2:4] {
		for _, name := range []string{"AVG", "SUM", "COUNT", "STDDEV_POP", "VAR_SAMP"} {
			plain := aggregateOf(t, name, arg)
			some, each := plain, plain
			some.Filter, each.Distinct = lessThan(c[2], 3), true
			aggs = append(aggs, plain, some, each)
		}
	}
	keys := c[:1]
	split := aggs[:0:0]
	for _, a := range aggs {
		if op.Splits([]op.AggregateCall{a}, true) {
			split = append(split, a)
		}
	}
	_, log := changesOf(rand.New(rand.NewPCG(3, 3)))
	values := func(aggs []op.AggregateCall) []string {
		spec := &op.GroupAggregate{Keys: keys, Aggs: aggs, Names: namesOf(1 + len(aggs)), Retracts: true}
		got, err := optest.Replay(t, spec, optest.Parse(t, changeTypes, log), 7, optest.Mixed)
		must(t, err)
		return strings.Split(strings.TrimSpace(optest.Fold(t, got)), "\n")
	}
	want := alone(aggs, values)
	if got := values(aggs); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("together:\n%s\nalone:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	local := &op.LocalAggregate{Keys: keys, Aggs: split, Names: namesOf(1 + len(split)), Retracts: true}
	partials, err := optest.Replay(t, local, optest.Parse(t, changeTypes, log), 7, optest.Mixed)
	must(t, err)
	final := &op.GroupAggregate{Keys: keys, Aggs: split, Names: local.Names, Phase: op.Final, Retracts: true}
	got, err := optest.Replay(t, final, optest.Parse(t, local.Types(), partials), 7, optest.Mixed)
	must(t, err)
	if got, want := strings.TrimSpace(optest.Fold(t, got)), strings.Join(alone(split, values), "\n"); got != want {
		t.Errorf("in two phases:\n%s\nalone:\n%s", got, want)
	}
}

// alone puts the values of each call by itself side by side.
func alone(aggs []op.AggregateCall, values func([]op.AggregateCall) []string) []string {
	var rows []string
	for i := range aggs {
		for k, row := range values(aggs[i : i+1]) {
			key, value, _ := strings.Cut(row, " ")
			if i == 0 {
				rows = append(rows, key)
			}
			rows[k] += " " + value
		}
	}
	return rows
}

// TestDeviationOfChanges: a deviation is not made of partials where rows may be taken back, which stand for a difference.
func TestDeviationOfChanges(t *testing.T) {
	c := columnsOf([]types.Type{types.Of(types.BigInt)})
	for _, name := range []string{"STDDEV_POP", "STDDEV_SAMP", "VAR_POP", "VAR_SAMP"} {
		aggs := []op.AggregateCall{aggregateOf(t, name, c[0])}
		if op.Splits(aggs, true) || !op.Splits(aggs, false) {
			t.Errorf("%s: two phases %v over changes, %v over rows", name, op.Splits(aggs, true), op.Splits(aggs, false))
		}
	}
}

// TestSharedPartials: what is shared is sent once, and nothing is shared between other rows, other values and FLOATs
// that are added in another width.
func TestSharedPartials(t *testing.T) {
	long := types.Of(types.BigInt)
	c := columnsOf([]types.Type{long, types.Of(types.Double), types.Of(types.Float), types.DecimalOf(10, 2), long})
	filtered := aggregateOf(t, "SUM", c[0])
	filtered.Filter = lessThan(c[4], 3)
	call := func(name string, arg expr.Expr) op.AggregateCall { return aggregateOf(t, name, arg) }
	for name, x := range map[string]struct {
		aggs []op.AggregateCall
		want int // columns
	}{
		"integers":      {[]op.AggregateCall{call("SUM", c[0]), call("AVG", c[0]), call("COUNT", c[0])}, 2},
		"mean first":    {[]op.AggregateCall{call("AVG", c[1]), call("SUM", c[1]), call("COUNT", c[1])}, 2},
		"decimals":      {[]op.AggregateCall{call("SUM", c[3]), call("AVG", c[3])}, 4},
		"floats":        {[]op.AggregateCall{call("SUM", c[2]), call("AVG", c[2])}, 4},
		"deviations":    {[]op.AggregateCall{call("STDDEV_POP", c[0]), call("VAR_POP", c[0]), call("STDDEV_SAMP", c[0])}, 3},
		"other values":  {[]op.AggregateCall{call("SUM", c[0]), call("AVG", c[4])}, 4},
		"other rows":    {[]op.AggregateCall{call("AVG", c[0]), filtered}, 4},
		"the same rows": {[]op.AggregateCall{filtered, filtered}, 2},
	} {
		local := &op.LocalAggregate{Keys: c[4:], Aggs: x.aggs, Names: namesOf(1 + len(x.aggs))}
		if got := len(local.Types()) - 2; got != x.want { // but for the key and the number of rows
			t.Errorf("%s: %d columns of partials, want %d", name, got, x.want)
		}
	}
}
