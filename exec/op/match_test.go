package op_test

import (
	"cmp"
	"container/heap"
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
	"streamsql/exec/state"
	"streamsql/exec/text"
	"streamsql/exec/types"
	"streamsql/exec/vector"
)

// matchRow is a row of a partition; its columns are a key, a number and a time.
type matchRow struct {
	key    string
	number int
	time   int
}

// taken is a row with the variable that it was taken as.
type taken struct {
	variable int
	row      matchRow
}

// tried is a match on its way: its rows and where they are in the pattern.
type tried struct {
	start   int
	element int // -1 before the first row
	count   int
	rows    []taken
}

// numbers are those of the rows of a variable, or of all.
func (x *tried) numbers(variable int) []int {
	var out []int
	for _, r := range x.rows {
		if variable == op.AllVariables || r.variable == variable {
			out = append(out, r.row.number)
		}
	}
	return out
}

// condition is what a variable asks of its rows, for the operator and for plain code, over a match with the row in it.
type condition struct {
	expr  expr.Expr
	holds func(x *tried) bool
}

// randomPattern is a pattern and the conditions of its variables, in plain code.
type randomPattern struct {
	op.RowPattern
	measures []expr.Expr
	holds    []func(x *tried) bool
}

func (p *randomPattern) read(variable int, first bool, offset int64) expr.Expr {
	r := op.MatchRead{Variable: variable, First: first, Offset: offset, Column: 1, T: bigint}
	at := slices.IndexFunc(p.Reads, func(x op.MatchRead) bool { return x.String(&p.RowPattern, "n") == r.String(&p.RowPattern, "n") })
	if at < 0 {
		at = len(p.Reads)
		p.Reads = append(p.Reads, r)
	}
	return &expr.Column{Index: at, Name: r.String(&p.RowPattern, "n"), T: bigint}
}

// firstCall is where the columns of calls begin while reads are still to come.
const firstCall = 1000

func (p *randomPattern) call(t testing.TB, variable int, name string) expr.Expr {
	c := op.MatchCall{Variable: variable, AggregateCall: aggregateOf(t, name, &expr.Column{Index: 1, Name: "n", T: bigint})}
	p.Calls = append(p.Calls, c)
	return &expr.Column{Index: firstCall + len(p.Calls) - 1, Name: c.String(&p.RowPattern), T: c.T}
}

// placed moves the columns of calls behind the reads.
func (p *randomPattern) placed(e expr.Expr) expr.Expr {
	return expr.Rewrite(e, func(e expr.Expr) expr.Expr {
		if c, ok := e.(*expr.Column); ok && c.Index >= firstCall {
			return &expr.Column{Index: c.Index - firstCall + len(p.Reads), Name: c.Name, T: c.T}
		}
		return e
	})
}

// condition draws one of a variable.
func (p *randomPattern) condition(t *testing.T, r *rand.Rand, v int) condition {
	other, limit := r.IntN(len(p.Elements)), r.IntN(10)
	last := func(list []int, back int) (int, bool) {
		if back >= len(list) {
			return 0, false
		}
		return list[len(list)-1-back], true
	}
	compared := func(variable, back int, first bool) func(x *tried) bool {
		return func(x *tried) bool {
			own, _ := last(x.numbers(v), 0)
			list := x.numbers(variable)
			if first {
				slices.Reverse(list)
			}
			with, ok := last(list, back)
			return ok && with < own
		}
	}
	sum := func(list []int) (s int) {
		for _, n := range list {
			s += n
		}
		return s
	}
	switch r.IntN(8) {
	case 0, 1:
		return condition{lessThan(p.read(v, false, 0), int64(limit)), func(x *tried) bool {
			own, _ := last(x.numbers(v), 0)
			return own < limit
		}}
	case 2:
		return condition{less(p.read(other, false, 0), p.read(v, false, 0)), compared(other, 0, false)}
	case 3:
		return condition{less(p.read(other, true, 1), p.read(v, false, 0)), compared(other, 1, true)}
	case 4:
		return condition{less(p.read(op.AllVariables, false, 1), p.read(v, false, 0)), compared(op.AllVariables, 1, false)}
	case 5:
		return condition{lessThan(p.call(t, v, "SUM"), int64(3*limit)), func(x *tried) bool { return sum(x.numbers(v)) < 3*limit }}
	case 6:
		return condition{lessThan(p.call(t, op.AllVariables, "COUNT"), int64(limit)), func(x *tried) bool { return len(x.rows) < limit }}
	}
	return condition{nil, func(*tried) bool { return true }}
}

