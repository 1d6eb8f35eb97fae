package op_test

import (
	"fmt"
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
	"streamsql/exec/vector"
)

// sold are the columns of rows that tests compute over: a partition, a time, a value and a number.
var sold = []types.Type{types.String(), types.TimestampOf(3).WithNull(false), types.Of(types.BigInt), types.Of(types.Int)}

func wholeNumber(t types.Type, v int64) expr.Expr {
	return expr.NewConst(vector.ConstOf(t.WithNull(false), v, 1), strconv.FormatInt(v, 10))
}

// bounds makes a frame that ends so many rows, or so much, behind or before the current row.
func bounds(rows bool, start, end op.BoundKind, from, to int64) op.Frame {
	t := types.Of(types.BigInt)
	if !rows {
		t = types.Of(types.IntervalDay)
	}
	f := op.Frame{Rows: rows, Start: op.Bound{Kind: start}, End: op.Bound{Kind: end}}
	for b, n := range map[*op.Bound]int64{&f.Start: from, &f.End: to} {
		if b.Kind == op.Preceding || b.Kind == op.Following {
			b.Offset = wholeNumber(t, n)
		}
	}
	return f
}

// overOf computes SUM, COUNT(*), MIN and LAST_VALUE of the value in the order of the time.
func overOf(t testing.TB, list []types.Type, f op.Frame) *op.OverAggregate {
	c := columnsOf(list)
	s := &op.OverAggregate{Partition: c[:1], Order: []op.SortKey{{Expr: c[1]}}, Frame: f, Types: list}
	for _, a := range []op.AggregateCall{aggregateOf(t, "SUM", c[2]), aggregateOf(t, "COUNT"), aggregateOf(t, "MIN", c[2]),
		aggregateOf(t, "LAST_VALUE", c[2])} {
		a.T = a.T.WithNull(true)
		s.Calls = append(s.Calls, op.OverCall{AggregateCall: a})
	}
	s.Names = namesOf(len(list) + len(s.Calls))
	return s
}

// placed adds a call that goes by places.
func placed(s *op.OverAggregate, name string, t types.Type, args ...expr.Expr) {
	s.Calls = append(s.Calls, op.OverCall{Name: name, AggregateCall: op.AggregateCall{Args: args, T: t}})
	s.Names = namesOf(len(s.Types) + len(s.Calls))
}

const sales = `
	a 10 1 1
	b 10 5 2
	a 30 3 3
	a 20 \N 4
	a 20 7 5
	b 15 2 6
	\N 1 1 7`

func TestOverRowtime(t *testing.T) {
	spec := overOf(t, sold, bounds(true, op.Preceding, op.CurrentRow, 1, 0))
	spec.Time = op.OverRowtime
	optest.Run(t, optest.Case{Spec: spec, Types: sold, Folds: true, In: sales + `
		^20
		a 20 9 8
		a 21 4 9
		b 16 3 10
		c 2 6 11
		b 15 9 12
		^22
		c 2 1 13
		^9223372036854775807`, Out: `
		\N 1970-01-01\s00:00:00.001 1 7 1 1 1 1
		a 1970-01-01\s00:00:00.010 1 1 1 1 1 1
		a 1970-01-01\s00:00:00.020 7 5 7 2 7 7
		a 1970-01-01\s00:00:00.020 \N 4 1 2 1 1
		a 1970-01-01\s00:00:00.021 4 9 11 2 4 4
		a 1970-01-01\s00:00:00.030 3 3 7 2 3 3
		b 1970-01-01\s00:00:00.010 5 2 5 1 5 5
		b 1970-01-01\s00:00:00.015 2 6 7 2 2 2
		b 1970-01-01\s00:00:00.016 3 10 5 2 2 3
		c 1970-01-01\s00:00:00.002 6 11 6 1 6 6`})
}

