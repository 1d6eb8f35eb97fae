package op_test

import (
	"fmt"
	"math/rand/v2"
	"sort"
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

var windowed = []types.Type{types.TimestampOf(3).WithNull(false), types.String(), types.Of(types.BigInt)}

func windowSpec(t testing.TB, w op.Window) *op.WindowAggregate {
	c := columnsOf(windowed)
	distinct := aggregateOf(t, "COUNT", c[2])
	distinct.Distinct = true
	return &op.WindowAggregate{Window: w, Keys: []expr.Expr{c[1]}, Aggs: []op.AggregateCall{aggregateOf(t, "COUNT"), aggregateOf(t, "SUM", c[2]), distinct},
		Columns: []op.WindowColumn{op.WindowStart, op.WindowEnd}, Names: namesOf(6)}
}

// at prints milliseconds as results have them.
func at(ms int64) string {
	return time.UnixMilli(ms).UTC().Format(`2006-01-02\s15:04:05.000`)
}

func TestWindowTumble(t *testing.T) {
	spec := windowSpec(t, op.Window{Kind: op.Tumble, Size: 10_000})
	out := strings.NewReplacer("W-1", at(-10_000)+" "+at(0), "W0", at(0)+" "+at(10_000), "W1", at(10_000)+" "+at(20_000), "W3", at(30_000)+" "+at(40_000)).Replace
	optest.Run(t, optest.Case{Spec: spec, Types: windowed, In: `
		-1 a 1
		0 a 2
		9999 b 3
		5000 a 2
		^9998
		9000 \N 7
		10000 a 1
		^9999
		9000 a 9
		12000 a 1
		^20000
		30000 a 5
		^max`, Out: out(`
		a 1 1 1 W-1
		^9998
		a 2 4 1 W0
		b 1 3 1 W0
		\N 1 7 1 W0
		^9999
		a 2 2 1 W1
		^20000
		a 1 5 1 W3
		^9223372036854775807`)})
}

func TestWindowHopAndCumulate(t *testing.T) {
	in := `
		1000 a 1
		3000 a 2
		3500 b 2
		^3999
		2500 a 7
		1500 a 8
		6000 a 1
		^max`
	list := []types.Type{windowed[0], types.String().WithNull(false), types.Of(types.BigInt).WithNull(false)}
	bounds := func(from, to int64) string { return " " + at(from) + " " + at(to) }
	optest.Run(t, optest.Case{Spec: windowSpec(t, op.Window{Kind: op.Hop, Size: 4000, Step: 2000}), Types: list, In: in, Out: `
		a 1 1 1` + bounds(-2000, 2000) + `
		a 2 3 2` + bounds(0, 4000) + `
		b 1 2 1` + bounds(0, 4000) + `
		^3999
		a 2 9 2` + bounds(2000, 6000) + `
		b 1 2 1` + bounds(2000, 6000) + `
		a 1 1 1` + bounds(4000, 8000) + `
		a 1 1 1` + bounds(6000, 10000) + `
		^9223372036854775807`})
	mean := windowSpec(t, op.Window{Kind: op.Hop, Size: 4000, Step: 2000})
	mean.Aggs[2] = aggregateOf(t, "AVG", columnsOf(windowed)[2])
	optest.Run(t, optest.Case{Spec: mean, Types: list, In: in, Out: `
		a 1 1 1` + bounds(-2000, 2000) + `
		a 2 3 1` + bounds(0, 4000) + `
		b 1 2 2` + bounds(0, 4000) + `
		^3999
		a 2 9 4` + bounds(2000, 6000) + `
		b 1 2 2` + bounds(2000, 6000) + `
		a 1 1 1` + bounds(4000, 8000) + `
		a 1 1 1` + bounds(6000, 10000) + `
		^9223372036854775807`})
	optest.Run(t, optest.Case{Spec: windowSpec(t, op.Window{Kind: op.Cumulate, Size: 6000, Step: 2000}), Types: list, In: in, Out: `
		a 1 1 1` + bounds(0, 2000) + `
		a 2 3 2` + bounds(0, 4000) + `
		b 1 2 1` + bounds(0, 4000) + `
		^3999
		a 4 18 4` + bounds(0, 6000) + `
		b 1 2 1` + bounds(0, 6000) + `
		a 1 1 1` + bounds(6000, 8000) + `
		a 1 1 1` + bounds(6000, 10000) + `
		a 1 1 1` + bounds(6000, 12000) + `
		^9223372036854775807`})
}

// TestWindowsAgainstRows compares every kind of window with one that looks at each row and window by
// itself, over rows out of order.
func TestWindowsAgainstRows(t *testing.T) {
	for _, w := range []op.Window{
		{Kind: op.Tumble, Size: 7}, {Kind: op.Tumble, Size: 10, Offset: -3}, {Kind: op.Hop, Size: 12, Step: 3},
		{Kind: op.Hop, Size: 10, Step: 10, Offset: 4}, {Kind: op.Hop, Size: 9, Step: 1, Offset: 2},
		{Kind: op.Cumulate, Size: 12, Step: 4}, {Kind: op.Cumulate, Size: 9, Step: 3, Offset: -5},
	} {
		r := rand.New(rand.NewPCG(1, uint64(w.Size)))
		var in strings.Builder
		want := map[string]int{}
		mark := int64(-1 << 40)
		for i := range 300 {
			ts := int64(i/3) - 40 + r.Int64N(16) - 8
			key := string(rune('a' + r.IntN(3)))
			fmt.Fprintf(&in, "%d %s 1\n", ts, key)
			for _, x := range windowsOf(w, ts) {
				if mark < x[1]-1 {
					want[fmt.Sprintf("%s %s %s", key, at(x[0]), at(x[1]))]++
				}
			}
			if m := int64(i/3) - 44; r.IntN(10) == 0 && m > mark {
				mark = m
				fmt.Fprintf(&in, "^%d\n", m)
			}
		}
		in.WriteString("^max")
		var lines []string
		for k, n := range want {
			key, rest, _ := strings.Cut(k, " ")
			lines = append(lines, fmt.Sprintf("%s %d %d 1 %s\n", key, n, n, rest))
		}
		sort.Strings(lines)
		rows := optest.Parse(t, windowed, in.String())
		for _, size := range []int{1, 4, 1024} {
			spec := windowSpec(t, w)
			got, err := optest.Replay(t, spec, rows, size, optest.Flat)
			if got = optest.Fold(t, got); err != nil || got != strings.Join(lines, "") {
				t.Fatalf("%s, batches of %d: got\n%s%v\nwant\n%s", w, size, got, err, strings.Join(lines, ""))
			}
			// Without DISTINCT windows may be made of the ones before them.
			spec.Aggs[2] = aggregateOf(t, "AVG", columnsOf(windowed)[2])
			got, err = optest.Replay(t, spec, rows, size, optest.Flat)
			if got = optest.Fold(t, got); err != nil || got != strings.Join(lines, "") {
				t.Fatalf("%s without DISTINCT, batches of %d: got\n%s%v\nwant\n%s", w, size, got, err, strings.Join(lines, ""))
			}
		}
	}
}

// windowsOf are the windows of a point, by the definition.
func windowsOf(w op.Window, ts int64) (out [][2]int64) {
	step := w.Step
	if w.Kind == op.Tumble {
		step = w.Size
	}
	for end := ts - 2*w.Size; end <= ts+2*w.Size; end++ {
		d := end - w.Offset
		if (d%step+step)%step != 0 || end <= ts {
			continue
		}
		start := end - w.Size
		if w.Kind == op.Cumulate {
			start = end - step - ((d-step)%w.Size+w.Size)%w.Size
		}
		if start <= ts {
			out = append(out, [2]int64{start, end})
		}
	}
	return out
}

func TestWindowProctime(t *testing.T) {
	spec := windowSpec(t, op.Window{Kind: op.Tumble, Size: 1000})
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
		if err := o.Process(0, b, list); err != nil {
			t.Fatal(err)
		}
	}
	stamp(1500)
	if o.NextTick() != 1999 {
		t.Errorf("next tick at %d", o.NextTick())
	}
	must(t, o.Tick(1998, list))
	if list.rows != 0 {
		t.Error("fired early")
	}
	must(t, o.Tick(2100, list))
	stamp(1999) // came late: counts in the window that is open
	must(t, o.Tick(2999, list))
	if list.rows != 2 {
		t.Errorf("%d rows", list.rows)
	}
	stamp(3000)
	if _, err := o.Advance(types.MaxTime, list); err != nil || list.rows != 2 {
		t.Errorf("%d rows, %v: the open window was not dropped", list.rows, err)
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

type lister struct{ rows int }

func (l *lister) Emit(b *vector.Batch) error {
	l.rows += b.Len
	return nil
}

func (l *lister) Advance(types.EventTime) error { return nil }

func open(t testing.TB, o op.Operator) {
	t.Helper()
	must(t, o.Open(&op.Context{MaxRows: 1024, Env: &function.Env{Zone: time.UTC}}))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestWindowZone: windows of a day and of an hour of the wall clock, where clocks are set back and forward.
func TestWindowZone(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	list := []types.Type{types.TimestampLTZOf(3).WithNull(false), windowed[1], windowed[2]}
	utc := func(s string) int64 {
		v, err := time.Parse("2006-01-02 15:04", s)
		must(t, err)
		return v.UnixMilli()
	}
	for _, x := range []struct {
		window    op.Window
		rows      []string
		mark, out string
	}{
		// The hour from 02:00 comes twice on 2024-10-27.
		{op.Window{Kind: op.Tumble, Size: 3_600_000}, []string{"2024-10-27 00:30", "2024-10-27 01:30"}, "2024-10-27 02:00",
			`k 2 2 1 2024-10-27\s02:00:00.000 2024-10-27\s03:00:00.000`},
		{op.Window{Kind: op.Tumble, Size: 86_400_000}, []string{"2024-10-26 22:00", "2024-10-27 22:59"}, "2024-10-27 23:00",
			`k 2 2 1 2024-10-27\s00:00:00.000 2024-10-28\s00:00:00.000`},
		// The hour from 02:00 is left out on 2024-03-31.
		{op.Window{Kind: op.Tumble, Size: 7_200_000}, []string{"2024-03-30 23:30", "2024-03-31 00:59"}, "2024-03-31 01:00",
			`k 2 2 1 2024-03-31\s00:00:00.000 2024-03-31\s02:00:00.000`},
	} {
		spec := windowSpec(t, x.window)
		spec.Zone = berlin
		in := ""
		for _, r := range x.rows {
			in += fmt.Sprintf("%d k 1\n", utc(r))
		}
		mark := utc(x.mark) - 1
		rows := optest.Parse(t, list, in+fmt.Sprintf("^%d\n^%d\n", mark-1, mark))
		got, err := optest.Replay(t, spec, rows, 1, optest.Flat)
		if want := fmt.Sprintf("^%d\n%s\n^%d\n", mark-1, x.out, mark); err != nil || got != want {
			t.Errorf("%s: got\n%s%v\nwant\n%s", x.window, got, err, want)
		}
	}
}

func TestWindowTable(t *testing.T) {
	spec := &op.WindowTable{Window: op.Window{Kind: op.Hop, Size: 4000, Step: 2000}, Time: 0}
	optest.Run(t, optest.Case{Spec: spec, Types: windowed[:2], In: `
		1000 a
		-D 2500 b
		^3000`, Out: strings.NewReplacer("0000", at(0), "2000", at(2000), "4000", at(4000), "6000", at(6000), "-20", at(-2000),
		"1999", at(1999), "3999", at(3999), "5999", at(5999), "1000", at(1000), "2500", at(2500)).Replace(`
		1000 a -20 2000 1999
		1000 a 0000 4000 3999
		-D 2500 b 0000 4000 3999
		-D 2500 b 2000 6000 5999
		^3000`)})
}
