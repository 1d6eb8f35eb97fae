package op_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/op/optest"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

func sessionSpec(t testing.TB, gap int64) *op.WindowAggregate {
	return windowSpec(t, op.Window{Kind: op.Session, Size: gap})
}

// window prints start and end as results have them.
func window(start, end int64) string { return at(start) + " " + at(end) }

func TestSessions(t *testing.T) {
	for name, c := range map[string]struct{ in, out string }{
		"rows that touch, and one beyond": {`
			1000 a 1
			2000 a 1
			3001 a 2
			^max`, `
			a 2 2 1 ` + window(1000, 3000) + `
			a 1 2 1 ` + window(3001, 4001) + `
			^9223372036854775807`},
		"a row joins two sessions": {`
			1000 a 1
			3000 a 2
			1500 b 1
			3000 a 1
			2000 a 4
			^max`, `
			b 1 1 1 ` + window(1500, 2500) + `
			a 4 8 3 ` + window(1000, 4000) + `
			^9223372036854775807`},
		"a row before its session": {`
			5000 a 1
			4000 a 2
			3000 a 3
			^5998
			^5999`, `
			^5998
			a 3 6 3 ` + window(3000, 6000) + `
			^5999`},
		"late rows": {`
			1000 a 1
			^1999
			1000 a 7
			999 b 7
			1500 a 2
			1001 b 3
			3000 c 1
			^4000
			2400 a 9
			^max`, `
			a 1 1 1 ` + window(1000, 2000) + `
			^1999
			b 1 3 1 ` + window(1001, 2001) + `
			a 1 2 1 ` + window(1500, 2500) + `
			c 1 1 1 ` + window(3000, 4000) + `
			^4000
			^9223372036854775807`},
		"an open session takes a row that is behind the watermark": {`
			1000 a 1
			1900 a 1
			^2500
			1200 a 2
			1100 \N 9
			^max`, `
			^2500
			a 3 4 2 ` + window(1000, 2900) + `
			^9223372036854775807`},
		"no rows": {"^1000\n^max", "^1000\n^9223372036854775807"},
	} {
		t.Run(name, func(t *testing.T) {
			optest.Run(t, optest.Case{Spec: sessionSpec(t, 1000), Types: windowed, In: c.in, Out: c.out})
		})
	}
}

func TestSessionTable(t *testing.T) {
	list := windowed
	spec := &op.WindowTable{Window: op.Window{Kind: op.Session, Size: 1000}, Keys: []expr.Expr{columnsOf(list)[1]}, Types: list}
	optest.Run(t, optest.Case{Spec: spec, Types: list, Folds: true, In: `
		1000 a 1
		3000 a 2
		1500 b 3
		2000 a 4
		^2499
		900 b 8
		2600 b 5
		^max`, Out: strings.Join([]string{
		at(1000) + " a 1 " + window(1000, 4000) + " " + at(3999),
		at(1500) + " b 3 " + window(1500, 2500) + " " + at(2499),
		at(2000) + " a 4 " + window(1000, 4000) + " " + at(3999),
		at(2600) + " b 5 " + window(2600, 3600) + " " + at(3599),
		at(3000) + " a 2 " + window(1000, 4000) + " " + at(3999)}, "\n") + "\n"})
}

// TestSessionsAgainstRows compares sessions with those that a plain list of windows per key makes, over rows out of
// order and some of them late, from fresh operators and from ones that restart at every batch.
func TestSessionsAgainstRows(t *testing.T) {
	for _, seed := range seeds(t, 6) {
		r := rand.New(rand.NewPCG(seed, 1))
		gap := 1 + r.Int64N(9)
		in, want, tables := randomSessions(r, gap)
		rows := optest.Parse(t, windowed, in)
		table := &op.WindowTable{Window: op.Window{Kind: op.Session, Size: gap}, Keys: []expr.Expr{columnsOf(windowed)[1]}, Types: windowed}
		for _, size := range []int{1, 4, 1024} {
			for spec, want := range map[op.Spec]string{sessionSpec(t, gap): want, table: tables} {
				got, err := optest.Replay(t, spec, rows, size, optest.Flat)
				if got = optest.Fold(t, got); err != nil || got != want {
					t.Fatalf("seed %d, %s, batches of %d: got\n%s%v\nwant\n%s", seed, spec, size, got, err, want)
				}
				got, err = optest.Restarted(t, spec, rows, size)
				if got = optest.Fold(t, got); err != nil || got != want {
					t.Fatalf("seed %d, %s, restarted after batches of %d: got\n%s%v\nwant\n%s", seed, spec, size, got, err, want)
				}
			}
		}
	}
}

type testSession struct {
	start, end int64
	values     []int
	rows       []string
}

