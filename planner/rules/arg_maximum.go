package rules

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/planner/logical"
)

// argMaxima keeps the rows that have the maximum (or minimum) of their window where a query joins them with it: the rows
// that are first in their order are the join's, and nothing is joined.
//
// It holds where
//
//   - the join is an inner one of rows with what a grouping gives by MAX or MIN alone, without FILTER;
//   - the rows, and those that are grouped, are projections of one plan, the peak: a window function or a grouping by
//     windows over event time, or projections and conditions over one. What is joined may be fewer of its rows, what is
//     grouped may not;
//   - the grouping is by the windows of these rows, both bounds, and perhaps by more columns; the condition has every one
//     of its keys equal to the column of the rows that it is;
//   - the condition has v = m, v >= m for MAX or v <= m for MIN, where v is the column that m is the maximum of.
//
// What else the condition asks is asked of the rows that are left, and so is what a NULL does not fulfil. An expression that
// may fail, or that does not give the same twice, stands in none of this: rows that fell away would not fail.
func argMaxima(c *Context, p logical.Plan) logical.Plan {
	if c.Off[ShareSubplans] { // two scans may read different rows
		return p
	}
	return logical.Rewrite(p, func(p logical.Plan) logical.Plan {
		x, conds := joinUnder(p)
		if x == nil || x.Kind != op.InnerJoin || x.AtEnd || x.Output != nil || slices.ContainsFunc(conds, unsteady) {
			return p
		}
		for side := range 2 {
			if q := newPeak(x, side).rows(conds); q != nil {
				return q
			}
		}
		return p
	})
}

// joinUnder is a join, also below a condition, and all that is asked of its rows.
func joinUnder(p logical.Plan) (*logical.Join, []expr.Expr) {
	var conds []expr.Expr
	if f, ok := p.(*logical.Filter); ok {
		p, conds = f.Input, expr.Conjuncts(f.Cond)
	}
	x, ok := p.(*logical.Join)
	if !ok {
		return nil, nil
	}
	return x, append(slices.Clone(x.Conds()), conds...)
}

func unsteady(e expr.Expr) bool { return expr.CanFail(e) || !expr.Pure(e) }

// peak is a join of rows, a side of it, with the maximum of their windows.
type peak struct {
	join  *logical.Join
	side  int
	width int // of Left
	// above are the plans from the side of the rows down to the peak, which is not one of them.
	above []logical.Plan
	plan  logical.Plan // nil: there is none
	group *logical.WindowAggregate
	// given are the columns of the other side, over those of the grouping.
	given []expr.Expr
	// keys are the columns of the peak that the grouping's are, behind them the one that the maximum is of.
	keys []int
	// equal are the columns of the rows that the condition compares with those of the grouping, -1 for none.
	equal []int
}

func newPeak(x *logical.Join, side int) *peak {
	m := &peak{join: x, side: side, width: len(x.Left.Schema())}
	in := x.Inputs()
	grouped := in[1-side]
	for i := range grouped.Schema() {
		m.given = append(m.given, grouped.Schema().Expr(i))
	}
	for {
		y, ok := grouped.(*logical.Project)
		if !ok {
			break
		}
		m.given = inlined(m.given, y.Exprs)
		grouped = y.Input
	}
	g, ok := grouped.(*logical.WindowAggregate)
	if !ok || slices.ContainsFunc(m.given, unsteady) || len(g.Shown) > 0 || len(g.Calls) != 1 {
		return m
	}
	call := g.Calls[0]
	if call.Fn.Name != "MAX" && call.Fn.Name != "MIN" || call.Filter != nil || len(call.Args) != 1 || !op.TiesOver(call.Args[0].Type()) {
		return m
	}
	m.group = g
	m.find(in[side])
	return m
}

func inlined(list, below []expr.Expr) []expr.Expr {
	out := make([]expr.Expr, len(list))
	for i, e := range list {
		out[i] = expr.Inline(e, below)
	}
	return out
}

// find looks for the plan that both sides are of: from what is grouped down through projections, and from the rows down
// through these and conditions.
func (m *peak) find(rows logical.Plan) {
	read := append(slices.Clone(m.group.Keys), m.group.Calls[0].Args[0], m.group.Input.Schema().Expr(m.group.Time))
	s := newSharing()
	for below := m.group.Input; ; {
		above := []logical.Plan(nil)
		for p := rows; ; {
			if !slices.ContainsFunc(read, notColumn) && s.samePeak(p, below) && m.by(p, below, read) {
				m.above, m.plan = above, p
				return
			}
			if !passing(p) {
				break
			}
			above = append(above, p)
			p = p.Inputs()[0]
		}
		y, ok := below.(*logical.Project)
		if !ok || slices.ContainsFunc(y.Exprs, unsteady) {
			return
		}
		read, below = inlined(read, y.Exprs), y.Input
	}
}

