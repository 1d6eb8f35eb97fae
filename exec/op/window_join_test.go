package op_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
)

// windowJoin joins rows of a key, a value and a window_end, in windows of 10 ms.
func windowJoin(kind op.JoinKind, residual ...expr.Expr) (*op.WindowJoin, [][]types.Type) {
	side := []types.Type{types.String(), types.Of(types.BigInt), types.TimestampOf(3).WithNull(false)}
	join := equiJoin(kind, side, side)
	join.Residual = residual
	return &op.WindowJoin{Join: *join, Window: op.Window{Kind: op.Tumble, Size: 10}, Ends: [2]int{2, 2}}, [][]types.Type{side, side}
}

func TestWindowJoin(t *testing.T) {
	in := `
		0: a 1 10
		1: a 2 20
		1: a 3 10
		0: b 4 10
		1: c 5 10
		0: a 6 20
		^8
		1: b 7 10
		^9
		0: a 8 10
		1: d 9 20
		^30
		1: a 1 30
		^max`
	pairs := "^8\na 1 E10 a 3 E10\nb 4 E10 b 7 E10\n%s^9\na 6 E20 a 2 E20\n%s^30\n^9223372036854775807\n"
	lone := `\N \N \N `
	for kind, out := range map[op.JoinKind]string{
		op.InnerJoin: fmt.Sprintf(pairs, "", ""),
		op.LeftJoin:  fmt.Sprintf(pairs, "", ""),
		op.RightJoin: fmt.Sprintf(pairs, lone+"c 5 E10\n", lone+"d 9 E20\n"),
		op.SemiJoin:  "^8\na 1 E10\nb 4 E10\n^9\na 6 E20\n^30\n^9223372036854775807\n",
		op.AntiJoin:  "^8\n^9\n^30\n^9223372036854775807\n",
	} {
		spec, list := windowJoin(kind)
		out = strings.NewReplacer("E10", at(10), "E20", at(20)).Replace(out)
		optest.Run(t, optest.Case{Spec: spec, Inputs: list, In: in, Out: out, Folds: kind != op.InnerJoin})
	}
}

// TestWindowJoinAgainstRows compares joins of every kind with two loops over the rows of each window.
func TestWindowJoinAgainstRows(t *testing.T) {
	for _, seed := range seeds(t, 12) {
		kind := joinKinds[seed%6]
		r := rand.New(rand.NewPCG(seed, 1))
		spec, list := windowJoin(kind)
		if seed >= 6 {
			c := columnsOf(slices.Concat(list...))
			spec.Residual = []expr.Expr{less(c[1], c[4])}
		}
		var in, want strings.Builder
		var rows [2][]windowRow
		mark := int64(-1)
		for i := range atMost(300, 120) {
			side := r.IntN(2)
			row := windowRow{string(rune('a' + r.IntN(4))), r.Int64N(6), (int64(i)/30+r.Int64N(3))*10 + 10}
			if r.IntN(12) == 0 {
				row.key = `\N`
			}
			fmt.Fprintf(&in, "%d: %s %d %d\n", side, row.key, row.v, row.end)
			if row.end-1 > mark {
				rows[side] = append(rows[side], row)
			}
			if m := int64(i)/3 - 5; r.IntN(10) == 0 && m > mark {
				mark = m
				fmt.Fprintf(&in, "^%d\n", m)
			}
		}
		in.WriteString("^max")
		lines := windowPairs(kind, rows, seed >= 6)
		slices.Sort(lines)
		want.WriteString(strings.Join(lines, ""))
		input := optest.ParseInputs(t, list, in.String())
		for _, size := range []int{1, 4, 1024} {
			got, err := optest.Replay(t, spec, input, size, optest.Flat)
			again, err2 := optest.Restarted(t, spec, input, size)
			for _, got := range []string{got, again} {
				if got = optest.Fold(t, got); err != nil || err2 != nil || got != want.String() {
					t.Fatalf("seed %d, %s, batches of %d: got\n%s%v\nwant\n%s", seed, spec, size, got, err, want.String())
				}
			}
		}
	}
}

type windowRow struct {
	key    string
	v, end int64
}

func (r windowRow) String() string { return fmt.Sprintf("%s %d %s", r.key, r.v, at(r.end)) }

// windowPairs is what a join of rows gives, by the definition.
func windowPairs(kind op.JoinKind, rows [2][]windowRow, less bool) (out []string) {
	const none = `\N \N \N`
	matched := make([]bool, len(rows[1]))
	for _, l := range rows[0] {
		some := false
		for i, r := range rows[1] {
			if l.key != r.key || l.key == `\N` || l.end != r.end || less && l.v >= r.v {
				continue
			}
			some, matched[i] = true, true
			if !kind.Halves() {
				out = append(out, l.String()+" "+r.String()+"\n")
			}
		}
		switch {
		case kind == op.SemiJoin && some, kind == op.AntiJoin && !some:
			out = append(out, l.String()+"\n")
		case kind.Keeps(0) && !some:
			out = append(out, l.String()+" "+none+"\n")
		}
	}
	for i, r := range rows[1] {
		if kind.Keeps(1) && !matched[i] {
			out = append(out, none+" "+r.String()+"\n")
		}
	}
	return out
}