// TestOverProctime: a row is given as it comes, with its own place.
func TestOverProctime(t *testing.T) {
	spec := overOf(t, sold, bounds(false, op.UnboundedPreceding, op.CurrentRow, 0, 0))
	spec.Time, spec.Calls = op.OverProctime, spec.Calls[:2]
	placed(spec, "ROW_NUMBER", types.Of(types.BigInt))
	placed(spec, "LAG", sold[2], columnsOf(sold)[2], wholeNumber(types.Of(types.BigInt), 2), wholeNumber(types.Of(types.BigInt), -1))
	want := `
		a 1970-01-01\s00:00:00.010 1 1 1 1 1 -1
		b 1970-01-01\s00:00:00.010 5 2 5 1 1 -1
		a 1970-01-01\s00:00:00.030 3 3 4 2 2 -1
		a 1970-01-01\s00:00:00.020 \N 4 4 3 3 1
		a 1970-01-01\s00:00:00.020 7 5 11 4 4 3
		b 1970-01-01\s00:00:00.015 2 6 7 2 2 -1
		\N 1970-01-01\s00:00:00.001 1 7 1 1 1 -1`
	optest.Run(t, optest.Case{Spec: spec, Types: sold, In: sales, Out: want})
	spec.Calls = spec.Calls[:3]
	spec.Names = namesOf(7)
	cut := ""
	for line := range strings.Lines(want[1:]) {
		cut += line[:strings.LastIndex(line, " ")] + "\n"
	}
	optest.Run(t, optest.Case{Spec: spec, Types: sold, In: sales, Out: cut})
}

func TestOverAtEnd(t *testing.T) {
	spec := overOf(t, sold, bounds(true, op.Preceding, op.Following, 1, 1))
	spec.AtEnd, spec.Calls = true, spec.Calls[:2]
	big, double := types.Of(types.BigInt), types.Of(types.Double)
	placed(spec, "RANK", big)
	placed(spec, "DENSE_RANK", big)
	placed(spec, "NTILE", big, wholeNumber(big, 2))
	placed(spec, "CUME_DIST", double)
	placed(spec, "PERCENT_RANK", double)
	placed(spec, "LEAD", sold[2], columnsOf(sold)[2])
	optest.Run(t, optest.Case{Spec: spec, Types: sold, In: sales + "\n^9223372036854775807", Folds: true, Out: `
		\N 1970-01-01\s00:00:00.001 1 7 1 1 1 1 1 1.0 0.0 \N
		a 1970-01-01\s00:00:00.010 1 1 1 2 1 1 1 0.25 0.0 \N
		a 1970-01-01\s00:00:00.020 7 5 10 3 2 2 2 0.75 0.3333333333333333 3
		a 1970-01-01\s00:00:00.020 \N 4 8 3 2 2 1 0.75 0.3333333333333333 7
		a 1970-01-01\s00:00:00.030 3 3 10 2 4 3 2 1.0 1.0 \N
		b 1970-01-01\s00:00:00.010 5 2 7 2 1 1 1 0.5 0.0 2
		b 1970-01-01\s00:00:00.015 2 6 7 2 2 2 2 1.0 1.0 \N`})
}

// TestOverChanges: what a row makes of the rows behind it, and no more.
func TestOverChanges(t *testing.T) {
	spec := overOf(t, sold, bounds(true, op.Preceding, op.CurrentRow, 1, 0))
	spec.Calls, spec.Names = spec.Calls[:1], namesOf(5)
	in := optest.Parse(t, sold, "a 1 1 1\na 4 4 4\na 5 5 5\na 3 3 3\n-D a 3 3 3\n-U a 1 1 1\n+U a 1 2 1")
	for _, quiet := range []bool{false, true} {
		spec.NoUpdateBefore = quiet
		want := "a 1 1 1 1\na 4 4 4 5\na 5 5 5 9\n" +
			"-U a 4 4 4 5\n+U a 4 4 4 7\na 3 3 3 4\n" +
			"-D a 3 3 3 4\n-U a 4 4 4 7\n+U a 4 4 4 5\n" +
			"-D a 1 1 1 1\n-U a 4 4 4 5\n+U a 4 4 4 4\n-U a 4 4 4 4\n+U a 4 4 4 6\na 1 2 1 2\n"
		if quiet {
			want = strings.Join(slices.DeleteFunc(strings.SplitAfter(want, "\n"), func(s string) bool { return strings.HasPrefix(s, "-U") }), "")
		}
		got, err := optest.Replay(t, spec, in, 1, optest.Flat)
		got = strings.NewReplacer(`1970-01-01\s00:00:00.00`, "").Replace(got)
		if must(t, err); got != want {
			t.Errorf("quiet %v: got\n%swant\n%s", quiet, got, want)
		}
	}
}

