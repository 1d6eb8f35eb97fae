package op

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/vector"
)

// matchLane is a question: which variables may a row be for a match on its way, or a negative one for a match that
// begins with it. bits are the answer.
type matchLane struct {
	row, match, state int32
	group             int32
	bits              uint64
}

// matchTest is the condition of a variable.
type matchTest struct {
	filter *expr.Filter // nil takes any row
	// reads and calls are what it is over, as positions in those of the pattern.
	reads, calls []int
	// alone says that it reads nothing but the row, and cannot fail: it is asked once per row.
	alone bool
}

// matchAsk answers questions: those of many partitions at a time, condition by condition.
type matchAsk struct {
	spec    *MatchRecognize
	rows    *matchRows
	held    *heldMatches
	states  *matchStates
	tests   []matchTest
	sums    *matchSums // nil where conditions have no aggregates
	maxRows int
	// any are the variables that take any row.
	any   uint64
	lanes []matchLane
	// children are by variable and question the matches that sums made for the case that the answer is yes, plus one.
	children [][]int32

	asked []int32
	span  matchSpan
	at    [][]int32 // by read: the rows
	own   []vector.Column
	cols  []*vector.Column
}

// newMatchAsk compiles the conditions.
func newMatchAsk(s *MatchRecognize, rows *matchRows, held *heldMatches, maxRows int, env *function.Env) (*matchAsk, error) {
	a := &matchAsk{spec: s, rows: rows, held: held, states: newMatchStates(s.Elements), maxRows: maxRows}
	a.tests, a.children = make([]matchTest, len(s.Elements)), make([][]int32, len(s.Elements))
	a.span, a.at = newMatchSpan(len(s.Elements)), make([][]int32, len(s.Reads))
	a.own, a.cols = owned(len(s.Reads) + len(s.Calls))
	var summed []int
	for v := range a.tests {
		cond := s.Variables[v].Cond
		if cond == nil {
			a.any |= 1 << v
			continue
		}
		t := &a.tests[v]
		var err error
		if t.filter, err = expr.NewFilter([]expr.Expr{cond}, env); err != nil {
			return nil, err
		}
		t.alone = !expr.CanFail(cond) && expr.Pure(cond)
		for _, i := range expr.Columns(cond) {
			if i >= len(s.Reads) {
				t.calls, t.alone = append(t.calls, i-len(s.Reads)), false
				continue
			}
			t.reads = append(t.reads, i)
			r := &s.Reads[i]
			t.alone = t.alone && !r.First && r.Offset == 0 && (r.Variable == v || r.Variable == AllVariables)
		}
		summed = append(summed, t.calls...)
	}
	if len(summed) == 0 {
		return a, nil
	}
	slices.Sort(summed)
	var err error
	a.sums, err = newMatchSums(s, slices.Compact(summed), held, a.own[len(s.Reads):], env)
	return a, err
}

// ofRows answers, for each of rows, what needs the row alone.
func (a *matchAsk) ofRows(rows []int32, bits []uint64) error {
	for i := range bits {
		bits[i] = a.any
	}
	for v := range a.tests {
		t := &a.tests[v]
		if t.filter == nil || !t.alone {
			continue
		}
		for from := 0; from < len(rows); from += a.maxRows {
			some := rows[from:min(from+a.maxRows, len(rows))]
			for _, i := range t.reads {
				a.rows.read(&a.own[i], a.spec.Reads[i].Column, some)
			}
			kept, all, err := t.filter.Select(a.cols, len(some))
			if err != nil {
				return err
			}
			if all {
				for k := range some {
					bits[from+k] |= 1 << v
				}
			}
			for _, k := range kept {
				bits[from+int(k)] |= 1 << v
			}
		}
	}
	return nil
}

// answer answers what else the states of the questions ask.
func (a *matchAsk) answer() error {
	for v := range a.tests {
		t := &a.tests[v]
		if t.filter == nil || t.alone {
			continue
		}
		if a.sums != nil {
			a.children[v] = zeros(a.children[v], len(a.lanes))
		}
		a.asked = a.asked[:0]
		for i := range a.lanes {
			if a.states.list[a.lanes[i].state].asks>>v&1 != 0 {
				a.asked = append(a.asked, int32(i))
			}
		}
		for from := 0; from < len(a.asked); from += a.maxRows {
			if err := a.test(v, a.asked[from:min(from+a.maxRows, len(a.asked))]); err != nil {
				return err
			}
		}
	}
	return nil
}

// test evaluates the condition of a variable for questions.
func (a *matchAsk) test(v int, asked []int32) error {
	t, s := &a.tests[v], &a.span
	for _, i := range t.reads {
		a.at[i] = a.at[i][:0]
	}
	for _, i := range t.reads {
		r := &a.spec.Reads[i]
		for _, k := range asked {
			l := &a.lanes[k]
			if r.Variable != AllVariables {
				a.at[i] = append(a.at[i], a.held.row(l.match, v, l.row, r))
				continue
			}
			a.held.load(s, l.match)
			s.add(v, l.row, a.rows.place.At(l.row))
			a.at[i] = append(a.at[i], a.rows.row(s, r))
		}
		a.rows.read(&a.own[i], a.spec.Reads[i].Column, a.at[i])
	}
	if len(t.calls) > 0 {
		if err := a.sums.tentative(a, v, asked); err != nil {
			return err
		}
	}
	kept, all, err := t.filter.Select(a.cols, len(asked))
	if err != nil {
		return err
	}
	if all {
		for _, k := range asked {
			a.lanes[k].bits |= 1 << v
		}
	}
	for _, k := range kept {
		a.lanes[asked[k]].bits |= 1 << v
	}
	return nil
}
