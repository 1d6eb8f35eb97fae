package op_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

var joinKinds = []op.JoinKind{op.InnerJoin, op.LeftJoin, op.RightJoin, op.FullJoin, op.SemiJoin, op.AntiJoin}

// equiJoin joins two inputs by their first columns.
func equiJoin(kind op.JoinKind, left, right []types.Type) *op.Join {
	n := len(left) + len(right)
	return &op.Join{Kind: kind, Keys: [2][]expr.Expr{columnsOf(left)[:1], columnsOf(right)[:1]}, NullSafe: []bool{false},
		Types: [2][]types.Type{left, right}, Names: namesOf(n)}
}

func less(a, b expr.Expr) expr.Expr {
	return &expr.Call{Fn: function.Must("<"), List: []expr.Expr{a, b}, T: types.Of(types.Boolean), Pos: -1}
}

var joined = [][]types.Type{{types.String(), types.Of(types.BigInt)}, {types.String(), types.Of(types.BigInt), types.String()}}

const joinedRows = `
0: a 1
0: b 2
0: a 3
0: \N 4
1: a 10 x
1: c 20 y
1: \N 30 z
1: a 11 a_text_of_more_than_twelve_bytes
0: c 5
0: d 6
1: b 1 \e
1: b 3 \N
`

func TestJoin(t *testing.T) {
	pairs := []string{"a 1 a 10 x", "a 3 a 10 x", "a 1 a 11 a_text_of_more_than_twelve_bytes", "a 3 a 11 a_text_of_more_than_twelve_bytes",
		"c 5 c 20 y", `b 2 b 1 \e`, `b 2 b 3 \N`}
	left, right := []string{`\N 4 \N \N \N`, `d 6 \N \N \N`}, []string{`\N \N \N 30 z`}
	for kind, out := range map[op.JoinKind][]string{
		op.InnerJoin: pairs,
		op.LeftJoin:  slices.Concat(pairs, left),
		op.RightJoin: slices.Concat(pairs, right),
		op.FullJoin:  slices.Concat(pairs, left, right),
		op.SemiJoin:  {"a 1", "a 3", "c 5", "b 2"},
		op.AntiJoin:  {`\N 4`, "d 6"},
	} {
		t.Run(kind.String(), func(t *testing.T) {
			slices.Sort(out)
			spec := equiJoin(kind, joined[0], joined[1])
			optest.Run(t, optest.Case{Spec: spec, Inputs: joined, In: joinedRows, Out: strings.Join(out, "\n") + "\n", Folds: true})
			spec.Retracts = [2]bool{true, true}
			optest.Run(t, optest.Case{Spec: spec, Inputs: joined, In: joinedRows, Out: strings.Join(out, "\n") + "\n", Folds: true})
			spec.Retracts, spec.AtEnd = [2]bool{}, true
			optest.Run(t, optest.Case{Spec: spec, Inputs: joined, In: joinedRows + "^max\n", Out: strings.Join(out, "\n") + "\n", Folds: true})
		})
	}
}

// TestJoinDifference: a batch gives the difference that it makes, what is taken back first.
func TestJoinDifference(t *testing.T) {
	list := [][]types.Type{{types.String(), types.Of(types.Int)}, {types.String(), types.Of(types.Int)}}
	for name, c := range map[string]struct {
		kind    op.JoinKind
		in, out string
	}{
		"a partner changes": {op.LeftJoin, "0: a 1\n1: a 5\n0: b 1\n1: -U a 5\n1: +U a 6\n",
			"a 1 \\N \\N\n-D a 1 \\N \\N\na 1 a 5\nb 1 \\N \\N\n-D a 1 a 5\na 1 a 6\n"},
		"a row comes and goes": {op.FullJoin, "0: a 1\n0: -D a 1\n0: b 1\n", "b 1 \\N \\N\n"},
		"the last partner goes": {op.LeftJoin, "0: a 1\n1: a 5\n0: b 1\n1: -D a 5\n",
			"a 1 \\N \\N\n-D a 1 \\N \\N\na 1 a 5\nb 1 \\N \\N\n-D a 1 a 5\na 1 \\N \\N\n"},
		"equal rows": {op.InnerJoin, "0: a 1\n0: a 1\n1: a 2\n1: a 2\n0: -D a 1\n",
			"a 1 a 2\na 1 a 2\na 1 a 2\na 1 a 2\n-D a 1 a 2\n-D a 1 a 2\n"},
		"a semi join":     {op.SemiJoin, "0: a 1\n1: a 2\n1: a 3\n0: b 1\n1: -D a 2\n0: b 2\n1: -D a 3\n", "a 1\n-D a 1\n"},
		"an anti join":    {op.AntiJoin, "0: a 1\n1: a 2\n1: a 3\n0: c 1\n1: -D a 2\n1: -D a 3\n", "a 1\n-D a 1\nc 1\na 1\n"},
		"without a key":   {op.LeftJoin, "0: \\N 1\n1: \\N 2\n0: -D \\N 1\n", "\\N 1 \\N \\N\n-D \\N 1 \\N \\N\n"},
		"nothing to undo": {op.FullJoin, "0: -D a 1\n1: a 5\n", "\\N \\N a 5\n"},
	} {
		spec := equiJoin(c.kind, list[0], list[1])
		spec.Retracts = [2]bool{true, true}
		got, err := optest.Replay(t, spec, optest.ParseInputs(t, list, c.in), 1024, optest.Flat)
		if err != nil || got != c.out {
			t.Errorf("%s: got\n%s%v\nwant\n%s", name, got, err, c.out)
		}
	}
}

