package op

import (
	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/state"
	"streamsql/exec/vector"
)

// matchGive computes the measures of matches that were found, and gives them.
type matchGive struct {
	spec    *MatchRecognize
	rows    *matchRows
	ev      *expr.Evaluator
	maxRows int
	reads   []int // those of the pattern that measures read
	calls   []*matchCalls
	table   *state.Keyed // a row per match that is given, with its calls

	// spans are the matches that are found, n of them, of the partitions of.
	spans  []matchSpan
	of     []int32
	at     []int32
	groups []int32
	ids    []int32
	to     []int32
	// virtual are the columns that measures are over.
	virtual []vector.Column
	cols    []*vector.Column
	keys    []vector.Column
	out     vector.Batch
}

// newMatchGive compiles the measures.
func newMatchGive(s *MatchRecognize, rows *matchRows, maxRows int, env *function.Env) (*matchGive, error) {
	m := &matchGive{spec: s, rows: rows, maxRows: maxRows}
	var err error
	if m.ev, err = expr.New(s.Measures, env); err != nil {
		return nil, err
	}
	var calls []int
	for _, i := range expr.Columns(s.Measures...) {
		if i < len(s.Reads) {
			m.reads = append(m.reads, i)
		} else {
			calls = append(calls, i-len(s.Reads))
		}
	}
	m.table = rows.parts.Store().Scratch().Rows("found", nil, nil)
	if m.calls, err = newMatchCalls(s, calls, rows, m.table, env); err != nil {
		return nil, err
	}
	m.virtual, m.cols = owned(len(s.Reads) + len(s.Calls))
	m.keys = make([]vector.Column, len(s.Partition))
	m.out.Cols = make([]*vector.Column, len(s.Partition)+len(s.Measures))
	return m, nil
}

// found takes a match of a partition, and tells that there are as many as a batch has room for.
func (m *matchGive) found(g int32, s *matchSpan) (full bool) {
	n := len(m.of)
	if n == len(m.spans) {
		m.spans = append(m.spans, newMatchSpan(len(s.counts)))
	}
	m.spans[n].copy(s)
	m.of = append(m.of, g)
	return n+1 >= m.maxRows
}

func (s *matchSpan) copy(from *matchSpan) {
	s.start = from.start
	copy(s.counts, from.counts)
	copy(s.firsts, from.firsts)
	copy(s.lasts, from.lasts)
}

// flush gives the matches that were found.
func (m *matchGive) flush(out Output) error {
	for from := 0; from < len(m.of); from += m.maxRows {
		to := min(from+m.maxRows, len(m.of))
		if err := m.emit(m.spans[from:to], m.of[from:to], out); err != nil {
			return err
		}
	}
	m.of = m.of[:0]
	return nil
}

// emit gives matches of partitions.
func (m *matchGive) emit(spans []matchSpan, of []int32, out Output) error {
	for _, i := range m.reads {
		r := &m.spec.Reads[i]
		m.at = m.at[:0]
		for k := range spans {
			m.at = append(m.at, m.rows.row(&spans[k], r))
		}
		m.rows.read(&m.virtual[i], r.Column, m.at)
	}
	if err := m.aggregate(spans); err != nil {
		return err
	}
	measures, err := m.ev.Eval(m.cols, len(spans))
	if err != nil {
		return err
	}
	for i := range m.keys {
		m.rows.parts.Lend(&m.keys[i], i, of)
		m.out.Cols[i] = &m.keys[i]
	}
	copy(m.out.Cols[len(m.keys):], measures)
	m.out.Len = len(spans)
	return out.Emit(&m.out)
}

// aggregate computes the calls of matches.
func (m *matchGive) aggregate(spans []matchSpan) error {
	if len(m.calls) == 0 {
		return nil
	}
	m.groups = m.groups[:0]
	for range spans {
		m.groups = append(m.groups, m.table.Reserve())
	}
	for _, c := range m.calls {
		if err := m.sum(c, spans); err != nil {
			return err
		}
		c.values(m.groups, m.virtual[len(m.spec.Reads):])
		c.clear(m.groups)
	}
	m.table.Remove(m.groups)
	return nil
}

// sum gives the groups of matches the rows that calls are over.
func (m *matchGive) sum(c *matchCalls, spans []matchSpan) error {
	m.ids, m.to = m.ids[:0], m.to[:0]
	for k := range spans {
		s := &spans[k]
		count, v, _ := s.whole()
		if c.variable >= len(s.counts) {
			continue
		}
		if c.variable != AllVariables {
			count, v = int64(s.counts[c.variable]), s.firsts[c.variable]
		}
		for ; count > 0; count-- {
			m.ids, m.to = append(m.ids, v-1), append(m.to, m.groups[k])
			v = m.rows.next.At(v - 1)
			if len(m.ids) < m.maxRows {
				continue
			}
			if err := c.add(m.to, m.ids); err != nil {
				return err
			}
			m.ids, m.to = m.ids[:0], m.to[:0]
		}
	}
	return c.add(m.to, m.ids)
}
