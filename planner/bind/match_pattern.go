package bind

import (
	"streamsql/exec/expr"
	"streamsql/exec/op"
	"streamsql/exec/types"
	"streamsql/exec/vector"
	"streamsql/planner/syntax"
)

// maxPatternVariables is how many variables the pattern of a MATCH_RECOGNIZE has at most, maxPatternRows how many rows
// its quantifiers may count.
const (
	maxPatternVariables = 64
	maxPatternRows      = 10000
)

// rowPattern binds the pattern of MATCH_RECOGNIZE, and what else stands around its conditions.
func (w *work) rowPattern(t *syntax.Match, m *matching) error {
	if t.AllRows {
		return failf(t, CodeShape, "ALL ROWS PER MATCH does not exist").WithHint("ONE ROW PER MATCH, with FIRST, LAST and aggregates as measures")
	}
	for _, s := range t.Subsets {
		return failf(s, CodeShape, "SUBSET does not exist").WithHint("name the variables one by one")
	}
	if t.AtStart || t.AtEnd {
		w.lack(t.Pattern, "^ and $ in a pattern", "rows of a stream have no end")
	}
	if err := m.sequence(t.Pattern, 1); err != nil {
		return err
	}
	if err := m.checkPattern(t.Pattern); err != nil {
		return err
	}
	for i, d := range t.Define {
		for _, before := range t.Define[:i] {
			if before.Variable.Name == d.Variable.Name {
				return failf(d.Variable, CodeDuplicate, "pattern variable '%s' is defined twice", d.Variable.Name).
					WithHint("join its conditions with AND")
			}
		}
		if m.variable(d.Variable.Name) < 0 {
			m.Variables = append(m.Variables, op.PatternVariable{Name: d.Variable.Name})
		}
	}
	if err := m.skip(t.After); err != nil {
		return err
	}
	return w.within(t.Within, m)
}

// sequence takes the variables of a pattern in.
func (m *matching) sequence(p syntax.Pattern, depth int) error {
	switch p := p.(type) {
	case *syntax.PatternVar:
		return m.element(p, op.PatternElement{Min: 1, Max: 1})
	case *syntax.PatternSeq:
		for _, item := range p.Items {
			if err := m.sequence(item, depth+1); err != nil {
				return err
			}
		}
		return nil
	case *syntax.PatternRepeat:
		return m.repeat(p)
	case *syntax.PatternAlt:
		return failf(p, CodeShape, "a pattern does not branch: A | B does not exist").
			WithHint("define one variable: DEFINE A AS condition of A OR condition of B")
	case *syntax.PatternPermute:
		return failf(p, CodeShape, "PERMUTE does not exist").WithHint("write the variables in one order")
	case *syntax.PatternExclude:
		return failf(p, CodeShape, "{- A -} does not exist").WithHint("the measures say what is given of a match")
	}
	panic("bind: an unknown pattern")
}

// repeat takes a variable with a quantifier in.
func (m *matching) repeat(p *syntax.PatternRepeat) error {
	item := p.Item
	for {
		group, ok := item.(*syntax.PatternSeq)
		if !ok || len(group.Items) != 1 {
			break
		}
		item = group.Items[0]
	}
	v, ok := item.(*syntax.PatternVar)
	if !ok {
		if _, ok := item.(*syntax.PatternSeq); !ok {
			if _, ok := item.(*syntax.PatternRepeat); !ok {
				return m.sequence(item, 1)
			}
		}
		return failf(p, CodeShape, "a quantifier stands behind a variable, not behind a group").
			WithHint("write the variables of the group one by one, each with its own quantifier: (A+ B+)")
	}
	e := op.PatternElement{Min: p.Min, Max: p.Max}
	if p.Max == syntax.Unset {
		e.Max = -1
	}
	optional := p.Min == 0 && p.Max == 1
	e.Greedy = !p.Reluctant && !optional && e.Min != e.Max
	switch {
	case p.Min == syntax.Unset:
		return failf(p, CodeShape, "{,n} does not exist").WithHint("{0,n} or {1,n}")
	case e.Max >= 0 && e.Max < max(e.Min, 1):
		return failf(p, CodeShape, "a quantifier goes from a number of rows to one that is not less, and not 0").
			WithHint("such as {1,3}: the smaller number first, and the larger 1 at least")
	case optional && p.Reluctant:
		return failf(p, CodeShape, "?? does not exist").WithHint("? prefers neither: the match that is complete first is given")
	case max(e.Min, e.Max) > maxPatternRows:
		return failf(p, syntax.CodeLimit, "a quantifier counts more than the limit of %d rows", maxPatternRows)
	}
	return m.element(v, e)
}

func (m *matching) element(v *syntax.PatternVar, e op.PatternElement) error {
	if m.variable(v.Name.Name) >= 0 {
		return failf(v, CodeDuplicate, "pattern variable '%s' stands twice in the pattern", v.Name.Name).
			WithHint("give one of them another name and the same condition")
	}
	if len(m.Elements) == maxPatternVariables {
		return failf(v, syntax.CodeLimit, "the pattern has more than the limit of %d variables", maxPatternVariables)
	}
	m.Variables = append(m.Variables, op.PatternVariable{Name: v.Name.Name})
	m.Elements = append(m.Elements, e)
	return nil
}

// checkPattern refuses patterns whose matches may be empty, or have no last row.
func (m *matching) checkPattern(p syntax.Pattern) error {
	empty := true
	for _, e := range m.Elements {
		empty = empty && e.Min == 0
	}
	switch {
	case m.Elements[len(m.Elements)-1].Greedy:
		return failf(p, CodeShape, "the last variable of a pattern cannot be greedy: its last row is known only by the one behind").
			WithHint("put a variable behind it, or a ? behind its quantifier")
	case empty:
		return failf(p, CodeShape, "the pattern fits no rows at all").WithHint("make one variable at least not optional")
	}
	return nil
}

func (m *matching) skip(a *syntax.AfterMatch) error {
	m.Skip = op.SkipToNextRow
	if a == nil {
		return nil
	}
	switch a.Skip {
	case syntax.SkipPastLastRow:
		m.Skip = op.SkipPastLastRow
	case syntax.SkipToFirst:
		m.Skip = op.SkipToFirst
	case syntax.SkipToLast:
		m.Skip = op.SkipToLast
	}
	if a.Variable == nil {
		return nil
	}
	m.SkipTo = m.variable(a.Variable.Name)
	if m.SkipTo < 0 || m.SkipTo >= len(m.Elements) {
		return failf(a.Variable, CodeColumn, "pattern variable '%s' not found in the pattern", a.Variable.Name).
			WithHint("%s", suggest(a.Variable.Name, "variables", m.names()[:len(m.Elements)]))
	}
	return nil
}

func (m *matching) names() []string {
	var out []string
	for _, v := range m.Variables {
		out = append(out, v.Name)
	}
	return out
}

// within binds the bound of a match's time.
func (w *work) within(e syntax.Expr, m *matching) error {
	if e == nil {
		return nil
	}
	x, err := w.expr(e, &scope{})
	if err != nil {
		return err
	}
	v, err := expr.Value(x, w.env)
	if err != nil || v.T.Kind != types.IntervalDay || v.Value.IsConstNull() || vector.Value[int64](v.Value, 0) < 0 {
		return failf(e, CodeType, "WITHIN takes a constant interval of days to seconds, not %s", typeText(x)).
			WithHint("WITHIN INTERVAL '10' MINUTE")
	}
	m.Within = vector.Value[int64](v.Value, 0)
	return nil
}