// TestJoinAgainstRows: what changelogs of random rows come to is what the rows that are left give in two loops.
func TestJoinAgainstRows(t *testing.T) {
	list := [][]types.Type{
		{types.String(), types.Of(types.BigInt), types.Of(types.SmallInt), types.ArrayOf(types.Of(types.Int)), types.DecimalOf(30, 2)},
		{types.String(), types.Of(types.BigInt), types.Of(types.Boolean)}}
	cells := [][][]string{
		{{"a", "b", "a_key_of_more_than_twelve_bytes", `\N`}, {"1", "2", "3", `\N`}, {"0", "1"}, {"[1,2]", "[]", `\N`}, {"1.00"}},
		{{"a", "b", "a_key_of_more_than_twelve_bytes", `\N`}, {"0", "1", "2", "3", `\N`}, {"true", "false"}}}
	cols := columnsOf(slices.Concat(list...))
	for _, seed := range seeds(t, 4) {
		r := rand.New(rand.NewPCG(seed, 1))
		appends := seed%2 == 0
		left := [2][]string{}
		var log strings.Builder
		turns := 40
		if seed < 2 {
			turns = 8
		}
		for range turns {
			side := r.IntN(2)
			for range r.IntN(12) {
				if n := len(left[side]); n > 0 && !appends && r.IntN(5) < 2 {
					i := r.IntN(n)
					fmt.Fprintf(&log, "%d: -D %s\n", side, left[side][i])
					left[side] = slices.Delete(left[side], i, i+1)
					continue
				}
				var row []string
				for _, c := range cells[side] {
					row = append(row, c[r.IntN(len(c))])
				}
				left[side] = append(left[side], strings.Join(row, " "))
				fmt.Fprintf(&log, "%d: %s\n", side, strings.Join(row, " "))
			}
		}
		for _, kind := range joinKinds {
			for name, spec := range map[string]*op.Join{"keys": equiJoin(kind, list[0], list[1]), "residual": equiJoin(kind, list[0], list[1]),
				"theta": equiJoin(kind, list[0], list[1]), "null-safe": equiJoin(kind, list[0], list[1])} {
				spec.Retracts = [2]bool{!appends, !appends}
				switch name {
				case "residual":
					spec.Residual = []expr.Expr{less(cols[6], cols[1])}
				case "theta":
					spec.Keys, spec.NullSafe, spec.Residual = [2][]expr.Expr{}, nil, []expr.Expr{less(cols[6], cols[1])}
				case "null-safe":
					spec.NullSafe = []bool{true}
				}
				want := nestedLoops(kind, name, left)
				for _, size := range []int{1, 7, 1024} {
					got, err := optest.Replay(t, spec, optest.ParseInputs(t, list, log.String()), size, optest.Mixed)
					if got = optest.Fold(t, got); err != nil || got != want {
						t.Fatalf("seed %d, %s by %s, batches of %d: got\n%s%v\nwant\n%s", seed, kind, name, size, got, err, want)
					}
				}
				if seed < 2 {
					optest.Run(t, optest.Case{Spec: spec, Inputs: list, In: log.String(), Out: want, Folds: true})
				}
			}
		}
	}
}

// nestedLoops joins two lists of rows as text.
func nestedLoops(kind op.JoinKind, name string, rows [2][]string) string {
	matches := func(l, r string) bool {
		a, b := strings.Fields(l), strings.Fields(r)
		equal := a[0] == b[0] && (a[0] != `\N` || name == "null-safe")
		smaller := a[1] != `\N` && b[1] != `\N` && b[1] < a[1]
		return (equal || name == "theta") && (smaller || name == "keys" || name == "null-safe")
	}
	pad := [2]string{` \N \N \N`, `\N \N \N \N \N `}
	var out []string
	taken := map[int]bool{}
	for _, l := range rows[0] {
		found := false
		for i, r := range rows[1] {
			if matches(l, r) {
				found, taken[i] = true, true
				if !kind.Halves() {
					out = append(out, l+" "+r)
				}
			}
		}
		switch {
		case kind.Halves() && found == (kind == op.SemiJoin):
			out = append(out, l)
		case !found && kind.Keeps(0):
			out = append(out, l+pad[0])
		}
	}
	for i, r := range rows[1] {
		if !taken[i] && kind.Keeps(1) {
			out = append(out, pad[1]+r)
		}
	}
	slices.Sort(out)
	if len(out) == 0 {
		return ""
	}
	return strings.Join(out, "\n") + "\n"
}

// TestJoinCounters: what is taken back and is not there is counted.
func TestJoinCounters(t *testing.T) {
	list := [][]types.Type{{types.Of(types.Int)}, {types.Of(types.Int)}}
	spec := equiJoin(op.InnerJoin, list[0], list[1])
	spec.Retracts = [2]bool{true, true}
	o := spec.New()
	x := &op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC}}
	must(t, o.Open(x))
	out := &sink{}
	for range 2 {
		b := &vector.Batch{Len: 2, Cols: []*vector.Column{vector.OfSlice(types.Of(types.Int), []int32{1, 2})},
			Kinds: []vector.RowKind{vector.Insert, vector.Delete}}
		must(t, o.Process(0, b, out))
	}
	if got := o.(op.Counted).Counters()[0].Value; got != 2 {
		t.Errorf("%d unmatched retractions", got)
	}
	usage := maps.Collect(func(yield func(string, int64) bool) {
		for _, u := range x.State.Usage() {
			yield(u.Table, u.Keys)
		}
	})
	if usage["keys"] != 1 || usage["left rows"] != 1 {
		t.Errorf("state is %v", usage)
	}
}
