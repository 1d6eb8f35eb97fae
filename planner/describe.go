package planner

import (
	"strings"

	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// notes say which changes a query makes that is described, and by what its rows are told apart.
func (s *Session) notes(st syntax.Statement, text string) []string {
	d, ok := st.(*syntax.Describe)
	if !ok || d.Query == nil {
		return nil
	}
	p, err := s.binder.Query(d.Query, text)
	if err != nil { // which the description would have met
		return nil
	}
	p = s.optimize([]logical.Plan{logical.Result(p)})[0].Inputs()[0]
	c := logical.ChangesOf(p)
	if c.Stays {
		return []string{"changes: " + logical.Inserts.Text() + "; rows that were given stay"}
	}
	note := "changes: " + c.Kinds.Text() + "; rows that were given may change or go"
	if len(c.Keys) == 0 {
		return []string{note}
	}
	names := make([]string, len(c.Keys[0]))
	for i, k := range c.Keys[0] {
		names[i] = p.Schema()[k].Name
	}
	if len(names) == 0 {
		return []string{note, "key: none, since there is one row at most"}
	}
	return []string{note, "key: " + strings.Join(names, ", ")}
}