// newRandomPattern draws a pattern.
func newRandomPattern(t *testing.T, r *rand.Rand) *randomPattern {
	p := &randomPattern{}
	for v := range 1 + r.IntN(4) {
		e := op.PatternElement{Min: 1, Max: 1}
		switch r.IntN(6) {
		case 0:
			e = op.PatternElement{Min: r.IntN(2), Max: -1}
		case 1:
			e = op.PatternElement{Min: 0, Max: 1}
		case 2:
			e = op.PatternElement{Min: r.IntN(3), Max: 3}
		case 3:
			e = op.PatternElement{Min: 2, Max: -1}
		}
		e.Greedy = e.Min != e.Max && e != (op.PatternElement{Min: 0, Max: 1}) && r.IntN(2) == 0
		p.Elements = append(p.Elements, e)
		p.Variables = append(p.Variables, op.PatternVariable{Name: string(rune('A' + v))})
	}
	p.Elements[len(p.Elements)-1].Greedy = false
	p.Elements[r.IntN(len(p.Elements))] = op.PatternElement{Min: 1, Max: 1}
	p.Skip = op.MatchSkip(r.IntN(2))
	if r.IntN(3) == 0 {
		p.Within = 1000 * int64(1+r.IntN(8))
	}
	for v := range p.Elements {
		c := p.condition(t, r, v)
		p.Variables[v].Cond = c.expr
		p.holds = append(p.holds, c.holds)
	}
	p.measures = []expr.Expr{p.read(op.AllVariables, true, 0), p.read(op.AllVariables, false, 0), p.read(op.AllVariables, true, 1)}
	for v := range p.Elements {
		p.measures = append(p.measures, p.call(t, v, "COUNT"))
	}
	p.measures = append(p.measures, p.call(t, op.AllVariables, "SUM"))
	for v := range p.Variables {
		if c := p.Variables[v].Cond; c != nil {
			p.Variables[v].Cond = p.placed(c)
		}
	}
	for i, m := range p.measures {
		p.measures[i] = p.placed(m)
	}
	return p
}

// with is a match with one more row as a variable.
func (x *tried) with(v int, r matchRow) *tried {
	out := &tried{start: x.start, element: v, count: 1, rows: append(slices.Clone(x.rows), taken{v, r})}
	if v == x.element {
		out.count = x.count + 1
	}
	return out
}

// fits tells whether a row may be a variable behind a match.
func (p *randomPattern) fits(x *tried, v int, r matchRow) bool { return p.holds[v](x.with(v, r)) }

// steps are the matches that come of one by a row, and those among them that may be complete.
func (p *randomPattern) steps(x *tried, r matchRow) (on, complete []*tried) {
	for v := max(x.element, 0); v < len(p.Elements); v++ {
		if v == x.element && p.Elements[v].Max >= 0 && x.count >= p.Elements[v].Max {
			continue
		}
		if v > x.element && (!p.passes(x, v, r) || x.element >= 0 && x.count < p.Elements[x.element].Min) {
			continue
		}
		if !p.fits(x, v, r) {
			continue
		}
		next := x.with(v, r)
		full := v == len(p.Elements)-1 && p.Elements[v].Max >= 0 && next.count == p.Elements[v].Max
		if next.count >= p.Elements[v].Min && (full || p.ends(x, v, r)) {
			complete = append(complete, next)
		}
		if !full {
			on = append(on, next)
		}
	}
	return on, complete
}

// passes tells that a row of variable v may stand behind a match: all that stand between are optional, and the row is
// none of the greedy ones in front of it.
func (p *randomPattern) passes(x *tried, v int, r matchRow) bool {
	for k := max(x.element, 0); k < v; k++ {
		if k > x.element && p.Elements[k].Min > 0 || p.Elements[k].Greedy && p.fits(x, k, r) {
			return false
		}
	}
	return true
}

// ends tells that the pattern may end behind a row as variable v.
func (p *randomPattern) ends(x *tried, v int, r matchRow) bool {
	for k := v; k < len(p.Elements); k++ {
		last := k == len(p.Elements)-1
		if k > v && p.Elements[k].Min > 0 || !last && p.Elements[k].Greedy && p.fits(x, k, r) {
			return false
		}
	}
	return true
}

// byStart is complete matches, those that begin first in front.
type byStart []*tried

