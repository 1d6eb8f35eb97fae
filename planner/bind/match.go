package bind

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// matching is a MATCH_RECOGNIZE while its conditions and measures are bound. In their scope each variable is a table
// with the columns of the input, and behind them all rows are one, which needs no name.
type matching struct {
	input logical.Schema
	op.RowPattern
	time int // the column that rows are in the order of
	// defines is the variable whose condition is bound, or AllVariables for measures.
	defines int
}

// matchRef stands for a read or a call of the pattern until all are known. It never leaves the package.
type matchRef struct {
	call bool
	at   int
	text string
	t    types.Type
}

func (e *matchRef) Type() types.Type           { return e.t }
func (e *matchRef) String() string             { return e.text }
func (e *matchRef) Args() []expr.Expr          { return nil }
func (e *matchRef) With([]expr.Expr) expr.Expr { return e }

// match binds MATCH_RECOGNIZE.
func (w *work) match(t *syntax.Match, s *scope) (logical.Plan, error) {
	inner := &scope{outer: s.outer}
	plan, err := w.from(t.Input, inner)
	if err != nil {
		return nil, err
	}
	out := &logical.Match{Input: plan}
	m := &matching{input: inner.schema()}
	if err := w.matchRows(t, m, out, inner); err != nil {
		return nil, err
	}
	if err := w.rowPattern(t, m); err != nil {
		return nil, err
	}
	in := m.scope(s)
	for i := range t.Define {
		d := &t.Define[i]
		m.defines = m.variable(d.Variable.Name)
		cond, err := w.condition(d.Cond, in, "DEFINE")
		if err != nil {
			return nil, err
		}
		m.Variables[m.defines].Cond = m.plain(cond)
	}
	m.defines = op.AllVariables
	if err := w.measures(t, m, out, in); err != nil {
		return nil, err
	}
	out.RowPattern = m.RowPattern
	for i, e := range out.Measures {
		out.Measures[i] = m.placed(e)
	}
	for i, v := range out.Variables {
		if v.Cond != nil {
			out.Variables[i].Cond = m.placed(v.Cond)
		}
	}
	if w.missing != nil {
		p := &stub{out.Columns}
		return p, w.add(s, result{p, out.Columns}, "", nil, t.Alias)
	}
	if logical.Retracts(plan) {
		return nil, failf(t, CodeDefinition, "MATCH_RECOGNIZE takes rows that stay, and those of its table change").
			WithHint("match the rows before they are grouped, joined or ranked")
	}
	return out, w.add(s, result{out, out.Columns}, "", nil, t.Alias)
}

// matchRows binds what parts and orders the rows.
func (w *work) matchRows(t *syntax.Match, m *matching, out *logical.Match, s *scope) error {
	for _, p := range t.PartitionBy {
		e, err := w.expr(p, s)
		if err != nil {
			return err
		}
		c, ok := e.(*expr.Column)
		if !ok {
			return failf(p, CodeShape, "PARTITION BY takes columns of the table here").
				WithHint("compute them in a query: (SELECT …) MATCH_RECOGNIZE (PARTITION BY k …)")
		}
		out.Partition = append(out.Partition, e)
		out.Columns = append(out.Columns, logical.Column{Name: m.input[c.Index].Name, Type: c.T})
	}
	for _, o := range t.OrderBy {
		e, err := w.expr(o.Expr, s)
		if err != nil {
			return err
		}
		out.Order = append(out.Order, w.sortKey(o, e))
	}
	hint := "ORDER BY a column with a WATERMARK, or one that is PROCTIME()"
	if len(out.Order) == 0 {
		return failf(t, CodeWatermark, "MATCH_RECOGNIZE needs ORDER BY a time attribute").WithHint("%s", hint)
	}
	c, ok := out.Order[0].Expr.(*expr.Column)
	if !ok || m.input[c.Index].Time == logical.NoTime && logical.TimeOf(out.Input, c.Index) == logical.NoTime {
		return failf(t.OrderBy[0].Expr, CodeWatermark, "rows are matched in the order of a time attribute, and this is none").
			WithHint("%s", hint)
	}
	if out.Order[0].Desc {
		return failf(t.OrderBy[0].Expr, CodeWatermark, "rows are matched in the ascending order of time").WithHint("leave DESC out")
	}
	var err error
	if m.time, err = w.clocked(t.OrderBy[0].Expr, m.input, c.Index); err != nil {
		return err
	}
	at := m.input[m.time]
	out.Order[0].Expr = &expr.Column{Index: m.time, Name: at.Name, T: at.Type}
	return nil
}