// TestOverCountsUnmatched: what was never there is not taken back.
func TestOverCountsUnmatched(t *testing.T) {
	spec := overOf(t, sold, bounds(true, op.UnboundedPreceding, op.CurrentRow, 0, 0))
	spec.Calls, spec.Names = spec.Calls[:1], namesOf(5)
	optest.Run(t, optest.Case{Spec: spec, Types: sold, Folds: true, In: `
		a 1 1 1
		-D a 2 2 2
		-D c 2 2 2
		a 3 3 3
		a 3 3 3
		-D a 3 3 3`, Out: `
		a 1970-01-01\s00:00:00.001 1 1 1
		a 1970-01-01\s00:00:00.003 3 3 4`})
}

// sale is a row of the tests against plain computing.
type sale struct {
	part  string
	time  int64
	value string
	id    int
	era   int // how often its partition was forgotten before
}

func (s sale) String() string { return fmt.Sprintf("%s %d %s %d", s.part, s.time, s.value, s.id) }

// overPlain is what calls of overOf give of rows, sorted by text; they are in the order in which they came.
func overPlain(rows []sale, f op.Frame, desc bool, from, to int64) string {
	parts := map[[2]string][]sale{}
	for _, r := range rows {
		k := [2]string{r.part, strconv.Itoa(r.era)}
		parts[k] = append(parts[k], r)
	}
	var out []string
	for _, p := range parts {
		slices.SortStableFunc(p, func(a, b sale) int {
			if desc {
				a, b = b, a
			}
			return int(a.time - b.time)
		})
		for i, r := range p {
			sum, count, least, last := int64(0), 0, `\N`, `\N`
			for k, x := range p {
				at, behind := int64(k-i), x.time-r.time
				if desc {
					behind = -behind
				}
				if !f.Rows {
					at = behind
				}
				if !within(at, f.Start.Kind, from, true) || !within(at, f.End.Kind, to, false) {
					continue
				}
				if count++; x.value == `\N` {
					continue
				}
				v, _ := strconv.ParseInt(x.value, 10, 64)
				sum += v
				if old, err := strconv.ParseInt(least, 10, 64); err != nil || v < old {
					least = x.value
				}
				last = x.value
			}
			total := strconv.FormatInt(sum, 10)
			if least == `\N` {
				total = `\N`
			}
			stamp := strings.ReplaceAll(time.UnixMilli(r.time).UTC().Format("2006-01-02 15:04:05.000"), " ", `\s`)
			out = append(out, fmt.Sprintf("%s %s %s %d %s %d %s %s\n", r.part, stamp, r.value, r.id, total, count, least, last))
		}
	}
	slices.Sort(out)
	return strings.Join(out, "")
}

// within tells that a row so far behind the current one is on the right side of a bound.
func within(at int64, b op.BoundKind, n int64, start bool) bool {
	bar := int64(0)
	switch b {
	case op.UnboundedPreceding, op.UnboundedFollowing:
		return true
	case op.Preceding:
		bar = -n
	case op.Following:
		bar = n
	}
	return start && at >= bar || !start && at <= bar
}

func randomSale(r *rand.Rand, id int, now int64) sale {
	s := sale{string(rune('a' + r.IntN(4))), now + r.Int64N(20), strconv.Itoa(r.IntN(50) - 10), id, 0}
	if r.IntN(8) == 0 {
		s.value = `\N`
	}
	return s
}

