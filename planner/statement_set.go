package planner

import (
	"streamsql/planner/bind"
	"streamsql/planner/logical"
	"streamsql/planner/syntax"
)

// openSet is a BEGIN STATEMENT SET on the way to its END: the inserts so far are bound and run as one job then.
type openSet struct{ sinks []logical.Plan }

// SetIsOpen tells that a BEGIN STATEMENT SET waits for its END, and how many inserts it has.
func (s *Session) SetIsOpen() (inserts int, open bool) {
	if s.set == nil {
		return 0, false
	}
	return len(s.set.sinks), true
}

// inSet carries out what belongs to a statement set over several statements; ok is false for everything else.
func (s *Session) inSet(st syntax.Statement, text string) (r *Result, ok bool, err error) {
	switch x := st.(type) {
	case *syntax.BeginStatementSet:
		if s.set != nil {
			return nil, true, syntax.Errorf(bind.CodeDefinition, st.At(), "a statement set is open already").WithHint("END runs it")
		}
		s.binder.Idle() // of statements that came to nothing
		s.set = &openSet{}
		return &Result{}, true, nil
	case *syntax.EndStatementSet:
		switch {
		case s.set == nil:
			return nil, true, syntax.Errorf(bind.CodeDefinition, st.At(), "there is no statement set to END").WithHint("BEGIN STATEMENT SET opens one")
		case len(s.set.sinks) == 0:
			return nil, true, syntax.Errorf(bind.CodeDefinition, st.At(), "the statement set has no INSERT").
				WithHint("INSERT INTO … adds one, then END runs it")
		}
		r, err := s.job(s.set.sinks)
		if err == nil {
			r.Apart, s.set = true, nil
		}
		return r, true, err
	case *syntax.Insert:
		if s.set == nil {
			return nil, false, nil
		}
		p, err := s.binder.Insert(x, text)
		if err == nil {
			s.set.sinks = append(s.set.sinks, p)
		}
		return &Result{}, true, err
	}
	if s.set != nil {
		return nil, true, syntax.Errorf(bind.CodeDefinition, st.At(), "a statement set takes INSERT only").WithHint("END runs it")
	}
	return nil, false, nil
}

// job plans sinks as one job.
func (s *Session) job(sinks []logical.Plan) (*Result, error) {
	sinks = s.optimize(sinks)
	p, err := s.physical(isQuery(sinks))
	if err != nil {
		return nil, err
	}
	p.ByKey = s.byKey
	g, err := p.Plan(sinks)
	if err != nil {
		return nil, err
	}
	var warnings []string
	for _, name := range s.binder.Idle() {
		warnings = append(warnings, "the hint "+name+" changes nothing here: how a join runs follows from its inputs")
	}
	return &Result{Graph: g, Warnings: append(warnings, advice(sinks)...)}, nil
}