func notColumn(e expr.Expr) bool {
	_, ok := e.(*expr.Column)
	return !ok
}

// passing tells a projection or a condition that does the same to a row whatever others there are.
func passing(p logical.Plan) bool {
	switch x := p.(type) {
	case *logical.Project:
		return !slices.ContainsFunc(x.Exprs, unsteady)
	case *logical.Filter:
		return !unsteady(x.Cond)
	}
	return false
}

// samePeak tells that two plans give the same rows, in the columns that both have.
func (s *sharing) samePeak(p, q logical.Plan) bool {
	a, ok := p.(*logical.WindowAggregate)
	b, also := q.(*logical.WindowAggregate)
	if !ok || !also {
		x, again := s.node(p)
		y, _ := s.node(q)
		return x == y && !again
	}
	in, again := s.node(a.Input)
	other, _ := s.node(b.Input)
	a, b = a.With([]logical.Plan{in}).(*logical.WindowAggregate), b.With([]logical.Plan{other}).(*logical.WindowAggregate)
	_, volatile := s.fingerprint(a)
	return in == other && !again && !volatile && s.grouping(a) == s.grouping(b)
}

// by tells that the grouping, whose keys, argument and time are read from columns of below, is by the windows of the rows of
// p, which is the same plan: each key is a column that p has too, and both bounds are among them.
func (m *peak) by(p, below logical.Plan, read []expr.Expr) bool {
	last := len(read) - 1
	at := read[last].(*expr.Column).Index
	time, ok := logical.WindowOf(below, at)
	if !ok || time.Column != op.WindowTime || time.At.Time != logical.Rowtime || time.Window.Kind == op.Session ||
		m.group.Window != logical.Slices(time.Window) {
		return false
	}
	shared := len(below.Schema())
	if x, ok := below.(*logical.WindowAggregate); ok {
		shared = x.Width()
	}
	m.keys = nil
	for _, e := range read[:last] {
		m.keys = append(m.keys, e.(*expr.Column).Index)
	}
	if slices.Max(m.keys) >= shared {
		return false
	}
	var bounds [op.WindowTime + 1]bool
	for _, k := range m.keys[:last-1] {
		if w, ok := logical.WindowOf(p, k); ok {
			bounds[w.Column] = bounds[w.Column] || ofTime(below, at, k)
		}
	}
	return bounds[op.WindowStart] && bounds[op.WindowEnd]
}

// ofTime tells that column time of p is the window_time of the windows that column bound is of.
func ofTime(p logical.Plan, time, bound int) bool {
	t, _ := logical.WindowOf(p, time)
	b, ok := logical.WindowOf(p, bound)
	if !ok || t.Depth == b.Depth {
		return ok
	}
	for {
		switch x := p.(type) {
		case *logical.Filter:
			p = x.Input
		case *logical.Project: // WindowOf passed it by columns
			p, time, bound = x.Input, x.Exprs[time].(*expr.Column).Index, x.Exprs[bound].(*expr.Column).Index
		case *logical.WindowAggregate: // by the bounds as keys, and so by whole windows
			if bound >= len(x.Keys) || time < x.Width() {
				return false
			}
			own, ok := logical.WindowOf(x.Input, x.Time)
			of, also := logical.WindowOf(x.Input, x.Keys[bound].(*expr.Column).Index)
			return ok && also && own.Column == op.WindowTime && own.Depth == of.Depth && x.Window == logical.Slices(of.Window)
		default:
			return false
		}
	}
}

// rows is the plan in place of the join, nil where the conditions do not say enough.
func (m *peak) rows(conds []expr.Expr) logical.Plan {
	if m.plan == nil {
		return nil
	}
	m.equal = slices.Repeat([]int{-1}, len(m.keys))
	for _, e := range conds {
		m.compared(e)
	}
	if slices.Contains(m.equal, -1) {
		return nil
	}
	out := m.first()
	for _, p := range slices.Backward(m.above) {
		out = p.With([]logical.Plan{out})
	}
	var list, rest []expr.Expr
	for _, c := range m.join.Columns.Exprs() {
		list = append(list, m.moved(c))
	}
	for _, e := range conds {
		if e = m.moved(e); !reflexive(e) {
			rest = append(rest, e)
		}
	}
	return &logical.Project{Input: filtered(out, rest), Exprs: list, Columns: m.join.Columns}
}