// compareOver replays rows at several batch sizes, with and without restarts.
func compareOver(t *testing.T, spec *op.OverAggregate, log, want string) {
	t.Helper()
	rows := optest.Parse(t, sold, log)
	for _, size := range []int{1, 7, 64, 1024} {
		got, err := optest.Replay(t, spec, rows, size, optest.Mixed)
		if got = optest.Fold(t, got); err != nil || got != want {
			t.Fatalf("batches of %d, %s: %v, got\n%swant\n%s", size, spec, err, got, want)
		}
		if size == 1 {
			continue
		}
		got, err = optest.Restarted(t, spec, rows, size)
		if got = optest.Fold(t, got); err != nil || got != want {
			t.Fatalf("restarted after batches of %d, %s: %v, got\n%swant\n%s", size, spec, err, got, want)
		}
	}
}

// TestOverAgainstPlain: what is left of a changelog, in any order of rows, is what computing from scratch gives.
func TestOverAgainstPlain(t *testing.T) {
	for _, seed := range seeds(t, 16) {
		r := rand.New(rand.NewPCG(seed, 3))
		from := r.Int64N(6)
		start := []op.BoundKind{op.UnboundedPreceding, op.Preceding, op.CurrentRow, op.Preceding}[seed%4]
		f := bounds(seed/4%2 == 0, start, op.CurrentRow, from, 0)
		var left []sale
		var log strings.Builder
		for i := range 250 {
			if len(left) > 0 && r.IntN(5) < 2 {
				k := r.IntN(len(left))
				log.WriteString("-D " + left[k].String() + "\n")
				left = slices.Delete(left, k, k+1)
				continue
			}
			left = append(left, randomSale(r, i, int64(seed/8)*int64(i/2))) // in order, more or less, in half of them
			log.WriteString(left[len(left)-1].String() + "\n")
		}
		compareOver(t, overOf(t, sold, f), log.String(), overPlain(left, f, false, from, 0))
	}
}

// passed is up to where rows of a partition were given, and when it is forgotten.
type passed struct {
	last  int64
	marks []int64
	era   int
}

// take tells that a row counts, and puts off the end of its partition.
func (p *passed) take(time, reach int64) bool {
	if time <= p.last {
		return false
	}
	if n := len(p.marks); n == 0 || p.marks[n-1] < time+reach+1 {
		p.marks = append(p.marks, time+reach+reach/2+1)
	}
	return true
}

// reach moves to a watermark. Rows have the times.
func (p *passed) reach(mark int64, times []int64, ends bool) {
	for _, t := range times {
		if t <= mark {
			p.last = max(p.last, t)
		}
	}
	for ends && len(p.marks) > 0 && p.marks[0] <= mark {
		p.last = max(p.last, p.marks[0])
		if p.marks = p.marks[1:]; len(p.marks) == 0 {
			p.last, p.era = -1, p.era+1
		}
	}
}

// TestOverRowtimeAgainstPlain: rows count in the order of their times, unless they are behind the watermark, or for
// frames that rows leave behind the last row of their partition that it has reached.
func TestOverRowtimeAgainstPlain(t *testing.T) {
	for _, seed := range seeds(t, 16) {
		r := rand.New(rand.NewPCG(seed, 4))
		from := r.Int64N(9)
		start := []op.BoundKind{op.UnboundedPreceding, op.Preceding, op.CurrentRow, op.Preceding}[seed%4]
		f := bounds(seed/4%2 == 0, start, op.CurrentRow, from, 0)
		reach := from
		if start == op.CurrentRow {
			reach = 0
		}
		var kept []sale
		var log strings.Builder
		mark, parts := int64(-1), map[string]*passed{}
		for i := range 300 {
			s := randomSale(r, i, int64(i/10))
			log.WriteString(s.String() + "\n")
			p := parts[s.part]
			if p == nil {
				p = &passed{last: -1}
				parts[s.part] = p
			}
			if s.era = p.era; start == op.UnboundedPreceding && s.time > mark || start != op.UnboundedPreceding && p.take(s.time, reach) {
				kept = append(kept, s)
			}
			if r.IntN(12) == 0 && int64(i/10)+5 > mark {
				mark = int64(i/10) + 5
				fmt.Fprintf(&log, "^%d\n", mark)
				for part, p := range parts {
					var times []int64
					for _, s := range kept {
						if s.part == part && s.era == p.era {
							times = append(times, s.time)
						}
					}
					p.reach(mark, times, !f.Rows && start != op.UnboundedPreceding)
				}
			}
		}
		log.WriteString("^9223372036854775807\n")
		spec := overOf(t, sold, f)
		spec.Time = op.OverRowtime
		compareOver(t, spec, log.String(), overPlain(kept, f, false, from, 0))
	}
}