func (h byStart) Len() int           { return len(h) }
func (h byStart) Less(i, j int) bool { return h[i].start < h[j].start }
func (h byStart) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byStart) Push(x any)        { *h = append(*h, x.(*tried)) }
func (h *byStart) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// matcher looks for a pattern in the rows of one partition.
type matcher struct {
	*randomPattern
	open  []*tried
	held  byStart
	found []*tried
}

// release finds the complete matches that no earlier one holds back.
func (m *matcher) release() {
	for len(m.held) > 0 && (len(m.open) == 0 || m.held[0].start <= m.open[0].start) {
		x := heap.Pop(&m.held).(*tried)
		m.found = append(m.found, x)
		last := x.start
		if m.Skip == op.SkipPastLastRow {
			last += len(x.rows) - 1
		}
		gone := func(y *tried) bool { return y.start <= last }
		m.open, m.held = slices.DeleteFunc(m.open, gone), slices.DeleteFunc(m.held, gone)
		heap.Init(&m.held)
	}
}

// expire gives up what has gone on for too long.
func (m *matcher) expire(now int) {
	if m.Within > 0 {
		m.open = slices.DeleteFunc(m.open, func(x *tried) bool { return int64(now-x.rows[0].row.time)*1000 >= m.Within })
		m.release()
	}
}

func (m *matcher) row(place int, r matchRow) {
	m.expire(r.time)
	var next, complete []*tried
	for _, x := range append(slices.Clone(m.open), &tried{start: place, element: -1}) {
		on, done := m.steps(x, r)
		next, complete = append(next, on...), append(complete, done...)
	}
	m.open = next
	for _, x := range complete {
		heap.Push(&m.held, x)
	}
	m.release()
}

// matches are the rows that the operator must give for a partition.
func (p *randomPattern) matches(rows []matchRow) []string {
	m := &matcher{randomPattern: p}
	slices.SortStableFunc(rows, func(a, b matchRow) int { return cmp.Compare(a.time, b.time) })
	for i, r := range rows {
		m.row(i+1, r)
	}
	m.expire(1 << 30)
	var out []string
	for _, x := range m.found {
		all := x.numbers(op.AllVariables)
		text := fmt.Sprintf("%s %d %d", rows[0].key, all[0], all[len(all)-1])
		if len(all) > 1 {
			text += fmt.Sprintf(" %d", all[1])
		} else {
			text += ` \N`
		}
		sum := 0
		for _, n := range all {
			sum += n
		}
		for v := range p.Elements {
			text += fmt.Sprintf(" %d", len(x.numbers(v)))
		}
		out = append(out, fmt.Sprintf("%s %d", text, sum))
	}
	return out
}

var matchTypes = []types.Type{types.String(), bigint, types.TimestampOf(3)}

func (p *randomPattern) spec(time op.OverTime) *op.MatchRecognize {
	c := columnsOf(matchTypes)
	return &op.MatchRecognize{RowPattern: p.RowPattern, Partition: c[:1], Order: []op.SortKey{{Expr: c[2]}}, Time: time,
		Measures: p.measures, Types: matchTypes, Names: namesOf(1 + len(p.measures))}
}

// TestMatchAgainstScan compares random patterns over random rows, in any order within the watermark's bound, with plain
// code that has no automaton.
func TestMatchAgainstScan(t *testing.T) {
	seed := rand.Uint64()
	random, runs, found := rand.New(rand.NewPCG(seed, 1)), 12, 0
	if testing.Short() {
		runs = 5
	}
	for range runs {
		p := newRandomPattern(t, random)
		parts := map[string][]matchRow{}
		var in strings.Builder
		for now := 0; now < 30; now += random.IntN(3) {
			for range random.IntN(6) {
				r := matchRow{key: fmt.Sprintf("k%d", random.IntN(3)), number: random.IntN(10), time: now + random.IntN(4)}
				parts[r.key] = append(parts[r.key], r)
				fmt.Fprintf(&in, "%s %d @%d\n", r.key, r.number, r.time)
			}
			if now > 0 && random.IntN(2) == 0 {
				fmt.Fprintf(&in, "^%d\n", now*1000-1)
			}
		}
		in.WriteString("^90000000\n")
		var out []string
		for _, rows := range parts {
			out = append(out, p.matches(rows)...)
		}
		found += len(out)
		slices.Sort(out)
		spec := p.spec(op.OverRowtime)
		optest.Run(t, optest.Case{Spec: spec, Types: matchTypes, In: seconds(in.String()), Out: strings.Join(out, "\n") + "\n", Folds: true})
		if t.Failed() {
			t.Fatalf("seed %d: %v", seed, spec)
		}
	}
	if !testing.Short() && found < runs { // few runs may meet few
		t.Errorf("seed %d: %d matches in %d runs say little", seed, found, runs)
	}
}

