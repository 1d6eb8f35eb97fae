package op

import (
	"streamsql/exec/function"
	"streamsql/exec/vector"
)

// matchSums are the aggregates that conditions ask for: each match on its way has those of its rows, so that a row is
// added to them once.
type matchSums struct {
	held *heldMatches
	list []*matchCalls
	out  []vector.Column // by call of the pattern
	// partial are the columns of partials of one accumulator.
	partial [][]*vector.Column

	ids, groups, from, to []int32
	// pending are the matches that have yet to get the sums of the ones that they follow, by the variable of their last row.
	pending [][]matchStep
}

// matchStep is a match that came of another one, or of none where that is negative, by a row.
type matchStep struct{ from, to, row int32 }

// newMatchSums declares the columns of calls in the table of matches; their values go to out.
func newMatchSums(s *MatchRecognize, of []int, h *heldMatches, out []vector.Column, env *function.Env) (*matchSums, error) {
	m := &matchSums{held: h, out: out, pending: make([][]matchStep, len(s.Elements))}
	var err error
	if m.list, err = newMatchCalls(s, of, h.rows, h.table, env); err != nil {
		return nil, err
	}
	for _, c := range m.list {
		for _, acc := range c.accs {
			_, cols := owned(len(acc.PartialTypes()))
			m.partial = append(m.partial, cols)
		}
	}
	h.clear = m.clear
	return m, nil
}

func (m *matchSums) clear(matches []int32) {
	for _, c := range m.list {
		c.clear(matches)
	}
}

// tentative makes for each question the match that would come of it, and gives the values of all calls of it.
func (m *matchSums) tentative(a *matchAsk, v int, asked []int32) error {
	m.begin()
	for _, k := range asked {
		l := &a.lanes[k]
		c := m.held.new(l.group)
		a.children[v][k] = c + 1
		m.step(matchStep{l.match, c, l.row})
	}
	if err := m.add(v); err != nil {
		return err
	}
	for _, c := range m.list {
		c.values(m.groups, m.out)
	}
	return nil
}

// follow says that a match came of another one by a row that was taken as a variable.
func (m *matchSums) follow(v int, s matchStep) { m.pending[v] = append(m.pending[v], s) }

// settle gives the matches that followed others their sums.
func (m *matchSums) settle() error {
	for v, list := range m.pending {
		if len(list) == 0 {
			continue
		}
		m.begin()
		for _, s := range list {
			m.step(s)
		}
		m.pending[v] = list[:0]
		if err := m.add(v); err != nil {
			return err
		}
	}
	return nil
}

func (m *matchSums) begin() {
	m.ids, m.groups, m.from, m.to = m.ids[:0], m.groups[:0], m.from[:0], m.to[:0]
}

func (m *matchSums) step(s matchStep) {
	m.ids, m.groups = append(m.ids, s.row), append(m.groups, s.to)
	if s.from >= 0 {
		m.from, m.to = append(m.from, s.from), append(m.to, s.to)
	}
}

// add gives the matches in to the sums of those in from, and those in groups the rows ids as a variable.
func (m *matchSums) add(v int) error {
	at := 0
	for _, c := range m.list {
		for _, acc := range c.accs {
			if len(m.from) > 0 {
				acc.Partial(m.from, m.partial[at])
				acc.Merge(m.to, m.partial[at])
			}
			at++
		}
		if c.variable != v && c.variable != AllVariables {
			continue
		}
		if err := c.add(m.groups, m.ids); err != nil {
			return err
		}
	}
	return nil
}