// TestOverAtEndAgainstPlain: frames of all kinds, in both directions.
func TestOverAtEndAgainstPlain(t *testing.T) {
	ends := [][2]op.BoundKind{{op.UnboundedPreceding, op.UnboundedFollowing}, {op.Preceding, op.Following},
		{op.Preceding, op.Preceding},
		{op.Following, op.Following}, {op.CurrentRow, op.Following},
		{op.CurrentRow, op.UnboundedFollowing}, {op.UnboundedPreceding, op.Preceding}}
	for _, seed := range seeds(t, 28) {
		r := rand.New(rand.NewPCG(seed, 5))
		kind := ends[seed%7]
		from, to := r.Int64N(5), r.Int64N(5)
		f := bounds(seed/7%2 == 0, kind[0], kind[1], from, to)
		var rows []sale
		var log strings.Builder
		for i := range 150 {
			rows = append(rows, randomSale(r, i, 0))
			log.WriteString(rows[i].String() + "\n")
		}
		log.WriteString("^9223372036854775807\n")
		spec := overOf(t, sold, f)
		spec.AtEnd, spec.Order[0].Desc = true, seed >= 14
		compareOver(t, spec, log.String(), overPlain(rows, f, spec.Order[0].Desc, from, to))
	}
}

// soldOnce is a batch of one row.
func soldOnce(part string, id int32) *vector.Batch {
	return &vector.Batch{Len: 1, Cols: []*vector.Column{vector.ConstText(sold[0], part, 1), vector.ConstOf(sold[1], int64(0), 1),
		vector.ConstOf(sold[2], int64(1), 1), vector.ConstOf(sold[3], id, 1)}}
}

// TestOverProctimeRange: the clock tells which rows have left a frame.
func TestOverProctimeRange(t *testing.T) {
	spec := overOf(t, sold, bounds(false, op.Preceding, op.CurrentRow, 1000, 0))
	spec.Time, spec.Calls, spec.Names = op.OverProctime, spec.Calls[:1], namesOf(5)
	now := time.UnixMilli(1_700_000_000_000)
	o, out := spec.New(), &kinds{}
	must(t, o.Open(&op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC, Now: func() time.Time { return now }}}))
	for range 4 {
		must(t, o.Process(0, soldOnce("k", 1), out))
		now = now.Add(600 * time.Millisecond)
	}
	if got, want := out.b.String(), "+I1 +I2 +I2 +I2 "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestOverTTL: a partition without rows for the time to live starts anew, and the sweep frees it.
func TestOverTTL(t *testing.T) {
	for _, kind := range []op.OverTime{op.NoOverTime, op.OverProctime} {
		spec := overOf(t, sold, bounds(true, op.UnboundedPreceding, op.CurrentRow, 0, 0))
		spec.Time, spec.TTL, spec.Calls, spec.Names = kind, time.Second, spec.Calls[:1], namesOf(5)
		now := time.UnixMilli(1_700_000_000_000)
		x := &op.Context{MaxRows: 10, Env: &function.Env{Zone: time.UTC, Now: func() time.Time { return now }}}
		o, out := spec.New(), &kinds{}
		must(t, o.Open(x))
		row := func(part string, id int32) { must(t, o.Process(0, soldOnce(part, id), out)) }
		row("k", 1)
		now = now.Add(900 * time.Millisecond)
		row("k", 2)
		now = now.Add(1100 * time.Millisecond)
		row("k", 3)
		if got, want := out.b.String(), "+I1 +I2 +I1 "; got != want {
			t.Errorf("%s: got %s, want %s", spec, got, want)
		}
		now = now.Add(5 * time.Second)
		row("l", 4)
		for _, u := range x.State.Usage() {
			if u.Keys > 1 {
				t.Errorf("%s: %d keys are left in %s", spec, u.Keys, u.Table)
			}
		}
	}
}