// dips is the pattern A B* C, in which C is below A.
func dips(t testing.TB, skip op.MatchSkip, to int) *randomPattern {
	p := &randomPattern{}
	for _, name := range []string{"A", "B", "C"} {
		p.Variables = append(p.Variables, op.PatternVariable{Name: name})
	}
	p.Elements = []op.PatternElement{{Min: 1, Max: 1}, {Min: 0, Max: -1}, {Min: 1, Max: 1}}
	p.Skip, p.SkipTo = skip, to
	a, c := p.read(0, false, 0), p.read(2, false, 0)
	p.Variables[2].Cond = less(c, a)
	p.measures = []expr.Expr{a, c, p.call(t, 1, "COUNT")}
	for i, m := range p.measures {
		p.measures[i] = p.placed(m)
	}
	return p
}

// TestMatchWaits: a complete match is held back as long as an earlier row may begin one, and the watermark with it where
// its time is that of the output.
func TestMatchWaits(t *testing.T) {
	in := seconds("a 1 @1\na 5 @2\na 3 @3\nb 9 @3\nb 8 @4\n^4000\n^7000\n")
	for _, timed := range []bool{false, true} {
		p := dips(t, op.SkipPastLastRow, 0)
		p.Within = 5000
		spec, held := p.spec(op.OverRowtime), "^4000\n"
		if spec.Timed = timed; timed {
			held = "^2999\n"
		}
		optest.Run(t, optest.Case{Spec: spec, Types: matchTypes, In: in, Out: "b 9 8 0\n" + held + "a 5 3 0\n^7000\n"})
	}
	p := dips(t, op.SkipPastLastRow, 0) // an open match that does not end holds the others for ever
	optest.Run(t, optest.Case{Spec: p.spec(op.OverRowtime), Types: matchTypes, In: in + "^9223372036854775807\n",
		Out: "b 9 8 0\n^4000\n^7000\n^9223372036854775807\n"})
}

// TestMatchSkips: where the match behind a match begins.
func TestMatchSkips(t *testing.T) {
	in := seconds("a 5 @1\na 6 @2\na 7 @3\na 4 @4\na 3 @5\na 2 @6\n^9000\n")
	for _, c := range []struct {
		skip op.MatchSkip
		to   int
		out  string
		err  string
	}{
		{skip: op.SkipPastLastRow, out: "a 3 2 0\na 5 4 2\n"},
		{skip: op.SkipToNextRow, out: "a 3 2 0\na 4 3 0\na 5 4 2\na 6 4 1\na 7 4 0\n"},
		{skip: op.SkipToFirst, to: 2, out: "a 3 2 0\na 4 3 0\na 5 4 2\n"},
		{skip: op.SkipToFirst, to: 0, err: "AFTER MATCH SKIP TO FIRST A: the match begins there, and would be found for ever"},
		{skip: op.SkipToLast, to: 1, err: "AFTER MATCH SKIP TO LAST B: the match has no row of B"},
	} {
		spec := dips(t, c.skip, c.to).spec(op.OverRowtime)
		optest.Run(t, optest.Case{Spec: spec, Types: matchTypes, In: in, Out: c.out, Err: c.err, Folds: true})
	}
}

// TestMatchByClock: in the order of processing time rows are taken up as they come.
func TestMatchByClock(t *testing.T) {
	spec := dips(t, op.SkipPastLastRow, 0).spec(op.OverProctime)
	optest.Run(t, optest.Case{Spec: spec, Types: matchTypes, In: seconds("a 5 @1\na 6 @1\nb 1 @1\na 4 @2\nb 0 @2\n"),
		Out: "a 5 4 1\nb 1 0 0\n", Folds: true})
}

