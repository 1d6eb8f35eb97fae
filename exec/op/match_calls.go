package op

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/function"
	"streamsql/exec/state"
	"streamsql/exec/vector"
)

// matchCalls are aggregates over the rows of one variable, whose arguments are evaluated on no others.
type matchCalls struct {
	*aggregation
	variable int
	// of are the calls as positions in those of the pattern.
	of   []int
	rows *matchRows
	used []int // columns of the input
	own  []vector.Column
	cols []*vector.Column
}

// newMatchCalls declares the columns of calls in a table, those of each variable together.
func newMatchCalls(s *MatchRecognize, of []int, rows *matchRows, table *state.Keyed, env *function.Env) ([]*matchCalls, error) {
	var list []*matchCalls
	for _, i := range of {
		at := slices.IndexFunc(list, func(m *matchCalls) bool { return m.variable == s.Calls[i].Variable })
		if at < 0 {
			at = len(list)
			list = append(list, &matchCalls{variable: s.Calls[i].Variable, rows: rows})
		}
		list[at].of = append(list[at].of, i)
	}
	for _, m := range list {
		var aggs []AggregateCall
		var exprs []expr.Expr
		for _, i := range m.of {
			c := s.Calls[i].AggregateCall
			aggs = append(aggs, c)
			if exprs = append(exprs, c.Args...); c.Filter != nil {
				exprs = append(exprs, c.Filter)
			}
		}
		calls, err := newCalls(nil, aggs, false, env)
		if err != nil {
			return nil, err
		}
		m.aggregation, m.used = calls.bind(table), expr.Columns(exprs...)
		m.own, m.cols = owned(len(s.Types))
	}
	return list, nil
}

// add gives groups rows.
func (m *matchCalls) add(groups, ids []int32) error {
	if len(ids) == 0 {
		return nil
	}
	for _, i := range m.used {
		m.rows.read(&m.own[i], i, ids)
	}
	if _, err := m.eval(&vector.Batch{Len: len(ids), Cols: m.cols}); err != nil {
		return err
	}
	m.update(groups, nil, false)
	return nil
}

// values makes the values of the calls of groups: call i is out[i].
func (m *matchCalls) values(groups []int32, out []vector.Column) {
	for k, i := range m.of {
		m.accs[k].Value(groups, &out[i])
	}
}
