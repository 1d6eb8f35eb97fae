package planner

import (
	"slices"

	"streamsql/planner/syntax"
)

// Lint is what is to be said about a statement that is no error.
type Lint struct {
	// Extensions are places that go beyond Flink's dialect.
	Extensions []syntax.Extension
	// Remarks are about what the statement will do.
	Remarks []syntax.Error
}

// Lint looks at a statement. One about the catalog and the session is carried out, so that those behind it have their
// tables; of all others nothing runs. The text of an error in it is as Prepare gives it.
func (s *Session) Lint(text string) (*Lint, error) {
	l := &Lint{}
	o := s.Dialect()
	o.Extensions = &l.Extensions
	st, err := o.Statement(text)
	if err != nil {
		return nil, err
	}
	var list []syntax.Rewrite
	s.binder.Record(&list) // nothing is to run
	err = s.lint(l, st, text)
	s.binder.Record(nil)
	l.Extensions = slices.Concat(l.Extensions, syntax.Extensions(list), s.optionsBeyond(text))
	s.apply()
	return l, placed(err, st)
}

func (s *Session) lint(l *Lint, st syntax.Statement, text string) error {
	remark := func(at syntax.Node, what string) {
		l.Remarks = append(l.Remarks, *syntax.Errorf("", at.At(), "%s", what))
	}
	switch st.(type) {
	case *syntax.BeginStatementSet, *syntax.EndStatementSet, *syntax.Shell:
		return nil
	}
	if aboutJobs(st) != nil {
		return nil
	}
	if _, ok := st.(*syntax.Explain); !ok { // which comes to what it explains
		neverTrue(st, remark)
	}
	inserts := []*syntax.Insert{}
	switch x := st.(type) {
	case *syntax.Explain:
		return s.lint(l, x.Statement, text)
	case *syntax.Insert:
		inserts = append(inserts, x)
	case *syntax.StatementSet:
		inserts = x.Inserts
	}
	sinks, _, err := s.sinks(st, text, false)
	if err != nil {
		return err
	}
	if sinks == nil {
		r, err := s.binder.Statement(st, text)
		if err == nil {
			for _, w := range r.Warnings {
				remark(st, w)
			}
		}
		return err
	}
	for _, i := range inserts {
		for _, m := range s.binder.Crossed(i, text) {
			remark(i.Target, m)
		}
	}
	optimized := s.optimize(sinks)
	p, err := s.physical(isQuery(optimized))
	if err != nil {
		return err
	}
	g, err := p.Plan(optimized)
	if err != nil {
		return err
	}
	for _, a := range slices.Concat(advice(optimized), volatileAdvice(optimized), s.stateAdvice(optimized, g)) {
		remark(st, a)
	}
	return nil
}
