package op_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
)

// intervalJoin joins rows of a key, a time, and the time and low, and the time and high: those of one key with
// low <= left - right <= high.
func intervalJoin(kind op.JoinKind, low, high int64) (*op.Join, [][]types.Type) {
	long := types.Of(types.BigInt)
	side := []types.Type{types.String(), long, long, long}
	spec := equiJoin(kind, side, side)
	c := columnsOf(slices.Concat(side, side))
	atMost := func(a, b expr.Expr) expr.Expr {
		return &expr.Call{Fn: function.Must("<="), List: []expr.Expr{a, b}, T: types.Of(types.Boolean), Pos: -1}
	}
	spec.Residual = []expr.Expr{atMost(c[6], c[1]), atMost(c[1], c[7])}
	spec.Once, spec.Delay = true, time.Duration(max(0, -low, high))*time.Millisecond
	until := func(ms int64) []op.Until {
		return []op.Until{{Time: c[1], Delay: time.Duration(ms) * time.Millisecond, By: 1}}
	}
	spec.Until = [2][]op.Until{until(-low), until(high)}
	return spec, [][]types.Type{side, side}
}

type timedRow struct {
	key string
	t   int64
}

// TestIntervalJoinAgainstRows compares interval joins of every kind with two loops. They take nothing back, and no row is
// behind the watermark that was passed on before it.
func TestIntervalJoinAgainstRows(t *testing.T) {
	for _, seed := range seeds(t, 18) {
		kind := joinKinds[seed%6]
		r := rand.New(rand.NewPCG(seed, 1))
		low := r.Int64N(900) - 600
		high := low + r.Int64N(700)
		spec, list := intervalJoin(kind, low, high)
		var in strings.Builder
		var rows [2][]timedRow
		mark := int64(0)
		for i := range atMost(300, 120) {
			side := r.IntN(2)
			row := timedRow{string(rune('a' + r.IntN(3))), mark + 1 + r.Int64N(800)}
			if r.IntN(12) == 0 {
				row.key = `\N`
			}
			fmt.Fprintf(&in, "%d: %s %d %d %d\n", side, row.key, row.t, row.t+low, row.t+high)
			rows[side] = append(rows[side], row)
			if m := int64(i) * 20; r.IntN(6) == 0 && m > mark {
				mark = m
				fmt.Fprintf(&in, "^%d\n", m)
			}
		}
		in.WriteString("^max")
		lines := intervalPairs(kind, rows, low, high)
		slices.Sort(lines)
		input := optest.ParseInputs(t, list, in.String())
		for _, size := range []int{1, 4, 1024} {
			got, err := optest.Replay(t, spec, input, size, optest.Flat)
			again, err2 := optest.Restarted(t, spec, input, size)
			for _, got := range []string{got, again} {
				onceInOrder(t, kind, got)
				if got = optest.Fold(t, got); err != nil || err2 != nil || got != strings.Join(lines, "") {
					t.Fatalf("seed %d, %s, batches of %d: got\n%s%v\nwant\n%s", seed, spec, size, got, err, lines)
				}
			}
		}
	}
}

// onceInOrder checks that there are inserts only, of times that are not behind the last watermark.
func onceInOrder(t *testing.T, kind op.JoinKind, out string) {
	t.Helper()
	mark := int64(math.MinInt64)
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if at, ok := strings.CutPrefix(f[0], "^"); ok {
			mark, _ = strconv.ParseInt(at, 10, 64)
			continue
		}
		for i := 1; i < len(f); i += 4 {
			if f[i] == `\N` {
				continue
			}
			if at, err := strconv.ParseInt(f[i], 10, 64); err != nil || at <= mark {
				t.Fatalf("%s: behind the watermark %d: %s", kind, mark, line)
			}
		}
	}
}

// intervalPairs is what a join of rows gives, by the definition.
func intervalPairs(kind op.JoinKind, rows [2][]timedRow, low, high int64) (out []string) {
	text := func(r timedRow) string { return fmt.Sprintf("%s %d %d %d", r.key, r.t, r.t+low, r.t+high) }
	const none = `\N \N \N \N`
	matched := make([]bool, len(rows[1]))
	for _, l := range rows[0] {
		some := false
		for i, r := range rows[1] {
			if d := l.t - r.t; l.key != r.key || l.key == `\N` || d < low || d > high {
				continue
			}
			some, matched[i] = true, true
			if !kind.Halves() {
				out = append(out, text(l)+" "+text(r)+"\n")
			}
		}
		switch {
		case kind == op.SemiJoin && some, kind == op.AntiJoin && !some:
			out = append(out, text(l)+"\n")
		case kind.Keeps(0) && !some:
			out = append(out, text(l)+" "+none+"\n")
		}
	}
	for i, r := range rows[1] {
		if kind.Keeps(1) && !matched[i] {
			out = append(out, none+" "+text(r)+"\n")
		}
	}
	return out
}
