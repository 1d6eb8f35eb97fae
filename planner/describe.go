package planner

import (
	"slices"
	"strings"

	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// notes say which changes a query or view makes that is described, by what its rows are told apart, and where its watermark
// comes from.
func (s *Session) notes(st syntax.Statement, text string) []string {
	d, ok := st.(*syntax.Describe)
	if !ok {
		return nil
	}
	query := d.Query
	if query == nil && d.Kind == syntax.TableObject && len(d.Name.Parts) > 0 && s.binder.IsView(d.Name) {
		query = &syntax.TableQuery{Span: d.Name.Span, Table: &syntax.TableName{Span: d.Name.Span, Path: d.Name}}
	}
	if query == nil {
		return nil
	}
	p, err := s.binder.Query(query, text)
	if err != nil { // which the description would have met
		return nil
	}
	return append(s.changeNotes(p), watermarkNotes(p)...)
}

// watermarkNotes say which tables the watermark of a plan with event time is of.
func watermarkNotes(p logical.Plan) (notes []string) {
	if !slices.ContainsFunc(p.Schema(), func(c logical.Column) bool { return c.Time == logical.Rowtime }) {
		return nil
	}
	for _, n := range logical.Nodes(p) {
		w, ok := n.(*logical.Watermark)
		if !ok {
			continue
		}
		note := "watermark: " + w.Expr.String()
		for _, below := range logical.Nodes(w) {
			if scan, ok := below.(*logical.Scan); ok {
				note += ", of " + scan.Table.Name.Object
			}
		}
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}

// changeNotes say which changes come of a plan.
func (s *Session) changeNotes(p logical.Plan) []string {
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