// TestMatchForgets: behind the last match nothing is left.
func TestMatchForgets(t *testing.T) {
	p := dips(t, op.SkipPastLastRow, 0)
	p.Within = 5000
	store := state.NewStore(state.Options{})
	o := p.spec(op.OverRowtime).New()
	if err := o.Open(&op.Context{MaxRows: 16, Env: &function.Env{Zone: time.UTC, Now: time.Now}, State: store}); err != nil {
		t.Fatal(err)
	}
	n := 50
	numbers, times := make([]int64, n), make([]int64, n)
	for i := range numbers {
		numbers[i], times[i] = int64(i*31%11), int64(i)*1000
	}
	b := &vector.Batch{Len: n, Cols: []*vector.Column{vector.ConstText(types.String(), "k", n), vector.OfSlice(bigint, numbers),
		vector.OfSlice(types.TimestampOf(3), times)}}
	if err := o.Process(0, b, nowhere{}); err != nil {
		t.Fatal(err)
	}
	for _, now := range []types.EventTime{20_000, 90_000_000} {
		if _, err := o.Advance(now, nowhere{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, u := range store.Usage() {
		if u.Keys != 0 {
			t.Errorf("%d rows are left in %s", u.Keys, u.Table)
		}
	}
}

// TestMatchCostsNoMemory: rows are matched in used memory once it was seen how many there are.
func TestMatchCostsNoMemory(t *testing.T) {
	n := 1000
	keys, numbers, times := make([]int64, n), make([]int64, n), make([]int64, n)
	for i := range numbers {
		keys[i], numbers[i], times[i] = int64(i%20), int64(i*7919%n), int64(i)
	}
	list := []types.Type{bigint, bigint, types.TimestampOf(3)}
	b := &vector.Batch{Len: n, Cols: []*vector.Column{vector.OfSlice(bigint, keys), vector.OfSlice(bigint, numbers),
		vector.OfSlice(list[2], times)}}
	summed := dips(t, op.SkipPastLastRow, 0)
	summed.Variables[1].Cond = lessThan(summed.placed(summed.call(t, 1, "SUM")), 5000)
	for _, p := range []*randomPattern{dips(t, op.SkipPastLastRow, 0), dips(t, op.SkipToNextRow, 0), summed} {
		p.Within = 200
		spec := p.spec(op.OverProctime)
		spec.Types = list
		spec.Partition = []expr.Expr{col(0, bigint)}
		o := spec.New()
		if err := o.Open(&op.Context{MaxRows: n, Env: &function.Env{}}); err != nil {
			t.Fatal(err)
		}
		run := func() {
			for i := range times {
				times[i] += int64(n)
			}
			if err := o.Process(0, b, nowhere{}); err != nil {
				t.Fatal(err)
			}
		}
		for range 50 {
			run()
		}
		if allocs := testing.AllocsPerRun(50, run); allocs != 0 {
			t.Errorf("%s allocates %v times per batch", spec, allocs)
		}
	}
}

// TestMatchTicks: in the order of processing time a match on its way is over when the clock says so, and lets others go.
func TestMatchTicks(t *testing.T) {
	p := dips(t, op.SkipPastLastRow, 0)
	p.Within = 5000
	o := p.spec(op.OverProctime).New().(op.Clocked)
	if err := o.Open(&op.Context{MaxRows: 16, Env: &function.Env{}}); err != nil {
		t.Fatal(err)
	}
	if next := o.NextTick(); next != types.MaxTime {
		t.Errorf("without rows the next tick is at %d", next)
	}
	b := &vector.Batch{Len: 3, Cols: []*vector.Column{vector.ConstText(types.String(), "a", 3), vector.OfSlice(bigint, []int64{1, 5, 3}),
		vector.OfSlice(types.TimestampOf(3), []int64{1000, 2000, 3000})}}
	out := &lines{}
	if err := o.Process(0, b, out); err != nil || len(out.rows) != 0 {
		t.Fatal(out.rows, err)
	}
	if next := o.NextTick(); next != 6000 {
		t.Errorf("the next tick is at %d, want 6000", next)
	}
	for _, tick := range []struct {
		now  types.EventTime
		want []string
	}{{5999, nil}, {6000, []string{"a 5 3 0"}}} {
		out.rows = nil
		if err := o.Tick(tick.now, out); err != nil || !slices.Equal(out.rows, tick.want) {
			t.Errorf("at %d: %q, %v, want %q", tick.now, out.rows, err, tick.want)
		}
	}
	if next := o.NextTick(); next != types.MaxTime {
		t.Errorf("when all is over the next tick is at %d", next)
	}
}

// lines takes rows as text.
type lines struct{ rows []string }

func (l *lines) Advance(types.EventTime) error { return nil }

func (l *lines) Emit(b *vector.Batch) error {
	for i := range b.Len {
		var row []byte
		for k, c := range b.Cols {
			if k > 0 {
				row = append(row, ' ')
			}
			row = text.AppendCell(row, c, i)
		}
		l.rows = append(l.rows, string(row))
	}
	return nil
}