// measures binds the columns of the result behind the keys.
func (w *work) measures(t *syntax.Match, m *matching, out *logical.Match, s *scope) error {
	for _, item := range t.Measures {
		e, err := w.expr(item.Expr, s)
		if err != nil {
			return err
		}
		col := logical.Column{Name: item.Alias.Name, Type: e.Type()}
		if c, ok := item.Expr.(*syntax.Call); ok && len(c.Name.Parts) == 1 {
			col.Time = matchTime(c.Name.Last())
		}
		out.Measures = append(out.Measures, m.plain(e))
		out.Columns = append(out.Columns, col)
	}
	return nil
}

// variable is the position of a variable, or -1.
func (m *matching) variable(name string) int {
	return slices.IndexFunc(m.Variables, func(v op.PatternVariable) bool { return v.Name == name })
}

// scope is what names mean in conditions and measures.
func (m *matching) scope(around *scope) *scope {
	s := &scope{outer: around.outer, match: m, clause: "MATCH_RECOGNIZE"}
	hidden := map[string]bool{}
	for _, c := range m.input {
		hidden[c.Name] = true
	}
	for _, v := range m.Variables {
		s.relations = append(s.relations, relation{name: v.Name, start: s.width(), schema: m.input, hidden: hidden})
	}
	s.relations = append(s.relations, relation{start: s.width(), schema: m.input})
	return s
}

// owner is whose row a column of the scope is of, and which column of the input it is.
func (m *matching) owner(c *expr.Column) (variable, column int) {
	variable, column = c.Index/len(m.input), c.Index%len(m.input)
	if variable == len(m.Variables) {
		variable = op.AllVariables
	}
	return variable, column
}

// plain makes what is left of columns the last row's.
func (m *matching) plain(e expr.Expr) expr.Expr { return m.navigated(e, false, 0) }

// navigated makes the columns of an expression those of a row.
func (m *matching) navigated(e expr.Expr, first bool, offset int64) expr.Expr {
	return expr.Rewrite(e, func(x expr.Expr) expr.Expr {
		c, ok := x.(*expr.Column)
		if !ok {
			return x
		}
		r := op.MatchRead{First: first, Offset: offset, T: c.T.WithNull(true)}
		r.Variable, r.Column = m.owner(c)
		return m.read(r)
	})
}

// read is the value of a read, which stands once in the pattern.
func (m *matching) read(r op.MatchRead) expr.Expr {
	same := func(x op.MatchRead) bool {
		return x.Variable == r.Variable && x.First == r.First && x.Offset == r.Offset && x.Column == r.Column
	}
	at := slices.IndexFunc(m.Reads, same)
	if at < 0 {
		at = len(m.Reads)
		m.Reads = append(m.Reads, r)
	}
	return &matchRef{at: at, text: r.String(&m.RowPattern, m.input[r.Column].Name), t: r.T}
}

// call is the value of a call, which stands once in the pattern.
func (m *matching) call(c op.MatchCall) expr.Expr {
	at := slices.IndexFunc(m.Calls, func(x op.MatchCall) bool {
		return x.Variable == c.Variable && sameCall(x.AggregateCall, c.AggregateCall)
	})
	if at < 0 {
		at = len(m.Calls)
		m.Calls = append(m.Calls, c)
	}
	return &matchRef{call: true, at: at, text: c.String(&m.RowPattern), t: c.T}
}

// placed makes references columns.
func (m *matching) placed(e expr.Expr) expr.Expr {
	return expr.Rewrite(e, func(x expr.Expr) expr.Expr {
		r, ok := x.(*matchRef)
		if !ok {
			return x
		}
		at := r.at
		if r.call {
			at += len(m.Reads)
		}
		return &expr.Column{Index: at, Name: r.text, T: r.t}
	})
}