// compared notes which columns a conjunct compares.
func (m *peak) compared(e expr.Expr) {
	call, ok := e.(*expr.Call)
	if !ok || len(call.List) != 2 {
		return
	}
	a, plain := call.List[0].(*expr.Column)
	b, also := call.List[1].(*expr.Column)
	if !plain || !also {
		return
	}
	sign := call.Fn.Name
	row, isRow := m.ofRows(a.Index)
	given, isGiven := m.ofGroup(b.Index)
	if !isRow {
		row, isRow = m.ofRows(b.Index)
		given, isGiven = m.ofGroup(a.Index)
		sign = map[string]string{"<=": ">=", ">=": "<=", "=": "="}[sign]
	}
	if !isRow || !isGiven || m.source(row) != m.keys[given] {
		return
	}
	most := map[string]string{"MAX": ">=", "MIN": "<="}[m.group.Calls[0].Fn.Name]
	if sign == "=" || given == len(m.keys)-1 && sign == most {
		m.equal[given] = row
	}
}

// ofRows is the position of a column of the join among those of the rows.
func (m *peak) ofRows(i int) (int, bool) {
	if m.side == 1 {
		i -= m.width
	}
	return i, i >= 0 && i < len(m.join.Inputs()[m.side].Schema())
}

// ofGroup is the position of a column of the join among those of the grouping, if it is nothing else.
func (m *peak) ofGroup(i int) (int, bool) {
	if m.side == 0 {
		i -= m.width
	}
	if i < 0 || i >= len(m.given) {
		return 0, false
	}
	c, ok := m.given[i].(*expr.Column)
	if !ok {
		return 0, false
	}
	return c.Index, true
}

// source is the column of the peak that one of the rows shows, -1 for none.
func (m *peak) source(i int) int {
	for _, p := range m.above {
		if x, ok := p.(*logical.Project); ok {
			c, plain := x.Exprs[i].(*expr.Column)
			if !plain {
				return -1
			}
			i = c.Index
		}
	}
	return i
}

// first are the rows of the peak that have the maximum, in its columns.
func (m *peak) first() logical.Plan {
	s := m.plan.Schema()
	var bound int
	var partition []expr.Expr
	for _, at := range m.keys[:len(m.keys)-1] {
		if _, ok := logical.WindowOf(m.plan, at); ok {
			bound = at
		}
		partition = append(partition, m.plan.Schema().Expr(at))
	}
	in, time := logical.ExposeTime(m.plan, bound)
	order := op.SortKey{Expr: m.plan.Schema().Expr(m.keys[len(m.keys)-1]), Desc: m.group.Calls[0].Fn.Name == "MAX", NullsLast: true}
	return &logical.Project{Input: logical.NewTies(in, partition, order, time), Exprs: s.Exprs(), Columns: s}
}

// moved is an expression over the columns of the join over those of the rows: what the grouping gives is what is compared
// with it.
func (m *peak) moved(e expr.Expr) expr.Expr {
	in := m.join.Inputs()[m.side]
	return expr.Rewrite(e, func(e expr.Expr) expr.Expr {
		c, ok := e.(*expr.Column)
		if !ok {
			return e
		}
		if i, ok := m.ofRows(c.Index); ok {
			return in.Schema().Expr(i)
		}
		i := c.Index
		if m.side == 0 {
			i -= m.width
		}
		return expr.Rewrite(m.given[i], func(e expr.Expr) expr.Expr {
			if c, ok := e.(*expr.Column); ok {
				return in.Schema().Expr(m.equal[c.Index])
			}
			return e
		})
	})
}

// reflexive tells a comparison of a column with itself that always holds.
func reflexive(e expr.Expr) bool {
	call, ok := e.(*expr.Call)
	if !ok || len(call.List) != 2 || !slices.Contains([]string{"=", "<=", ">="}, call.Fn.Name) {
		return false
	}
	a, plain := call.List[0].(*expr.Column)
	b, also := call.List[1].(*expr.Column)
	return plain && also && a.Index == b.Index && !a.T.Nullable()
}