// randomSessions are rows, the sessions that they make, and the rows with their sessions.
func randomSessions(r *rand.Rand, gap int64) (in, want, tables string) {
	var text strings.Builder
	var lines, rows []string
	open := map[string][]testSession{}
	mark := int64(-1 << 40)
	advance := func(to int64) {
		mark = to
		for key, list := range open {
			open[key] = slices.DeleteFunc(list, func(s testSession) bool {
				if s.end-1 > mark {
					return false
				}
				sum, distinct := 0, map[int]bool{}
				for _, v := range s.values {
					sum += v
					distinct[v] = true
				}
				lines = append(lines, fmt.Sprintf("%s %d %d %d %s\n", key, len(s.values), sum, len(distinct), window(s.start, s.end)))
				for _, row := range s.rows {
					rows = append(rows, fmt.Sprintf("%s %s %s\n", row, window(s.start, s.end), at(s.end-1)))
				}
				return true
			})
		}
	}
	for i := range 400 {
		ts, key, v := int64(i)+r.Int64N(12)-6, string(rune('a'+r.IntN(5))), r.IntN(4)
		fmt.Fprintf(&text, "%d %s %d\n", ts, key, v)
		s := testSession{ts, ts + gap, []int{v}, []string{fmt.Sprintf("%s %s %d", at(ts), key, v)}}
		var rest []testSession
		for _, o := range open[key] {
			if o.start <= s.end && o.end >= s.start {
				s = testSession{min(s.start, o.start), max(s.end, o.end), append(o.values, s.values...), append(o.rows, s.rows...)}
			} else {
				rest = append(rest, o)
			}
		}
		if s.end-1 > mark {
			open[key] = append(rest, s)
		}
		if r.IntN(8) == 0 {
			if m := int64(i) - r.Int64N(6); m > mark {
				advance(m)
				fmt.Fprintf(&text, "^%d\n", m)
			}
		}
	}
	advance(1 << 40)
	text.WriteString("^max")
	sort.Strings(lines)
	slices.SortFunc(rows, func(a, b string) int { return cmp.Compare(a, b) })
	return text.String(), strings.Join(lines, ""), strings.Join(rows, "")
}

func TestSessionProctime(t *testing.T) {
	spec := sessionSpec(t, 1000)
	spec.Proctime = true
	list := &lister{}
	o := spec.New().(op.Clocked)
	open(t, o)
	if o.NextTick() != types.MaxTime {
		t.Error("wants to be called without rows")
	}
	stamp := func(ms int64) {
		b := &vector.Batch{Len: 2, Cols: []*vector.Column{vector.ConstOf(windowed[0], ms, 2), vector.ConstText(windowed[1], "k", 2),
			vector.OfSlice(windowed[2], []int64{1, 2})}}
		must(t, o.Process(0, b, list))
	}
	stamp(1500)
	stamp(2000)
	if next := o.NextTick(); next > 2499 || next < 2400 {
		t.Errorf("next tick at %d", next)
	}
	must(t, o.Tick(2998, list))
	if list.rows != 0 {
		t.Error("fired early")
	}
	must(t, o.Tick(2999, list))
	stamp(2999) // counts, though it came late
	must(t, o.Tick(3998, list))
	if list.rows != 2 {
		t.Errorf("%d rows", list.rows)
	}
	stamp(5000)
	if _, err := o.Advance(types.MaxTime, list); err != nil || list.rows != 2 {
		t.Errorf("%d rows, %v: the open session was not dropped", list.rows, err)
	}
	if n := o.(op.Counted).Counters()[0].Value; n != 1 {
		t.Errorf("%d results counted as dropped", n)
	}
	spec.Drain = true
	o, list = spec.New().(op.Clocked), &lister{}
	open(t, o)
	stamp(3000)
	if _, err := o.Advance(types.MaxTime, list); err != nil || list.rows != 1 {
		t.Errorf("%d rows drained, %v", list.rows, err)
	}
}

// TestSessionsCostNoMemory: rows of open sessions work in used memory.
func TestSessionsCostNoMemory(t *testing.T) {
	const n = 1000
	spec := &op.WindowAggregate{Window: op.Window{Kind: op.Session, Size: 1_000_000}, Keys: []expr.Expr{columnsOf(windowed)[2]},
		Aggs: []op.AggregateCall{aggregateOf(t, "COUNT")}, Columns: []op.WindowColumn{op.WindowEnd}}
	times, keys := make([]int64, n), make([]int64, n)
	for i := range times {
		times[i], keys[i] = int64(i), int64(i%100)
	}
	b := &vector.Batch{Len: n, Cols: []*vector.Column{vector.OfSlice(windowed[0], times), nil, vector.OfSlice(windowed[2], keys)}}
	o := spec.New()
	open(t, o)
	run := func() { must(t, o.Process(0, b, nowhere{})) }
	run()
	if allocs := testing.AllocsPerRun(10, run); allocs != 0 {
		t.Errorf("%v allocations per batch", allocs)
	}
}
