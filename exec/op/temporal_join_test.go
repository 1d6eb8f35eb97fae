package op_test

import (
	"fmt"
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

// temporalRows are a key, a number and a time on both sides.
var temporalRows = []types.Type{types.String(), types.Of(types.BigInt), types.TimestampOf(3)}

var bothSides = [][]types.Type{temporalRows, temporalRows}

func temporal(kind op.JoinKind, residual ...expr.Expr) *op.TemporalJoin {
	list := temporalRows
	return &op.TemporalJoin{Kind: kind, Keys: [2][]expr.Expr{columnsOf(list)[:1], columnsOf(list)[:1]}, Times: [2]int{2, 2},
		Residual: residual, Types: [2][]types.Type{list, list}, Names: namesOf(2 * len(list))}
}

// seconds writes the times of temporalRows, given in seconds behind a @.
func seconds(s string) string {
	var b strings.Builder
	for i, part := range strings.Split(s, "@") {
		if i == 0 {
			b.WriteString(part)
			continue
		}
		n := strings.IndexFunc(part+" ", func(r rune) bool { return r < '0' || r > '9' })
		var number int
		fmt.Sscan(part[:n], &number)
		fmt.Fprintf(&b, `1970-01-01\s00:00:%02d.000%s`, number, part[n:])
	}
	return b.String()
}

const temporalInput = `
1: e 100 @0
0: e 1 @1
1: u 90 @1
0: u 2 @0
0: \N 3 @2
1: \N 1 @0
^2500
1: e 110 @10
1: e 105 @5
0: e 4 @9
0: e 5 @10
0: e 6 @5
0: x 7 @6
^8000
1: -U e 110 @10
1: +U e 111 @10
1: e 120 @20
^21000
1: -D e 120 @25
0: e 8 @24
0: e 9 @26
0: u 10 @30
^60000
`

func TestTemporalJoin(t *testing.T) {
	given := func(pad bool) string {
		lines := []struct {
			text string
			pad  bool
		}{
			{`u 2 @0 \N \N \N`, true}, {"e 1 @1 e 100 @0", false}, {`\N 3 @2 \N \N \N`, true}, {"^2500", false},
			{"e 6 @5 e 105 @5", false}, {`x 7 @6 \N \N \N`, true}, {"^8000", false},
			{"e 4 @9 e 105 @5", false}, {"e 5 @10 e 111 @10", false}, {"^21000", false},
			{"e 8 @24 e 120 @20", false}, {`e 9 @26 \N \N \N`, true}, {"u 10 @30 u 90 @1", false}, {"^60000", false},
		}
		var b strings.Builder
		for _, l := range lines {
			if pad || !l.pad {
				b.WriteString(seconds(l.text) + "\n")
			}
		}
		return b.String()
	}
	for _, kind := range []op.JoinKind{op.InnerJoin, op.LeftJoin} {
		optest.Run(t, optest.Case{Spec: temporal(kind), Inputs: bothSides,
			In: seconds(temporalInput), Out: given(kind == op.LeftJoin)})
	}
}

// TestTemporalJoinResidual: a version that fails the condition is no partner, and none takes its place.
func TestTemporalJoinResidual(t *testing.T) {
	number := types.Of(types.BigInt)
	cond := less(&expr.Column{Index: 1, Name: "c1", T: number}, &expr.Column{Index: 4, Name: "c4", T: number})
	in := seconds("1: e 5 @0\n1: e 1 @4\n0: e 3 @2\n0: e 3 @5\n0: e 0 @6\n^9000\n")
	for kind, out := range map[op.JoinKind]string{
		op.InnerJoin: "e 3 @2 e 5 @0\n e 0 @6 e 1 @4\n^9000\n",
		op.LeftJoin:  "e 3 @2 e 5 @0\n e 3 @5 \\N \\N \\N\n e 0 @6 e 1 @4\n^9000\n",
	} {
		optest.Run(t, optest.Case{Spec: temporal(kind, cond), Inputs: bothSides, In: in, Out: seconds(out)})
	}
}

// TestTemporalJoinAgainstScan compares random rows and changes of versions, in any order within the watermark's bound,
// with a search of all versions for each row.
func TestTemporalJoinAgainstScan(t *testing.T) {
	type row struct {
		key, number, time int
		gone              bool
	}
	random := rand.New(rand.NewPCG(3, 9))
	for range 10 {
		var rows [2][]row
		var there [3]*row
		var in strings.Builder
		for now := 0; now < 50; now += random.IntN(4) {
			for side := range 2 {
				for range random.IntN(4) {
					r := row{key: random.IntN(3), number: len(rows[side]), time: now + random.IntN(8)}
					kind := ""
					if old := there[r.key]; side == 1 && old != nil {
						if r.gone = random.IntN(3) == 0; r.gone {
							kind = "-D "
						} else if kind = "+U "; random.IntN(2) == 0 {
							fmt.Fprintf(&in, "1: -U k%d %d @%d\n", old.key, old.number, old.time)
						}
					}
					rows[side] = append(rows[side], r)
					fmt.Fprintf(&in, "%d: %sk%d %d @%d\n", side, kind, r.key, r.number, r.time)
					if side == 1 {
						if there[r.key] = &r; r.gone {
							there[r.key] = nil
						}
					}
				}
			}
			if now > 0 {
				fmt.Fprintf(&in, "^%d\n", now*1000-1)
			}
		}
		in.WriteString("^90000\n")
		var out []string
		for _, l := range rows[0] {
			best := row{time: -1}
			for _, v := range rows[1] {
				if v.key == l.key && v.time <= l.time && v.time >= best.time {
					best = v
				}
			}
			text := fmt.Sprintf("k%d %d @%d ", l.key, l.number, l.time) + `\N \N \N`
			if best.time >= 0 && !best.gone {
				text = fmt.Sprintf("k%d %d @%d k%d %d @%d", l.key, l.number, l.time, best.key, best.number, best.time)
			}
			out = append(out, seconds(text))
		}
		slices.Sort(out)
		optest.Run(t, optest.Case{Spec: temporal(op.LeftJoin), Inputs: bothSides, In: seconds(in.String()),
			Out: strings.Join(out, "\n") + "\n", Folds: true})
	}
}

// TestTemporalJoinWithChanges: versions are those of a table that changes. An update adds one from its own time on, and
// a -D ends the last one: from the time of the change on or, where it has that of the row, as if that had never been.
func TestTemporalJoinWithChanges(t *testing.T) {
	in := seconds(`
1: e 100 @1
1: u 90 @1
1: -U e 100 @1
1: +U e 110 @6
0: e 1 @2
0: e 2 @7
0: u 3 @4
^4000
1: -U u 90 @1
1: +U u 95 @6
1: -D e 110 @9
0: u 4 @5
0: u 5 @6
0: e 6 @8
0: e 7 @9
^9000
1: e 120 @12
1: -D u 95 @6
0: e 8 @11
0: e 9 @12
0: u 10 @13
^20000
1: u 80 @21
0: u 11 @20
0: u 12 @21
^30000
`)
	optest.Run(t, optest.Case{Spec: temporal(op.LeftJoin), Inputs: bothSides, In: in, Out: seconds(`
e 1 @2 e 100 @1
u 3 @4 u 90 @1
^4000
u 4 @5 u 90 @1
u 5 @6 u 95 @6
e 2 @7 e 110 @6
e 6 @8 e 110 @6
e 7 @9 \N \N \N
^9000
e 8 @11 \N \N \N
e 9 @12 e 120 @12
u 10 @13 \N \N \N
^20000
u 11 @20 \N \N \N
u 12 @21 u 80 @21
^30000
`)})
}

// TestTemporalJoinOfChanges: what is taken back long after finds what it found before, whatever came in between.
func TestTemporalJoinOfChanges(t *testing.T) {
	spec := temporal(op.LeftJoin)
	spec.Retracts = true
	in := seconds(`
1: e 100 @1
0: e 1 @2
0: e 2 @3
0: -U e 2 @3
0: +U e 3 @9
^4000
1: e 110 @6
1: e 101 @2
0: -D e 1 @2
^7000
1: e 111 @5
1: e 112 @7
^9000
0: -D e 3 @9
^12000
`)
	out := seconds(`
e 1 @2 e 100 @1
e 2 @3 e 100 @1
-U e 2 @3 e 100 @1
^4000
-D e 1 @2 e 100 @1
^7000
+U e 3 @9 e 112 @7
^9000
-D e 3 @9 e 112 @7
^12000
`)
	optest.Run(t, optest.Case{Spec: spec, Inputs: bothSides, In: in, Out: out})
}

// TestTemporalJoinTTL: the versions of a key that nobody asks for go, those of rows that wait stay.
func TestTemporalJoinTTL(t *testing.T) {
	list := []types.Type{types.Of(types.BigInt), types.Of(types.BigInt), types.TimestampOf(3)}
	spec := &op.TemporalJoin{Kind: op.LeftJoin, Keys: [2][]expr.Expr{columnsOf(list)[:1], columnsOf(list)[:1]}, Times: [2]int{2, 2},
		Types: [2][]types.Type{list, list}, Names: namesOf(2 * len(list)), TTL: time.Second}
	now := time.UnixMilli(1_700_000_000_000)
	o, x := spec.New(), &op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC, Now: func() time.Time { return now }}}
	must(t, o.Open(x))
	out := &kinds{}
	const idle, waits, other = 1, 2, 3
	row := func(side int, key, value, at int64) {
		cols := []*vector.Column{vector.OfSlice(list[0], []int64{key}), vector.OfSlice(list[1], []int64{value}),
			vector.OfSlice(list[2], []int64{at})}
		must(t, o.Process(side, &vector.Batch{Len: 1, Cols: cols}, out))
	}
	row(1, idle, 1, 0)
	row(1, waits, 2, 0)
	row(0, waits, 3, 500)
	now = now.Add(2 * time.Second)
	row(1, other, 4, 0)
	_, err := o.Advance(1000, out)
	must(t, err)
	row(0, idle, 5, 1500)
	now = now.Add(500 * time.Millisecond)
	_, err = o.Advance(2000, out)
	must(t, err)
	for _, u := range x.State.Usage() {
		if want := map[string]int64{"keys": 2, "rows": 0, "versions": 2}[u.Table]; u.Keys != want {
			t.Errorf("%d of %s, want %d", u.Keys, u.Table, want)
		}
	}
}
